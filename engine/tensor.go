package engine

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// Tensor is a dense row-major matrix [Rows, Cols]: an input, a weight, or the
// result of an operation. A graph returns tensors as names for values; the
// values themselves exist while the graph runs.
type Tensor struct {
	Name  string
	Op    Op // OpInput, OpWeight, OpCache, or the operation that makes it
	DType DType
	Rows  int
	Cols  int
	// Parts is how many matrices of equal shape lie one after the other in the
	// rows of a weight: the experts of a layer. Other weights have 1.
	Parts int

	// Layer is the layer of the network that the operation belongs to, from 1 on; 0 before
	// the first. See [Graph.Layer].
	Layer int

	// Src are the operands in the order that the operation's recording
	// function documents; an optional operand that is absent is nil.
	Src []*Tensor
	// Params is the operation's parameter struct by value (LinearParams,
	// LayerNormParams …), the *Rotary of RoPE, or nil.
	Params any

	// Offset is the byte offset in the arena, valid while the graph runs.
	// Weights and caches have none.
	Offset int
	// Elapsed is the time that the operation took in the last run, zero if the
	// backend does not measure it.
	Elapsed time.Duration

	host    []byte // the bytes of an input, or of a wanted result after Run
	want    bool
	key     any // under which it is kept for later passes, or nil
	readers int // operations that read it as an operand
	index   int // position among the graph's values

	operands [maxOperands]*Tensor // the memory of Src
	boxed    any                  // parameters of the last value in this place of the slab

	weight *weight
	cache  *cache
}

const maxOperands = 8

// weight is the state of a tensor with OpWeight besides its shape.
type weight struct {
	src      io.ReaderAt
	place    *place // nil: it does not lie in a file as its bytes are read
	mu       sync.Mutex
	prepared []preparation
}

type preparation struct {
	key   any
	value io.Closer
}

// NewWeight makes a weight [rows, cols] whose row-major bytes are read from src,
// offset 0 being its first byte. A nil src makes a weight without data: enough
// for [Graph.Coverage], rejected by [Graph.Run] and [Graph.Prepare]. Errors of
// reading src become a [WeightError].
func NewWeight(name string, d DType, rows, cols int, src io.ReaderAt) *Tensor {
	return NewStack(name, d, 1, rows, cols, src)
}

// NewStack makes a weight of several matrices [rows, cols] that lie one after the
// other.
func NewStack(name string, d DType, parts, rows, cols int, src io.ReaderAt) *Tensor {
	t := &Tensor{Name: name, Op: OpWeight, DType: d, Parts: parts, Rows: parts * rows, Cols: cols, weight: &weight{}}
	if src != nil {
		t.weight.src = &weightSource{name, int64(t.Bytes()), src}
	}
	return t
}

// Bytes returns the size of the tensor in bytes.
func (t *Tensor) Bytes() int { return t.Rows * t.DType.RowBytes(t.Cols) }

// Len returns the number of elements.
func (t *Tensor) Len() int { return t.Rows * t.Cols }

// Source returns the bytes of a weight, or nil if it has no data.
func (t *Tensor) Source() io.ReaderAt {
	if t.weight == nil {
		return nil
	}
	return t.weight.src
}

// Prepared returns a backend's own copy of this weight, in the layout that its
// kernels need, stored under key. The first call makes it with build. Keys must
// be comparable and identify the backend and the layout.
func (t *Tensor) Prepared(key any, build func() (io.Closer, error)) (io.Closer, error) {
	w := t.weight
	if w == nil {
		return nil, fmt.Errorf("%s is not a weight", t.label())
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.prepared {
		if p.key == key {
			return p.value, nil
		}
	}
	v, err := build()
	if err != nil {
		return nil, fmt.Errorf("prepare %s: %w", t.Name, err)
	}
	w.prepared = append(w.prepared, preparation{key, v})
	return v, nil
}

// Holds reports whether a copy of this weight is stored under key.
func (t *Tensor) Holds(key any) bool {
	if t.weight == nil {
		return false
	}
	t.weight.mu.Lock()
	defer t.weight.mu.Unlock()
	return slices.ContainsFunc(t.weight.prepared, func(p preparation) bool { return p.key == key })
}

// Release frees everything that backends prepared for this weight, or the memory
// of this cache. No run that uses the tensor may be in progress. A later run
// prepares a weight again and finds a cache empty.
func (t *Tensor) Release() error {
	switch {
	case t.cache != nil:
		return t.cache.release()
	case t.weight == nil:
		return nil
	}
	w := t.weight
	w.mu.Lock()
	defer w.mu.Unlock()
	var errs []error
	for _, p := range w.prepared {
		errs = append(errs, p.value.Close())
	}
	w.prepared = nil
	return errors.Join(errs...)
}

// Passing reports whether exactly one operation reads the value and the caller
// does not want it. A backend that fuses the two operations need not store it.
func (t *Tensor) Passing() bool { return t.readers == 1 && !t.want }

// outlives reports whether the tensor exists independently of graphs: a weight
// or a cache.
func (t *Tensor) outlives() bool { return t.Op == OpWeight || t.Op == OpCache }

// InputBytes returns the host bytes of an input tensor; nil for any other.
func (t *Tensor) InputBytes() []byte {
	if t.Op != OpInput {
		return nil
	}
	return t.host
}

// label names the tensor in messages: by its own name, else by its operation.
func (t *Tensor) label() string {
	if t == nil {
		return "nothing"
	}
	if t.Name != "" {
		return t.Name
	}
	return t.Op.String()
}

func (t *Tensor) shape() string { return fmt.Sprintf("[%d %d]", t.Rows, t.Cols) }
