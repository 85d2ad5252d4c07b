package measure

import (
	"bytes"
	"strings"
	"testing"

	"inglenook/app/devices"
	"inglenook/app/fit"
)

// embedded is a row of the CPU with one speed.
func embedded(weights string, median float64) Row {
	return Row{Target: devices.Target{Device: "cpu", Threads: 2, Hold: devices.Hold{Weights: weights}}, Measures: []Measure{{Work: fit.WorkEmbed, Median: median, Unit: "texts/s"}}}
}

// A model stands for its fastest way, also where the newest measurement is of a slower one; of each way
// the newest measurement counts, and results that are too different do not.
func TestFastestOf(t *testing.T) {
	wrong := embedded("q4_k", 90)
	wrong.Compared, wrong.Agreement = true, 0.5
	list := []Result{
		{Model: "other", Rows: []Row{embedded("", 500)}},
		{Model: "m", Version: "newest", Rows: []Row{embedded("", 20)}},
		{Model: "m", Version: "middle", Rows: []Row{embedded("", 70), embedded("q8_0", 40), wrong}},
		{Model: "m", Version: "oldest", Rows: []Row{embedded("q8_0", 80)}},
	}
	best, ok := FastestOf(list, "m", fit.WorkEmbed)
	if !ok || best.Row.Weights != "q8_0" || best.Measure.Median != 40 || best.Version != "middle" {
		t.Errorf("the fastest is %v of %q with %+v", best.Row.Target, best.Version, best.Measure)
	}
	if _, ok := FastestOf(list, "m", fit.WorkGenerate); ok {
		t.Error("a model writes that was not measured at it")
	}
	var csv bytes.Buffer
	best.Rows[0].Others = 0.4
	if err := WriteFastestCSV(&csv, []Fastest{best}); err != nil || !strings.Contains(csv.String(), ",m,,cpu,2,q8_0,embed,0,40,0,0,texts/s,0,false\n") {
		t.Errorf("written is %q, %v", csv.String(), err)
	}
}

// A measurement of one way does not take the place of a comparison.
func TestComparison(t *testing.T) {
	single, several := Result{Version: "single", Rows: []Row{embedded("", 20), {Failed: "lost"}}}, Result{Version: "several", Rows: []Row{embedded("", 70), embedded("q8_0", 40)}}
	if got, ok := Comparison([]Result{single, several}); !ok || got.Version != "several" {
		t.Errorf("shown is %q", got.Version)
	}
	if got, ok := Comparison([]Result{single}); !ok || got.Version != "single" {
		t.Errorf("shown is %q", got.Version)
	}
	if _, ok := Comparison(nil); ok {
		t.Error("there is one in an empty history")
	}
}
