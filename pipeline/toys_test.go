package pipeline

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The toys of testdata/toys are tiny models that were trained (training/toys), so what they say
// means something.

// TestToyFindsShapes: of twenty texts, the closest to a picture is the one that says what is on it,
// and the other way round; the toy mistakes one in twenty.
func TestToyFindsShapes(t *testing.T) {
	const folder = "testdata/toys/shapes"
	pictures, err := filepath.Glob(folder + "/samples/*.png")
	if err != nil || len(pictures) != 20 {
		t.Fatalf("%d pictures, %v", len(pictures), err)
	}
	v, err := OpenViewer(t.Context(), os.DirFS(folder), oneThread(t), ViewerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	e, err := OpenEmbedder(t.Context(), os.DirFS(folder), oneThread(t), EmbedderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	seen, err := v.Embed(t.Context(), len(pictures), func(_ context.Context, i int) ([]byte, error) { return os.ReadFile(pictures[i]) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, name := range pictures {
		texts = append(texts, "a photo of a "+strings.ReplaceAll(strings.TrimSuffix(filepath.Base(name), ".png"), "-", " "))
	}
	read, err := e.Embed(t.Context(), texts, EmbedRequest{})
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for i, text := range texts {
		if best := closest(seen.Vectors[i], read.Vectors); best != i {
			t.Logf("%s is taken for %q", pictures[i], texts[best])
			wrong++
		}
		if best := closest(read.Vectors[i], seen.Vectors); best != i {
			t.Logf("%q finds %s", text, pictures[best])
			wrong++
		}
	}
	if wrong > 2 {
		t.Errorf("%d of %d are wrong", wrong, 2*len(texts))
	}
}

// closest returns which vector has the largest cosine with a.
func closest(a []float32, all [][]float32) int {
	best, most := -1, math.Inf(-1)
	for i, b := range all {
		var dot, square float64
		for k := range b {
			dot, square = dot+float64(a[k])*float64(b[k]), square+float64(b[k])*float64(b[k])
		}
		if c := dot / math.Sqrt(square); c > most {
			best, most = i, c
		}
	}
	return best
}

// TestToySortsWords: a text-to-text model gives words again, and sorts them.
func TestToySortsWords(t *testing.T) {
	g, err := openGenerator(t.Context(), os.DirFS("testdata/toys/words"), oneThread(t), GeneratorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	right := 0
	all := []string{"zebra apple moon", "pear fig", "tea salt rain queen", "olive nut", "kite jam ice house grape", "yarn bread", "lemon", "umbrella violin door cloud egg"}
	for _, words := range all {
		sorted := strings.Fields(words)
		slices.Sort(sorted)
		for task, want := range map[string]string{"copy: ": words, "sort: ": strings.Join(sorted, " ")} {
			h := hear(t, Answer(t.Context(), g, []Message{user(task + words)}, ReplyOptions{Sampling: &Sampling{}, MaxTokens: 12}))
			if h.err == nil && h.text == want {
				right++
			} else {
				t.Logf("%s%s: %q, %v", task, words, h.text, h.err)
			}
		}
	}
	if right < 2*len(all)-1 {
		t.Errorf("%d of %d answers are right", right, 2*len(all))
	}
}

// TestToyMarksNames: names that the model never saw are marked as persons and places.
func TestToyMarksNames(t *testing.T) {
	c, err := OpenClassifier(t.Context(), os.DirFS("testdata/toys/names"), oneThread(t), ClassifierOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	texts := []string{"Malina Toro lives in Sudak .", "The train from Berilo to Vanto is late .", "Nobody in Ruda knew Gitora .", "We had bread and tea .", "My friend Lasko works in Dubrin ."}
	want := []string{"PER Malina Toro, LOC Sudak", "LOC Berilo, LOC Vanto", "LOC Ruda, PER Gitora", "", "PER Lasko, LOC Dubrin"}
	got, err := c.Classify(t.Context(), texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		var found []string
		for _, e := range got.Entities[i] {
			found = append(found, e.Label+" "+text[e.Start:e.End])
		}
		if s := strings.Join(found, ", "); s != want[i] {
			t.Errorf("%q: %s, want %s", text, s, want[i])
		}
	}
}
