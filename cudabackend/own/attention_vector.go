package own

import "inglenook/gpu"

const (
	attentionSize = 30 // function constants of attention.metal
	attentionRows = 31

	attentionWidest = 512 // columns of a head; wider ones do not fit into a block's shared memory
	attentionChunk  = 256 // CHUNK of attention_vector.cu
	attentionBlocks = 64  // with fewer, each takes one row
)

func fitsAttentionVector(k *gpu.Kernel, _ string) bool {
	return constant(k, attentionSize) <= attentionWidest
}

// attentionVector gives a launch of attention_vector_* its grid: a block for each tile of
// rows, which takes all columns.
func attentionVector(d *gpu.Dispatch, args []byte) {
	size, rows := int(constant(&d.Kernel, attentionSize)), int(constant(&d.Kernel, attentionRows))
	queries, group := number(args, 0), number(args, 2)
	if blocks := ceilDiv(queries*group, rows) * int(d.Groups[1]*d.Groups[2]); rows > 1 && blocks < attentionBlocks {
		rows = 1
		setConstant(d, attentionRows, 1)
	}
	padded, warps := ceilDiv(size, 4)*4, 16
	for warps > 4 && rows*padded*warps > 8<<10 { // 32 KB of sums
		warps /= 2
	}
	d.Groups[0], d.Threads = uint32(ceilDiv(queries*group, rows)), uint32(warp*warps)
	d.Shared[0] = uint32(4 * rows * (padded + attentionChunk + 4 + warps*padded))
}
