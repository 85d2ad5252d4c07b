package documents_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/app/devices"
	"inglenook/app/documents"
)

// TestRerank: the best passages of a search come in the order of both, one that was not
// shown may come up, and the search itself stays as it was.
func TestRerank(t *testing.T) {
	s := newService(t)
	indexed(t, s, "", papers(t))
	r := documents.SearchRequest{Text: "where does the cat sleep", Limit: 1, ToRerank: true}
	found := must[documents.SearchResult](t)(s.Search(t.Context(), r))
	before := found.Files[0].Passages[0]
	for _, model := range []string{"starter-embed", "../../pipeline/testdata/rerank-bert"} {
		got := must[documents.SearchResult](t)(s.Rerank(t.Context(), found, documents.RerankRequest{Model: model}, nil))
		did := got.Reranked
		if did == nil || did.Read != 3 || did.Of != 3 || did.Device == "" || did.Took <= 0 || (did.Method == "cosine") != (model == "starter-embed") {
			t.Fatalf("%s: %+v", model, did)
		}
		if len(got.Files) != 1 || len(got.Files[0].Passages) != 1 || !got.Files[0].Passages[0].Why.Reranked {
			t.Errorf("%s: %+v", model, got.Files)
		}
	}
	if found.Reranked != nil || found.Files[0].Passages[0].Why != before.Why {
		t.Error("the search that was ranked has changed")
	}
	plain := must[documents.SearchResult](t)(s.Search(t.Context(), documents.SearchRequest{Text: "cat"}))
	if got, err := s.Rerank(t.Context(), plain, documents.RerankRequest{Model: "starter-embed"}, nil); err != nil || got.Reranked != nil || len(got.Files) != len(plain.Files) {
		t.Errorf("a search without candidates: %+v, %v", got.Reranked, err)
	}
}

// TestJudgeIsCheckedOnce: on the processor the first search decides whether a model reads in
// 8 bits, and later ones keep to it, whatever it was.
func TestJudgeIsCheckedOnce(t *testing.T) {
	a := newApp(t, t.TempDir())
	s := a.Documents()
	indexed(t, s, "", papers(t))
	found := must[documents.SearchResult](t)(s.Search(t.Context(), documents.SearchRequest{Text: "where does the cat sleep", ToRerank: true}))
	rerank := func(o documents.RerankRequest) {
		must[documents.SearchResult](t)(s.Rerank(t.Context(), found, o, nil))
	}
	kept := func() string {
		data, _ := os.ReadFile(filepath.Join(a.Paths().Data, "eight-bits.json"))
		return string(data)
	}
	cpu := devices.Target{Device: "cpu"}
	rerank(documents.RerankRequest{Model: "starter-embed", Target: devices.Target{Device: "cpu", Hold: devices.Hold{Weights: "auto"}}})
	if kept() != "" {
		t.Errorf("weights that were asked for are checked: %s", kept())
	}
	rerank(documents.RerankRequest{Model: "starter-embed", Target: cpu})
	first := kept()
	if !strings.Contains(first, `"rerank starter-embed@`) || !strings.Contains(first, `"checked":3`) {
		t.Errorf("kept: %s", first)
	}
	rerank(documents.RerankRequest{Model: "starter-embed", Target: cpu})
	if kept() != first {
		t.Errorf("decided again: %s, before %s", kept(), first)
	}
}

// TestRerankByMeaning: what words alone found does not come back, and the score is that of the
// meaning alone, with and without a reranker.
func TestRerankByMeaning(t *testing.T) {
	s := newService(t)
	indexed(t, s, "", papers(t))
	found := must[documents.SearchResult](t)(s.Search(t.Context(), documents.SearchRequest{Text: "blue boat", Mode: documents.ModeVector, ToRerank: true}))
	for _, f := range found.Files {
		for _, p := range f.Passages {
			if p.Score != p.Why.Meaning {
				t.Errorf("%s has the score %v, its meaning %v", filepath.Base(f.File.Path), p.Score, p.Why.Meaning)
			}
		}
	}
	got := must[documents.SearchResult](t)(s.Rerank(t.Context(), found, documents.RerankRequest{Model: "starter-embed"}, nil))
	for _, f := range got.Files {
		for _, p := range f.Passages {
			if math.Abs(p.Score-p.Why.Meaning) > 0.01 { // starter-embed is the one that searched
				t.Errorf("%s, read, has the score %v, its meaning %v", filepath.Base(f.File.Path), p.Score, p.Why.Meaning)
			}
		}
		if slices.ContainsFunc(f.Passages, func(p documents.Result) bool { return p.Why.MeaningRank == 0 }) {
			t.Errorf("%s was found by words", filepath.Base(f.File.Path))
		}
	}
}

// TestRerankRefusals: a model that cannot read is one sentence, and an end is the end.
func TestRerankRefusals(t *testing.T) {
	s := newService(t)
	indexed(t, s, "", papers(t))
	found := must[documents.SearchResult](t)(s.Search(t.Context(), documents.SearchRequest{Text: "cat", ToRerank: true}))
	for _, model := range []string{"", " ", "starter-chat", "/no/such/model"} {
		if _, err := s.Rerank(t.Context(), found, documents.RerankRequest{Model: model}, nil); err == nil {
			t.Errorf("%q read the passages", model)
		}
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	if _, err := s.Rerank(ctx, found, documents.RerankRequest{Model: "starter-embed"}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %v", err)
	}
}
