package pipeline_test

import (
	"context"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"inglenook/pipeline"
)

func openClassifier(t *testing.T, name string) *pipeline.Classifier {
	t.Helper()
	c, err := pipeline.OpenClassifier(context.Background(), os.DirFS("testdata/classify-"+name), cpu(t), pipeline.ClassifierOptions{Prove: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// TestEntities compares entities and where they are with the reference library's pipeline,
// which takes the label of each word's first token.
func TestEntities(t *testing.T) {
	var want struct {
		Texts    []string
		Entities [][]struct {
			Label      string `json:"entity_group"`
			Score      float64
			Start, End int // in characters
		}
	}
	readJSON(t, "testdata/classify-entities/expected.json", &want)
	got, err := openClassifier(t, "entities").Classify(context.Background(), want.Texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	if last := len(want.Texts) - 1; got.Kind != pipeline.Entities || got.Truncated[0] || !got.Truncated[last] || got.Tokens[last] != 64 || got.Labels != nil {
		t.Errorf("it is %s, cut %v", got.Kind, got.Truncated)
	}
	labels, several := map[string]int{}, 0
	for i, entities := range want.Entities {
		text := []rune(want.Texts[i])
		if len(entities) != len(got.Entities[i]) {
			t.Errorf("%q: %v instead of %v", want.Texts[i], got.Entities[i], entities)
			continue
		}
		for k, e := range entities {
			labels[e.Label]++
			g := got.Entities[i][k]
			start, end := len(string(text[:e.Start])), len(string(text[:e.End]))
			if g.Label != e.Label || g.Start != start || g.End != end || math.Abs(float64(g.Score)-e.Score) > 1e-5 {
				t.Errorf("%q: entity %d is %+v instead of %+v", want.Texts[i], k, g, e)
			}
			if strings.Contains(strings.TrimSpace(want.Texts[i][start:end]), " ") {
				several++
			}
		}
	}
	if len(labels) < 2 || several == 0 {
		t.Errorf("labels %v, %d entities of several words: the texts show too little", labels, several)
	}
}

// TestGaps compares the words for gaps with the reference library's pipeline, and other ways
// to write a gap with the model's own.
func TestGaps(t *testing.T) {
	var want struct {
		Texts []string
		Words [][][]struct {
			Word  string `json:"token_str"`
			Score float64
		}
	}
	readJSON(t, "testdata/classify-words/expected.json", &want)
	c := openClassifier(t, "words")
	got, err := c.Classify(context.Background(), want.Texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Gap() != "[MASK]" || got.Kind != pipeline.Words {
		t.Errorf("it is %s with %q", got.Kind, c.Gap())
	}
	for i, gaps := range want.Words {
		if len(gaps) != len(got.Words[i]) {
			t.Fatalf("%q: %d gaps instead of %d", want.Texts[i], len(got.Words[i]), len(gaps))
		}
		for k, words := range gaps {
			for n, w := range words {
				if g := got.Words[i][k][n]; g.Name != w.Word || math.Abs(float64(g.Value)-w.Score) > 1e-5 {
					t.Errorf("%q: word %d of gap %d is %v instead of %v", want.Texts[i], n, k, g, w)
				}
			}
		}
	}
	for _, gap := range []string{"___", "________", "<mask>", "[mask]"} {
		other, err := c.Classify(context.Background(), []string{strings.ReplaceAll(want.Texts[2], "[MASK]", gap)}, nil)
		if err != nil || len(other.Words[0]) != 2 || !slices.Equal(other.Words[0][1], got.Words[2][1]) {
			t.Errorf("%q: %v (%v)", gap, other.Words, err)
		}
	}
	for text, say := range map[string]string{
		"no gap":                            "text 1 has no gap to fill; write ___ or [MASK]",
		"":                                  "text 1 has no gap to fill",
		strings.Repeat("snow ", 90) + "___": "text 1 has no gap within the 64 tokens",
	} {
		if _, err := c.Classify(context.Background(), []string{text}, nil); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

// A text without a gap does not keep the others from theirs; it has no words, and a note says so.
func TestTextsWithoutGaps(t *testing.T) {
	c := openClassifier(t, "words")
	texts := []string{"no gap", "the ___ sleeps on [MASK]", strings.Repeat("snow ", 90) + "___", "none"}
	alone, err := c.Classify(context.Background(), texts[1:2], nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Classify(context.Background(), texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Words[0] != nil || got.Words[2] != nil || got.Words[3] != nil || len(got.Words[1]) != 2 || got.Words[1][0][0].Name != alone.Words[0][0][0].Name {
		t.Errorf("words %v, alone %v", got.Words, alone.Words)
	}
	if notes := strings.Join(got.Notes, "; "); notes != "texts 1 and 4 were left out: they have no gap; write ___ where a word is missing; text 3 was left out: it has no gap within the 64 tokens that this model reads" {
		t.Errorf("notes %q", notes)
	}
	if _, err := c.Classify(context.Background(), []string{"a", "b"}, nil); err == nil || !strings.Contains(err.Error(), "none of the texts has a gap") {
		t.Errorf("no gap at all: %v", err)
	}
}

// TestGapsNeedAHead: checkpoints of language models without the head, or without a word for gaps, say so.
func TestGapsNeedAHead(t *testing.T) {
	for dir, say := range map[string]string{
		"../models/testdata/heads/jina":       "JinaBertForMaskedLM is stored without the head that guesses words",
		"../models/testdata/heads/bert-words": "tokenizer",
	} {
		if c, err := pipeline.OpenClassifier(context.Background(), os.DirFS(dir), cpu(t), pipeline.ClassifierOptions{}); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%s: %v", dir, err)
			if err == nil {
				c.Close()
			}
		}
	}
}
