package lower

import (
	"fmt"
	"unsafe"

	"inglenook/engine"
	"inglenook/gpu"
)

// builder fills in the dispatch that was appended last.
type builder struct {
	*gpu.Dispatch
	l *Lowerer
}

// launch appends a launch of a kernel for an operation. args is the kernel's
// argument struct, of 32-bit fields.
func launch[Args any](l *Lowerer, t *engine.Tensor, kernel string, args Args) builder {
	l.list.Dispatches = append(l.list.Dispatches, gpu.Dispatch{Op: t, Kernel: gpu.Kernel{Name: kernel}})
	d := builder{&l.list.Dispatches[len(l.list.Dispatches)-1], l}
	return d.bind(0, inlineArgs(l, args))
}

// constant sets a function constant.
func (d builder) constant(index, value int32) builder {
	for i := range d.Kernel.Constants {
		if d.Kernel.Constants[i].Index == 0 {
			d.Kernel.Constants[i] = gpu.Constant{Index: index, Value: value}
			return d
		}
	}
	d.l.fail(fmt.Errorf("kernel %s takes more than %d function constants", d.Kernel.Name, gpu.MaxConstants))
	return d
}

// bind sets the region of the buffer with an index.
func (d builder) bind(index int, r gpu.Region) builder {
	d.Bindings[index] = r
	return d
}

// threadgroup requests bytes of threadgroup memory.
func (d builder) threadgroup(bytes int) builder {
	d.Shared[0] = uint32((bytes + 15) / 16 * 16)
	return d
}

// over sets the grid, in threadgroups, and the threads of each.
func (d builder) over(x, y, z, threads int) {
	d.Groups, d.Threads = [3]uint32{uint32(x), uint32(y), uint32(z)}, uint32(threads)
}

// value returns where a value lies in the arena.
func (l *Lowerer) value(t *engine.Tensor) gpu.Region {
	return gpu.Region{Memory: l.arena, Offset: t.Offset, Size: t.Bytes()}
}

// weight returns where a weight lies, in the layout of its file.
func (l *Lowerer) weight(t *engine.Tensor) gpu.Region { return l.place(t, Stored) }

// floats returns where a small weight lies as floats.
func (l *Lowerer) floats(t *engine.Tensor) gpu.Region {
	if t.DType == engine.F32 {
		return l.place(t, Stored)
	}
	return l.place(t, Floats)
}

func (l *Lowerer) place(t *engine.Tensor, layout Layout) gpu.Region {
	if l.err != nil {
		return gpu.Region{}
	}
	r, err := l.host.Weight(l.ctx, t, layout)
	l.fail(err)
	return r
}

// cache returns where the rows of a cache lie.
func (l *Lowerer) cache(t *engine.Tensor) gpu.Region {
	if l.err != nil {
		return gpu.Region{}
	}
	r, err := l.host.Cache(t)
	l.fail(err)
	return r
}

// inline copies a table, of 4 KB at most, into the list.
func (l *Lowerer) inline(b []byte) gpu.Region {
	start := len(l.list.Inline)
	l.list.Inline = append(l.list.Inline, b...)
	return gpu.Region{Offset: start, Size: len(b)}
}

// inlineArgs copies an argument struct into the list.
func inlineArgs[Args any](l *Lowerer, args Args) gpu.Region {
	return l.inline(unsafe.Slice((*byte)(unsafe.Pointer(&args)), int(unsafe.Sizeof(args))))
}

// variant is a kernel that exists for several types and, if size is not 0, sizes.
type variant struct {
	family string
	size   int
	dtype  engine.DType
}

// kernel returns the name of a variant: family_size_type. It builds each name
// once.
func (l *Lowerer) kernel(family string, size int, d engine.DType) string {
	v := variant{family, size, d}
	name, ok := l.names[v]
	if !ok {
		name = family + "_" + d.String()
		if size != 0 {
			name = fmt.Sprintf("%s_%d_%s", family, size, d)
		}
		l.names[v] = name
	}
	return name
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
