package enginetest

import (
	"context"
	"errors"
	"testing"

	"inglenook/engine"
)

// The reference with float32 results passes its own suite: one case of four, since every backend is judged
// by the reference in more, and in make sweeps all of them.
func TestReferenceBackend(t *testing.T) {
	t.Parallel()
	RunSome(t, 4, &ReferenceBackend{})
}

func BenchmarkReferenceBackend(b *testing.B) { Bench(b, &ReferenceBackend{}) }

// faulty is a backend with a mistake: spoil changes the bytes of its last result.
type faulty struct {
	*ReferenceBackend
	runs  int
	spoil func(run int, result []byte)
}

func (f *faulty) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	if err := f.ReferenceBackend.Submit(ctx, arena, ops); err != nil {
		return err
	}
	last := ops[len(ops)-1]
	f.spoil(f.runs, arena.Bytes()[last.Offset:][:last.Bytes()])
	f.runs++
	return nil
}

func TestSuiteNoticesFaults(t *testing.T) {
	faults := map[string]func(run int, result []byte){
		"a NaN":                     func(_ int, r []byte) { copy(r[len(r)-4:], []byte{0, 0, 0xc0, 0x7f}) },
		"a value too large":         func(_ int, r []byte) { r[3]++ },
		"nothing written":           func(_ int, r []byte) { clear(r) },
		"one bit off when repeated": func(run int, r []byte) { r[0] ^= byte(run & 1) },
	}
	for name, spoil := range faults {
		for _, c := range []Case{
			{Op: engine.OpLinear, Rows: 3, Cols: 17, Outputs: 5, Tolerance: close32},
			{Op: engine.OpAttention, Rows: 9, Cols: 8, Heads: 2, Lengths: []int{4, 5}, Tolerance: close32},
			{Op: engine.OpL2Normalize, Rows: 3, Cols: 8, Tolerance: close32},
		} {
			g := engine.NewGraph()
			results := c.program(g)
			want, err := Evaluate(g)
			if err != nil {
				t.Fatal(err)
			}
			if err := check(t.Context(), &ReferenceBackend{}, g, results, want, limit{c.Tolerance, c.MaxNMSE}); err != nil {
				t.Errorf("%s without a fault: %v", c.Name(), err)
			}
			b := &faulty{ReferenceBackend: &ReferenceBackend{}, spoil: spoil}
			if check(t.Context(), b, g, results, want, limit{c.Tolerance, c.MaxNMSE}) == nil {
				t.Errorf("%s: %s goes unnoticed", c.Name(), name)
			}
		}
	}
}

func TestReferenceBackendHonoursContext(t *testing.T) {
	for _, async := range []bool{false, true} {
		b := &ReferenceBackend{Async: async}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		g := engine.NewGraph()
		x := g.Want(g.L2Normalize(g.Floats("x", 2, []float32{3, 4, 0, 1})))
		arena, err := b.Alloc(4096)
		if err != nil {
			t.Fatal(err)
		}
		err = b.Submit(ctx, arena, []*engine.Tensor{x})
		if async {
			if err != nil {
				t.Fatal(err)
			}
			err = b.Wait(t.Context(), arena)
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("async %v: Submit under a cancelled context gives %v", async, err)
		}
		if err := b.Wait(t.Context(), arena); err != nil {
			t.Errorf("async %v: the error comes twice: %v", async, err)
		}
		if _, err := g.Run(t.Context(), b); err != nil {
			t.Errorf("async %v: the next run fails: %v", async, err)
		}
	}
}
