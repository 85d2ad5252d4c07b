package models_test

import (
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/weights"
)

// elsewhere is a checkpoint with the reference library's answers in one of the folders that
// INGLENOOK_PARITY names, as programs beside the repository make them.
type elsewhere struct {
	Architecture string
	Cases        []struct {
		IDs        []int32 `json:"ids"`
		TypeIDs    []int32 `json:"type_ids"`
		DecoderIDs []int32 `json:"decoder_ids"`
		Pixels     string  `json:"pixels"`
		Output     string  `json:"output"`
		Data       []float32
	}
}

// TestParityElsewhere compares models of other makers' sizes and seeds with their answers:
//
//	INGLENOOK_PARITY=FOLDER:FOLDER go test ./models -run TestParityElsewhere -v
func TestParityElsewhere(t *testing.T) {
	folders := os.Getenv("INGLENOOK_PARITY")
	if folders == "" {
		t.Skip("INGLENOOK_PARITY names no folder of checkpoints with answers")
	}
	const tolerance = 2e-3
	for device, b := range backends(t) {
		if !strings.HasPrefix(device, "cpu") && device != "metal-emulated" && device != "cuda" {
			continue
		}
		for _, folder := range filepath.SplitList(folders) {
			found, err := filepath.Glob(folder + "/*/expected.json")
			if err != nil || len(found) == 0 {
				t.Fatalf("no checkpoints in %s (%v)", folder, err)
			}
			for _, file := range found {
				dir := filepath.Dir(file)
				t.Run(device+"/"+filepath.Base(folder)+"/"+filepath.Base(dir), func(t *testing.T) {
					var want elsewhere
					readJSON(t, file, &want)
					set, err := weights.Open(os.DirFS(dir), weights.Options{Adapter: adapterOf(dir)})
					if err != nil {
						t.Fatal(err)
					}
					defer set.Close()
					config, err := configOf(dir, set)
					if err != nil {
						t.Fatal(err)
					}
					worst := 0.0
					for i, c := range want.Cases {
						in := models.Input{Tokens: c.IDs}
						if c.DecoderIDs != nil {
							in = models.Input{Tokens: c.DecoderIDs, Source: c.IDs}
						}
						got := answer(t, b, config, set, in, c.TypeIDs, filepath.Join(dir, c.Pixels), kindOf(want.Architecture, c.Output, c.Pixels != ""))
						d := difference(got, c.Data)
						if worst = max(worst, d); !(d <= tolerance) {
							t.Errorf("case %d (%d tokens): differs by %.2g", i, len(c.IDs), d)
						}
					}
					t.Logf("%d cases, at most %.1e", len(want.Cases), worst)
				})
			}
		}
	}
}

// seen stands for a picture among the outputs.
const seen models.Output = 200

func kindOf(architecture, output string, picture bool) models.Output {
	switch {
	case picture:
		return seen
	case output == "logits" && strings.HasSuffix(architecture, "ForMaskedLM"):
		return models.Words
	case output == "logits" && strings.HasSuffix(architecture, "ForTokenClassification"):
		return models.Marks
	}
	return outputs[output]
}

// answer runs one case on one device alone.
func answer(t *testing.T, b engine.Backend, c models.Config, set *weights.Set, in models.Input, types []int32, picture string, out models.Output) []float32 {
	t.Helper()
	if c.Causal {
		m, err := models.LoadDecoder(c, set)
		if err != nil {
			t.Fatal(err)
		}
		g := engine.NewGraph()
		defer g.Close()
		cache := newCache(t, m, engine.F32, max(len(in.Tokens), len(in.Source)))
		y := g.Want(m.Forward(g, in, cache, nil, out))
		if _, err := g.Run(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		data, err := g.Result(y)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if out == seen {
		m, err := models.LoadPictures(c, set)
		if err != nil {
			t.Fatal(err)
		}
		return run(t, b, m, models.Batch{Pixels: pixelsOf(t, picture), Starts: []int32{0, 1}}, models.Pooled)
	}
	m, err := models.Load(c, set)
	if err != nil {
		t.Fatal(err)
	}
	return run(t, b, m, models.Batch{Tokens: in.Tokens, Types: types, Starts: []int32{0, int32(len(in.Tokens))}}, out)
}

// pixelsOf reads a PNG file that has the model's size, in CLIP's colours.
func pixelsOf(t *testing.T, name string) []float32 {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	mean, deviation := [3]float64{0.48145466, 0.4578275, 0.40821073}, [3]float64{0.26862954, 0.26130258, 0.27577711}
	box := img.Bounds()
	pixels := make([]float32, 0, 3*box.Dx()*box.Dy())
	for colour := range 3 {
		for y := range box.Dy() {
			for x := range box.Dx() {
				r, g, b, _ := img.At(x, y).RGBA()
				pixels = append(pixels, float32((float64([3]uint32{r, g, b}[colour]>>8)/255-mean[colour])/deviation[colour]))
			}
		}
	}
	return pixels
}
