package app

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"inglenook/app/apptest"
	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/app/texts"
)

// These tests compute: the bundled model and the tiny checkpoints of the
// repository, on the CPU.

func TestBundledModelCompares(t *testing.T) {
	a := newRealApp(t)
	r, err := a.Similarity(context.Background(), texts.SimilarityRequest{Device: "cpu", Texts: texts.SampleTexts()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// The text with the same meaning in other words is nearest.
	for _, pair := range [][2]int{{0, 1}, {3, 4}, {5, 6}, {7, 8}} {
		if got := r.Nearest(pair[0], 1)[0].Index; got != pair[1] {
			t.Errorf("nearest to %q is %q", r.Texts[pair[0]], r.Texts[got])
		}
	}
	if r.Device != "cpu" || r.Load <= 0 || r.Note != "" || r.Model.Dimension != len(r.Vectors[0]) {
		t.Errorf("device %s, load %v, note %q, dimension %d", r.Device, r.Load, r.Note, len(r.Vectors[0]))
	}
	again, err := a.Similarity(context.Background(), texts.SimilarityRequest{Model: library.StarterEmbed, Device: "cpu", Texts: texts.SampleTexts()}, nil)
	if err != nil || again.Load != 0 {
		t.Fatalf("loaded again in %v, error %v", again.Load, err)
	}
	for i := range r.Vectors {
		if !slices.Equal(r.Vectors[i], again.Vectors[i]) || r.Points[i] != again.Points[i] {
			t.Errorf("text %d: another result the second time", i)
		}
	}
	if m, err := a.Resolve(context.Background(), library.StarterEmbed); err != nil || m.LastUsed.IsZero() {
		t.Errorf("last used %v, error %v", m.LastUsed, err)
	}
}

func TestThreadsAgree(t *testing.T) {
	var judge [][]float32
	for _, threads := range []int{1, 2, 3} {
		apptest.Home(t)
		a, err := New(Options{Home: t.TempDir(), Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Embed(context.Background(), texts.EmbedRequest{Texts: manyTexts(9)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := a.Devices()[0].Threads; n != threads {
			t.Errorf("%d threads, want %d", n, threads)
		}
		if judge == nil {
			judge = got.Vectors
		}
		if far := largestDifference(judge, got.Vectors); far > 1e-5 {
			t.Errorf("%d threads differ by %g from one", threads, far)
		}
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

func largestDifference(a, b [][]float32) (far float64) {
	for i := range a {
		for k := range a[i] {
			far = max(far, math.Abs(float64(a[i][k]-b[i][k])))
		}
	}
	return far
}

func TestEmbedOptions(t *testing.T) {
	a := newRealApp(t)
	ctx := context.Background()
	length := func(r texts.EmbedRequest) float64 {
		t.Helper()
		r.Texts = append(r.Texts, "The kettle sings.")
		got, err := a.Embed(ctx, r, nil)
		if err != nil {
			t.Fatal(err)
		}
		square := 0.0
		for _, e := range got.Vectors[0] {
			square += float64(e) * float64(e)
		}
		return math.Sqrt(square)
	}
	if n := length(texts.EmbedRequest{}); math.Abs(n-1) > 1e-5 {
		t.Errorf("length %v, want 1", n)
	}
	if n := length(texts.EmbedRequest{NoNormalize: true}); math.Abs(n-1) < 1e-3 {
		t.Errorf("length %v without normalizing", n)
	}
	plain, _ := a.Embed(ctx, texts.EmbedRequest{Texts: []string{"tea"}}, nil)
	prefixed, err := a.Embed(ctx, texts.EmbedRequest{Prefix: "query: ", Texts: []string{"tea"}}, nil)
	if err != nil || prefixed.Tokens[0] <= plain.Tokens[0] {
		t.Errorf("tokens %v with a prefix, %v without, error %v", prefixed.Tokens, plain.Tokens, err)
	}
	typed, err := a.Embed(ctx, texts.EmbedRequest{Texts: []string{"query: tea"}}, nil)
	if err != nil || largestDifference(typed.Vectors, prefixed.Vectors) != 0 {
		t.Errorf("a prefix is not the same as typing it: error %v", err)
	}
	if _, err := a.Embed(ctx, texts.EmbedRequest{Pooling: []string{"sideways"}, Texts: []string{"tea"}}, nil); err == nil {
		t.Error("an unknown pooling was taken")
	}
}

func TestTextsThatHurt(t *testing.T) {
	a := newRealApp(t)
	ctx := context.Background()
	if _, err := a.Embed(ctx, texts.EmbedRequest{}, nil); err == nil {
		t.Error("no texts, no error")
	}
	ten := strings.Repeat("word ", 2<<20)
	got, err := a.Embed(ctx, texts.EmbedRequest{Texts: []string{ten, "broken \xff\xfe utf-8", "nul\x00byte", "日本語 😀", ""}}, nil)
	if err != nil || len(got.Vectors) != 5 || !got.Truncated[0] || got.Truncated[1] {
		t.Fatalf("truncated %v, error %v", got.Truncated, err)
	}
	for _, want := range []string{"One text is longer than", "text 2 is not valid UTF-8", "text 5 is empty"} {
		if !strings.Contains(strings.Join(got.Notes, "|"), want) {
			t.Errorf("the notes %q lack %q", got.Notes, want)
		}
	}
}

func TestCancelRealWork(t *testing.T) {
	a := newRealApp(t)
	input := manyTexts(4000)
	if _, err := a.Embed(context.Background(), texts.EmbedRequest{Texts: input[:1]}, nil); err != nil { // open
		t.Fatal(err)
	}
	for _, after := range []time.Duration{0, 5 * time.Millisecond, 60 * time.Millisecond, 300 * time.Millisecond} {
		ctx, cancel := context.WithCancel(context.Background())
		var cancelled time.Time
		timer := time.AfterFunc(after, func() {
			cancelled = time.Now()
			cancel()
		})
		_, err := a.Embed(ctx, texts.EmbedRequest{Texts: input}, nil)
		ended := time.Now()
		if timer.Stop() || !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled after %v: error %v", after, err)
			continue
		}
		<-ctx.Done()
		if took := ended.Sub(cancelled); took > soon {
			t.Errorf("cancelled after %v: it took %v to stop", after, took)
		}
	}
}

func TestCloseDuringRealWork(t *testing.T) {
	apptest.Home(t)
	a, err := New(Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	a.patience = soon
	started := make(chan struct{}, 10000)
	ended := make(chan error)
	go func() {
		_, err := a.Embed(context.Background(), texts.EmbedRequest{Texts: manyTexts(4000)}, func(p base.Progress) {
			if p.Stage == base.StageEmbedding {
				select {
				case started <- struct{}{}:
				default:
				}
			}
		})
		ended <- err
	}()
	<-started
	if err := a.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the work ended with %v", err)
	}
}

func TestRerank(t *testing.T) {
	a := newRealApp(t)
	ctx := context.Background()
	documents := []string{"Boil the potatoes until they are soft.", "The express to the sea leaves at seven.", "Cats sleep all day."}
	got, err := a.Rerank(ctx, texts.RerankRequest{Query: "when does the train to the coast depart?", Texts: documents}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Method != "cosine" || got.Ranking[0].Index != 1 || got.Ranking[0].Score <= got.Ranking[1].Score {
		t.Errorf("by %s: %+v", got.Method, got.Ranking)
	}
	cross, err := filepath.Abs("../pipeline/testdata/rerank-bert")
	if err != nil {
		t.Fatal(err)
	}
	got, err = a.Rerank(ctx, texts.RerankRequest{
		Model: cross, Query: "who lit the lamp?",
		Texts: []string{"The fire burns in the hearth.", "snow falls outside", "tea", "A cat sleeps on the warm stone, and the fire burns in the hearth!", "Zebras and quartz?"},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// The reference library's scores of these documents, best first.
	want := map[int]float64{3: 0.50698227, 0: 0.48272696, 2: 0.47270048, 1: 0.46699351, 4: 0.4645010}
	order := ""
	for _, r := range got.Ranking {
		order += fmt.Sprint(r.Index)
		if math.Abs(float64(r.Score)-want[r.Index]) > 1e-3 {
			t.Errorf("document %d scores %v, want %v", r.Index, r.Score, want[r.Index])
		}
	}
	if got.Method != "cross-encoder" || order != "30214" || got.Tokens != sum(got.TokensEach) {
		t.Errorf("by %s: order %s, want 30214", got.Method, order)
	}
	for _, bad := range []texts.RerankRequest{{Query: " ", Texts: documents}, {Query: "x", Texts: nil}} {
		if _, err := a.Rerank(ctx, bad, nil); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}

func TestTokenize(t *testing.T) {
	a := newRealApp(t)
	ctx := context.Background()
	const text = "Höhe: 12 m [SEP]"
	got, err := a.Tokenize(ctx, texts.TokenizeRequest{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	if got.Tokens[0] != "[CLS]" || got.Tokens[len(got.Tokens)-1] != "[SEP]" {
		t.Errorf("tokens %q", got.Tokens)
	}
	for i, o := range got.Offsets[1 : len(got.Offsets)-1] {
		if o[0] >= o[1] || o[1] > len(text) || i > 0 && o[0] < got.Offsets[i][1] {
			t.Errorf("token %q comes from %v", got.Tokens[i+1], o)
		}
	}
	bare, err := a.Tokenize(ctx, texts.TokenizeRequest{Text: text, NoSpecial: true})
	if err != nil || !slices.Equal(bare.IDs, got.IDs[1:len(got.IDs)-1]) {
		t.Errorf("without control tokens %v, with %v, error %v", bare.IDs, got.IDs, err)
	}
	// Typed text stays text: only the template's own [SEP] is a control token.
	if n := strings.Count(strings.Join(got.Tokens, " "), "[SEP]"); n != 1 {
		t.Errorf("%d separators in %q", n, got.Tokens)
	}
	back, err := a.Detokenize(ctx, "", bare.IDs, true)
	if err != nil || !strings.Contains(back, "12 m") {
		t.Errorf("back to %q, error %v", back, err)
	}
	for _, ids := range [][]int32{nil, {-1}, {1 << 30}} {
		if text, err := a.Detokenize(ctx, "", ids, false); err == nil {
			t.Errorf("ids %v are %q", ids, text)
		}
	}
	if _, err := a.Tokenize(ctx, texts.TokenizeRequest{}); err == nil {
		t.Error("no text, no error")
	}
}

func TestForward(t *testing.T) {
	a := newRealApp(t)
	ctx := context.Background()
	got, err := a.Forward(ctx, texts.ForwardRequest{Device: "cpu", IDs: []int32{2, 50, 60, 3}}, nil)
	m, _ := a.Resolve(ctx, library.StarterEmbed)
	if err != nil || got.Shape != [2]int{4, m.Dimension} || len(got.Data) != 4*m.Dimension || got.Device != "cpu" {
		t.Fatalf("shape %v, %d numbers, device %s, error %v", got.Shape, len(got.Data), got.Device, err)
	}
	for want, r := range map[string]texts.ForwardRequest{
		"give at least one":    {},
		"give one for each":    {IDs: []int32{1, 2}, TypeIDs: []int32{0}},
		"there is no output":   {IDs: []int32{1}, Output: "sideways"},
		"is outside":           {IDs: []int32{1 << 30}},
		"cuda cannot be used":  {IDs: []int32{1}, Device: "cuda"},
		"there is no device":   {IDs: []int32{1}, Device: "tpu"},
		"nor the name of a mo": {IDs: []int32{1}, Model: "a b"},
	} {
		if _, err := a.Forward(ctx, r, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestMeasureReal(t *testing.T) {
	a := newRealApp(t)
	tiny, err := filepath.Abs("../pipeline/testdata/mean-normalize")
	if err != nil {
		t.Fatal(err)
	}
	ask := measure.Request{Model: tiny, Targets: []devices.Target{{Device: "cpu"}}, Amounts: measure.Amounts{Texts: 12, Pairs: 5, Repeat: 3}}
	got, err := a.Measure(context.Background(), ask, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Err() != nil || len(got.Rows) != 1 || got.Agreement() < 0.999999 {
		t.Fatalf("%+v", got)
	}
	for _, work := range []string{fit.WorkEmbed, fit.WorkRerank} {
		m, ok := got.Rows[0].Measure(work)
		if !ok || m.Device != "cpu" || !(m.P10 > 0 && m.P10 <= m.Median && m.Median <= m.P90) ||
			m.FlopsPerS <= 0 || m.BytesPerS <= 0 || m.PeakBytes < 10<<20 || m.Context < 6 || len(m.Ops) < 5 || m.Ops[0].Count == 0 {
			t.Errorf("%+v", m)
		}
	}
	for _, bad := range []measure.Amounts{{Texts: 1}, {Texts: -1, Pairs: 2, Repeat: 1}, {Texts: 1, Repeat: 1 << 30}, {Prompt: 5, Repeat: 1}, {Texts: 1, Generate: 5, Repeat: 1}} {
		ask.Amounts = bad
		if _, err := a.Measure(context.Background(), ask, nil); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}

func sum(list []int) (total int) {
	for _, n := range list {
		total += n
	}
	return total
}

// manyTexts returns n texts of 6 to 100 words of the sample sentences.
func manyTexts(n int) []string {
	words := strings.Fields(strings.Join(texts.SampleTexts(), " "))
	random := rand.New(rand.NewPCG(1, 2))
	list := make([]string, n)
	for i := range list {
		text := make([]string, 6+random.IntN(95))
		for k := range text {
			text[k] = words[random.IntN(len(words))]
		}
		list[i] = strings.Join(text, " ")
	}
	return list
}
