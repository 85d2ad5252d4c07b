package search

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// reader takes its time for each passage, and scores it by how often a word is in it.
type reader struct {
	word  string
	each  time.Duration
	steps []int // passages of each call
}

func (r *reader) Cosines() bool { return false }

func (r *reader) Rerank(ctx context.Context, _ string, passages []string) ([]float64, error) {
	r.steps = append(r.steps, len(passages))
	var scores []float64
	for _, p := range passages {
		time.Sleep(r.each)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		scores = append(scores, 7*float64(strings.Count(p, r.word)))
	}
	return scores, nil
}

// ranking are passages with scores that fall from 1.
func ranking(texts ...string) []Result {
	found := make([]Result, len(texts))
	for i, text := range texts {
		found[i].Text, found[i].Score = text, 1-float64(i)/10
	}
	return found
}

func textsOf(found []Result) (texts []string) {
	for _, r := range found {
		texts = append(texts, r.Text)
	}
	return texts
}

// TestRerank: what the reranker likes comes forward, and the passage says why.
func TestRerank(t *testing.T) {
	got, read, err := Rerank(t.Context(), &reader{word: "tea"}, "q", ranking("a", "c tea tea", "b", "d"), time.Second)
	must(t, err)
	if read != 4 || !slices.Equal(textsOf(got), []string{"c tea tea", "a", "b", "d"}) {
		t.Errorf("%d read: %q", read, textsOf(got))
	}
	if w := got[0].Why; !w.Reranked || w.RankBefore != 2 || w.RerankScore != 14 {
		t.Errorf("%+v", w)
	}
	if !slices.IsSortedFunc(got, func(a, b Result) int { return int(1e6 * (b.Score - a.Score)) }) {
		t.Errorf("the scores do not fall: %+v", got)
	}
}

// comparer has a cosine for each text.
type comparer map[string]float64

func (c comparer) Cosines() bool { return true }

func (c comparer) Rerank(_ context.Context, _ string, passages []string) (cosines []float64, _ error) {
	for _, p := range passages {
		cosines = append(cosines, c[p])
	}
	return cosines, nil
}

// TestRerankByCosines: an embedder that thinks as the search's own does changes nothing, also
// where the words have decided; one that thinks otherwise moves a passage by its share.
func TestRerankByCosines(t *testing.T) {
	found := ranking("words", "meaning", "neither")
	for i, why := range []Why{{Meaning: 0.2, WordsRank: 1}, {Meaning: 0.6}, {Meaning: -0.1}} {
		found[i].Why, found[i].Score = why, []float64{0.6, 0.59, 0.3}[i]
	}
	for _, c := range []struct {
		reader comparer
		order  []string
		scores []float64
	}{
		{comparer{"words": 0.2, "meaning": 0.6, "neither": -0.3}, []string{"words", "meaning", "neither"}, []float64{0.6, 0.59, 0.3}},
		{comparer{"words": 0.2, "meaning": 0.7, "neither": 0.1}, []string{"meaning", "words", "neither"}, []float64{0.62, 0.6, 0.33}},
	} {
		got, _, err := Rerank(t.Context(), c.reader, "q", found, time.Second)
		if must(t, err); !slices.Equal(textsOf(got), c.order) {
			t.Errorf("%v: %q", c.reader, textsOf(got))
		}
		for i, p := range got {
			if math.Abs(p.Score-c.scores[i]) > 1e-9 || p.Why.RerankScore != c.reader[p.Text] {
				t.Errorf("%v: %q has %v by %v, want %v", c.reader, p.Text, p.Score, p.Why.RerankScore, c.scores[i])
			}
		}
	}
}

// TestRerankWithinTime: as many passages are read as fit, and those that are not stay
// behind in their order, whatever is in them.
func TestRerankWithinTime(t *testing.T) {
	texts := make([]string, 40)
	for i := range texts {
		texts[i] = string(rune('a'+i%26)) + strings.Repeat(" tea", i)
	}
	for _, c := range []struct {
		each time.Duration
		read int
	}{{time.Millisecond, 40}, {25 * time.Millisecond, 40}, {60 * time.Millisecond, 16}, {300 * time.Millisecond, 3}, {5 * time.Second, 1}} {
		synctest.Test(t, func(t *testing.T) {
			start, r := time.Now(), &reader{word: "tea", each: c.each}
			got, read, err := Rerank(t.Context(), r, "q", ranking(texts...), time.Second)
			must(t, err)
			if read != c.read || len(got) != 40 {
				t.Errorf("%v each: %d read in steps %v, want %d", c.each, read, r.steps, c.read)
			}
			if took := time.Since(start); took > max(time.Second, c.each) {
				t.Errorf("%v each: it took %v", c.each, took)
			}
			if rest := textsOf(got[read:]); !slices.Equal(rest, texts[read:]) {
				t.Errorf("%v each: the passages that were not read are %.200q", c.each, rest)
			}
			for i, p := range got {
				if p.Why.Reranked != (i < read) {
					t.Errorf("%v each: passage %d is marked %v", c.each, i, p.Why.Reranked)
				}
			}
		})
	}
}

// TestRerankWithoutScores: a reranker that knows no difference changes nothing, one
// that fails or is ended says so, and nothing found is nothing to read.
func TestRerankWithoutScores(t *testing.T) {
	texts := []string{"a", "b", "c"}
	got, _, err := Rerank(t.Context(), &reader{word: "z"}, "q", ranking(texts...), time.Second)
	if must(t, err); !slices.Equal(textsOf(got), texts) {
		t.Errorf("equal scores give %q", textsOf(got))
	}
	alike := ranking(texts...)
	for i := range alike {
		alike[i].Score = 0.5
	}
	got, _, err = Rerank(t.Context(), &reader{word: "c"}, "q", alike, time.Second)
	if must(t, err); got[0].Text != "c" {
		t.Errorf("among equals it gives %q", textsOf(got))
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	if _, _, err := Rerank(ctx, &reader{}, "q", ranking(texts...), time.Second); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %v", err)
	}
	if got, read, err := Rerank(t.Context(), &reader{}, "q", nil, time.Second); err != nil || read != 0 || len(got) != 0 {
		t.Errorf("of nothing: %v, %d, %v", got, read, err)
	}
}

// TestCandidates: a search for a reranker has passages beyond those that it shows.
func TestCandidates(t *testing.T) {
	s, _ := searcher(t)
	found, err := s.Search(t.Context(), Query{Text: `the "roses" in May`, Limit: 1, ToRerank: true})
	must(t, err)
	if len(found.Files) != 1 || len(found.Candidates) < 2 || found.Question != "the roses in May" || len(found.Candidates[0].Matches) == 0 {
		t.Errorf("%+v", found)
	}
	if found, err = s.Search(t.Context(), Query{Text: "roses", Limit: 1}); err != nil || found.Candidates != nil {
		t.Errorf("%+v, %v", found.Candidates, err)
	}
}
