package metalbackend

import (
	"cmp"
	"context"
	"fmt"
	"unsafe"

	"inglenook/engine"
)

// lowerers turn each operation into dispatches. Each lives in lower_OP.go,
// its kernels in kernels/OP.metal.
var lowerers = map[engine.Op]lowerer{
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
}

// lowerer is what there is for one operation.
type lowerer struct {
	// check says why there is no kernel for the types and sizes of t, with an
	// error that wraps engine.ErrNoKernel. nil means that every size works.
	check func(f *Features, t *engine.Tensor) error
	// lower appends the operation's dispatches.
	lower func(l *lowering, t *engine.Tensor) error
}

// lowering is the work of one Submit: operations become dispatches in order.
// Its memory serves submit after submit.
type lowering struct {
	b          *Backend
	ctx        context.Context
	features   *Features
	arena      *memory
	dispatches []dispatch
	inline     []byte // arguments and small tables of all dispatches
	working    scratch
	names      map[variant]string
	rehearsal  bool // for the kernels' names alone: there is no memory
}

// start begins a Submit.
func (l *lowering) start(ctx context.Context, b *Backend, arena *memory) {
	l.b, l.ctx, l.features, l.arena = b, ctx, &b.features, arena
}

// end forgets everything but memory, once the dispatches are encoded.
func (l *lowering) end() {
	clear(l.dispatches)
	l.dispatches, l.inline = l.dispatches[:0], l.inline[:0]
	l.ctx, l.arena, l.rehearsal = nil, nil, false
	l.working.settle()
}

// lower appends the dispatches of operations in order.
func (l *lowering) lower(ops []*engine.Tensor) error {
	for len(ops) > 0 {
		first := len(l.dispatches)
		l.working.next()
		n, err := l.fused(ops)
		if n == 0 && err == nil {
			n, err = 1, l.single(ops[0])
		}
		if err = cmp.Or(err, l.working.err); err != nil {
			return fmt.Errorf("%s %s: %w", ops[0].Op, ops[0].Name, err)
		}
		if first < len(l.dispatches) {
			for _, t := range ops[:n] {
				l.dispatches[first].work += work(t)
			}
		}
		ops = ops[n:]
	}
	return nil
}

func (l *lowering) single(t *engine.Tensor) error {
	op, ok := lowerers[t.Op]
	if !ok {
		return engine.ErrNoKernel
	}
	return op.lower(l, t)
}

// dispatch is one launch of a kernel in plain data.
type dispatch struct {
	op       *engine.Tensor // for messages and times
	kernel   kernelKey
	bindings [maxBindings]binding // by buffer index; those that are not set have no memory and no length
	shared   [maxShared]uint32    // bytes of threadgroup memory by index
	groups   [3]uint32            // threadgroups in the grid
	threads  uint32               // in a threadgroup: a multiple of 32
	work     float64              // of the operation, at its first dispatch
}

const (
	maxBindings  = 12
	maxShared    = 4
	maxConstants = 6
)

// kernelKey names a pipeline: a kernel and its function constants.
type kernelKey struct {
	name      string
	constants [maxConstants]constant
}

// constant sets the function constant with an index. The zero value sets none:
// indexes start at 1. Without padding it is quick to look up.
type constant struct{ index, value int32 }

// region is a stretch of memory that a dispatch reads or writes.
type region struct {
	memory *memory
	offset int
	bytes  int
}

// binding is what a buffer index of a dispatch stands for: a region, or inline
// bytes where memory is nil.
type binding struct {
	region
}

// dispatch appends a launch of the kernel for an operation. args is the
// kernel's argument struct at buffer index 0, of 32-bit fields.
func launch[Args any](l *lowering, t *engine.Tensor, kernel string, args Args) *dispatch {
	l.dispatches = append(l.dispatches, dispatch{op: t, kernel: kernelKey{name: kernel}})
	d := &l.dispatches[len(l.dispatches)-1]
	d.bind(0, tableOf(l, args))
	return d
}

// tableOf puts an argument struct into the command itself.
func tableOf[Args any](l *lowering, args Args) region {
	return l.table(unsafe.Slice((*byte)(unsafe.Pointer(&args)), int(unsafe.Sizeof(args))))
}

// variant names a kernel that there is for several types, and for several sizes
// where size is not 0.
type variant struct {
	family string
	size   int
	dtype  engine.DType
}

// kernel is the name of a variant: family_size_type. A name is made once.
func (l *lowering) kernel(family string, size int, d engine.DType) string {
	v := variant{family, size, d}
	name, ok := l.names[v]
	if !ok {
		name = family + "_" + d.String()
		if size != 0 {
			name = fmt.Sprintf("%s_%d_%s", family, size, d)
		}
		if l.names == nil {
			l.names = map[variant]string{}
		}
		l.names[v] = name
	}
	return name
}

// constant sets a function constant.
func (d *dispatch) constant(index, value int32) *dispatch {
	for i := range d.kernel.constants {
		if d.kernel.constants[i].index == 0 {
			d.kernel.constants[i] = constant{index, value}
			return d
		}
	}
	panic(fmt.Sprintf("metalbackend: more than %d function constants for %s", maxConstants, d.kernel.name))
}

// bind gives the buffer index its memory.
func (d *dispatch) bind(index int, r region) *dispatch {
	d.bindings[index] = binding{r}
	return d
}

// threadgroup asks for bytes of threadgroup memory at an index.
func (d *dispatch) threadgroup(index, bytes int) *dispatch {
	d.shared[index] = uint32((bytes + 15) / 16 * 16)
	return d
}

// over sets the grid, in threadgroups, and the threads in each of them.
func (d *dispatch) over(x, y, z, threads int) {
	d.groups, d.threads = [3]uint32{uint32(x), uint32(y), uint32(z)}, uint32(threads)
}

// value is where a value lies in the arena.
func (l *lowering) value(t *engine.Tensor) region {
	return region{l.arena, t.Offset, t.Bytes()}
}

// table puts a copy of b, at most 4 KB, into the command itself.
func (l *lowering) table(b []byte) region {
	start := len(l.inline)
	l.inline = append(l.inline, b...)
	return region{nil, start, len(b)}
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
