package nvrtc

import (
	"errors"
	"inglenook/cudabackend/own"
	"inglenook/gpu"
	"os"
	"slices"
	"testing"

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

// TestCompileOwn compiles kernels that only NVIDIA's cards have.
func TestCompileOwn(t *testing.T) {
	p := program(t)
	for _, name := range []string{"own_pack_1", "own_pack_2", "own_unpack_q4_k", "own_unpack_q8_0", "own_product_1_64", "own_product_2_128"} {
		k, source := own.Find(p, &gpu.Kernel{Name: name})
		if _, err := CompileKernel(p, k, map[int]int32{10: 1, 1: 1}, source, "sm_80"); err != nil {
			t.Errorf("%s: %v", name, err)
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
