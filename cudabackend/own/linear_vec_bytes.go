package own

// byBytes are the types of linear_vec_bytes.cu.
var byBytes = map[string]bool{"q8_0": true, "q4_0": true, "q4_k": true, "q5_k": true, "q6_k": true}

const (
	bytesRows   = 4        // of w that a warp takes side by side
	bytesWarps  = 8        // of a block, at most
	bytesMany   = 1024     // groups of rows; half the warps where there are fewer, so that there are more blocks
	bytesBlocks = 264      // at most: each makes integers of x
	bytesShared = 96 << 10 // of a block: what all cards since Ampere have
)

// bytesGrid returns the grid of linear_vec_bytes.cu. It is not ok where the integers of x
// do not fit into a block's memory.
func bytesGrid(v vec, in int, outs []int, gates int) (g vecGrid, ok bool) {
	words := in/4 + in/256*4 + 4
	integers := ceilDiv(4*(2*words+in/32+in/8), 16) * 16
	stages := vecStages * gates * bytesRows * v.units() * 16 // bytes of a warp
	warps := bytesWarps
	if total(outs, bytesRows) < bytesMany {
		warps /= 2
	}
	warps = min(warps, (bytesShared-integers)/stages)
	if warps < 1 {
		return vecGrid{}, false
	}
	for _, out := range outs {
		g.blocks = append(g.blocks, min(ceilDiv(ceilDiv(out, bytesRows), warps), bytesBlocks))
	}
	g.threads, g.shared, g.alone, g.bytes = warp*warps, integers+warps*stages, true, true
	return g, true
}
