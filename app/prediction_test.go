package app

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/measure"
	"inglenook/engine"
	"inglenook/engine/probe"
)

// A prediction adds up what operations take at the rates of their device.
func TestSeconds(t *testing.T) {
	a := compatApp(t)
	cpu, err := a.Backends("cpu")
	if err != nil {
		t.Fatal(err)
	}
	a.fitPart.Predictor.Speeds.Forget()
	a.fitPart.Predictor.Speeds.Rates[fit.MachineKey(cpu[0])] = map[string]float64{
		"flops linear q8_0 2048 none": 1e9, "memory linear q8_0 2048 none 512 MiB": 2e9, "memory linear q8_0 2048 none 2 MiB": 4e9, "values add f32": 1e8, "ops add f32": 1e3,
	}
	linear := func(rows int) probe.Task {
		return probe.Task{Op: engine.OpLinear, DType: engine.Q8_0, Device: "cpu", Rows: rows, Cost: engine.Cost{Flops: 3e9, WeightBytes: 1e9}}
	}
	add := probe.Task{Op: engine.OpAdd, Device: "cpu", Rows: 8, Values: 1e8}
	for _, c := range []struct {
		tasks  []probe.Task
		weight int64
		want   float64
	}{
		{[]probe.Task{linear(8)}, 1 << 30, 3.001},
		{[]probe.Task{linear(1)}, 1 << 30, 0.501},
		{[]probe.Task{linear(1)}, 1 << 20, 0.251},
		{[]probe.Task{linear(8), add, add}, 1 << 30, 5.003},
	} {
		got, err := a.fitPart.Predictor.Speeds.Seconds(t.Context(), cpu, c.tasks, c.weight)
		if err != nil || got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("%v take %v s, want %v (%v)", c.tasks, got, c.want, err)
		}
	}
}

// A prediction stands beside what was measured, and both are kept; the machine is
// measured once.
func TestPredictions(t *testing.T) {
	a := compatApp(t)
	got, err := a.Measure(t.Context(), measure.Request{Model: "../pipeline/testdata/cls", Targets: []devices.Target{{Device: "cpu"}}, Amounts: measure.Amounts{Texts: 4, Repeat: 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := got.Rows[0].Measure(fit.WorkEmbed)
	if m.Predicted <= 0 {
		t.Errorf("%v texts/s are predicted", m.Predicted)
	}
	a.KeepPredictions(got)
	f, err := os.Open(measure.PredictionsPath(a.paths))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := 0
	for s := bufio.NewScanner(f); s.Scan(); lines++ {
		var k measure.Kept
		if err := json.Unmarshal(s.Bytes(), &k); err != nil || k.Predicted != m.Predicted || k.Measured != m.Median || k.Error != k.Predicted/k.Measured-1 {
			t.Errorf("the history has %+v (%v)", k, err)
		}
	}
	if lines != 1 {
		t.Errorf("the history has %d lines", lines)
	}
	before, err := os.ReadFile(a.fitPart.Predictor.Speeds.Path)
	if err != nil {
		t.Fatal(err)
	}
	other := &fit.Speeds{Path: a.fitPart.Predictor.Speeds.Path}
	cpu, _ := a.Backends("cpu")
	if r, err := other.Rate(t.Context(), cpu[0], probe.Launch); err != nil || r != a.fitPart.Predictor.Speeds.Rates[fit.MachineKey(cpu[0])][probe.Launch.Key()] {
		t.Errorf("the rate is %v after a start, %v (%v)", r, a.fitPart.Predictor.Speeds.Rates, err)
	}
	if after, _ := os.ReadFile(a.fitPart.Predictor.Speeds.Path); string(after) != string(before) {
		t.Error("the machine was measured again")
	}
	if err := os.WriteFile(a.fitPart.Predictor.Speeds.Path, []byte("{x"), 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := &fit.Speeds{Path: a.fitPart.Predictor.Speeds.Path}
	if r, err := damaged.Rate(t.Context(), cpu[0], probe.Launch); err != nil || r <= 0 {
		t.Errorf("of a damaged file the rate is %v (%v)", r, err)
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
