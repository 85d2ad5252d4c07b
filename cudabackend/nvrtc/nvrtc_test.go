package nvrtc

import (
	"errors"
	"os"
	"slices"
	"testing"

	"inglenook/cudabackend/own"
	"inglenook/gpu"

	"inglenook/gpu/msl"
	"inglenook/metalbackend/kernels"
)

// program returns the kernels' program, or skips where NVRTC is not installed.
func program(t *testing.T) *msl.Program {
	t.Helper()
	if _, err := Version(); err != nil {
		if missing := (*MissingError)(nil); errors.As(err, &missing) {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	p, err := msl.Parse(kernels.Source())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCompileKernel compiles some kernels of each kind, which needs NVRTC but no card;
// all of them with INGLENOOK_ALL_KERNELS set, which takes minutes.
func TestCompileKernel(t *testing.T) {
	p := program(t)
	seen := map[string]int{}
	for i := range p.Kernels {
		k := &p.Kernels[i]
		if seen[k.File]++; seen[k.File] > 1 && os.Getenv("INGLENOOK_ALL_KERNELS") == "" {
			continue
		}
		constants := map[int]int32{}
		for _, c := range k.Constants {
			constants[c] = 1
		}
		key := gpu.Kernel{Name: k.Name}
		for i, c := range k.Constants {
			key.Constants[i] = gpu.Constant{Index: int32(c), Value: int32(constants[c])}
		}
		_, stand := own.Find(p, &key)
		for _, source := range slices.Compact([]string{"", stand}) {
			code, err := CompileKernel(p, k, constants, source, "sm_80")
			if err != nil {
				t.Errorf("%s: %v", k.Name, err)
			} else if len(code) == 0 {
				t.Errorf("%s: no code", k.Name)
			}
		}
	}
}

// TestCompileOwn compiles kernels that only NVIDIA's cards have, and those that stand in
// for Metal's only with some constants.
func TestCompileOwn(t *testing.T) {
	p := program(t)
	gate := map[int]int32{11: 1}
	linear, head := map[int]int32{10: 1, 1: 1, 12: 1, 14: 1}, map[int]int32{30: 64, 31: 2, 35: 1}
	for _, k := range []struct {
		name, architecture string
		constants          map[int]int32
	}{
		{"own_pack_1", "sm_80", nil},
		{"own_pack_2", "sm_80", nil},
		{"own_unpack_q4_k", "sm_80", nil},
		{"own_unpack_q8_0", "sm_80", nil},
		{"own_product_1_0_64", "sm_80", linear},
		{"own_product_2_0_128", "sm_80", linear},
		{"own_hopper_1_0_64_0", "sm_90a", linear},
		{"own_hopper_2_0_128_0", "sm_90a", linear},
		{"own_hopper_2_0_192_0", "sm_90a", linear},
		{"own_short_2_0_128_0", "sm_90a", map[int]int32{1: 1, 10: 1}},
		{"own_short_1_0_128_0", "sm_90a", linear},
		{"own_pair_2", "sm_80", nil},
		{"own_norm_2_3", "sm_80", map[int]int32{51: 1, 52: 1}},
		{"own_norm_1_8", "sm_90a", nil},
		{"own_product_2_2_128", "sm_80", linear},
		{"own_hopper_2_2_128_0", "sm_90a", linear},
		{"own_hopper_2_1_64_0", "sm_90a", linear},
		{"own_pack_1_bf16", "sm_80", nil},
		{"own_vec_f16", "sm_80", linear},
		{"own_vec_q4_k", "sm_80", linear},
		{"own_vec_iq4_xs", "sm_80", linear},
		{"own_slice_1_8_16_f16", "sm_80", linear},
		{"own_normed_1_4_18_q8_0", "sm_90a", gate},
		{"own_summed_1_2_16_q4_k", "sm_90a", nil},
		{"own_slice_1_2_16_q5_k", "sm_80", gate},
		{"own_slice_4_2_14_f16", "sm_90a", nil},
		{"own_slice_1_2_8_f32", "sm_80", nil},
		{"linear_vec_q6_k", "sm_80", linear},
		{"attention_vector_128_f16", "sm_80", head},
		{"own_attend_128_f16", "sm_80", head},
		{"own_turned_128_q8_0", "sm_90a", head},
		{"own_turned_256_f32", "sm_80", head},
		{"attention_matrix_64_f16", "sm_80", head},
		{"attention_matrix_64_f32", "sm_80", map[int]int32{30: 32, 32: 1}},
		{"attention_matrix_128_f32", "sm_80", map[int]int32{30: 96, 32: 1}},
		{"attention_matrix_128_f16", "sm_80", map[int]int32{30: 128}},
	} {
		key := gpu.Kernel{Name: k.name}
		n := 0
		for index, value := range k.constants {
			key.Constants[n] = gpu.Constant{Index: int32(index), Value: value}
			n++
		}
		declared, source := own.Find(p, &key)
		if source == "" {
			t.Errorf("%s is Metal's", k.name)
		} else if _, err := CompileKernel(p, declared, k.constants, source, k.architecture); err != nil {
			t.Errorf("%s: %v", k.name, err)
		}
	}
	if k, _ := own.Find(p, &gpu.Kernel{Name: "own_nothing"}); k != nil {
		t.Errorf("there is %+v", k)
	}
}

// TestCompileError compiles for an architecture that there is not.
func TestCompileError(t *testing.T) {
	p := program(t)
	if _, err := CompileKernel(p, &p.Kernels[0], nil, "", "sm_1"); err == nil {
		t.Error("there is code for sm_1")
	}
}
