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

// The comparison of all models is written with its units, and with how sure it is.
func TestFastestCSV(t *testing.T) {
	row := embedded("q8_0", 40)
	row.Others = 0.4
	fastest := Fastest{Result: Result{Model: "m", Rows: []Row{row}}, Row: row, Measure: row.Measures[0], Bytes: 7e6, Judged: "no clear winner"}
	var csv bytes.Buffer
	if err := WriteFastestCSV(&csv, []Fastest{fastest}); err != nil || !strings.Contains(csv.String(), ",m,,7000000,cpu,2,q8_0,embed,0,40,0,0,texts,0,false,no clear winner\n") || !strings.Contains(csv.String(), "median (unit/s)") {
		t.Errorf("written is %q, %v", csv.String(), err)
	}
}

// A measurement of one way does not take the place of a comparison.
func TestComparison(t *testing.T) {
	single, several := Result{Version: "single", Rows: []Row{embedded("", 20), {Failed: "lost"}}}, Result{Version: "several", Rows: []Row{embedded("", 70), embedded("q8_0", 40)}}
	if got, ok := Comparison([]Result{single, several}); !ok || got.Version != "several" {
		t.Errorf("shown is %q", got.Version)
	}
	faster := Result{Version: "faster", Rows: []Row{embedded("", 90)}}
	if got, _ := Comparison([]Result{single, faster, several}); got.Version != "faster" {
		t.Errorf("a way that is clearly faster than what was compared before does not count: %q", got.Version)
	}
	faster.Rows[0].Others = 0.5
	if got, _ := Comparison([]Result{faster, several}); got.Version != "several" {
		t.Errorf("one that is not reliable counts: %q", got.Version)
	}
	cancelled := Result{Version: "cancelled", Cancelled: true, Rows: several.Rows}
	if got, _ := Comparison([]Result{cancelled, several}); got.Version != "several" {
		t.Errorf("one that was cancelled takes the place of a whole one: %q", got.Version)
	}
	if got, ok := Comparison([]Result{single}); !ok || got.Version != "single" {
		t.Errorf("shown is %q", got.Version)
	}
	if _, ok := Comparison(nil); ok {
		t.Error("there is one in an empty history")
	}
}
