package app

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/app/texts"
	"inglenook/engine"
	"inglenook/pipeline"
)

func TestMeasureEmbedding(t *testing.T) {
	d := &double{}
	a := newTestApp(t, d)
	var steps []measure.Step
	got, err := a.Measure(context.Background(), measure.Request{
		Targets: []devices.Target{{Device: "cpu", Threads: 1}, {Device: "cpu", Threads: 2}, {Device: "cpu", Hold: devices.Hold{Weights: "q8_0"}}, {Device: "nowhere"}}, Curve: true,
	}, func(s measure.Step) { steps = append(steps, s) })
	if err != nil {
		t.Fatal(err)
	}
	if got.Model != library.StarterEmbed || got.Kind != library.KindEmbedding || got.Machine != "a processor" || len(got.Rows) != 4 {
		t.Fatalf("%+v", got)
	}
	for i, r := range got.Rows[:2] {
		m, ok := r.Measure(fit.WorkEmbed)
		if !ok || r.Failed != "" || m.Repeats < 5 || m.Median <= 0 || m.P10 > m.Median || m.P90 < m.Median || m.Unit != "texts/s" {
			t.Errorf("row %d: %+v", i, r)
		}
		if len(r.Curve) != 5 || r.Curve[4].Size != 256 || r.Curve[4].Value <= 0 || r.Compared != (i > 0) {
			t.Errorf("row %d: %+v", i, r)
		}
	}
	if got.Rows[1].Agreement < 0.999999 {
		t.Errorf("the same model does not agree with itself: %v", got.Rows[1].Agreement)
	}
	if len(d.held) == 0 || d.held[len(d.held)-1] != "q8_0" || got.Rows[2].Failed != "" {
		t.Errorf("the weights are held as %q: %+v", d.held, got.Rows[2])
	}
	if r := got.Rows[3]; !strings.Contains(r.Failed, "here is no device") || r.Compared || len(r.Measures) > 0 {
		t.Errorf("row 3: %+v", r)
	}
	last := int64(-1)
	for _, s := range steps {
		if s.Done < last || s.Done > s.Total || len(s.Rows) != 4 {
			t.Fatalf("progress goes from %d to %d of %d", last, s.Done, s.Total)
		}
		last = s.Done
	}
	if end := steps[len(steps)-1]; end.Done != end.Total {
		t.Errorf("progress ends with %d of %d", end.Done, end.Total)
	}
}

