package own

import "inglenook/gpu"

// byBytes are the types of linear_vec_bytes.cu.
var byBytes = map[string]bool{"q8_0": true, "q4_0": true, "q4_k": true, "q5_k": true, "q6_k": true}

const (
	bytesRows   = 4        // of w that a warp takes side by side
	bytesWarps  = 8        // of a block, at most
	bytesMany   = 1024     // groups of rows; half the warps where there are fewer, so that there are more blocks
	bytesBlocks = 264      // at most: each makes integers of x
	bytesShared = 96 << 10 // of a block: what all cards since Ampere have
)

// linearVecBytes gives a launch the grid of linear_vec_bytes.cu. It reports whether the
// integers of x fit into a block's memory.
func linearVecBytes(d *gpu.Dispatch, v vec, in, out, weights int) bool {
	words := in/4 + in/256*4 + 4
	integers := ceilDiv(4*(2*words+in/32+in/8), 16) * 16
	stages := vecStages * weights * bytesRows * v.units() * 16 // bytes of a warp
	groups, warps := ceilDiv(out, bytesRows), bytesWarps
	if groups < bytesMany {
		warps /= 2
	}
	warps = min(warps, (bytesShared-integers)/stages)
	if warps < 1 {
		return false
	}
	addConstant(d, linearRows, 1)
	setConstant(d, linearOwn, true)
	d.Groups = [3]uint32{uint32(min(ceilDiv(groups, warps), bytesBlocks)), 1, 1}
	d.Threads, d.Shared[0] = uint32(warp*warps), uint32(integers+warps*stages)
	return true
}
