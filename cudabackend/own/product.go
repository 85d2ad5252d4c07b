package own

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"inglenook/engine"
	"inglenook/gpu"
)

// A launch of linear_tile_*, which multiplies many rows, becomes several: pack makes
// halves of x, unpack makes halves of some rows of w at a time, product multiplies. So
// the tensor cores get what they are fastest with, whatever the type of w.

// TileRows is how many rows of x a block multiplies.
const TileRows = 128

const (
	prefix = "own_" // of the names of kernels that are not Metal's

	tileStride   = 40       // halves of a line in shared memory: STRIDE of product.cu
	tileStages   = 4        // STAGES, at most
	tileShared   = 96 << 10 // bytes that all stages have
	shortSum     = 512      // values of a sum that the tensor cores add up alone
	hopperLine   = 128      // bytes of a line: LINE of hopper.cu
	hopperAlign  = 1024     // of shared memory
	hopperStages = 6        // STAGES, at most
	hopperShared = 224 << 10
	slabBytes    = 128 << 20 // of w in halves
	packThreads  = 256
	packShort    = 1024 // SHORT of pack.cu
	unpackBlocks = 2048 // at most
	scratchAlign = 256

	severalMost    = 3  // products of a launch
	productNumbers = 12 // of ProductArgs
)

// tile is a launch of linear_tile_*.
type tile struct {
	rows, in, out, stride int
	dtype                 string
	parts                 int // of x
	packed                int // parts of w, which has units then; 0: halves without
	slab                  int // rows of w at a time
}

// tileOf returns what a dispatch multiplies, if the kernels here can.
func tileOf(list *gpu.List, d *gpu.Dispatch) (t tile, ok bool) {
	dtype, ok := strings.CutPrefix(d.Kernel.Name, "linear_tile_")
	if !ok || dtype == "mxfp4" { // it would lose digits as halves
		return tile{}, false
	}
	args := arguments(list, d)
	t = tile{rows: number(args, 0), in: number(args, 1), out: number(args, 2), stride: number(args, 3), dtype: dtype, parts: 1}
	switch dtype {
	case "f32":
		t.parts, t.packed = 2, 2
	case "bf16":
		t.parts, t.packed = partsOf(d), 1
	case "f16":
		t.parts = partsOf(d)
	}
	t.slab = min(t.out, max(slabBytes/(2*t.matrices()*t.in)/TileRows, 1)*TileRows)
	return t, t.in%16 == 0
}

// partsOf returns how many halves a value of x becomes where weights are as fine as one.
func partsOf(d *gpu.Dispatch) int {
	if d.Op != nil {
		if p, ok := d.Op.Params.(engine.LinearParams); ok && p.Rounded {
			return 1
		}
	}
	return 2
}

// The bytes of scratch memory.
func (t tile) xBytes() int    { return aligned(2 * t.parts * t.rows * t.in) }
func (t tile) unitBytes() int { return aligned(4 * t.rows) }
func (t tile) wBytes() int {
	if t.dtype == "f16" {
		return 0
	}
	if t.packed > 0 {
		return aligned(t.slab * (2*t.packed*t.in + 4))
	}
	return aligned(2 * t.slab * t.in)
}

// halves returns the places in scratch memory of x as halves, and of their units.
func (t tile) halves(scratch gpu.Region) (x, units gpu.Region) {
	return part(scratch, 0, t.xBytes()), part(scratch, t.xBytes(), t.unitBytes())
}

// matrices returns how many matrices of halves w becomes.
func (t tile) matrices() int { return max(t.packed, 1) }

// lines returns how many lines a step of a product by so many columns copies.
func (t tile) lines(columns int) int { return t.parts*TileRows + t.matrices()*columns }

// plan says how a product is computed.
type plan struct {
	kind            string // of kernel
	columns, shared int    // of a block; bytes
}

