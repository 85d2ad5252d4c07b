package own

import (
	"slices"
	"strconv"
	"strings"

	"inglenook/gpu/msl"
)

// declare returns the declaration and the source of a kernel that is not Metal's.
func declare(p *msl.Program, name string) (declared *msl.Kernel, source string) {
	kind, variant, _ := strings.Cut(strings.TrimPrefix(name, prefix), "_")
	k := &msl.Kernel{Name: name, File: kind + ".cu"}
	files, buffers, positions, before := []string{k.File}, 0, []msl.Param(nil), ""
	switch kind {
	case "pack":
		parts, dtype, _ := strings.Cut(variant, "_")
		bf16 := "0"
		if dtype == "bf16" {
			bf16 = "1"
		}
		k.Func, buffers = "pack<"+parts+", "+bf16+">", 4
		files = []string{"halves.cu", "pack.cu"}
	case "pair":
		k.Func, buffers = "pack_pair<"+variant+">", 7
		files = []string{"halves.cu", "pack.cu"}
	case "norm":
		k.Func, buffers = "norm<"+strings.ReplaceAll(variant, "_", ", ")+">", 8
		k.Constants = p.Kernel("layer_norm_4").Constants
		files = []string{"halves.cu", "norm.cu"}
	case "unpack":
		_, decoder, _ := strings.Cut(p.Kernel("linear_tile_"+variant).Func, "<") // linear_tile<Q4_0, half, half, 1>
		decoder, _, _ = strings.Cut(decoder, ", half")
		k.Func, buffers = "unpack<"+decoder+">", 3
	case "product", "hopper", "short":
		function := kind
		if kind != "product" {
			function, before = "hopper", "#define TWO "+strconv.Itoa(int(flag(kind == "short")))+"\n"
		}
		k.File = function + ".cu"
		k.Func, buffers = function+"<"+strings.ReplaceAll(variant, "_", ", ")+">", 3+3*severalMost
		files = []string{"halves.cu", "product_outputs.cu", k.File}
		k.Constants = []int{linearActivation, linearBias}
	case "rows":
		k.Func, buffers, before = "rows<"+strings.ReplaceAll(variant, "_", ", ")+">", 3+3*severalMost, "#define TWO 0\n"
		files = []string{"halves.cu", "product_outputs.cu", "hopper.cu", "pieces.cu", k.File}
		k.Constants = []int{linearActivation, linearBias}
	case "feed":
		k.Func, buffers, before = "feed<"+strings.ReplaceAll(variant, "_", ", ")+">", 8, "#define TWO 0\n"
		files = []string{"halves.cu", "product_outputs.cu", "hopper.cu", "pieces.cu", k.File}
		k.Constants = []int{linearActivation, linearBias}
	case "vec":
		one := p.Kernel("linear_vec_" + variant)
		k.Func, buffers = strings.Replace(one.Func, "linear_vec<", "several<", 1), 2+3*severalMost
		k.Constants = one.Constants
		positions = besideBuffers(one)
		files = []string{"linear_vec.cu", "linear_vec_bytes.cu"}
	case "halves":
		one := p.Kernel("attention_matrix_" + variant)
		k.Func, buffers = strings.Replace(one.Func, "attention_matrix<", "attention_halves<", 1), one.Buffers()
		k.Constants, positions = one.Constants, besideBuffers(one)
		files = []string{"halves.cu", "attention_matrix.cu", "attention_halves.cu"}
	case "attend", "turned":
		one := p.Kernel("attention_vector_" + variant)
		k.Func, buffers = strings.Replace(one.Func, "attention_vector<", "attend<", 1), attendBuffers
		k.Constants = append(slices.Clone(one.Constants), ropeInterleaved)
		positions = besideBuffers(one)
		before = "namespace own { enum { TURNED = " + strconv.Itoa(int(flag(kind == "turned"))) + " }; }\n"
		files = []string{"attention_vector.cu", "attend.cu"}
	case "slice", "normed", "summed":
		constants, function, dtype, ok := sliceSource(kind, variant)
		if !ok {
			return nil, ""
		}
		one := p.Kernel("linear_vec_" + dtype)
		k.Func, k.Constants, buffers, before = strings.Replace(one.Func, "linear_vec<", function+"<", 1), one.Constants, sliceBuffers, constants
		if kind != "slice" {
			buffers = normedBuffers
		}
		files = []string{"linear_vec.cu", "linear_vec_bytes.cu", "slice_types.cu", "slices.cu"}
	default:
		return nil, ""
	}
	for i := range buffers {
		k.Params = append(k.Params, msl.Param{Kind: msl.Buffer, Index: i})
	}
	k.Params = append(k.Params, positions...)
	return k, before + text(files...)
}

// besideBuffers returns what a kernel takes beside its buffers.
func besideBuffers(k *msl.Kernel) (params []msl.Param) {
	for _, param := range k.Params {
		if param.Kind != msl.Buffer {
			params = append(params, param)
		}
	}
	return params
}
