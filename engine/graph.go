package engine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Graph records the operations of one forward pass. Recording computes
// nothing. The first mistake (a shape that does not fit, an id outside its
// table) is kept, later calls do nothing, and [Graph.Run] returns it: the
// sticky error of bufio.Writer. A Graph is used by one goroutine at a time;
// Reset makes it ready for the next pass and keeps its arena.
type Graph struct {
	values []*Tensor // inputs and operations in recording order
	err    error
	arenas arenas
	spare  [][]byte // of results before Reset
}

// NewGraph returns an empty graph. Close it to give back its arena.
func NewGraph() *Graph { return &Graph{} }

// Err is the first mistake made while recording.
func (g *Graph) Err() error { return g.err }

// Fail records err as the graph's mistake unless there is one already, and
// returns a placeholder that later operations accept.
func (g *Graph) Fail(err error) *Tensor {
	if g.err == nil {
		g.err = err
	}
	return &Tensor{}
}

// Reset forgets all values and the mistake; the arena is kept for reuse.
func (g *Graph) Reset() {
	for _, t := range g.values {
		if t.want && t.Op != OpInput && t.host != nil {
			g.spare = append(g.spare, t.host)
			t.host = nil
		}
	}
	clear(g.values)
	g.values, g.err = g.values[:0], nil
}

// Close frees the arena.
func (g *Graph) Close() error {
	g.Reset()
	g.spare = nil
	return g.arenas.close()
}

// Ops are the recorded operations in order, without inputs.
func (g *Graph) Ops() []*Tensor {
	ops := make([]*Tensor, 0, len(g.values))
	for _, t := range g.values {
		if t.Op != OpInput {
			ops = append(ops, t)
		}
	}
	return ops
}

// Ints records an input column [len(v), 1] of type I32.
func (g *Graph) Ints(name string, v []int32) *Tensor {
	host := make([]byte, 4*len(v))
	for i, x := range v {
		binary.NativeEndian.PutUint32(host[4*i:], uint32(x))
	}
	return g.add(&Tensor{Name: name, Op: OpInput, DType: I32, Rows: len(v), Cols: 1, host: host})
}

// Floats records an input matrix [rows, len(v)/rows] of type F32.
func (g *Graph) Floats(name string, rows int, v []float32) *Tensor {
	if rows <= 0 || len(v)%rows != 0 {
		return g.Fail(fmt.Errorf("input %s: %d values do not make %d rows", name, len(v), rows))
	}
	host := make([]byte, 4*len(v))
	for i, x := range v {
		binary.NativeEndian.PutUint32(host[4*i:], math.Float32bits(x))
	}
	return g.add(&Tensor{Name: name, Op: OpInput, DType: F32, Rows: rows, Cols: len(v) / rows, host: host})
}

// Want marks t, an F32 value of this graph, as a result: its values can be
// read with [Graph.Result] after Run.
func (g *Graph) Want(t *Tensor) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	if !g.has(t) || t.DType != F32 {
		return g.Fail(fmt.Errorf("result %s: only an f32 value of this graph can be wanted", t.label()))
	}
	t.want = true
	return t
}

// Result copies out the values [Rows, Cols] of a wanted tensor after Run.
func (g *Graph) Result(t *Tensor) ([]float32, error) {
	return g.AppendResult(nil, t)
}

// AppendResult appends them to dst, which is for callers that run one graph
// after another and want no new memory for each.
func (g *Graph) AppendResult(dst []float32, t *Tensor) ([]float32, error) {
	if t == nil || !t.want || t.host == nil {
		return nil, fmt.Errorf("%s has no result: it was not wanted or the graph has not run", t.label())
	}
	dst = slices.Grow(dst, t.Len())
	for i := range t.Len() {
		dst = append(dst, math.Float32frombits(binary.NativeEndian.Uint32(t.host[4*i:])))
	}
	return dst, nil
}

// room gives n bytes for a result, those of an earlier one where they suffice.
func (g *Graph) room(n int) []byte {
	for i, b := range g.spare {
		if cap(b) >= n {
			g.spare = slices.Delete(g.spare, i, i+1)
			return b[:n]
		}
	}
	g.spare = nil // too small from now on
	return make([]byte, n)
}

func (g *Graph) add(t *Tensor) *Tensor {
	if g.err != nil {
		return t
	}
	if t.Rows <= 0 || t.Cols <= 0 {
		return g.Fail(fmt.Errorf("%s: a tensor of %s has no values", t.label(), t.shape()))
	}
	if t.Rows > maxValues/t.Cols {
		return g.Fail(fmt.Errorf("%s: %s is too large", t.label(), t.shape()))
	}
	for _, s := range t.Src {
		if s != nil && !s.outlives() && !g.has(s) {
			return g.Fail(fmt.Errorf("%s: its operand %s was recorded in another graph or before Reset", t.label(), s.label()))
		}
	}
	t.index = len(g.values)
	g.values = append(g.values, t)
	return t
}

// maxValues limits one tensor, so that no sum of sizes can overflow.
const maxValues = 1 << 40

// has says whether t is a value of this graph.
func (g *Graph) has(t *Tensor) bool {
	return t != nil && t.index < len(g.values) && g.values[t.index] == t
}

// ErrNoKernel is what [Backend.Supports] wraps when it has no kernel for an
// operation, a type or a size. Every other error is a fault and surfaces.
var ErrNoKernel = errors.New("no kernel")
