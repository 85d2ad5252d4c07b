package models_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/weights"
)

// TestMLX compares language models that MLX quantized with mlx-lm's logits
// (testdata/make_mlx.py), on every device, whole and in pieces with a cache.
func TestMLX(t *testing.T) {
	files, err := filepath.Glob("testdata/mlx/*/expected.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no models of MLX under testdata (%v)", err)
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		var want expected
		readJSON(t, file, &want)
		m := openMLX(t, dir)
		for name, b := range backends(t) {
			t.Run(name+"/"+filepath.Base(dir), func(t *testing.T) {
				// The reference shows that values and passes are right. Devices round the
				// activations in products with block types: the CPU to 8 bits, Metal to
				// halves where there are many rows. A router may then pick another expert
				// for some token, so that the CPU is judged by its typical token.
				tolerance, differs := 2e-5, difference // max|a-b| / RMS(b)
				switch {
				case strings.HasPrefix(name, "cpu"):
					tolerance = 0.25 // 0.17 where the processor multiplies bytes (VNNI)
					differs = func(a, b []float32) float64 { return typical(a, b, want.Cases[0].Shape[1]) }
				case name != "reference":
					tolerance = 2e-2
				}
				for _, c := range want.Cases {
					if d := differs(whole(t, b, m, c.IDs), c.Data); !(d <= tolerance) {
						t.Errorf("%d tokens: differs by %.2g", len(c.IDs), d)
					}
				}
				c := want.Cases[len(want.Cases)-1]
				cache, last := newCache(t, m, engine.F32, len(c.IDs)), len(c.IDs)-1
				read(t, b, m, cache, c.IDs[:last], nil, models.Logits)
				got := read(t, b, m, cache, c.IDs[last:], nil, models.Logits)
				if d := difference(got, whole(t, b, m, c.IDs)[last*c.Shape[1]:]); !(d <= tolerance) {
					t.Errorf("the last token after the others: differs by %.2g from all at once", d)
				}
			})
		}
	}
}

// typical returns the median of the differences of rows of so many columns.
func typical(a, b []float32, cols int) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	var all []float64
	for at := 0; at < len(b); at += cols {
		all = append(all, difference(a[at:at+cols], b[at:at+cols]))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func openMLX(t *testing.T, dir string) models.Decoder {
	t.Helper()
	config, err := os.ReadFile(filepath.Join(dir, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := models.ParseConfig(config)
	if err != nil || (parsed.Packing == nil) != strings.HasSuffix(dir, "-bf16") || parsed.Quantized != "" {
		t.Fatalf("%s: %+v, %v", dir, parsed, err)
	}
	set, err := weights.Open(os.DirFS(dir), weights.Options{Packing: parsed.Packing})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close() })
	m, err := models.LoadDecoder(parsed, set)
	if err != nil {
		t.Fatal(err)
	}
	if unused := set.Unused(); len(unused) > 0 {
		t.Errorf("%s: not used: %v", dir, unused)
	}
	return m
}

// TestMLXRefused: what is not read is named, from config.json alone.
func TestMLXRefused(t *testing.T) {
	config, err := os.ReadFile("testdata/mlx/llama-mxfp4/config.json")
	if err != nil {
		t.Fatal(err)
	}
	for changed, want := range map[string]string{
		`"mode": "nvfp4"`:      "MLX nvfp4, 4 bits in groups of 32",
		`"mode": "affine"`:     "", // groups of 32
		`"bits": 7`:            "MLX mxfp4, 7 bits in groups of 32",
		`"bits": -1`:           "MLX mxfp4, 0 bits in groups of 32",
		`"bits": 4.5`:          "MLX mxfp4, 0 bits in groups of 32",
		`"group_size": 1e99`:   "MLX mxfp4, 4 bits in groups of 0",
		`"model_type": "gpt2"`: "MLX for a gpt2 model",
		`"x": {"bits": 9}`:     "MLX affine, 9 bits in groups of 64",
		`"quantization": {}`:   "", // what it leaves out is usual
	} {
		text := string(config)
		if key, _, _ := strings.Cut(changed, ":"); strings.Contains(changed, "model_type") {
			text = strings.Replace(text, `"model_type": "llama"`, changed, 1)
		} else if key == `"quantization"` {
			text = strings.Replace(text, `"quantization": {`, `"quantization": {}, "before": {`, 1)
		} else {
			for _, of := range []string{`"quantization": {`, `"quantization_config": {`} {
				from := strings.Index(text, of) + len(of)
				inner := text[from:]
				for _, line := range []string{"\n    \"bits\": 4,", "\n    \"group_size\": 32,", ",\n    \"mode\": \"mxfp4\""} {
					if strings.Contains(line, key) {
						inner = strings.Replace(inner, line, line[:0], 1)
					}
				}
				text = text[:from] + changed + "," + inner
			}
		}
		c, err := models.ParseConfig([]byte(text))
		if err != nil {
			if want != "" && strings.Contains(want, "gpt2") {
				continue // the family refuses these fields before
			}
			t.Errorf("%s: %v", changed, err)
		} else if c.Quantized != want || (c.Packing == nil) != (want != "") {
			t.Errorf("%s: refused as %q (%v), want %q", changed, c.Quantized, c.Packing, want)
		}
	}
}
