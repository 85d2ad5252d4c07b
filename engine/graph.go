package engine

import (
	"errors"
	"fmt"
	"slices"
)

// Graph records the operations of one forward pass. Recording computes
// nothing. The first mistake (a shape that does not fit, an id outside its
// table) is kept, later calls do nothing, and [Graph.Run] returns it: the
// sticky error of bufio.Writer. A Graph is used by one goroutine at a time;
// Reset makes it ready for the next pass and keeps its memory: passes of the
// same operations take no new one.
//
// A Tensor is valid only in the pass that recorded it. After one Reset the graph
// rejects it; after the second its memory is reused.
type Graph struct {
	// Rounds lets backends round activations to halves on their way into products with weights
	// that have no more digits, F16 and BF16, where that is faster. It is for vectors and scores, which
	// are compared; what is continued token by token is computed as finely in one pass as in many.
	Rounds bool

	slab   slab
	ops    []*Tensor // the values that are computed
	err    error
	layer  int // of the operations that are recorded now
	arenas arenas
	spare  spares // host bytes of inputs and results before Reset

	layout    layout
	places    []placed    // of ops
	runs      []run       // of ops
	reported  []Placement // the last list returned, never written again
	residence residence
	ids       []string // scratch: of the backends
	refused   refusedCaches
	kept      []kept    // of the last run
	needed    []bool    // scratch: by value, whether an operation reads it
	computed  []*Tensor // the ops of all runs
}

// NewGraph returns an empty graph. Close frees its arena.
func NewGraph() *Graph { return &Graph{} }

// Err returns the first mistake made while recording.
func (g *Graph) Err() error { return g.err }

// Fail records err as the graph's mistake unless there is one already, and
// returns a placeholder that later operations accept.
func (g *Graph) Fail(err error) *Tensor {
	if g.err == nil {
		g.err = err
	}
	return &Tensor{}
}

// Reset forgets all values and the mistake; it keeps the arena for reuse.
func (g *Graph) Reset() {
	for _, t := range g.slab.values() {
		g.spare.give(t)
	}
	g.slab.turn()
	g.ops, g.err, g.layer = g.ops[:0], nil, 0
}

// Layer says that operations from now on belong to layer n of the network, from 1 on. Those
// after the last layer belong to it, too.
func (g *Graph) Layer(n int) { g.layer = n }

// Close frees the arena.
func (g *Graph) Close() error {
	g.Reset()
	err := g.arenas.close()
	*g = Graph{}
	return err
}

// Ops returns the recorded operations in order, without inputs. The list belongs
// to the graph and is valid until Reset.
func (g *Graph) Ops() []*Tensor { return g.ops[:len(g.ops):len(g.ops)] }

// Ints records an input column [len(v), 1] of type I32.
func (g *Graph) Ints(name string, v []int32) *Tensor {
	t := g.add(OpInput, name, I32, len(v), 1)
	if g.err != nil {
		return t
	}
	t.host = g.spare.take(t.Bytes())
	copy(t.host, BytesOf(v))
	return t
}

// Floats records an input matrix [rows, len(v)/rows] of type F32.
func (g *Graph) Floats(name string, rows int, v []float32) *Tensor {
	if rows <= 0 || len(v)%rows != 0 {
		return g.Fail(fmt.Errorf("input %s: %d values do not make %d rows", name, len(v), rows))
	}
	t := g.add(OpInput, name, F32, rows, len(v)/rows)
	if g.err != nil {
		return t
	}
	t.host = g.spare.take(t.Bytes())
	copy(t.host, BytesOf(v))
	return t
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

// AppendResult appends the values to dst. It serves callers that run one graph
// after another without allocating for each.
func (g *Graph) AppendResult(dst []float32, t *Tensor) ([]float32, error) {
	if t == nil || !t.want || t.host == nil {
		return nil, fmt.Errorf("%s has no result: it was not wanted or the graph has not run", t.label())
	}
	start := len(dst)
	dst = slices.Grow(dst, t.Len())[:start+t.Len()]
	copy(BytesOf(dst[start:]), t.host)
	return dst, nil
}

// floats records an operation with a result in F32.
func (g *Graph) floats(op Op, name string, rows, cols int, operands ...*Tensor) *Tensor {
	return g.add(op, name, F32, rows, cols, operands...)
}

// add records a value unless there is a mistake.
func (g *Graph) add(op Op, name string, d DType, rows, cols int, operands ...*Tensor) *Tensor {
	if g.err != nil {
		return &Tensor{}
	}
	values := g.slab.values()
	t := g.slab.next()
	*t = Tensor{Name: name, Op: op, DType: d, Rows: rows, Cols: cols, Layer: g.layer, index: len(values), boxed: t.boxed}
	t.Src = t.operands[:copy(t.operands[:], operands):len(operands)]
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
	for _, s := range t.Src {
		if s != nil && !s.outlives() {
			s.readers++
		}
	}
	g.slab.keep()
	if op != OpInput {
		g.ops = append(g.ops, t)
	}
	return t
}

// maxValues limits one tensor, so that no sum of sizes can overflow.
const maxValues = 1 << 40

// has reports whether t is a value of this graph.
func (g *Graph) has(t *Tensor) bool {
	values := g.slab.values()
	return t != nil && t.index < len(values) && values[t.index] == t
}

// ErrNoKernel is the error that [Backend.Supports] wraps if it has no kernel for
// an operation, a type or a size. Every other error is a failure and is returned
// to the caller.
var ErrNoKernel = errors.New("no kernel")
