package own

import (
	"encoding/binary"
	"strings"

	"inglenook/gpu"
)

const (
	matrixSize    = 128 // columns of a head, at most
	matrixPart    = 16  // that they are a multiple of
	matrixRows    = 64  // ROWS of attention_matrix.cu
	matrixTiles   = 4   // of 64 keys or values
	matrixThreads = 128
)

func fitsAttentionMatrix(k *gpu.Kernel, variant string) bool {
	size := constant(k, attentionSize)
	return strings.HasSuffix(variant, "_f16") && size <= matrixSize && size%matrixPart == 0
}

// attentionMatrix gives a launch of attention_matrix_* its grid: a block for each 64 rows.
func attentionMatrix(d *gpu.Dispatch, args []byte) {
	size := int(constant(&d.Kernel, attentionSize))
	queries, group := int(binary.NativeEndian.Uint32(args)), int(binary.NativeEndian.Uint32(args[8:]))
	d.Groups[0], d.Threads = uint32(ceilDiv(queries*group, matrixRows)), matrixThreads
	d.Shared[0] = uint32(2 * (2 + matrixTiles) * matrixRows * (size + 8))
}
