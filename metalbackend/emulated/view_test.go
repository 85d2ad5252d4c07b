package emulated_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"inglenook/engine"
	"inglenook/gpu/emulator"
	"inglenook/metalbackend/emulated"
	"inglenook/metalbackend/fake"
	"inglenook/models"
	"inglenook/weights"
)

const toy = "../../models/testdata/decoders/gemma2"

// logits loads the toy from a folder and returns the logits of one pass.
func logits(t *testing.T, dir string, o emulated.Options) (run func() ([]float32, error), rt *fake.Fake) {
	t.Helper()
	b, rt, err := emulated.Runtime(o)
	if errors.Is(err, emulator.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	config, err := os.ReadFile(filepath.Join(dir, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := models.ParseConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	set, err := weights.Open(os.DirFS(dir), weights.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := models.LoadDecoder(parsed, set)
	if err != nil {
		t.Fatal(err)
	}
	cache, err := m.NewCache(engine.F32, 16)
	if err != nil {
		t.Fatal(err)
	}
	g := engine.NewGraph()
	t.Cleanup(func() {
		if err := errors.Join(set.Close(), cache.Release(), g.Close(), b.Close()); err != nil {
			t.Error(err)
		}
		if left := rt.Leaks(); len(left) > 0 {
			t.Errorf("not given back: %v", left)
		}
	})
	y := g.Want(m.Forward(g, models.Input{Tokens: []int32{1, 2, 3, 4, 5}}, cache, nil, models.Logits))
	return func() ([]float32, error) {
		if _, err := g.Run(t.Context(), b); err != nil {
			return nil, err
		}
		return g.Result(y)
	}, rt
}

// Weights used in place compute the same as copies, with one view of the file and with
// several that overlap.
func TestWeightsInPlace(t *testing.T) {
	buffers := func(rt *fake.Fake) (n int) {
		for _, object := range rt.Leaks() {
			if strings.HasPrefix(object, "MTLBuffer") {
				n++
			}
		}
		return n
	}
	for _, dir := range []string{toy, "../../models/testdata/decoders/llama"} { // of the second the data begins 8 bytes after a multiple of 16
		copied, runtime := logits(t, dir, emulated.Options{})
		want, err := copied()
		if err != nil {
			t.Fatal(err)
		}
		copies := buffers(runtime)
		for _, longest := range []int{0, 40 << 10} {
			run, runtime := logits(t, dir, emulated.Options{InPlace: true, Device: fake.Options{LongestBuffer: longest}})
			got, err := run()
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, longest buffer %d: in place the results differ", dir, longest)
			}
			if n := buffers(runtime); n > copies*3/4 {
				t.Errorf("%s, longest buffer %d: there are %d buffers, with copies %d", dir, longest, n, copies)
			}
		}
	}
}

// If the GPU cannot use the host's memory, weights are copied.
func TestRefusedInPlace(t *testing.T) {
	copied, _ := logits(t, toy, emulated.Options{})
	want, err := copied()
	if err != nil {
		t.Fatal(err)
	}
	run, rt := logits(t, toy, emulated.Options{InPlace: true})
	rt.Inject(fake.Fault{Kind: fake.RefuseMapping, At: 1, Lasting: true})
	got, err := run()
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("the results differ, or %v", err)
	}
}

// A write to a file that a GPU reads in place is noticed.
func TestFileChangesInPlace(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(toy)); err != nil {
		t.Fatal(err)
	}
	run, _ := logits(t, dir, emulated.Options{InPlace: true})
	if _, err := run(); err != nil {
		t.Fatal(err)
	}
	names, err := fs.Glob(os.DirFS(dir), "*.safetensors")
	if err != nil || len(names) != 1 {
		t.Fatalf("%v, %v", names, err)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(dir, names[0]), later, later); err != nil {
		t.Fatal(err)
	}
	time.Sleep(110 * time.Millisecond)
	_, err = run()
	var unread *engine.WeightError
	if !errors.As(err, &unread) || !errors.Is(err, weights.ErrFileChanged) || !strings.Contains(err.Error(), "load the model again") {
		t.Errorf("the error is %v", err)
	}
}