// A measurement takes out of memory what it opened, and leaves what was there.
func TestMeasuringLeavesTheMemoryAsItWas(t *testing.T) {
	a := newTestApp(t, &double{})
	ask := measure.Request{Targets: []devices.Target{{Device: "cpu"}, {Device: "cpu", Hold: devices.Hold{Weights: "q8_0"}}}, Amounts: measure.Amounts{Texts: 4, Repeat: 1}}
	if got, err := a.Measure(t.Context(), ask, nil); err != nil || got.Err() != nil || len(a.OpenModels()) != 0 {
		t.Errorf("%v, %v; in memory are %+v", err, got.Err(), a.OpenModels())
	}
	if _, err := a.Embed(t.Context(), texts.EmbedRequest{Target: devices.Target{Device: "cpu"}, Texts: []string{"a"}}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Measure(t.Context(), ask, nil); err != nil || len(a.OpenModels()) == 0 {
		t.Errorf("%v; in memory are %+v", err, a.OpenModels())
	}
}

// wrong is a model that returns other vectors from its second call with a number of threads on.
type wrong struct {
	*double
	turned bool
}

func (w *wrong) Embed(ctx context.Context, texts []string, r pipeline.EmbedRequest) (pipeline.Embeddings, error) {
	got, err := w.double.Embed(ctx, texts, r)
	for _, v := range got.Vectors {
		if w.turned {
			slices.Reverse(v)
		}
	}
	return got, err
}

func TestMeasureTellsDisagreement(t *testing.T) {
	a := newTestApp(t, &double{})
	opened := 0
	a.openers.Embedder = func(context.Context, fs.FS, []engine.Backend, pipeline.EmbedderOptions) (pipeline.Embedder, error) {
		opened++
		return &wrong{&double{}, opened > 1}, nil
	}
	got, err := a.Measure(context.Background(), measure.Request{Targets: []devices.Target{{Device: "cpu", Threads: 1}, {Device: "cpu", Threads: 2}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := got.Rows[1]; !r.Compared || r.Agreement > 0.9 {
		t.Errorf("other results agree: %+v", r.Agreement)
	}
}

// vanishing is a model whose device is lost after some calls.
type vanishing struct {
	*double
	calls, last int
}

func (v *vanishing) Embed(ctx context.Context, texts []string, r pipeline.EmbedRequest) (pipeline.Embeddings, error) {
	got, err := v.double.Embed(ctx, texts, r)
	if v.calls++; v.calls > v.last {
		got.Device, got.Notices = "elsewhere", []string{"the device cpu was lost, so elsewhere took over"}
	}
	return got, err
}

func TestMeasureEndsTheRowOfALostDevice(t *testing.T) {
	a := newTestApp(t, &double{})
	opened := 0
	a.openers.Embedder = func(context.Context, fs.FS, []engine.Backend, pipeline.EmbedderOptions) (pipeline.Embedder, error) {
		if opened++; opened == 1 {
			return &vanishing{&double{}, 0, 3}, nil
		}
		return &double{}, nil
	}
	got, err := a.Measure(context.Background(), measure.Request{Targets: []devices.Target{{Device: "cpu", Threads: 1}, {Device: "cpu", Threads: 2}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := got.Rows[0]; r.Failed != "The device cpu was lost, so elsewhere took over." || len(r.Measures) > 0 {
		t.Errorf("the lost device: %+v", r)
	}
	if r := got.Rows[1]; r.Failed != "" || len(r.Measures) != 1 || r.Compared {
		t.Errorf("the other one: %+v", r)
	}
}

func TestMeasureIsCancelledAtOnce(t *testing.T) {
	d := &double{slow: make(chan struct{})}
	a := newTestApp(t, d)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		_, err := a.Measure(ctx, measure.Request{Targets: []devices.Target{{Device: "cpu"}}}, nil)
		ended <- err
	}()
	for d.asked.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
	case <-time.After(soon):
		t.Fatal("it goes on")
	}
}

func TestMeasureRefuses(t *testing.T) {
	a := newTestApp(t, &double{})
	for name, c := range map[string]struct {
		ask  measure.Request
		want string
	}{
		"no place": {measure.Request{}, "choose a device"},
		"no model": {measure.Request{Model: "nothing/there", Targets: []devices.Target{{Device: "cpu"}}}, "nothing/there"},
	} {
		if _, err := a.Measure(context.Background(), c.ask, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMeasureWriting(t *testing.T) {
	a := newWritingApp(t, &writer{})
	got, err := a.Measure(context.Background(), measure.Request{Targets: []devices.Target{{Device: "cpu"}, {Device: "cpu", Hold: devices.Hold{Weights: "q8_0"}}}, Curve: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range got.Rows {
		var kinds []string
		for _, m := range r.Measures {
			kinds = append(kinds, m.Work)
			if m.LessIsBetter() != (m.Work == fit.WorkFirst) || m.Median <= 0 {
				t.Errorf("%+v", m)
			}
		}
		if !slices.Equal(kinds, []string{fit.WorkPrompt, fit.WorkFirst, fit.WorkGenerate}) || r.Failed != "" || len(r.Curve) == 0 {
			t.Errorf("row %d: %v %q %v", i, kinds, r.Failed, r.Curve)
		}
	}
	if r := got.Rows[1]; !r.Compared || r.Agreement != 1 {
		t.Errorf("the same tokens: %+v", r)
	}
}

func sampleMeasurement(minute int) measure.Result {
	return measure.Result{
		When: time.Date(2026, 3, 1, 10, minute, 0, 0, time.UTC), Model: "org/model", Name: "a, model", Kind: library.KindEmbedding, Machine: "a processor",
		Rows: []measure.Row{
			{
				Target: devices.Target{Device: "cpu", Threads: 2}, Name: "a processor",
				Measures: []measure.Measure{{Work: fit.WorkEmbed, Amount: 32, Unit: "texts/s", Median: 12.5, P10: 12, P90: 13, Repeats: 5, Ops: []measure.Op{{Op: "linear", DType: "f16", Device: "cpu", Count: 3, Seconds: 0.25}}}},
				Curve:    []measure.CurvePoint{{Size: 1, Value: 900}, {Size: 16, Value: 300}},
			},
			{Target: devices.Target{Device: "metal"}, Failed: "It was lost, in mid-run."},
		},
	}
}

func TestHistorySurvivesACutFile(t *testing.T) {
	a := newTestApp(t, &double{})
	if list, err := a.PerformanceHistory(""); err != nil || len(list) != 0 {
		t.Fatalf("at first: %v, %v", list, err)
	}
	keep := func(minute int) {
		t.Helper()
		if err := a.KeepPerformance(sampleMeasurement(minute)); err != nil {
			t.Fatal(err)
		}
	}
	keep(1)
	keep(2)
	whole, err := os.ReadFile(filepath.Join(a.paths.Data, "performance.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	second := bytes.IndexByte(whole, '\n') + 1
	for cut := range len(whole) {
		if err := os.WriteFile(filepath.Join(a.paths.Data, "performance.jsonl"), whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		want := 0
		switch {
		case cut >= len(whole)-1: // all but the line's end
			want = 2
		case cut >= second-1:
			want = 1
		}
		if list, err := a.PerformanceHistory("org/model"); err != nil || len(list) != want {
			t.Fatalf("cut at %d: %d measurements, want %d (%v)", cut, len(list), want, err)
		}
	}
	if err := os.WriteFile(filepath.Join(a.paths.Data, "performance.jsonl"), whole[:second+40], 0o600); err != nil {
		t.Fatal(err)
	}
	keep(3)
	list, err := a.PerformanceHistory("org/model")
	if err != nil || len(list) != 2 || list[0].When.Minute() != 3 || list[1].When.Minute() != 1 {
		t.Fatalf("after a cut line: %+v, %v", list, err)
	}
	if !reflect.DeepEqual(list[1], sampleMeasurement(1)) {
		t.Errorf("read back\n%+v\nwant\n%+v", list[1], sampleMeasurement(1))
	}
	if list, _ := a.PerformanceHistory("another/model"); len(list) != 0 {
		t.Errorf("of another model: %+v", list)
	}
}

// What is finished of a cancelled measurement is there: the ways with their speeds, and the part of a curve.
func TestCancelKeepsWhatIsFinished(t *testing.T) {
	a := newTestApp(t, &double{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	targets := []devices.Target{{Device: "cpu", Threads: 1}, {Device: "cpu", Threads: 2}}
	got, err := a.Measure(ctx, measure.Request{Targets: targets, Curve: true}, func(s measure.Step) {
		if s.Row == 1 && len(s.Rows[1].Curve) == 2 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || !got.Cancelled || got.Measured() != 2 {
		t.Fatalf("it ends with %v and %+v", err, got)
	}
	first, second := got.Rows[0], got.Rows[1]
	if len(first.Curve) != 5 || len(second.Curve) < 2 || len(second.Curve) > 3 || !second.Compared || second.Agreement < 0.999 {
		t.Errorf("the curves have %d and %d points, agreement %v", len(first.Curve), len(second.Curve), second.Agreement)
	}
	if notes := strings.Join(second.Notes, " "); !strings.Contains(notes, "The curve ends at") || !strings.Contains(notes, "was cancelled") || strings.Contains(strings.Join(first.Notes, " "), "cancelled") {
		t.Errorf("the notes are %q", notes)
	}
}

func TestHistorySaysWhatFails(t *testing.T) {
	a := newTestApp(t, &double{})
	if err := os.MkdirAll(filepath.Join(a.paths.Data, "performance.jsonl"), 0o700); err != nil { // a folder in its place
		t.Fatal(err)
	}
	if err := a.KeepPerformance(sampleMeasurement(1)); err == nil || !strings.Contains(err.Error(), "is not kept in") {
		t.Errorf("keeping: %v", err)
	}
	if _, err := a.PerformanceHistory(""); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("reading: %v", err)
	}
}

func TestPerformanceExports(t *testing.T) {
	p := sampleMeasurement(1)
	var file bytes.Buffer
	if err := p.WriteCSV(&file, 0.75); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&file).ReadAll()
	if err != nil || len(rows) != 5 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	column := func(row []string, name string) string {
		return row[slices.IndexFunc(rows[0], func(head string) bool { return head == name || strings.HasPrefix(head, name+" (") })]
	}
	if r := rows[1]; column(r, "device") != "cpu" || column(r, "work") != "embed" || column(r, "median") != "12.5" || column(r, "threads") != "2" {
		t.Errorf("%v", r)
	}
	if r := rows[1]; column(r, "model as shown") != "org/model" || column(r, "words") != "" {
		t.Errorf("%v", r)
	}
	if r := rows[3]; column(r, "work") != "curve" || column(r, "size") != "16" || column(r, "median") != "300" || column(r, "unit") != "µs/text" {
		t.Errorf("%v", r)
	}
	if r := rows[4]; column(r, "device") != "metal" || column(r, "failed") != "It was lost, in mid-run." {
		t.Errorf("%v", r)
	}
	file.Reset()
	if err := p.WriteJSON(&file); err != nil {
		t.Fatal(err)
	}
	var back measure.Result
	if err := json.Unmarshal(file.Bytes(), &back); err != nil || !reflect.DeepEqual(back, p) {
		t.Errorf("read back %+v, %v", back, err)
	}
}