// plan returns how the products of a launch are computed, which have outs columns.
func (s *Shaper) plan(t tile, outs []int) plan {
	if !s.Hopper {
		p := plan{kind: "product", columns: s.fewestSteps(t, outs, 64, 128)}
		line := 2 * tileStride * t.lines(p.columns)
		p.shared = min(tileStages, tileShared/line) * line
		return p
	}
	p, room := plan{kind: "hopper"}, hopperShared
	switch {
	case s.keepsRows(t):
		return plan{kind: "rows", columns: feedColumns, shared: rowsShared}
	case t.in <= shortSum && t.packed < 2 && blocksOf(t, outs, 128) > s.Processors:
		p.kind, p.columns, room = "short", 128, hopperShared/2
	case t.packed < 2:
		p.columns = s.fewestSteps(t, outs, 64, 128, 192)
	default:
		p.columns = s.fewestSteps(t, outs, 64, 128)
	}
	line := hopperLine * t.lines(p.columns)
	p.shared = min(hopperStages, room/line)*line + hopperAlign
	return p
}

// fewestSteps returns with which of some numbers of columns the card is done first, if a
// block needs as long as the lines that it copies.
func (s *Shaper) fewestSteps(t tile, outs []int, of ...int) (columns int) {
	best := math.MaxInt
	for _, c := range of {
		if took := ceilDiv(blocksOf(t, outs, c), max(s.Processors, 1)) * t.lines(c); took < best {
			best, columns = took, c
		}
	}
	return columns
}

// blocksOf returns how many blocks by so many columns the products of a launch are.
func blocksOf(t tile, outs []int, columns int) (blocks int) {
	for _, out := range outs {
		blocks += ceilDiv(out, columns)
	}
	return blocks * ceilDiv(t.rows, TileRows)
}

func aligned(bytes int) int { return ceilDiv(bytes, scratchAlign) * scratchAlign }

// tilesAt returns the products that begin with dispatch i of a list and can be one
// launch: of the same x, with weights of one type that fit into a slab together. There
// is none where the kernels here cannot do dispatch i.
func tilesAt(list *gpu.List, i int) (tiles []tile) {
	bytes := 0
	for ; i < len(list.Dispatches) && len(tiles) < severalMost; i++ {
		d := &list.Dispatches[i]
		t, ok := tileOf(list, d)
		if !ok {
			break
		}
		bytes += 2 * t.matrices() * t.out * t.in
		if len(tiles) > 0 {
			first, before := tiles[0], &list.Dispatches[i-1]
			if t.dtype != first.dtype || bytes > slabBytes || !sameInput(d, before) {
				break
			}
		}
		tiles = append(tiles, t)
	}
	return tiles
}

// sameInput reports whether two products are of the same x, and do the same with the sums.
func sameInput(d, before *gpu.Dispatch) bool {
	return d.Bindings[1] == before.Bindings[1] && constant(&d.Kernel, linearBias) == constant(&before.Kernel, linearBias) &&
		constant(&d.Kernel, linearActivation) == constant(&before.Kernel, linearActivation)
}

// Scratch returns how many bytes of scratch memory a list needs.
func Scratch(list *gpu.List) (bytes int) {
	for i := 0; i < len(list.Dispatches); i++ {
		tiles := tilesAt(list, i)
		if len(tiles) == 0 {
			_, _, keys := packedKeys(list, &list.Dispatches[i])
			bytes = max(bytes, 2*keys)
			continue
		}
		all := tiles[0].xBytes() + tiles[0].unitBytes()
		for _, t := range tiles {
			all += t.wBytes()
		}
		bytes = max(bytes, all)
		if fed := feedTiles(list, i); fed != nil {
			bytes = max(bytes, fed[0].xBytes()+fed[0].unitBytes()+fed[0].wBytes()+fed[1].wBytes())
		}
		i += len(tiles) - 1
	}
	return bytes
}

