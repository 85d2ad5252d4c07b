package app

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/app/apptest"
	"inglenook/app/texts"
	"inglenook/vecmath"
)

// clipModel is a folder with a CLIP model of random weights, whose words are w0, w1 …
func clipModel(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"config.json", "model.safetensors"} {
		data, err := os.ReadFile("../models/testdata/heads/clip/" + name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var vocab []string
	for i := range 62 {
		vocab = append(vocab, fmt.Sprintf(`"w%d":%d`, i, i))
	}
	words := `{"model":{"type":"WordLevel","unk_token":"w0","vocab":{` + strings.Join(vocab, ",") + `,"<begin>":62,"<end>":63}},
		"added_tokens":[{"id":62,"content":"<begin>","special":true},{"id":63,"content":"<end>","special":true}],"pre_tokenizer":{"type":"WhitespaceSplit"},
		"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<begin>","type_id":0}},{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"<end>","type_id":0}}],
			"pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":0}}],
			"special_tokens":{"<begin>":{"id":"<begin>","ids":[62],"tokens":["<begin>"]},"<end>":{"id":"<end>","ids":[63],"tokens":["<end>"]}}}}`
	if err := os.WriteFile(filepath.Join(dir, "tokenizer.json"), []byte(words), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Texts and pictures are compared in one matrix by one model, in the order in which they are
// given, with the cosines of their vectors alone.
func TestSimilarityOfTextsAndPictures(t *testing.T) {
	a, err := New(Options{Home: apptest.Home(t), Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close(context.Background())
	ctx := context.Background()
	const folder = "../pipeline/pictures/testdata/"
	r := texts.SimilarityRequest{
		Model: clipModel(t), Device: "cpu",
		Texts: []string{"rgb.jpg", "w3 w4", "wide.png", "w5"}, Pictures: []string{folder + "rgb.jpg", "", folder + "wide.png", ""},
	}
	got, err := a.Similarity(ctx, r, nil)
	if err != nil {
		t.Fatal(err)
	}
	seen, err := a.EmbedPictures(ctx, texts.EmbedRequest{Model: r.Model, Pictures: []string{r.Pictures[0], r.Pictures[2]}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	written, err := a.Embed(ctx, texts.EmbedRequest{Model: r.Model, Texts: []string{"w3 w4", "w5"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	alone := [][]float32{seen.Vectors[0], written.Vectors[0], seen.Vectors[1], written.Vectors[1]}
	for i, x := range alone {
		for j, y := range alone {
			want := vecmath.Cosine(x, y)
			if math.Abs(float64(got.Matrix[i][j])-want) > 1e-5 {
				t.Errorf("%d and %d have the cosine %v instead of %v", i, j, got.Matrix[i][j], want)
			}
		}
	}
	if got.Tokens[0] != 5 || got.Tokens[1] != 4 || !strings.Contains(got.Note, "within each kind of pair") || len(got.Pictures) != 4 {
		t.Errorf("tokens %v, %q", got.Tokens, got.Note)
	}
	if m, err := a.Resolve(ctx, r.Model); err != nil || !m.Pictures {
		t.Errorf("it is %+v (%v)", m, err)
	}
	r.Model = ""
	if _, err := a.Similarity(ctx, r, nil); err == nil || !strings.Contains(err.Error(), "reads no pictures; choose a model for pictures and texts") {
		t.Error(err)
	}
	if small, err := a.Thumbnail(ctx, folder+"wide.png"); err != nil || small.Bounds().Dx() == 0 {
		t.Error(err)
	}
	for name, say := range map[string]string{folder + "make.py": "make.py cannot be used", folder + "none.png": "cannot be read", folder: "cannot be read"} {
		if _, err := a.Thumbnail(ctx, name); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
