package usage

import (
	"runtime"
	"testing"
	"time"
)

func TestNow(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("this system is not asked")
	}
	before := Now()
	for busy := time.Now(); time.Since(busy) < 60*time.Millisecond; { //nolint:revive // it uses the processor
	}
	after := Now()
	if after.Resident < 1<<20 || after.Available < 1<<20 || after.Used <= before.Used {
		t.Errorf("%+v", after)
	}
	mine, known := after.Program(before)
	if !known || mine <= 0 || mine > 1 {
		t.Errorf("the program takes %v, %v", mine, known)
	}
	if _, known := after.Program(Reading{}); known {
		t.Error("a share of nothing is known")
	}
}

func TestShares(t *testing.T) {
	start := time.Unix(100, 0)
	before := Reading{When: start, Used: time.Second, Idle: 50, All: 100}
	after := Reading{When: start.Add(time.Second), Used: 1500 * time.Millisecond, Idle: 80, All: 200}
	if got, ok := after.System(before); !ok || got < 0.699 || got > 0.701 {
		t.Errorf("the system is at %v, %v", got, ok)
	}
	want := 0.5 / float64(runtime.NumCPU())
	if got, ok := after.Program(before); !ok || got < want-1e-9 || got > want+1e-9 {
		t.Errorf("the program is at %v, want %v", got, want)
	}
	for name, r := range map[string]Reading{"no time passed": before, "counters that went back": {When: start.Add(time.Second), Idle: 1, All: 2}} {
		if _, ok := r.System(before); ok {
			t.Errorf("%s: a share", name)
		}
	}
}
