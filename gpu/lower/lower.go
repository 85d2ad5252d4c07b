// Package lower turns operations of package engine into dispatches of GPU kernels
// (package gpu): which kernel, with which arguments, over which grid. It has a
// file for each operation, named like its kernels in metalbackend/kernels. A host
// such as metalbackend tells it where tensors lie in the device's memory, and runs
// the dispatches.
//
// It calls no GPU and compiles nothing: the same dispatches come out wherever it
// runs.
package lower

import (
	"cmp"
	"context"
	"fmt"

	"inglenook/engine"
	"inglenook/gpu"
)

// operations maps each operation to its lowering. Each is in a file of its name,
// and so are its kernels.
var operations = [1 << 8]operation{
	engine.OpEmbed:           {lower: lowerEmbed},
	engine.OpLinear:          {lower: lowerLinear},
	engine.OpAdd:             {lower: lowerAdd},
	engine.OpLayerNorm:       {lower: lowerLayerNorm},
	engine.OpRows:            {lower: lowerRows},
	engine.OpPool:            {checkPool, lowerPool},
	engine.OpL2Normalize:     {lower: lowerL2Normalize},
	engine.OpRMSNorm:         {lower: lowerRMSNorm},
	engine.OpRoPE:            {checkRoPE, lowerRoPE},
	engine.OpGate:            {lower: lowerGate},
	engine.OpScale:           {lower: lowerScale},
	engine.OpSoftCap:         {lower: lowerSoftCap},
	engine.OpAttention:       {checkAttention, lowerAttention},
	engine.OpCausalAttention: {checkCausalAttention, lowerCausalAttention},
	engine.OpCrossAttention:  {checkCrossAttention, lowerCrossAttention},
	engine.OpRoute:           {lower: lowerRoute},
	engine.OpExperts:         {lower: lowerExperts},
	engine.OpMix:             {lower: lowerMix},
	engine.OpCausalConv:      {lower: lowerCausalConv},
	engine.OpDeltaRule:       {checkDeltaRule, lowerDeltaRule},
	engine.OpDisentangled:    {checkDisentangled, lowerDisentangled},
	engine.OpJoin:            {lower: lowerJoin},
}

// operation is the lowering of one operation of the engine.
type operation struct {
	// check returns why there is no kernel for the types and sizes of t, as an
	// error that wraps engine.ErrNoKernel. A nil check accepts all.
	check func(t *engine.Tensor) error
	// lower appends the operation's dispatches. Nil: there are no kernels.
	lower func(l *Lowerer, t *engine.Tensor)
}

// fusions are sequences of operations that are computed together, in fewer
// dispatches and to the same bits. The first that fits is used.
var fusions = []fusion{
	{2, fusesAddRMSNorm, lowerAddRMSNorm},
	{2, fusesAddLayerNorm, lowerAddLayerNorm},
	{2, fusesRoPECache, lowerRoPECache},
	{3, fusesGatedLinear, lowerGatedLinear},
}

// fusion computes several consecutive operations.
type fusion struct {
	count int
	fuses func(ops []*engine.Tensor) bool
	lower func(l *Lowerer, ops []*engine.Tensor)
}

// Check returns nil if there is a kernel for an operation with these types and
// sizes, else an error that wraps [engine.ErrNoKernel] and says why.
func Check(op *engine.Tensor) error {
	o := &operations[op.Op]
	if o.lower == nil {
		return fmt.Errorf("%w for %s", engine.ErrNoKernel, op.Op)
	}
	if o.check == nil {
		return nil
	}
	return o.check(op)
}

// Host is what lowering needs of a backend: it knows where tensors that outlive a
// graph lie in its device's memory.
type Host interface {
	// Weight returns the region of a weight, and loads it if it is not loaded
	// yet. It begins at a multiple of WeightAlign's bytes.
	Weight(ctx context.Context, w *engine.Tensor, layout Layout) (gpu.Region, error)
	// Cache returns the region of all rows of a cache: row-major, [capacity, columns].
	Cache(c *engine.Tensor) (gpu.Region, error)
	// Scratch returns memory for data that one dispatch passes to another. free
	// releases it; dispatches that were submitted before may still use it.
	Scratch(bytes int) (m *gpu.Memory, free func(), err error)
}

// Sketch is a [Host] for finding out which kernels operations need: it has no memory at
// all.
type Sketch struct{}

