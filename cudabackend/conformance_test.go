package cudabackend

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/cudabackend/driver"
	"inglenook/cudabackend/fake"
	"inglenook/cudabackend/nvrtc"
	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/gpu/emulator"
)

// faked opens a backend over the fake driver and the emulator, or skips where the
// emulator is not built.
func faked(t testing.TB) (*Backend, *fake.Fake) {
	t.Helper()
	e, err := emulator.Open("")
	if errors.Is(err, emulator.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	f := fake.New(e)
	b, err := New(Options{Driver: f.API(), Compile: fake.Compile})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if err := f.Problems(); err != nil {
			t.Error(err)
		}
	})
	return b, f
}

// complete is a backend with a test that fails for every refusal: there must be a
// kernel for every operation, type and size of the suite.
type complete struct {
	*Backend
	t *testing.T
}

func (c complete) Supports(op *engine.Tensor) error {
	err := c.Backend.Supports(op)
	if err != nil {
		c.t.Errorf("refused: %v", err)
	}
	return err
}

// TestConformance compares kernels with the reference, launched through the fake driver. The
// emulator runs all cases for Metal; here the launches are tested.
func TestConformance(t *testing.T) {
	b, _ := faked(t)
	enginetest.RunSome(t, 10, complete{b, t})
}

// card opens the backend on this machine's card, or skips.
func card(t testing.TB) *Backend {
	t.Helper()
	if _, err := driver.Open(); err != nil {
		t.Skip(err)
	}
	if _, err := nvrtc.Version(); err != nil {
		t.Skip(err)
	}
	folder := os.Getenv("INGLENOOK_CUBINS")
	if folder == "" {
		folder = filepath.Join(t.TempDir(), "cuda")
	}
	b, err := New(Options{Folder: folder})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// TestConformanceOnCard does what TestConformance does, with all cases, on a real card.
// INGLENOOK_PART=3/16 chooses the fourth of sixteen parts, so that processes share the work.
func TestConformanceOnCard(t *testing.T) {
	b := card(t)
	t.Logf("on %s", b.Device().Name)
	part, parts := 0, 1
	if s := os.Getenv("INGLENOOK_PART"); s != "" {
		if _, err := fmt.Sscanf(s, "%d/%d", &part, &parts); err != nil || part < 0 || part >= parts {
			t.Fatalf("INGLENOOK_PART=%s is not a part such as 3/16", s)
		}
	}
	enginetest.RunPart(t, part, parts, complete{b, t})
}

// errorOnCard runs a graph and returns the normalized mean squared error of its result y.
func errorOnCard(t *testing.T, b *Backend, g *engine.Graph, y *engine.Tensor) float64 {
	t.Helper()
	want, err := enginetest.Evaluate(g)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	got, err := g.Result(y)
	if err != nil {
		t.Fatal(err)
	}
	return enginetest.NMSE(got, want[y].Values, y.Cols, 0)
}

// launched reports whether the last list had a kernel whose name begins so.
func launched(b *Backend, name string) bool {
	return slices.ContainsFunc(b.calls, func(c call) bool { return strings.HasPrefix(c.kernel.key.Name, name) })
}
