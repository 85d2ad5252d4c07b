package own

import (
	"encoding/binary"
	"fmt"
	"strings"

	"inglenook/gpu"
	"inglenook/gpu/msl"
)

// A launch of linear_tile_*, which multiplies many rows, becomes several: pack makes
// halves of x, unpack makes halves of some rows of w at a time, product multiplies. So
// the tensor cores get what they are fastest with, whatever the type of w.

const (
	prefix = "own_" // of the names of kernels that are not Metal's

	tileRows     = 128
	tileStride   = 40        // halves of a line in shared memory: STRIDE of product.cu
	tileStages   = 4         // STAGES
	tileBlocks   = 100       // that keep a card busy
	slabBytes    = 128 << 20 // of w in halves
	packThreads  = 256
	unpackBlocks = 2048 // at most
	scratchAlign = 256
)

// tile is a launch of linear_tile_*.
type tile struct {
	rows, in, out, stride int
	dtype                 string
	parts                 int // of x
	slab                  int // rows of w at a time
}

// tileOf returns what a dispatch multiplies, if the kernels here can.
func tileOf(list *gpu.List, d *gpu.Dispatch) (t tile, ok bool) {
	dtype, ok := strings.CutPrefix(d.Kernel.Name, "linear_tile_")
	if !ok || dtype == "f32" || dtype == "bf16" || dtype == "mxfp4" { // they would lose digits as halves
		return tile{}, false
	}
	args := arguments(list, d)
	number := func(i int) int { return int(binary.NativeEndian.Uint32(args[4*i:])) }
	t = tile{rows: number(0), in: number(1), out: number(2), stride: number(3), dtype: dtype, parts: 1}
	if dtype == "f16" {
		t.parts = 2
	}
	t.slab = min(t.out, max(slabBytes/(2*t.in)/tileRows, 1)*tileRows)
	return t, t.in%16 == 0
}

// The bytes of scratch memory.
func (t tile) xBytes() int    { return aligned(2 * t.parts * t.rows * t.in) }
func (t tile) unitBytes() int { return aligned(4 * t.rows) }
func (t tile) wBytes() int {
	if t.dtype == "f16" {
		return 0
	}
	return aligned(2 * t.slab * t.in)
}

func aligned(bytes int) int { return ceilDiv(bytes, scratchAlign) * scratchAlign }

// Scratch returns how many bytes of scratch memory a list needs.
func Scratch(list *gpu.List) (bytes int) {
	for i := range list.Dispatches {
		if t, ok := tileOf(list, &list.Dispatches[i]); ok {
			bytes = max(bytes, t.xBytes()+t.unitBytes()+t.wBytes())
		}
	}
	return bytes
}

// products appends the launches that do what d does.
func (s *Shaper) products(d *gpu.Dispatch, t tile) {
	x := part(s.scratch, 0, t.xBytes())
	units := part(s.scratch, t.xBytes(), t.unitBytes())
	unpacked := part(s.scratch, t.xBytes()+t.unitBytes(), t.wBytes())

	pack := s.launch(d, fmt.Sprintf("%spack_%d", prefix, t.parts), t.in, t.rows*t.in)
	pack.Bindings[1], pack.Bindings[2], pack.Bindings[3] = d.Bindings[1], x, units
	pack.Groups, pack.Threads, pack.Work = [3]uint32{uint32(t.rows), 1, 1}, packThreads, d.Work

	columns := tileRows
	if ceilDiv(t.rows, tileRows)*ceilDiv(t.slab, columns) < tileBlocks {
		columns /= 2
	}
	for first := 0; first < t.out; first += t.slab {
		n := min(t.slab, t.out-first)
		w := part(d.Bindings[2], first*t.stride, n*t.stride)
		if t.dtype != "f16" {
			unpack := s.launch(d, prefix+"unpack_"+t.dtype, t.in, n, t.stride)
			unpack.Bindings[1], unpack.Bindings[2] = w, unpacked
			unpack.Groups, unpack.Threads = [3]uint32{uint32(min(ceilDiv(n*t.in/16, packThreads), unpackBlocks)), 1, 1}, packThreads
			w = unpacked
		}
		p := s.launch(d, fmt.Sprintf("%sproduct_%d_%d", prefix, t.parts, columns), t.rows, t.in, n, t.rows*t.in, t.out)
		p.Kernel.Constants = productConstants(&d.Kernel)
		bias, y := d.Bindings[3], d.Bindings[4]
		if constant(&d.Kernel, linearBias) != 0 {
			bias = part(bias, 4*first, 4*n)
		}
		p.Bindings[1], p.Bindings[2], p.Bindings[3], p.Bindings[4], p.Bindings[5] = x, units, w, bias, part(y, 4*first, y.Size-4*first)
		p.Groups, p.Threads = [3]uint32{uint32(ceilDiv(t.rows, tileRows)), uint32(ceilDiv(n, columns)), 1}, packThreads
		p.Shared[0] = uint32(2 * tileStages * (t.parts*tileRows + columns) * tileStride)
	}
}

// productConstants keeps those function constants that say what becomes of a sum.
func productConstants(k *gpu.Kernel) (kept [gpu.MaxConstants]gpu.Constant) {
	n := 0
	for _, c := range k.Constants {
		if c.Index == linearActivation || c.Index == linearBias {
			kept[n] = c
			n++
		}
	}
	return kept
}

// part returns a part of a region.
func part(r gpu.Region, offset, bytes int) gpu.Region {
	return gpu.Region{Memory: r.Memory, Offset: r.Offset + offset, Size: bytes}
}

// launch appends a launch for the operation of d, with some numbers as arguments.
func (s *Shaper) launch(d *gpu.Dispatch, kernel string, numbers ...int) *gpu.Dispatch {
	args := gpu.Region{Offset: len(s.list.Inline), Size: 4 * len(numbers)}
	for _, n := range numbers {
		s.list.Inline = binary.NativeEndian.AppendUint32(s.list.Inline, uint32(n))
	}
	s.list.Dispatches = append(s.list.Dispatches, gpu.Dispatch{Op: d.Op, Kernel: gpu.Kernel{Name: kernel}})
	added := &s.list.Dispatches[len(s.list.Dispatches)-1]
	added.Bindings[0] = args
	return added
}

// declare returns the declaration and the source of a kernel that is not Metal's.
func declare(p *msl.Program, name string) (declared *msl.Kernel, source string) {
	kind, variant, _ := strings.Cut(strings.TrimPrefix(name, prefix), "_")
	k := &msl.Kernel{Name: name, File: kind + ".cu"}
	buffers := 0
	switch kind {
	case "pack":
		k.Func, buffers = "pack<"+variant+">", 4
	case "unpack":
		_, decoder, _ := strings.Cut(p.Kernel("linear_tile_"+variant).Func, "<") // linear_tile<Q4_0, half, half, 1>
		decoder, _, _ = strings.Cut(decoder, ", half")
		k.Func, buffers = "unpack<"+decoder+">", 3
	case "product":
		k.Func, buffers = "product<"+strings.Replace(variant, "_", ", ", 1)+">", 6
		k.Constants = []int{linearActivation, linearBias}
	default:
		return nil, ""
	}
	for i := range buffers {
		k.Params = append(k.Params, msl.Param{Kind: msl.Buffer, Index: i})
	}
	return k, text(k.File)
}
