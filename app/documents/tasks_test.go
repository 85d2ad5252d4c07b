package documents_test

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"inglenook/app/apptest"
	"inglenook/app/devices"
	"inglenook/app/documents"
	"inglenook/app/texts"
	"inglenook/vecmath"
)

// A model with weights for several tasks reads passages for one of them and questions for another,
// each behind the words that belong to it, also after a restart. Both stay open side by side.
func TestTasksOfModel(t *testing.T) {
	home, dir, model := t.TempDir(), papers(t), filepath.Join(apptest.Root(t), "pipeline/testdata/tasks")
	target := devices.Target{Device: "cpu", Hold: devices.Hold{Weights: "auto"}}
	const question = "cat sleeps"
	for range 2 {
		a := newApp(t, home)
		s := a.Documents()
		must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{Paths: []string{dir}, Model: model}))
		must[documents.IndexResult](t)(s.Index(t.Context(), documents.IndexRequest{Collection: documents.DefaultName, Model: model, Target: target}, nil, nil))
		got := must[documents.SearchResult](t)(s.Search(t.Context(), documents.SearchRequest{Text: question, Mode: documents.ModeVector}))
		cosine := func(asked, read, text string) float64 {
			var v [2][]float32
			for i, r := range []texts.EmbedRequest{{Task: asked, Texts: []string{question}}, {Task: read, Texts: []string{text}}} {
				r.Model, r.Target = model, target
				v[i] = must[texts.EmbedResult](t)(a.Embed(t.Context(), r, nil)).Vectors[0]
			}
			return vecmath.Dot(v[0], v[1])
		}
		if len(got.Files) != 3 {
			t.Fatalf("found %+v", got.Files)
		}
		for _, f := range got.Files {
			p := f.Passages[0]
			if want := cosine("retrieval.query", "retrieval.passage", p.Input()); math.Abs(p.Why.Meaning-want) > 2e-3 {
				t.Errorf("%q: %.4f instead of %.4f", p.Text, p.Why.Meaning, want)
			}
			if other := cosine("", "", p.Input()); math.Abs(p.Why.Meaning-other) < 2e-3 {
				t.Errorf("%q: with the weights for comparing texts it is the same", p.Text)
			}
		}
		var open []string
		for _, m := range a.OpenModels() {
			open = append(open, m.Job)
		}
		if !slices.Contains(open, "embed retrieval.query") || !slices.Contains(open, "embed retrieval.passage") {
			t.Errorf("open are %q", open)
		}
		if err := a.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
