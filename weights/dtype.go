package weights

import "inglenook/engine"

// storedTypes maps the element types of the safetensors format to their width
// in bits. A file may contain all of them; only a few can be weights.
var storedTypes = map[string]int{
	"BOOL": 8, "U8": 8, "I8": 8, "U16": 16, "I16": 16, "U32": 32, "I32": 32, "U64": 64, "I64": 64,
	"F4": 4, "F6_E2M3": 6, "F6_E3M2": 6,
	"F8_E5M2": 8, "F8_E4M3": 8, "F8_E8M0": 8, "F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8,
	"F16": 16, "BF16": 16, "F32": 32, "F64": 64, "C64": 64,
}

// weightTypes maps the names of stored types in files to those that kernels
// support: the engine's types, the block types, which only GGUF files have, and
// F64, which is rounded to F32 on reading.
var weightTypes = func() map[string]engine.DType {
	types := map[string]engine.DType{"F64": engine.F32}
	for _, d := range engine.WeightTypes() {
		types[d.FileName()] = d
	}
	return types
}()
