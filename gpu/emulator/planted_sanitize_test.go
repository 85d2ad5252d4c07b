//go:build sanitize

package emulator

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"inglenook/gpu"
)

// TestPlantedSanitize runs kernels with known mistakes
// (testdata/planted_sanitize.metal, compiled by scripts/sanitize.sh), each in its own
// process, which the sanitizers must end.
func TestPlantedSanitize(t *testing.T) {
	caught := map[string]string{
		"past_own_array": "AddressSanitizer: stack-buffer-overflow",
		"wide_shift":     "shift exponent 40 is too large",
	}
	if kernel := os.Getenv("INGLENOOK_PLANTED"); kernel != "" {
		e, err := Open("../../build/metal/planted_sanitize.so")
		if err != nil {
			t.Fatal(err)
		}
		err = e.Run(&gpu.Launch{
			Kernel: kernel, Groups: [3]uint32{1, 1, 1}, Threads: [3]uint32{64, 1, 1},
			Buffers: [][]byte{memory(t, e, int32(8)), memory(t, e, make([]float32, 64)...)},
		})
		t.Fatalf("the kernel came to its end (error %v)", err)
	}
	for kernel, want := range caught {
		command := exec.Command(os.Args[0], "-test.run=^TestPlantedSanitize$")
		command.Env = append(os.Environ(), "INGLENOOK_PLANTED="+kernel)
		said, err := command.CombinedOutput()
		if err == nil || !strings.Contains(string(said), want) {
			t.Errorf("%s: the process ends with %v and does not say %q:\n%s", kernel, err, want, said)
		}
	}
}
