package cudabackend

import (
	"errors"
	"strings"
	"testing"

	"inglenook/cudabackend/driver"
	"inglenook/cudabackend/fake"
	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/gpu/msl"
)

// TestRefusedTogether: where a kernel of several operations is refused, each operation has a
// launch of its own, on the card, or elsewhere if its own is refused too.
func TestRefusedTogether(t *testing.T) {
	for _, c := range []struct {
		kernel  string
		weights engine.DType
		rows    int
		major   int32
	}{
		{"own_vec_", engine.Q4_0, 1, 9},
		{"own_summed_", engine.Q4_K, 1, 9},
		{"own_normed_", engine.Q8_0, 1, 9},
		{"own_turned_", engine.Q8_0, 1, 9},
		{"own_normed_", engine.F32, 1, 9},
		{"own_product_", engine.Q4_K, 64, 8},
		{"own_hopper_", engine.Q4_K, 64, 9},
	} {
		t.Run(c.kernel+" "+c.weights.String(), func(t *testing.T) {
			refused := 0
			api := idle()
			api.Attribute = func(v *int32, attribute, _ int32) int32 {
				*v = map[int32]int32{driver.Processors: 132, driver.Major: c.major}[attribute]
				return 0
			}
			b, err := New(Options{Driver: api, Compile: func(p *msl.Program, k *msl.Kernel, constants map[int]int32, source, arch string) ([]byte, error) {
				if strings.HasPrefix(k.Name, c.kernel) {
					refused++
					return nil, errors.New("refused")
				}
				return fake.Compile(p, k, constants, source, arch)
			}})
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			b.library.owns = true
			b.launcher.shaper = b.library.shaper()
			hidden := 2048
			if c.rows > 1 { // which all run elsewhere
				hidden = 512
			}
			l := enginetest.Decoder{Layers: 1, Hidden: hidden, Heads: 8, KVHeads: 2, Inner: 2 * hidden, Vocab: 96, Weights: c.weights, Cache: engine.F32, Capacity: 600, Repeat: true}.Load()
			defer l.Release()
			g := engine.NewGraph()
			defer g.Close()
			l.Pass(g, 0, l.IDs(0, c.rows)...)
			report, err := g.Run(t.Context(), b, &enginetest.ReferenceBackend{})
			if err != nil {
				t.Error(err)
			}
			if elsewhere := len(report.Fallbacks()); c.rows == 1 && elsewhere > 0 {
				t.Errorf("%d operations run elsewhere", elsewhere)
			}
			if refused == 0 {
				t.Error("nothing was refused")
			}
		})
	}
}

// TestNoRoomForKernels: that the driver has no memory for a kernel, a launch or an event is an
// error about memory, and the card goes on.
func TestNoRoomForKernels(t *testing.T) {
	for _, call := range []string{"cuModuleLoadData", "cuLaunchKernelEx", "cuEventCreate", "cuGraphLaunch"} {
		b, f := faked(t)
		run := func() error {
			g := engine.NewGraph()
			defer g.Close()
			x := g.Floats("x", 1, []float32{1, 2, 3, 4})
			g.Want(g.Add(x, x))
			_, err := g.Run(t.Context(), b)
			return err
		}
		f.FailOnce(call, driver.OutOfMemory, 0)
		var refused error
		for range 4 { // a list that comes again is recorded
			if err := run(); err != nil {
				refused = err
			}
		}
		if !errors.As(refused, new(*engine.NoRoomError)) || b.Failed() != nil {
			t.Errorf("%s: %v, and the card: %v", call, refused, b.Failed())
		}
		if err := run(); err != nil {
			t.Errorf("after %s: %v", call, err)
		}
	}
}

// TestSickCard: of several cards one that fails is passed over.
func TestSickCard(t *testing.T) {
	for _, call := range []string{"cuDeviceGetName", "cuStreamCreate"} {
		f := fake.New(nil)
		f.Cards = 2
		f.FailOnce(call, 999, 0)
		b, err := New(Options{Driver: f.API(), Compile: fake.Compile})
		if err != nil {
			t.Errorf("%s: %v", call, err)
			continue
		}
		if got := b.Device().Name; got != "fake GPU 2" {
			t.Errorf("%s: %s is used", call, got)
		}
		if err := errors.Join(b.Close(), f.Problems()); err != nil {
			t.Errorf("%s: %v", call, err)
		}
	}
}
