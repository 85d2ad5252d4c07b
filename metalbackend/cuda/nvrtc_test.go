package cuda

import (
	"errors"
	"testing"

	"inglenook/gpu/msl"
	"inglenook/metalbackend/kernels"
)

// TestCompile needs NVRTC but no card.
func TestCompile(t *testing.T) {
	program, err := msl.Parse(kernels.Source())
	if err != nil {
		t.Fatal(err)
	}
	code, err := Compile(program, "sm_90")
	if missing := (*ErrNoCompiler)(nil); errors.As(err, &missing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d kernels, %d bytes of code", len(program.Kernels), len(code))
}
