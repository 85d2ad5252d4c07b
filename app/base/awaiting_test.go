package base

import (
	"testing"
	"time"
)

// TestAwaiting: who waits for a server hears its name, but not before its time.
func TestAwaiting(t *testing.T) {
	heard, end := Awaiting("lab", 0, nil)
	heard()
	end()
	told := make(chan Progress, 1)
	heard, end = Awaiting("lab", 0, func(p Progress) {
		select {
		case told <- p:
		default:
		}
	})
	heard()
	if p := <-told; p.Server != "lab" || p.Stage != StageServer || p.Done < 0 {
		t.Errorf("%+v", p)
	}
	end()
	_, end = Awaiting("lab", time.Hour, func(p Progress) { t.Errorf("%+v", p) })
	end()
}
