package measure

import (
	"bytes"
	"strings"
	"testing"
	"time"

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
	fastest := Fastest{Result: Result{Model: "m", Rows: []Row{row}}, Row: row, Measure: row.Measures[0], Bytes: 7e6, Memory: 9e7, Shown: 30, Counted: "words", Judged: "no clear winner"}
	var csv bytes.Buffer
	if err := WriteFastestCSV(&csv, []Fastest{fastest}); err != nil || !strings.Contains(csv.String(), ",m,m,7000000,90000000,cpu,2,q8_0,embed,0,30,words,40,0,0,texts,0,false,no clear winner\n") || !strings.Contains(csv.String(), "median (unit/s)") {
		t.Errorf("written is %q, %v", csv.String(), err)
	}
}

// A file names a model and gives its speed as the window does, too.
func TestCSVSpeaksLikeTheWindow(t *testing.T) {
	row := Row{Target: devices.Target{Device: "cpu"}, Measures: []Measure{{Work: fit.WorkGenerate, Unit: "tokens/s", Median: 40}}}
	var csv bytes.Buffer
	if err := (Result{Model: "starter-chat", Name: "starter-chat", Rows: []Row{row}}).WriteCSV(&csv, 0.75); err != nil || !strings.HasSuffix(csv.String(), ",Inglenook guide,30\n") || !strings.Contains(csv.String(), ",starter-chat,") {
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
	busy, steady := Result{Version: "busy", Rows: []Row{embedded("", 60), embedded("q8_0", 30)}}, several
	busy.When, busy.Rows[1].Others = time.Now(), 0.4
	steady.When = busy.When.Add(-time.Hour)
	if got, _ := Comparison([]Result{busy, steady}); got.Version != "several" {
		t.Errorf("one that other programs disturbed takes the place of a reliable one of the same day: %q", got.Version)
	}
	steady.When = busy.When.Add(-30 * 24 * time.Hour)
	if got, _ := Comparison([]Result{busy, steady}); got.Version != "busy" {
		t.Errorf("an old one stands for the model: %q", got.Version)
	}
	busy.Rows[0], steady.When = embedded("", 90), busy.When.Add(-time.Hour)
	if got, _ := Comparison([]Result{busy, steady}); got.Version != "busy" {
		t.Errorf("a slower one of before stands for the model: %q", got.Version)
	}
	if got, ok := Comparison([]Result{single}); !ok || got.Version != "single" {
		t.Errorf("shown is %q", got.Version)
	}
	if _, ok := Comparison(nil); ok {
		t.Error("there is one in an empty history")
	}
}
