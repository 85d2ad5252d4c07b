package models_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"inglenook/cpubackend"
	"inglenook/cudabackend"
	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/gpu/emulator"
	"inglenook/metalbackend/emulated"
	"inglenook/models"
	"inglenook/weights"
)

// expected is the reference library's answer beside each checkpoint under
// testdata: tiny random models, computed in float32 from the rounded weights.
type expected struct {
	Cases []struct {
		IDs     []int32   `json:"ids"`
		TypeIDs []int32   `json:"type_ids"`
		Output  string    `json:"output"`
		Shape   [2]int    `json:"shape"`
		Data    []float32 `json:"data"`
	} `json:"cases"`
}

// checkpoint is one folder under testdata, opened.
type checkpoint struct {
	name  string
	model models.Model
	want  expected
}

func checkpoints(t *testing.T) []checkpoint {
	t.Helper()
	var files []string
	for _, folder := range []string{"bf16-sharded", "f16", "f32", "gguf-encoders", "heads", "odd"} {
		found, err := filepath.Glob("testdata/" + folder + "/*/expected.json")
		if err != nil || len(found) == 0 {
			t.Fatalf("no checkpoints under testdata/%s (%v)", folder, err)
		}
		files = append(files, found...)
	}
	var all []checkpoint
	for _, f := range files {
		dir := filepath.Dir(f)
		c := checkpoint{name: dir[len("testdata/"):]}
		readJSON(t, f, &c.want)
		set, err := weights.Open(os.DirFS(dir), weights.Options{Adapter: adapterOf(dir)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { set.Close() })
		parsed, err := configOf(dir, set)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if c.model, err = models.Load(parsed, set); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		all = append(all, c)
	}
	return all
}

// adapterOf returns what config.json adds to the weights.
func adapterOf(dir string) *weights.Adapter {
	data, err := os.ReadFile(filepath.Join(dir, "config.json"))
	if err != nil {
		return nil // a GGUF file
	}
	c, _ := models.ParseConfig(data)
	return c.Adapter
}

// configOf reads config.json, or the metadata of a GGUF file.
func configOf(dir string, set *weights.Set) (models.Config, error) {
	if set.Meta() != nil {
		c, err := models.ConfigFromGGUF(set.Meta())
		if err != nil {
			return c, err
		}
		return models.WithTensors(c, set)
	}
	data, err := os.ReadFile(filepath.Join(dir, "config.json"))
	if err != nil {
		return models.Config{}, err
	}
	return models.ParseConfig(data)
}

func readJSON(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}

var outputs = map[string]models.Output{"hidden": models.Hidden, "pooled": models.Pooled, "logits": models.Logits, "words": models.Words, "marks": models.Marks}

// backends returns the float64 reference, every CPU path of this machine, and Metal on an
// emulated GPU. Each runs alone, so that an operation without a kernel fails its test.
func backends(t *testing.T) map[string]engine.Backend {
	t.Helper()
	bs := map[string]engine.Backend{"reference": &enginetest.ReferenceBackend{}}
	for _, isa := range cpubackend.ISAs() {
		b, err := cpubackend.New(cpubackend.Options{ISA: isa, Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		bs["cpu "+isa] = b
	}
	metal, err := emulated.Open(emulated.Options{})
	switch {
	case errors.Is(err, emulator.ErrMissing):
		t.Log(err)
	case err != nil:
		t.Fatal(err)
	default:
		t.Cleanup(func() {
			if err := metal.Close(); err != nil { // the host's mistakes
				t.Error(err)
			}
		})
		bs[emulated.ID] = metal
	}
	if card, err := cudabackend.New(cudabackend.Options{Folder: cubins(t)}); err == nil {
		t.Cleanup(func() {
			if err := card.Close(); err != nil {
				t.Error(err)
			}
		})
		bs[cudabackend.ID] = card
	}
	return bs
}

// leftToSweeps reports whether the emulated GPU, a hundred times slower than the other devices, leaves a toy to
// make sweeps. Beside the tests of parity, which it passes with every toy, it does one of three.
func leftToSweeps(device string, toy int) bool {
	return device == emulated.ID && toy%3 > 0 && !enginetest.Whole()
}

// cubins is the folder in which an NVIDIA card's kernels stay between tests.
func cubins(t *testing.T) string {
	if folder := os.Getenv("INGLENOOK_CUBINS"); folder != "" {
		return folder
	}
	return t.TempDir()
}

func run(t *testing.T, b engine.Backend, m models.Model, batch models.Batch, out models.Output) []float32 {
	t.Helper()
	g := engine.NewGraph()
	defer g.Close()
	y := g.Want(m.Forward(g, batch, out))
	if _, err := g.Run(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	data, err := g.Result(y)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestParity compares every family with the reference library's answers.
func TestParity(t *testing.T) {
	const tolerance = 1e-4                      // max|a-b| / RMS(b)
	devices, all := backends(t), checkpoints(t) // the models' weights go before the devices
	for name, b := range devices {
		for _, c := range all {
			t.Run(name+"/"+c.name, func(t *testing.T) {
				for i, want := range c.want.Cases {
					batch := models.Batch{Tokens: want.IDs, Types: want.TypeIDs, Starts: []int32{0, int32(len(want.IDs))}}
					got := run(t, b, c.model, batch, outputs[want.Output])
					if len(got) != want.Shape[0]*want.Shape[1] {
						t.Fatalf("case %d: %d values, want %v", i, len(got), want.Shape)
					}
					if d := difference(got, want.Data); !(d <= tolerance) {
						t.Errorf("case %d (%d tokens): differs by %.2g", i, len(want.IDs), d)
					}
				}
			})
		}
	}
}

// TestBatchEqualsAlone runs all cases of a checkpoint as one ragged batch.
func TestBatchEqualsAlone(t *testing.T) {
	devices, all := backends(t), checkpoints(t) // the models' weights go before the devices
	for name, b := range devices {
		for i, c := range all {
			if leftToSweeps(name, i) {
				continue
			}
			t.Run(name+"/"+c.name, func(t *testing.T) {
				all := models.Batch{Starts: []int32{0}}
				var alone []float32
				out := outputs[c.want.Cases[0].Output]
				for _, one := range c.want.Cases {
					types := one.TypeIDs
					if types == nil {
						types = make([]int32, len(one.IDs))
					}
					all.Tokens, all.Types = append(all.Tokens, one.IDs...), append(all.Types, types...)
					all.Starts = append(all.Starts, int32(len(all.Tokens)))
					alone = append(alone, run(t, b, c.model, models.Batch{Tokens: one.IDs, Types: types, Starts: []int32{0, int32(len(one.IDs))}}, out)...)
				}
				if d := difference(run(t, b, c.model, all, out), alone); !(d <= 1e-5) {
					t.Errorf("batch and alone differ by %.2g", d)
				}
			})
		}
	}
}

// TestFirstIsFirstRow compares the shortened last layer with the full one.
func TestFirstIsFirstRow(t *testing.T) {
	b := &enginetest.ReferenceBackend{}
	for _, c := range checkpoints(t) {
		ids := c.want.Cases[0].IDs
		batch := models.Batch{Tokens: append(append([]int32{}, ids...), ids[0]), Starts: []int32{0, int32(len(ids)), int32(len(ids)) + 1}}
		hidden, first := run(t, b, c.model, batch, models.Hidden), run(t, b, c.model, batch, models.First)
		d := c.model.Config().Hidden
		want := append(append([]float32{}, hidden[:d]...), hidden[len(ids)*d:]...)
		if diff := difference(first, want); !(diff <= 1e-6) {
			t.Errorf("%s: differs by %.2g", c.name, diff)
		}
	}
}

// difference returns max|a-b| / RMS(b), or NaN if the lengths differ.
func difference(a, b []float32) float64 {
	if len(a) != len(b) || len(b) == 0 {
		return math.NaN()
	}
	var worst, square float64
	for i := range b {
		d := math.Abs(float64(a[i]) - float64(b[i]))
		if math.IsNaN(d) {
			return d
		}
		worst = max(worst, d)
		square += float64(b[i]) * float64(b[i])
	}
	return worst / math.Sqrt(square/float64(len(b)))
}
