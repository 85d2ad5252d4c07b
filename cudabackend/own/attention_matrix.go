package own

import (
	"strings"

	"inglenook/gpu"
)

const (
	matrixSize    = 128 // columns of a head, at most
	matrixFloats  = 96  // the same over keys and values in F32
	matrixPart    = 16  // that they are a multiple of
	matrixRows    = 64  // ROWS of attention_matrix.cu
	matrixThreads = 128
)

func fitsAttentionMatrix(k *gpu.Kernel, variant string) bool {
	size := constant(k, attentionSize)
	most := matrixSize
	if ofFloats(variant) {
		most = matrixFloats
	}
	return !strings.HasSuffix(variant, "_q8_0") && int(size) <= most && size%matrixPart == 0
}

// ofFloats reports whether a kernel reads keys and values in F32, which become halves first.
func ofFloats(kernel string) bool { return strings.HasSuffix(kernel, "_f32") }

// attentionMatrix gives a launch of attention_matrix_* its grid: a block for each 64 rows.
func attentionMatrix(d *gpu.Dispatch, args []byte) {
	parts := 1 // PARTS of attention_matrix.cu
	if ofFloats(d.Kernel.Name) {
		parts = 2
	}
	attentionTiles(d, args, 2, parts)
}

// attentionTiles gives a launch of blocks with 64 rows its grid and its memory, for so many
// halves of each value of a query, and of a key or value.
func attentionTiles(d *gpu.Dispatch, args []byte, ofQuery, ofKey int) {
	size, keys := int(constant(&d.Kernel, attentionSize)), 64 // KEYS
	if size > 96 || ofKey > 1 && size > 48 {
		keys = 32
	}
	queries, group := number(args, 0), number(args, 2)
	d.Groups[0], d.Threads = uint32(ceilDiv(queries*group, matrixRows)), matrixThreads
	d.Shared[0] = uint32(2 * (ofQuery*matrixRows + 2*2*ofKey*keys) * (size + 8))
}

// packedKeys returns how many bytes keys, or values, of a launch in F32 take as halves with
// their units; 0 where they stay what they are.
func packedKeys(list *gpu.List, d *gpu.Dispatch) (rows, columns, bytes int) {
	variant, ok := strings.CutPrefix(d.Kernel.Name, "attention_matrix_")
	if !ok || !ofFloats(variant) || !fitsAttentionMatrix(&d.Kernel, variant) {
		return 0, 0, 0
	}
	args := arguments(list, d)
	rows, columns = number(args, 3), number(args, 1)/number(args, 2)*int(constant(&d.Kernel, attentionSize))
	return rows, columns, aligned(rows * (2*2*columns + 4))
}

// packKeys appends the launch that makes halves of keys and values, which d then reads.
func (s *Shaper) packKeys(list *gpu.List, d *gpu.Dispatch) {
	rows, columns, bytes := packedKeys(list, d)
	if bytes == 0 {
		return
	}
	p := s.launch(d, prefix+"pair_2", columns, rows*columns, rows)
	for i := range 2 {
		to := part(s.scratch, i*bytes, bytes)
		p.Bindings[3*i+1], p.Bindings[3*i+2], p.Bindings[3*i+3] = d.Bindings[2+i], to, part(to, 2*2*rows*columns, 4*rows)
		d.Bindings[2+i] = to
	}
	p.Groups, p.Threads = [3]uint32{packBlocks(rows, columns), 2, 1}, packThreads
}
