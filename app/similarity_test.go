package app

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/app/texts"
)

func TestSimilarityOfDouble(t *testing.T) {
	a := newTestApp(t, &double{})
	var stages []string
	r, err := a.Similarity(context.Background(), texts.SimilarityRequest{Texts: []string{"listen", "silent", "buzzing", strings.Repeat("long ", 300)}}, func(p base.Progress) {
		if len(stages) == 0 || stages[len(stages)-1] != p.Stage {
			stages = append(stages, p.Stage)
		}
		if p.Done > p.Total {
			t.Errorf("progress %+v", p)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Matrix[0][1] < 0.999 || r.Matrix[0][2] > 0.7 || r.Nearest(0, 1)[0].Index != 1 {
		t.Errorf("matrix %v", r.Matrix)
	}
	if !slices.Equal(stages, []string{base.StageEmbedding, base.StageComparing}) {
		t.Errorf("stages %v", stages)
	}
	for _, want := range []string{"does not say how to combine its token vectors", "One text is longer"} {
		if !strings.Contains(r.Note, want) {
			t.Errorf("note %q lacks %q", r.Note, want)
		}
	}
	if r.Device != "cpu" || r.TextsPerS <= 0 || r.TokensPerS <= 0 || r.Model.ID != library.StarterEmbed || len(r.Points) != 4 {
		t.Errorf("result %+v", r)
	}
}

func TestSimilarityRefuses(t *testing.T) {
	a := newTestApp(t, &double{})
	cases := map[string]texts.SimilarityRequest{
		"at least two texts":           {Texts: []string{"alone"}},
		"compare at most 2,000":        {Texts: make([]string, 2001)},
		"there is no device \"tpu\"":   {Texts: []string{"a", "b"}, Device: "tpu"},
		"the device cuda cannot be us": {Texts: []string{"a", "b"}, Device: "cuda"},
		"text is empty":                {Texts: []string{"a", " "}},
		"is not in the Hub cache":      {Texts: []string{"a", "b"}, Model: "org/name"},
	}
	for want, request := range cases {
		if _, err := a.Similarity(context.Background(), request, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// The texts of a document are taken out of it, as Chat and Documents do; one that cannot be taken apart
// is refused in a sentence.
func TestReadTextsOfDocuments(t *testing.T) {
	a := newTestApp(t, &double{})
	write := func(name, content string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	got, err := a.ReadTexts(t.Context(), write("page.html", "<html><body><p>It rained. Nobody came.</p><p>The next day it snowed.</p></body></html>"))
	if err != nil || !slices.Equal(got.Lines, []string{"It rained. Nobody came.", "The next day it snowed."}) || got.Whole == "" {
		t.Errorf("a page is %+v, error %v", got, err)
	}
	if got, err := a.ReadTexts(t.Context(), write("list.txt", "one\ntwo\n")); err != nil || len(got.Lines) != 2 {
		t.Errorf("a list is %+v, error %v", got, err)
	}
	for _, name := range []string{"broken.pdf", "broken.docx"} {
		if _, err := a.ReadTexts(t.Context(), write(name, "\x00\x01")); err == nil || !strings.HasPrefix(err.Error(), name+" ") {
			t.Errorf("%s: %v", name, err)
		} else {
			t.Log(err)
		}
	}
}