// Weight returns a region of no memory.
func (Sketch) Weight(_ context.Context, w *engine.Tensor, kind Layout) (gpu.Region, error) {
	return gpu.Region{Size: kind.Size(w)}, nil
}

// Cache returns a region of no memory.
func (Sketch) Cache(c *engine.Tensor) (gpu.Region, error) { return gpu.Region{Size: c.Bytes()}, nil }

// Scratch returns a memory without bytes.
func (Sketch) Scratch(bytes int) (*gpu.Memory, func(), error) {
	return &gpu.Memory{Size: bytes}, func() {}, nil
}

// WeightAlign returns the alignment of a weight, in bytes, that kernels need to read
// several numbers at once: four of a plain type, up to 16 bytes of a block.
func WeightAlign(d engine.DType) int {
	if d == engine.F16 || d == engine.BF16 {
		return 8
	}
	return 16
}

// Layout is how a weight's numbers lie in memory.
type Layout int

// The layouts that kernels read.
const (
	Stored  Layout = iota // row-major, in the weight's own type
	Floats                // row-major in F32: norms, biases and other small ones
	Layouts               // is the number of layouts
)

// Size returns the bytes of a weight in a layout.
func (l Layout) Size(w *engine.Tensor) int {
	if l == Floats {
		return 4 * w.Len()
	}
	return w.Bytes()
}

// Lowerer turns operations into dispatches, one list after the other. It reuses
// its memory. Only one goroutine at a time may use it.
type Lowerer struct {
	Wide  bool // the GPU has cores for several times the threads of the largest of Apple's
	Front bool // working memory is used from the front in every list, since the GPU runs one after the other: equal operations then get equal dispatches
	Apart bool // each operation has dispatches of its own, and nothing is fused

	host    Host
	list    gpu.List
	names   map[variant]string
	working scratch

	ctx   context.Context // these are set while Lower runs
	arena *gpu.Memory
	err   error // the first one; later dispatches are then meaningless
}

// New returns a lowerer for a host.
func New(host Host) *Lowerer { return &Lowerer{host: host, names: map[variant]string{}} }

// Lower returns the dispatches of operations in order, whose values lie in the
// arena. The list is valid until Reset, which must come before the next Lower.
func (l *Lowerer) Lower(ctx context.Context, arena *gpu.Memory, ops []*engine.Tensor) (*gpu.List, error) {
	l.ctx, l.arena = ctx, arena
	for len(ops) > 0 {
		first := len(l.list.Dispatches)
		l.working.next()
		n := l.next(ops)
		if l.err != nil {
			return nil, fmt.Errorf("%s %s: %w", ops[0].Op, ops[0].Name, l.err)
		}
		if first < len(l.list.Dispatches) {
			for _, t := range ops[:n] {
				l.list.Dispatches[first].Work += work(t)
			}
		}
		ops = ops[n:]
	}
	return &l.list, nil
}

// next lowers the operations at the front of ops that are computed together, and
// returns how many those are.
func (l *Lowerer) next(ops []*engine.Tensor) int {
	for i := range fusions {
		if l.Apart {
			break
		}
		if f := &fusions[i]; len(ops) >= f.count && f.fuses(ops[:f.count]) {
			f.lower(l, ops[:f.count])
			return f.count
		}
	}
	if o := &operations[ops[0].Op]; o.lower != nil {
		o.lower(l, ops[0])
	} else {
		l.fail(engine.ErrNoKernel)
	}
	return 1
}

// Reset empties the list, once its dispatches are submitted.
func (l *Lowerer) Reset() {
	clear(l.list.Dispatches)
	l.list.Dispatches, l.list.Inline = l.list.Dispatches[:0], l.list.Inline[:0]
	l.ctx, l.arena, l.err = nil, nil, nil
	l.working.freeOutgrown()
	if l.Front {
		l.working.used = 0
	}
}

// Close frees the working memory.
func (l *Lowerer) Close() {
	l.Reset()
	l.working.close()
}

// fail records the first error.
func (l *Lowerer) fail(err error) { l.err = cmp.Or(l.err, err) }

// flopsPerByte is how many multiply-adds take as long as reading one byte.
const flopsPerByte = 20

// work returns the cost of an operation, in multiply-adds.
func work(t *engine.Tensor) float64 {
	c := t.Cost()
	return float64(c.Flops) + flopsPerByte*float64(c.WeightBytes+c.CacheBytes)
}
