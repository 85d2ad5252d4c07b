package engine_test

import (
	"context"
	"testing"
	"time"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// counted records what a graph asks of its backend, and can fail instead of it.
type counted struct {
	*enginetest.ReferenceBackend
	allocs, open, submits, prepares int
	writes                          int // values copied into its arenas
	onSubmit                        func() error
	allocError, prepareError        error
}

// countedBuffer is an arena of a counted backend.
type countedBuffer struct {
	engine.Buffer
	of *counted
}

func (b countedBuffer) WriteAt(p []byte, off int64) (int, error) {
	b.of.writes++
	return b.Buffer.WriteAt(p, off)
}

func (b countedBuffer) Close() error {
	b.of.open--
	return b.Buffer.Close()
}

func newCounted(id string) *counted {
	return &counted{ReferenceBackend: &enginetest.ReferenceBackend{ID: id}}
}

func (c *counted) Alloc(bytes int) (engine.Buffer, error) {
	c.allocs++
	if c.allocError != nil {
		return nil, c.allocError
	}
	buffer, err := c.ReferenceBackend.Alloc(bytes)
	c.open++
	return countedBuffer{buffer, c}, err
}

func (c *counted) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	c.submits++
	if c.onSubmit != nil {
		if err := c.onSubmit(); err != nil {
			return err
		}
	}
	return c.ReferenceBackend.Submit(ctx, arena.(countedBuffer).Buffer, ops)
}

func (c *counted) Prepare(ctx context.Context, op *engine.Tensor) error {
	c.prepares++
	if c.prepareError != nil {
		return c.prepareError
	}
	return c.ReferenceBackend.Prepare(ctx, op)
}

// small is a graph with every kind of operation.
func small(g *engine.Graph) []*engine.Tensor {
	results := enginetest.Encoder{Layers: 2, Hidden: 24, Heads: 2, Inner: 40, Vocab: 30, Buckets: 8}.Record(g, 3, 1, 6)
	last := g.Rows(results[1], g.Ints("last", []int32{9, 0, 9}))
	results = append(results, g.Want(g.Add(last, last)))
	decoder := enginetest.Decoder{Layers: 2, Hidden: 24, Heads: 4, KVHeads: 2, Inner: 40, Vocab: 30, Capacity: 8}
	return append(results, decoder.Load().Record(g, 5, 1)...)
}

// forget empties the graph's caches, so that they may move to another device.
func forget(t *testing.T, g *engine.Graph) {
	t.Helper()
	for _, op := range g.Ops() {
		for _, s := range op.Src {
			if s != nil && s.Op == engine.OpCache {
				if err := s.Release(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

func newGraph(t *testing.T) *engine.Graph {
	g := engine.NewGraph()
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

func resultsOf(t *testing.T, g *engine.Graph, tensors []*engine.Tensor) [][]float32 {
	t.Helper()
	out := make([][]float32, len(tensors))
	for i, r := range tensors {
		var err error
		if out[i], err = g.Result(r); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func runs(t *testing.T, g *engine.Graph, bs ...engine.Backend) engine.Report {
	t.Helper()
	report, err := g.Run(t.Context(), bs...)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// slow delays each run of operations, so that a graph that does not wait for the device
// overtakes it.
type slow struct {
	*enginetest.ReferenceBackend
	pending  chan struct{}
	onSubmit func()
}

func (s *slow) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	before, done := s.pending, make(chan struct{})
	s.pending = done
	go func() {
		defer close(done)
		if before != nil {
			<-before
		}
		time.Sleep(20 * time.Millisecond)
		_ = s.ReferenceBackend.Submit(ctx, arena, ops)
	}()
	if s.onSubmit != nil {
		s.onSubmit()
	}
	return nil
}

func (s *slow) Wait(ctx context.Context, _ engine.Buffer) error {
	if s.pending == nil {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-s.pending:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
