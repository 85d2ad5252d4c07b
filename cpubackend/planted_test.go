//go:build asan

package cpubackend

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"inglenook/engine"
)

// TestPlanted makes a kernel write past its memory, and to an unaligned address, each
// in its own process. The sanitizers that the tests run under must end the process
// and name the kernel.
func TestPlanted(t *testing.T) {
	mistakes := map[string]struct {
		shift int // bytes by which the result is moved
		says  string
	}{
		"one value too far":  {4, "AddressSanitizer: heap-buffer-overflow"},
		"a misaligned float": {-2, "misaligned address"},
	}
	if name := os.Getenv("INGLENOOK_PLANTED"); name != "" {
		plant(t, mistakes[name].shift)
		return
	}
	for name, m := range mistakes {
		command := exec.Command(os.Args[0], "-test.run=^TestPlanted$")
		command.Env = append(os.Environ(), "INGLENOOK_PLANTED="+name)
		said, err := command.CombinedOutput()
		if err == nil || !strings.Contains(string(said), m.says) || !strings.Contains(string(said), "add.h") {
			t.Errorf("%s: the process ends with %v and does not say %q of add.h:\n%s", name, err, m.says, said)
		}
	}
}

// plant adds two rows whose result lies `shift` bytes from where it belongs.
func plant(t *testing.T, shift int) {
	b := open(t, Options{Threads: 1})
	g := engine.NewGraph()
	defer g.Close()
	const n = 33
	x := g.Floats("x", 1, randomFloats(n))
	sum := g.Want(g.Add(x, x))
	arena, err := b.Alloc(2 * 4 * n)
	if err != nil {
		t.Fatal(err)
	}
	defer arena.Close()
	x.Offset, sum.Offset = 0, 4*n+shift
	if err := b.Submit(t.Context(), arena, []*engine.Tensor{sum}); err != nil {
		t.Fatal(err)
	}
}
