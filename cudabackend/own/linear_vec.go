package own

import (
	"strings"

	"inglenook/gpu"
)

// vec is what linear_vec.metal says of a type: threads that share a block, rows that a
// warp takes side by side, values and bytes of a block.
type vec struct{ parts, rows, values, bytes int }

var vecs = map[string]vec{
	"f32": {1, 4, 4, 16}, "f16": {1, 4, 4, 8}, "bf16": {1, 4, 4, 8},
	"q4_0": {2, 4, 32, 18}, "q4_1": {2, 4, 32, 20}, "q5_0": {2, 4, 32, 22}, "q5_1": {2, 4, 32, 24}, "q8_0": {4, 4, 32, 34},
	"q2_k": {8, 2, 256, 84}, "q3_k": {8, 2, 256, 110}, "q4_k": {8, 2, 256, 144}, "q5_k": {8, 2, 256, 176}, "q6_k": {8, 2, 256, 210},
	"iq4_nl": {2, 4, 32, 18}, "iq4_xs": {16, 4, 256, 136}, "mxfp4": {2, 4, 32, 17},
}

const (
	warp             = 32
	vecStages        = 3        // STAGES of linear_vec.cu
	vecPiece         = 640      // bytes of one row in a piece, about
	vecWarps         = 2048     // that fill a card
	vecMost          = 8        // warps that share the sums of some columns
	vecBlock         = 4        // warps of a block that share nothing
	blockBytes       = 48 << 10 // of shared memory that a block of those has
	linearActivation = 1        // function constant of common.metal
	linearBias       = 10       // and of linear.metal
	linearGate       = 11
	linearRows       = 12 // 1: linear_vec_bytes.cu
	linearOwn        = 14
	vectorNumbers    = 15 // of SeveralArgs
)

// fitsLinearVec: all types that have blocks here.
func fitsLinearVec(_ *gpu.Kernel, dtype string) bool { return vecs[dtype] != vec{} }

// vecGrid is the grid of a launch for one row of x.
type vecGrid struct {
	blocks          []int // for each weight
	threads, shared int
	alone           bool // warps share nothing
	bytes           bool // products of bytes
}

// gridOf returns the grid for weights with so many rows, see Pieces in linear_vec.cu;
// with a gate there are two of each.
func gridOf(dtype string, in int, outs []int, gates int) vecGrid {
	v := vecs[dtype]
	if byBytes[dtype] {
		if g, ok := bytesGrid(v, in, outs, gates); ok {
			return g
		}
	}
	stages := vecStages * gates * v.rows * v.units() * 16 // bytes of a warp
	groups, pieces, warps := total(outs, v.rows), ceilDiv(in/v.values, v.taken()), 1
	for warps < vecMost && groups*warps < vecWarps && warps < pieces {
		warps *= 2
	}
	g, shares := vecGrid{alone: warps == 1}, 1
	if g.alone {
		warps = max(1, min(vecBlock, blockBytes/stages))
		shares = warps
	}
	for _, out := range outs {
		g.blocks = append(g.blocks, ceilDiv(ceilDiv(out, v.rows), shares))
	}
	g.threads, g.shared = warp*warps, warps*stages
	return g
}

// total returns how many groups of some rows there are.
func total(outs []int, rows int) (groups int) {
	for _, out := range outs {
		groups += ceilDiv(out, rows)
	}
	return groups
}

// give gives a launch a grid.
func (g vecGrid) give(d *gpu.Dispatch) {
	setConstant(d, linearOwn, flag(g.alone))
	if g.bytes {
		setConstant(d, linearRows, 1)
	}
	blocks := 0
	for _, n := range g.blocks {
		blocks += n
	}
	d.Groups, d.Threads, d.Shared[0] = [3]uint32{uint32(blocks), 1, 1}, uint32(g.threads), uint32(g.shared)
}

// linearVec gives a launch of linear_vec_* its grid.
func linearVec(d *gpu.Dispatch, args []byte) {
	in, out := number(args, 1), number(args, 2)
	gridOf(strings.TrimPrefix(d.Kernel.Name, "linear_vec_"), in, []int{out}, 1+int(constant(&d.Kernel, linearGate))).give(d)
}

// vectorsAt returns how many launches of linear_vec_* from dispatch i on can be one: of
// the same x, with weights of one type. Apart it is one at most.
func (s *Shaper) vectorsAt(list *gpu.List, i int) (n int) {
	for ; i+n < len(list.Dispatches) && n < s.together(); n++ {
		d, first := &list.Dispatches[i+n], &list.Dispatches[i]
		dtype, ok := strings.CutPrefix(d.Kernel.Name, "linear_vec_")
		if !ok || vecs[dtype] == (vec{}) || d.Kernel.Name != first.Kernel.Name || !sameInput(d, first) {
			break
		}
		if constant(&d.Kernel, linearGate) != 0 { // has two weights already
			return max(n, 1)
		}
	}
	return n
}

// vectors appends the launch that does what some of linear_vec_* do.
func (s *Shaper) vectors(list *gpu.List, ds []gpu.Dispatch) {
	dtype := strings.TrimPrefix(ds[0].Kernel.Name, "linear_vec_")
	numbers, outs, in := make([]int, 0, vectorNumbers), make([]int, 0, severalMost), 0
	for i := range ds {
		args := arguments(list, &ds[i])
		for n := range 4 { // LinearArgs
			numbers = append(numbers, number(args, n))
		}
		in, outs = numbers[len(numbers)-3], append(outs, numbers[len(numbers)-2])
	}
	g := gridOf(dtype, in, outs, 1)
	numbers = append(append(numbers, make([]int, 4*(severalMost-len(ds)))...), g.blocks...)
	d := s.launch(&ds[0], prefix+"vec_"+dtype, append(numbers, make([]int, severalMost-len(ds))...)...)
	d.Kernel.Constants, d.Bindings[1] = productConstants(&ds[0].Kernel), ds[0].Bindings[1]
	for i := range ds {
		d.Bindings[2+i], d.Bindings[2+severalMost+i], d.Bindings[2+2*severalMost+i] = ds[i].Bindings[2], ds[i].Bindings[3], ds[i].Bindings[4]
		d.Work += ds[i].Work
	}
	g.give(d)
}

// taken returns how many blocks of a row are in a piece: TAKEN of linear_vec.cu.
func (v vec) taken() int {
	atOnce, whole := warp/v.parts, 8
	if v.bytes%16 == 0 {
		whole = 1
	}
	least := max(1, whole/atOnce)
	return atOnce * max(least, vecPiece/(atOnce*v.bytes)/least*least)
}

// units returns how many pieces of 16 bytes they take, wherever the first begins: UNITS.
func (v vec) units() int { return (v.taken()*v.bytes + 30) / 16 }

// constant returns the value of a function constant of a kernel.
func constant(k *gpu.Kernel, index int32) int32 {
	for _, c := range k.Constants {
		if c.Index == index {
			return c.Value
		}
	}
	return 0
}

// setConstant sets a function constant of a launch.
func setConstant(d *gpu.Dispatch, index, value int32) {
	for i := range d.Kernel.Constants {
		if c := &d.Kernel.Constants[i]; c.Index == index || c.Index == 0 { // those that are set come first
			c.Index, c.Value = index, value
			return
		}
	}
}

func flag(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
