package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// clipWords is the tower for texts of a CLIP model of random weights, whose words are w3, w4 …,
// with the reference library's vectors.
func clipWords(t *testing.T) (files fstest.MapFS, texts []string, vectors [][]float32) {
	t.Helper()
	const folder = "../models/testdata/heads/clip-text/"
	files = fstest.MapFS{}
	for _, name := range []string{"config.json", "model.safetensors"} {
		data, err := os.ReadFile(folder + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	vocab := make([]string, 62)
	for i := range vocab {
		vocab[i] = fmt.Sprintf(`"w%d":%d`, i, i)
	}
	files["tokenizer.json"] = &fstest.MapFile{Data: []byte(`{"model":{"type":"WordLevel","unk_token":"w0","vocab":{` + strings.Join(vocab, ",") + `,"<begin>":62,"<end>":63}},
		"added_tokens":[{"id":62,"content":"<begin>","special":true},{"id":63,"content":"<end>","special":true}],"pre_tokenizer":{"type":"WhitespaceSplit"},
		"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<begin>","type_id":0}},{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"<end>","type_id":0}}],
			"pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":0}}],
			"special_tokens":{"<begin>":{"id":"<begin>","ids":[62],"tokens":["<begin>"]},"<end>":{"id":"<end>","ids":[63],"tokens":["<end>"]}}}}`)}
	var want struct {
		Cases []struct {
			IDs    []int32
			Output string
			Data   []float32
		}
	}
	data, err := os.ReadFile(folder + "expected.json")
	if err == nil {
		err = json.Unmarshal(data, &want)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range want.Cases {
		if c.Output != "pooled" {
			continue
		}
		var words []string
		for _, id := range c.IDs[1 : len(c.IDs)-1] {
			words = append(words, fmt.Sprintf("w%d", id))
		}
		texts, vectors = append(texts, strings.Join(words, " ")), append(vectors, c.Data)
	}
	return files, texts, vectors
}

// An embedder of CLIP gives the reference library's vectors of texts, alone and together. A
// text that is too long keeps its beginning and the token that ends it.
func TestCLIPEmbedsTexts(t *testing.T) {
	files, texts, want := clipWords(t)
	if len(texts) < 3 {
		t.Fatalf("%d texts", len(texts))
	}
	e, err := OpenEmbedder(context.Background(), files, oneThread(t), EmbedderOptions{Prove: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if i := e.Info(); i.Dimension != 36 || i.MaxLength != 40 || !slices.Equal(i.Pooling, []string{"pooler"}) || !i.PoolingStated || i.Normalize || len(i.Notes) > 0 {
		t.Errorf("it is %+v", i)
	}
	longest := len(texts) - 1
	if n := len(strings.Fields(texts[longest])); n != 37 {
		t.Fatalf("the longest text has %d words", n)
	}
	full := texts[longest] + " w7"
	got, err := e.Embed(context.Background(), append(slices.Clone(texts), full, full+" w8 w9"), EmbedRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range texts {
		if d := farthest(got.Vectors[i], want[i]); !(d < 1e-4) {
			t.Errorf("%q is %v away from the reference library's vector", texts[i], d)
		}
	}
	if cut := longest + 2; !got.Truncated[cut] || got.Tokens[cut] != 40 || farthest(got.Vectors[cut], got.Vectors[cut-1]) > 1e-5 {
		t.Errorf("a text that is too long: cut %v, %d tokens", got.Truncated[cut], got.Tokens[cut])
	}
	if d := farthest(got.Vectors[longest], got.Vectors[longest+1]); !(d > 1e-2) {
		t.Errorf("a word more changes the vector by %v", d)
	}
}

// A CLIP model is described as an embedder with the columns of its vectors.
func TestCLIPIsAnEmbedder(t *testing.T) {
	files, _, _ := clipWords(t)
	d, err := Describe(files, "")
	if err != nil || !d.Supported || d.Kind != "embedding" || d.Dimension != 36 || d.MaxLength != 40 {
		t.Errorf("it is %+v (%v)", d, err)
	}
}

// farthest returns the largest difference of two vectors, NaN where their lengths differ.
func farthest(a, b []float32) float64 {
	if len(a) != len(b) {
		return math.NaN()
	}
	worst := 0.0
	for i := range a {
		worst = max(worst, math.Abs(float64(a[i]-b[i])))
	}
	return worst
}

// forward reads a picture with the other half of CLIP; a model without it says so.
func TestForwardReadsAPicture(t *testing.T) {
	picture, err := os.ReadFile("pictures/testdata/wide.png")
	if err != nil {
		t.Fatal(err)
	}
	f, err := OpenForward(context.Background(), os.DirFS("../models/testdata/heads/clip"), oneThread(t), ForwardOptions{Pictures: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for output, want := range map[string][2]int{"": {1, 20}, "pooled": {1, 20}, "hidden": {5, 24}} {
		r, err := f.Run(context.Background(), ForwardInput{Image: picture}, output)
		if err != nil || [2]int{r.Rows, r.Cols} != want || len(r.Fallbacks) > 0 {
			t.Errorf("%q: %d × %d, %v (%v)", output, r.Rows, r.Cols, r.Fallbacks, err)
		}
	}
	if _, err := f.Run(context.Background(), ForwardInput{Image: picture}, "logits"); err == nil || !strings.Contains(err.Error(), "no logits output") {
		t.Error(err)
	}
	if _, err := f.Run(context.Background(), ForwardInput{Image: picture[:99]}, ""); err == nil || !strings.Contains(err.Error(), "the picture cannot be used: it is no PNG file that can be read") {
		t.Error(err)
	}
	files, _, _ := clipWords(t)
	if _, err := OpenForward(context.Background(), files, oneThread(t), ForwardOptions{Pictures: true}); err == nil || !strings.Contains(err.Error(), "reads no pictures") {
		t.Error(err)
	}
}
