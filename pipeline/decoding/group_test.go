package decoding

import (
	"context"
	"errors"
	"testing"
)

// waitingGroup is a group whose passes nobody runs.
func waitingGroup(n int) *Group {
	g := &Group{decoder: &Decoder{Chunk: 512}, news: make(chan struct{}, 1)}
	for i := range n {
		g.sequences = append(g.sequences, &Sequence{group: g, number: i})
	}
	return g
}

func (g *Group) wants(number, ids, scores int) {
	g.waiting = append(g.waiting, &request{read: read{sequence: number, ids: make([]int32, ids), scores: scores}, ctx: context.Background(), of: g.sequences[number], done: make(chan error, 1)})
}

// TestNextPass: tokens of several answers share a pass, a long part of a prompt has one of its
// own, and the pass waits for those who are about to come, but not for those who have left.
func TestNextPass(t *testing.T) {
	g := waitingGroup(4)
	took := func() (numbers []int) {
		reads, _ := g.next()
		for _, r := range reads {
			numbers = append(numbers, r.sequence)
		}
		return numbers
	}
	check := func(want ...int) {
		t.Helper()
		got := took()
		if len(got) != len(want) {
			t.Fatalf("the pass has %v, not %v", got, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("the pass has %v, not %v", got, want)
			}
		}
	}
	check()
	g.wants(0, 1, 1)
	g.wants(1, 64, 0)
	g.wants(2, 3, 3)
	g.wants(3, 16, 1)
	check(0, 2, 3)
	check() // 0, 2 and 3 are about to come
	if _, patience := g.next(); patience <= 0 {
		t.Error("it waits for ever")
	}
	for _, i := range []int{0, 2, 3} {
		g.sequences[i].Leave()
	}
	check(1)
	g.wants(0, 17, 1)
	g.wants(1, 64, 0)
	check(0)
	g.sequences[0].Leave()
	check(1)
	check()
}

// TestChunk: a prompt is read in short pieces only while others write.
func TestChunk(t *testing.T) {
	g := waitingGroup(2)
	g.sequences[0].Enter()
	if n := g.sequences[0].Chunk(); n != 512 {
		t.Errorf("alone: %d", n)
	}
	g.sequences[1].Enter()
	if n := g.sequences[0].Chunk(); n != besideOthers {
		t.Errorf("beside another: %d", n)
	}
	g.sequences[1].Leave()
	if n := g.sequences[0].Chunk(); n != 512 {
		t.Errorf("alone again: %d", n)
	}
}

// TestLeavingAPass: a sequence whose context ends does not wait for its pass, and its read is
// answered without one.
func TestLeavingAPass(t *testing.T) {
	g := waitingGroup(1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := g.sequences[0].Extend(ctx, 0, []int32{1}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	reads, _ := g.next()
	g.pass(reads)
	if err := <-reads[0].done; !errors.Is(err, context.Canceled) || g.sequences[0].awaited {
		t.Errorf("the read ends with %v, awaited: %v", err, g.sequences[0].awaited)
	}
}
