package engine

import (
	"fmt"
	"slices"
	"strings"
)

// DType is the element type of a tensor.
type DType uint8

// The element types. Activations are F32; ids and segment tables are I32;
// weights have the type of their file. The types from Q4_0 on store a row in
// blocks of a fixed number of elements that share scales, with the layout of
// GGUF files (package engine/quant defines each).
const (
	F32  DType = iota
	F16        // IEEE 754 binary16
	BF16       // the upper half of an IEEE 754 binary32
	I32
	Q4_0
	Q4_1
	Q5_0
	Q5_1
	Q8_0
	Q2_K
	Q3_K
	Q4_K
	Q5_K
	Q6_K
	IQ4_NL
	IQ4_XS
	MXFP4
	IQ2_XXS
	IQ2_XS
	IQ2_S
	IQ3_XXS
	IQ3_S
)

// dtypes is the table of the types. File readers and the kernels' constants in C
// and Metal repeat it; tests compare them.
var dtypes = [...]struct {
	name         string
	block, bytes int    // elements in a block, bytes of one
	gguf         uint32 // the number of the type in GGUF files
}{
	F32: {"f32", 1, 4, 0}, F16: {"f16", 1, 2, 1}, BF16: {"bf16", 1, 2, 30}, I32: {"i32", 1, 4, 26},
	Q4_0: {"q4_0", 32, 18, 2}, Q4_1: {"q4_1", 32, 20, 3}, Q5_0: {"q5_0", 32, 22, 6}, Q5_1: {"q5_1", 32, 24, 7}, Q8_0: {"q8_0", 32, 34, 8},
	Q2_K: {"q2_k", 256, 84, 10}, Q3_K: {"q3_k", 256, 110, 11}, Q4_K: {"q4_k", 256, 144, 12}, Q5_K: {"q5_k", 256, 176, 13}, Q6_K: {"q6_k", 256, 210, 14},
	IQ4_NL: {"iq4_nl", 32, 18, 20}, IQ4_XS: {"iq4_xs", 256, 136, 23},
	MXFP4:   {"mxfp4", 32, 17, 39},
	IQ2_XXS: {"iq2_xxs", 256, 66, 16}, IQ2_XS: {"iq2_xs", 256, 74, 17}, IQ2_S: {"iq2_s", 256, 82, 22},
	IQ3_XXS: {"iq3_xxs", 256, 98, 18}, IQ3_S: {"iq3_s", 256, 110, 21},
}

// WeightTypes lists the types that a weight can have.
func WeightTypes() []DType {
	var ds []DType
	for d := range dtypes {
		if DType(d) != I32 {
			ds = append(ds, DType(d))
		}
	}
	return ds
}

// PlainTypes lists the weight types without blocks.
func PlainTypes() []DType { return slices.DeleteFunc(WeightTypes(), DType.Quantized) }

// cacheTypes are the types of caches.
var cacheTypes = []DType{F16, F32, Q8_0}

// CacheTypes lists the types that a cache can have, the default first.
func CacheTypes() []DType { return slices.Clone(cacheTypes) }

// FileName returns the type's name in files: Q4_K, BF16.
func (d DType) FileName() string { return strings.ToUpper(d.String()) }

// GGUF returns the type's number in GGUF files.
func (d DType) GGUF() uint32 { return dtypes[d].gguf }

// Block returns the number of elements in a block, 1 for types without blocks.
func (d DType) Block() int { return dtypes[d].block }

// BlockBytes returns the number of bytes of a block, or of one element where
// Block is 1.
func (d DType) BlockBytes() int { return dtypes[d].bytes }

// Quantized reports whether elements share scales in blocks.
func (d DType) Quantized() bool { return dtypes[d].block > 1 }

// RowBytes returns the number of bytes of a row of cols elements; Block divides
// cols.
func (d DType) RowBytes(cols int) int { return cols / dtypes[d].block * dtypes[d].bytes }

func (d DType) String() string {
	if int(d) >= len(dtypes) {
		return fmt.Sprintf("dtype(%d)", uint8(d))
	}
	return dtypes[d].name
}
