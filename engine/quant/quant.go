// Package quant defines the element types of weights and caches in plain Go: the
// layout of each in bytes, what the bytes mean and how values become bytes. It
// serves to check kernels, and to make quantized weights and cache rows.
//
// The block types are those of GGUF files (GGUF specification; the block formats
// of ggml). A block holds a fixed number of values as small integers, the
// levels, and their scales. All numbers are little-endian. Decoding is exact:
// float32 arithmetic in the order that each format documents, on every platform.
//
// The package computes no products: backends have the kernels for these types.
package quant

import "inglenook/engine"

// Dequantize reads values of a weight type: src holds len(dst) elements of
// type d, a whole number of blocks.
func Dequantize(d engine.DType, src []byte, dst []float32) {
	if !d.Quantized() {
		widen(d, src, dst)
		return
	}
	decode, n, size := formats[d].decode, d.Block(), d.BlockBytes()
	for len(dst) > 0 {
		decode(src[:size], dst[:n])
		src, dst = src[size:], dst[n:]
	}
}

// Quantize writes values as type d: len(src) must be a whole number of blocks
// and dst must have d.RowBytes(len(src)) bytes. Equal values produce equal
// bytes. The types with one scale a block round to nearest; the others search
// for the scales with the least squared error. The result for a block that holds
// a NaN or an infinity is unspecified.
func Quantize(d engine.DType, src []float32, dst []byte) {
	if !d.Quantized() {
		narrow(d, src, dst)
		return
	}
	encode, n, size := formats[d].encode, d.Block(), d.BlockBytes()
	for len(src) > 0 {
		encode(src[:n], dst[:size])
		src, dst = src[n:], dst[size:]
	}
}

// formats decode and encode one block.
var formats = [...]struct {
	decode func(src []byte, dst []float32)
	encode func(src []float32, dst []byte)
}{
	engine.Q4_0:    {decodeQ4_0, encodeQ4_0},
	engine.Q4_1:    {decodeQ4_1, encodeQ4_1},
	engine.Q5_0:    {decodeQ5_0, encodeQ5_0},
	engine.Q5_1:    {decodeQ5_1, encodeQ5_1},
	engine.Q8_0:    {decodeQ8_0, encodeQ8_0},
	engine.Q2_K:    {decodeQ2_K, encodeQ2_K},
	engine.Q3_K:    {decodeQ3_K, encodeQ3_K},
	engine.Q4_K:    {decodeQ4_K, encodeQ4_K},
	engine.Q5_K:    {decodeQ5_K, encodeQ5_K},
	engine.Q6_K:    {decodeQ6_K, encodeQ6_K},
	engine.IQ4_NL:  {decodeIQ4_NL, encodeIQ4_NL},
	engine.IQ4_XS:  {decodeIQ4_XS, encodeIQ4_XS},
	engine.MXFP4:   {decodeMXFP4, encodeMXFP4},
	engine.IQ2_XXS: {decodeIQ2_XXS, encodeIQ2_XXS},
	engine.IQ2_XS:  {decodeIQ2_XS, encodeIQ2_XS},
	engine.IQ2_S:   {decodeIQ2_S, encodeIQ2_S},
	engine.IQ3_XXS: {decodeIQ3_XXS, encodeIQ3_XXS},
	engine.IQ3_S:   {decodeIQ3_S, encodeIQ3_S},
}
