package decoding

import (
	"context"
	"slices"
	"testing"

	"inglenook/pipeline/placement"
)

// keeper is a predictor that can go on only from some lengths. It complains about
// others.
type keeper struct {
	t     *testing.T
	kept  []int
	reads []int // ids of each pass
}

func (k *keeper) Extend(_ context.Context, past int, ids []int32, _ int) ([]float32, error) {
	if k.Resume(past) != past {
		k.t.Errorf("goes on after %d, but only %v are kept", past, k.kept)
	}
	k.kept = slices.DeleteFunc(k.kept, func(n int) bool { return n > past })
	k.kept, k.reads = append(k.kept, past+len(ids)), append(k.reads, len(ids))
	return []float32{1}, nil
}

func (k *keeper) Resume(n int) int {
	best := 0
	for _, m := range k.kept {
		if m <= n {
			best = max(best, m)
		}
	}
	return best
}

func (k *keeper) Recurrent() bool                { return true }
func (k *keeper) Recovers(error) bool            { return false }
func (k *keeper) Notices() []string              { return nil }
func (k *keeper) Ran(bool) (o placement.Outcome) { return o }
func (k *keeper) Close() error                   { return nil }

// TestStates: a history goes on only from what its model keeps, and a prompt
// leaves a state near its end, so that another answer reads little again.
func TestStates(t *testing.T) {
	k := &keeper{t: t}
	h := NewHistory(k, 1000, 50)
	prompt := make([]int32, 200)
	for i := range prompt {
		prompt[i] = int32(i)
	}
	read := func(ids []int32) {
		t.Helper()
		if _, err := h.Read(t.Context(), ids); err != nil || !slices.Equal(h.IDs, ids) {
			t.Fatalf("%v; %d ids are read of %d", err, len(h.IDs), len(ids))
		}
	}
	read(prompt)
	for range 3 {
		if _, err := h.Next(t.Context(), 7); err != nil {
			t.Fatal(err)
		}
	}
	k.reads = nil
	read(prompt) // again
	if want := []int{lastChunk}; !slices.Equal(k.reads, want) {
		t.Errorf("another answer reads %v ids again, want %v", k.reads, want)
	}
	other := slices.Clone(prompt)
	other[120] = 999
	read(other)
	h.Cut(130)
	if n := len(h.IDs); n != k.Resume(130) {
		t.Errorf("%d ids are left after a cut to 130", n)
	}
}
