package weights

import "inglenook/engine"

// storedTypes are the element types of the safetensors format with their width
// in bits. Every one may stand in a file; few can be weights.
var storedTypes = map[string]int{
	"BOOL": 8, "U8": 8, "I8": 8, "U16": 16, "I16": 16, "U32": 32, "I32": 32, "U64": 64, "I64": 64,
	"F4": 4, "F6_E2M3": 6, "F6_E3M2": 6,
	"F8_E5M2": 8, "F8_E4M3": 8, "F8_E8M0": 8, "F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8,
	"F16": 16, "BF16": 16, "F32": 32, "F64": 64, "C64": 64,
}

// weightTypes are the stored types that kernels take, by their names in files:
// those of the engine, the block types in GGUF files alone, and F64, which is
// rounded to F32 on reading.
var weightTypes = func() map[string]engine.DType {
	types := map[string]engine.DType{"F64": engine.F32}
	for _, d := range engine.WeightTypes() {
		types[d.FileName()] = d
	}
	return types
}()
