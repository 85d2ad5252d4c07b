package measure

import (
	"context"
	"testing"
	"time"

	"inglenook/app/devices"
	"inglenook/app/fit"
)

// sleeper is a subject that takes a fixed time for each unit of a curve.
type sleeper time.Duration

func (s sleeper) do(context.Context, job) (run, error) { return run{}, nil }

func (s sleeper) at(_ context.Context, size int) (time.Duration, error) {
	took := time.Duration(s) * time.Duration(size)
	time.Sleep(took)
	return took, nil
}

func (s sleeper) finish(*Row) {}

func (s sleeper) Close() error { return nil }

func TestSameStart(t *testing.T) {
	for _, c := range []struct {
		a, b []int32
		want float64
	}{{[]int32{1, 2}, []int32{1, 2}, 1}, {[]int32{1, 2}, []int32{1, 3}, 0.5}, {nil, []int32{1}, 0}, {nil, nil, 0}} {
		if got := sameStart(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %v", c.a, c.b, got)
		}
	}
}

// A device that covers a model only in part is measured; one that failed over to the CPU is
// not.
func TestADeviceThatCoversAPart(t *testing.T) {
	row := Row{Target: devices.Target{Device: "metal"}}
	for _, c := range []struct {
		ran     string
		notices []string
		fails   bool
	}{
		{ran: "metal"},
		{ran: "metal+cpu"},
		{ran: "cpu", fails: true},
		{ran: "metal+cpu", notices: []string{"Metal failed: it was lost."}, fails: true},
		{ran: "cpu", notices: []string{"Metal failed: it was lost."}, fails: true},
	} {
		if err := row.ranOn(c.ran, c.notices); (err != nil) != c.fails {
			t.Errorf("ran on %s, told %q: %v", c.ran, c.notices, err)
		}
	}
}

// A row that fails cannot be the reference: the next one that works is.
func TestReference(t *testing.T) {
	var f reference
	rows := make([]Row, 3)
	ids := func(list ...int32) outcome { return outcome{ids: list} }
	for i, c := range []struct {
		got      outcome
		failed   string
		want     float64
		compared bool
	}{{ids(1, 1), "It was lost.", 1, false}, {ids(1, 2), "", 1, false}, {ids(1, 1), "", 0.5, true}} {
		row := &rows[i]
		row.Measures = []Measure{{Agreement: f.compare(row, fit.WorkGenerate, c.got)}}
		row.Failed = c.failed
		f.judge(row)
		if row.Measures[0].Agreement != c.want || row.Compared != c.compared || row.Compared && row.Agreement != c.want {
			t.Errorf("row %d: %+v", i, *row)
		}
	}
}

// A language model on a server is judged by what it writes.
func TestSameText(t *testing.T) {
	var f reference
	here, there, failed := Row{answers: []string{"The sea is wide.", "April"}}, Row{Server: true, answers: []string{"The sea is deep.", "April"}}, Row{Server: true}
	for _, row := range []*Row{&here, &there, &failed} {
		row.Measures = []Measure{{Work: fit.WorkPrompt, Agreement: f.compare(row, fit.WorkPrompt, outcome{})}}
		f.keep(row)
		f.judge(row)
	}
	if want := (11.0/16 + 1) / 2; here.Compared || !there.Compared || there.Agreement != want || failed.Compared {
		t.Errorf("%+v, %+v, %+v", here, there, failed)
	}
	if got := (Result{Rows: []Row{here, there}}).Agreement(); got != there.Agreement {
		t.Errorf("of all: %v", got)
	}
}
