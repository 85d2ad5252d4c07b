package gguf

import (
	"fmt"

	"inglenook/engine"
)

// Type is the element type of a tensor, by its number in the format.
type Type uint32

// kind holds a type's name, its elements per block and the bytes of a block.
type kind struct {
	name         string
	block, bytes int64
}

// kinds maps all types of the format: the engine's and the others.
var kinds = func() map[Type]kind {
	all := map[Type]kind{}
	for t, k := range otherKinds {
		all[t] = k
	}
	for _, d := range append(engine.WeightTypes(), engine.I32) {
		all[Type(d.GGUF())] = kind{d.FileName(), int64(d.Block()), int64(d.BlockBytes())}
	}
	return all
}()

// otherKinds holds the types that this program cannot compute with, including
// retired ones (the interleaved Q4_0_4_4 and its relatives).
var otherKinds = map[Type]kind{
	28: {"F64", 1, 8}, 24: {"I8", 1, 1}, 25: {"I16", 1, 2}, 27: {"I64", 1, 8},
	9: {"Q8_1", 32, 36}, 15: {"Q8_K", 256, 292},
	19: {"IQ1_S", 256, 50}, 29: {"IQ1_M", 256, 56},
	34: {"TQ1_0", 256, 54}, 35: {"TQ2_0", 256, 66},
	40: {"NVFP4", 64, 36}, 41: {"Q1_0", 128, 18}, 42: {"Q2_0", 64, 18},
	31: {"Q4_0_4_4", 32, 18}, 32: {"Q4_0_4_8", 32, 18}, 33: {"Q4_0_8_8", 32, 18},
	36: {"IQ4_NL_4_4", 32, 18}, 37: {"IQ4_NL_4_8", 32, 18}, 38: {"IQ4_NL_8_8", 32, 18},
}

// String returns the name of the type, such as Q4_K.
func (t Type) String() string {
	if k, ok := kinds[t]; ok {
		return k.name
	}
	return fmt.Sprintf("type %d", uint32(t))
}

// valueType is the type of a metadata value, by its number in the format.
type valueType uint32

const (
	uint8Type valueType = iota
	int8Type
	uint16Type
	int16Type
	uint32Type
	int32Type
	float32Type
	boolType
	stringType
	arrayType
	uint64Type
	int64Type
	float64Type
)

var valueTypes = [...]struct {
	name  string
	bytes int // of a value, also in an array; for a string, of the shortest one
}{
	uint8Type: {"uint8", 1}, int8Type: {"int8", 1}, uint16Type: {"uint16", 2}, int16Type: {"int16", 2},
	uint32Type: {"uint32", 4}, int32Type: {"int32", 4}, uint64Type: {"uint64", 8}, int64Type: {"int64", 8},
	float32Type: {"float32", 4}, float64Type: {"float64", 8}, boolType: {"bool", 1},
	stringType: {"string", 8}, arrayType: {"array", 12},
}

func (t valueType) String() string {
	if int(t) < len(valueTypes) {
		return valueTypes[t].name
	}
	return fmt.Sprintf("type %d", uint32(t))
}
