//go:build kernels

package emulator

import (
	"os"
	"strings"
	"testing"

	"inglenook/gpu"
	"inglenook/gpu/msl"
)

// TestPlanted runs kernels with known mistakes (testdata/planted.metal, compiled by
// scripts/kernels.sh) under the check, which must report each of them.
func TestPlanted(t *testing.T) {
	caught := map[string]string{
		"race": "race (", "race_after_read": "race (", "narrow_barrier": "race (",
		"wrong_fence": "no mem_device barrier", "no_fence": "no mem_threadgroup barrier",
		"divergent_barrier": "divergence", "early_return": "divergence", "divergent_sum": "divergence", "mixed_operations": "different operations",
		"divergent_matrix": "divergence",
		"past_the_end":     "writes 4 bytes at offset 256 of buffer 1", "before_the_start": "reads 4 bytes at offset -4 of buffer 2",
		"past_threadgroup_memory": "of threadgroup memory 0, which has 256 bytes", "never_written": "never wrote",
		"two_threadgroups": "race (write after write)", "other_threadgroup": "race (read after write)",
		"misaligned": "not aligned", "right": "",
	}
	source, err := os.ReadFile("testdata/planted.metal")
	if err != nil {
		t.Fatal(err)
	}
	program, err := msl.Parse(string(source))
	if err != nil {
		t.Fatal(err)
	}
	if len(program.Kernels) != len(caught) {
		t.Errorf("%d kernels, %d expectations", len(program.Kernels), len(caught))
	}
	e, err := Open("../../build/metal/planted.so")
	if err != nil {
		t.Fatal(err)
	}
	if checks, err := e.Checks(); err != nil || !checks {
		t.Fatalf("the library was not compiled for the check (error %v)", err)
	}
	for _, k := range program.Kernels {
		for order, name := range []string{"forward", "reverse", "shuffled"} {
			t.Run(k.Name+"/"+name, func(t *testing.T) {
				e.Order = Order(order)
				// 64 lanes; three threadgroups where the mistake needs more than one
				groups := uint32(1)
				if strings.HasSuffix(k.Name, "threadgroups") || strings.HasPrefix(k.Name, "other") || k.Name == "right" {
					groups = 3
				}
				err := e.Run(&gpu.Launch{
					Kernel: k.Name, Groups: [3]uint32{groups, 1, 1}, Threads: [3]uint32{64, 1, 1},
					Buffers: [][]byte{memory(t, e, int32(64)), memory(t, e, make([]float32, 64)...), memory(t, e, make([]float32, 64)...)},
					Shared:  []uint32{256},
				})
				want := caught[k.Name]
				switch {
				case want == "" && err != nil:
					t.Errorf("refused: %v", err)
				case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
					t.Errorf("says %v, want %q in it", err, want)
				default:
					t.Log(err)
				}
			})
		}
	}
}
