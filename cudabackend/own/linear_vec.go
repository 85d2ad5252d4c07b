package own

import (
	"encoding/binary"
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
)

// fitsLinearVec: all types that have blocks here.
func fitsLinearVec(_ *gpu.Kernel, dtype string) bool { return vecs[dtype] != vec{} }

// linearVec gives a launch of linear_vec_* its grid: see Pieces in linear_vec.cu.
func linearVec(d *gpu.Dispatch, args []byte) {
	dtype := strings.TrimPrefix(d.Kernel.Name, "linear_vec_")
	v := vecs[dtype]
	in, out := int(binary.NativeEndian.Uint32(args[4:])), int(binary.NativeEndian.Uint32(args[8:]))
	weights := 1 + int(constant(&d.Kernel, linearGate))
	if byBytes[dtype] && linearVecBytes(d, v, in, out, weights) {
		return
	}
	stages := vecStages * weights * v.rows * v.units() * 16 // bytes of a warp
	groups, pieces, warps := ceilDiv(out, v.rows), ceilDiv(in/v.values, v.taken()), 1
	for warps < vecMost && groups*warps < vecWarps && warps < pieces {
		warps *= 2
	}
	alone := warps == 1
	if alone {
		warps = max(1, min(vecBlock, blockBytes/stages))
		groups = ceilDiv(groups, warps)
	}
	setConstant(d, linearOwn, alone)
	d.Groups, d.Threads, d.Shared[0] = [3]uint32{uint32(groups), 1, 1}, uint32(warp*warps), uint32(warps*stages)
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

// addConstant sets a function constant that the launch does not have yet.
func addConstant(d *gpu.Dispatch, index, value int32) {
	for i := range d.Kernel.Constants {
		if c := &d.Kernel.Constants[i]; c.Index == 0 {
			c.Index, c.Value = index, value
			return
		}
	}
}

// constant returns the value of a function constant of a kernel.
func constant(k *gpu.Kernel, index int32) int32 {
	for _, c := range k.Constants {
		if c.Index == index {
			return c.Value
		}
	}
	return 0
}

// setConstant sets a function constant that the launch has.
func setConstant(d *gpu.Dispatch, index int32, value bool) {
	for i := range d.Kernel.Constants {
		if c := &d.Kernel.Constants[i]; c.Index == index {
			c.Value = 0
			if value {
				c.Value = 1
			}
		}
	}
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
