package fit

import (
	"os"
	"path/filepath"
	"testing"

	"inglenook/app/usage"
	"inglenook/cpubackend"
	"inglenook/engine"
	"inglenook/engine/probe"
)

func newCPU(t *testing.T) engine.Backend {
	t.Helper()
	cpu, err := cpubackend.New(cpubackend.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cpu.Close() })
	return cpu
}

// A prediction is the sum of the times of the operations at the rates of their device.
func TestSeconds(t *testing.T) {
	cpu := newCPU(t)
	s := newSpeeds(filepath.Join(t.TempDir(), "speed.json"))
	s.forget()
	s.rates[machineKey(cpu)] = map[string]float64{
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
		got, err := s.seconds(t.Context(), []engine.Backend{cpu}, c.tasks, c.weight)
		if err != nil || got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("%v take %v s, want %v (%v)", c.tasks, got, c.want, err)
		}
	}
}

// quiet are the speeds of a computer that does nothing else.
func quiet(path string) *speeds {
	s := newSpeeds(path)
	s.others = func(usage.Reading) (float64, bool) { return 0, true }
	return s
}

// What was measured while other programs kept the processors busy is used for a while, is
// in no file, and is measured again.
func TestRatesOfABusyComputerPass(t *testing.T) {
	cpu := newCPU(t)
	path := filepath.Join(t.TempDir(), "speed.json")
	s := newSpeeds(path)
	share, asked := 0.5, 0
	s.others = func(usage.Reading) (float64, bool) { asked++; return share, true }
	first, err := s.rate(t.Context(), cpu, probe.Launch)
	if err != nil || first <= 0 {
		t.Fatal(first, err)
	}
	if again, err := s.rate(t.Context(), cpu, probe.Launch); err != nil || again != first || asked != 1 {
		t.Errorf("at once it is %v after %v, measured %d times (%v)", again, first, asked, err)
	}
	launch := []probe.Task{{Device: "cpu"}}
	if !s.fromBusy([]engine.Backend{cpu}, launch, 0) {
		t.Error("a passing rate counts as one of a quiet computer")
	}
	if s.known(cpu, probe.Launch) > 0 {
		t.Error("a passing rate is told as known")
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a passing rate is in a file (%v)", err)
	}
	s.lastTime = 0
	clear(s.passing)
	for range 2 {
		if _, err := s.rate(t.Context(), cpu, probe.Launch); err != nil {
			t.Fatal(err)
		}
	}
	share = 0
	for range 2 {
		if _, err := s.rate(t.Context(), cpu, probe.Launch); err != nil {
			t.Fatal(err)
		}
	}
	if s.known(cpu, probe.Launch) == 0 {
		t.Error("a rate of a quiet computer is not known")
	}
	if _, err := os.Stat(path); err != nil || asked != 4 {
		t.Errorf("measured %d times, want 4: three on a busy computer and once on a quiet one (%v)", asked, err)
	}
}

// A machine is measured once, and again if the file of its rates is damaged.
func TestRatesAreKept(t *testing.T) {
	cpu := newCPU(t)
	path := filepath.Join(t.TempDir(), "speed.json")
	first := quiet(path)
	rate, err := first.rate(t.Context(), cpu, probe.Launch)
	if err != nil || rate <= 0 {
		t.Fatal(rate, err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := quiet(path)
	if r, err := other.rate(t.Context(), cpu, probe.Launch); err != nil || r != rate {
		t.Errorf("the rate is %v after a start, %v (%v)", r, rate, err)
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("the machine was measured again")
	}
	if err := os.WriteFile(path, []byte("{x"), 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := quiet(path)
	if r, err := damaged.rate(t.Context(), cpu, probe.Launch); err != nil || r <= 0 {
		t.Errorf("of a damaged file the rate is %v (%v)", r, err)
	}
}
