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

// weightTypes are the stored types that kernels take, those from Q4_0 on in
// GGUF files alone, and F64, which is rounded to F32 on reading.
var weightTypes = map[string]engine.DType{
	"F32": engine.F32, "F16": engine.F16, "BF16": engine.BF16, "F64": engine.F32,
	"Q4_0": engine.Q4_0, "Q4_1": engine.Q4_1, "Q5_0": engine.Q5_0, "Q5_1": engine.Q5_1, "Q8_0": engine.Q8_0,
	"Q2_K": engine.Q2_K, "Q3_K": engine.Q3_K, "Q4_K": engine.Q4_K, "Q5_K": engine.Q5_K, "Q6_K": engine.Q6_K,
	"IQ4_NL": engine.IQ4_NL, "IQ4_XS": engine.IQ4_XS,
}
