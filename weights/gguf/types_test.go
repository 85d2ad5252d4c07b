package gguf

import (
	"testing"

	"inglenook/engine"
)

// declared has the sizes that llama.cpp declares for the types that the engine lacks
// (ggml-common.h; those of the retired types were in ggml.c).
var declared = map[string]struct{ block, bytes int64 }{
	"F64": {1, 8}, "I8": {1, 1}, "I16": {1, 2}, "I64": {1, 8},
	"Q8_1":    {32, 2 + 2 + 32},
	"Q8_K":    {256, 4 + 256 + 256/16*2},
	"IQ2_XXS": {256, 2 + 256/8*2},
	"IQ2_XS":  {256, 2 + 256/8*2 + 256/32},
	"IQ2_S":   {256, 2 + 256/4 + 256/32 + 256/32},
	"IQ3_XXS": {256, 2 + 3*256/8},
	"IQ3_S":   {256, 2 + 256/4 + 256/32 + 256/8 + 256/64},
	"IQ1_S":   {256, 2 + 256/8 + 256/16},
	"IQ1_M":   {256, 256/8 + 256/16 + 256/32},
	"TQ1_0":   {256, (256-4*256/64)/5 + 256/64 + 2},
	"TQ2_0":   {256, 256/4 + 2},
	"MXFP4":   {32, 1 + 32/2},
	"NVFP4":   {64, 64/16 + 64/2},
	"Q1_0":    {128, 2 + 128/8},
	"Q2_0":    {64, 2 + 64/4},

	"Q4_0_4_4": {32, 2 + 32/2}, "Q4_0_4_8": {32, 2 + 32/2}, "Q4_0_8_8": {32, 2 + 32/2},
	"IQ4_NL_4_4": {32, 2 + 32/2}, "IQ4_NL_4_8": {32, 2 + 32/2}, "IQ4_NL_8_8": {32, 2 + 32/2},
}

// The types that the engine lacks have the sizes of the format, and their own numbers and
// names.
func TestOtherKinds(t *testing.T) {
	owner := map[string]Type{}
	for _, d := range append(engine.WeightTypes(), engine.I32) {
		owner[d.FileName()] = Type(d.GGUF())
		if k, twice := otherKinds[Type(d.GGUF())]; twice {
			t.Errorf("type %d is %s of the engine and %s of the table", d.GGUF(), d, k.name)
		}
	}
	for number, k := range otherKinds {
		if other, twice := owner[k.name]; twice {
			t.Errorf("types %d and %d are both %s", number, other, k.name)
		}
		owner[k.name] = number
		want, known := declared[k.name]
		if !known || k.block != want.block || k.bytes != want.bytes {
			t.Errorf("%s has %d elements in %d bytes, want %v", k.name, k.block, k.bytes, want)
		}
	}
	for number := Type(0); number <= 42; number++ {
		if _, known := kinds[number]; !known && number != 4 && number != 5 { // Q4_2 and Q4_3, gone since 2023
			t.Errorf("no type has the number %d", number)
		}
	}
}
