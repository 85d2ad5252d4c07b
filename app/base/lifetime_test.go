package base

import (
	"context"
	"testing"
)

// A call within another one ends no earlier than that one: who sees the inner end
// can tell by the outer context why.
func TestCallsWithinCalls(t *testing.T) {
	for range 1000 {
		l := NewLifetime()
		outer, outerDone, err := l.Begin(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		inner, innerDone, err := l.Begin(outer)
		if err != nil {
			t.Fatal(err)
		}
		go l.End()
		<-inner.Done()
		if outer.Err() == nil {
			t.Fatal("the inner call ended and the outer one did not")
		}
		innerDone()
		outerDone()
		l.Wait()
		if _, _, err := l.Begin(context.Background()); err == nil {
			t.Fatal("a call began after the end")
		}
	}
}
