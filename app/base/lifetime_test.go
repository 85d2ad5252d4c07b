package base

import (
	"context"
	"testing"
)

// An inner call ends no earlier than the outer one, so that its caller can see in the outer
// context why it ended.
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
