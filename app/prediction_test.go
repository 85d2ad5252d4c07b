package app

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/measure"
)

// A prediction is stored beside the measured speed. The machine is measured once.
func TestPredictions(t *testing.T) {
	a := compatApp(t)
	cpu := devices.Target{Device: "cpu"}
	shown := map[devices.Target][]fit.Prediction{cpu: {{Work: fit.WorkEmbed, Unit: fit.UnitOf(fit.WorkEmbed), Value: 321}}}
	got, err := a.Measure(t.Context(), measure.Request{Model: "../pipeline/testdata/cls", Targets: []devices.Target{cpu}, Amounts: measure.Amounts{Texts: 4, Repeat: 1}, Shown: shown}, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := got.Rows[0].Measure(fit.WorkEmbed)
	if m.Predicted != 321 {
		t.Errorf("%v texts/s stand beside what was measured, and 321 were shown", m.Predicted)
	}
	a.KeepPredictions(got)
	f, err := os.Open(filepath.Join(a.paths.Data, "predictions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := 0
	for s := bufio.NewScanner(f); s.Scan(); lines++ {
		var k struct{ Predicted, Measured, Error float64 }
		if err := json.Unmarshal(s.Bytes(), &k); err != nil || k.Predicted != m.Predicted || k.Measured != m.Median || k.Error != k.Predicted/k.Measured-1 {
			t.Errorf("the history has %+v (%v)", k, err)
		}
	}
	if lines != 1 {
		t.Errorf("the history has %d lines", lines)
	}
}

// Every operation that models record has a rate, and predictions grow with the work.
func TestPredictEveryFamily(t *testing.T) {
	a := compatApp(t)
	for _, folder := range []string{"../models/testdata/decoders/llama", "../models/testdata/decoders/gpt2", "../models/testdata/f16/mpnet"} {
		got, err := a.Compat(t.Context(), fit.CompatRequest{Model: folder, Predict: true})
		if err != nil {
			t.Fatal(err)
		}
		if p := got.Devices[0].Predicted; len(p) == 0 || p[0].Value <= 0 || got.Writes != (len(p) == 2) {
			t.Errorf("%s: %+v", folder, p)
		}
	}
}