// products appends the launches that do what some dispatches do. If halved, they leave halves.
func (s *Shaper) products(ds []gpu.Dispatch, tiles []tile, halved bool) {
	t := tiles[0]
	at := t.xBytes() + t.unitBytes()

	work, outs := 0.0, make([]int, 0, severalMost)
	for i, t := range tiles {
		work += ds[i].Work
		outs = append(outs, min(t.slab, t.out))
	}
	begin := len(s.list.Dispatches)
	x, units := s.halvesOf(&ds[0], t)
	plan := s.plan(t, outs)

	for first := 0; first < t.out; first += t.slab { // more than once only for one product
		var w, bias, y [severalMost]gpu.Region
		place := at
		for i, t := range tiles {
			outs[i] = min(t.slab, t.out-first)
			w[i] = part(ds[i].Bindings[2], first*t.stride, outs[i]*t.stride)
			w[i] = s.weightOf(&ds[i], t, outs[i], w[i], place)
			if bias[i] = ds[i].Bindings[3]; constant(&ds[i].Kernel, linearBias) != 0 {
				bias[i] = part(bias[i], 4*first, 4*outs[i])
			}
			y[i] = part(ds[i].Bindings[4], 4*first, ds[i].Bindings[4].Size-4*first)
			place += t.wBytes()
		}
		numbers, across := []int{t.rows, t.in, t.rows * t.in}, 0
		for i := range tiles {
			blocks := ceilDiv(outs[i], plan.columns)
			numbers, across = append(numbers, outs[i], tiles[i].out, blocks), across+blocks
		}
		numbers = append(numbers, make([]int, productNumbers-len(numbers))...)
		kernel := fmt.Sprintf("%s%s_%d_%d_%d", prefix, plan.kind, t.parts, t.packed, plan.columns)
		switch plan.kind {
		case "rows":
			kernel = fmt.Sprintf("%srows_%d_%d", prefix, t.in, flag(halved))
		case "hopper", "short":
			kernel += fmt.Sprintf("_%d", flag(halved))
		}
		p := s.launch(&ds[0], kernel, numbers...)
		p.Kernel.Constants = productConstants(&ds[0].Kernel)
		p.Bindings[1], p.Bindings[2] = x, units
		copy(p.Bindings[3:], w[:])
		copy(p.Bindings[3+severalMost:], bias[:])
		copy(p.Bindings[3+2*severalMost:], y[:])
		if plan.kind == "rows" {
			across = 1 // a block goes through all columns
		}
		p.Groups, p.Threads = [3]uint32{uint32(ceilDiv(t.rows, TileRows)), uint32(across), 1}, packThreads
		p.Shared[0] = uint32(plan.shared)
	}
	s.list.Dispatches[begin].Work = work
}

// halvesOf returns where x lies as halves, and their units. It appends the launch that makes
// them, unless they are there.
func (s *Shaper) halvesOf(d *gpu.Dispatch, t tile) (x, units gpu.Region) {
	x, units = t.halves(s.scratch)
	if now := (packed{d.Bindings[1], t.parts}); s.packed != now {
		s.packed = now
		s.pack(d, fmt.Sprintf("pack_%d", t.parts), t.rows, t.in, d.Bindings[1], x, units)
	}
	return x, units
}

// pack appends the launch that makes halves, with units, of some rows of numbers.
func (s *Shaper) pack(d *gpu.Dispatch, kernel string, rows, columns int, from, to, units gpu.Region) {
	p := s.launch(d, prefix+kernel, columns, rows*columns, rows)
	p.Bindings[1], p.Bindings[2], p.Bindings[3] = from, to, units
	p.Groups, p.Threads = [3]uint32{packBlocks(rows, columns), 1, 1}, packThreads
}

// packBlocks returns how many blocks make halves of so many rows.
func packBlocks(rows, columns int) uint32 {
	if columns <= packShort {
		rows = ceilDiv(rows, packThreads/warp)
	}
	return uint32(rows)
}

// weightOf returns where some rows of w lie as halves: in scratch memory from a place on, where it
// appends the launch that makes them, or where they are if they are halves.
func (s *Shaper) weightOf(d *gpu.Dispatch, t tile, rows int, w gpu.Region, place int) gpu.Region {
	if t.wBytes() == 0 {
		return w
	}
	unpacked := part(s.scratch, place, t.wBytes())
	s.unpack(d, t, rows, w, unpacked)
	return unpacked
}

// unpack appends the launch that makes halves of some rows of w.
func (s *Shaper) unpack(d *gpu.Dispatch, t tile, rows int, w, to gpu.Region) {
	if t.packed > 0 {
		kernel := fmt.Sprintf("pack_%d", t.packed)
		if t.dtype != "f32" {
			kernel += "_" + t.dtype
		}
		s.pack(d, kernel, rows, t.in, w, to, part(to, 2*t.packed*rows*t.in, 4*rows))
		return
	}
	u := s.launch(d, prefix+"unpack_"+t.dtype, t.in, rows, t.stride)
	u.Bindings[1], u.Bindings[2] = w, to
	u.Groups, u.Threads = [3]uint32{uint32(min(ceilDiv(rows*t.in/16, packThreads), unpackBlocks)), 1, 1}, packThreads
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
