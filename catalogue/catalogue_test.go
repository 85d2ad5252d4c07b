package catalogue

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func entries(t *testing.T) []Entry {
	t.Helper()
	list, err := Entries()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestEveryFieldIsKnown(t *testing.T) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var list []Entry
	if err := d.Decode(&list); err != nil {
		t.Fatal(err)
	}
	if len(list) < 40 {
		t.Errorf("%d models are few", len(list))
	}
}

func TestEntriesAreComplete(t *testing.T) {
	hubID := regexp.MustCompile(`^[\w.-]+/[\w.-]+$`)
	tasks := []string{Chat, Text, Embedding, Reranker, Encoder}
	seen := map[string]bool{}
	for _, e := range entries(t) {
		if seen[e.ID] || seen[e.Name] {
			t.Errorf("%s is there twice", e.ID)
		}
		seen[e.ID], seen[e.Name] = true, true
		switch {
		case !hubID.MatchString(e.ID), e.Name == "", e.Architecture == "", e.Licence == "":
			t.Errorf("%s lacks a name, an architecture or a licence", e.ID)
		case !slices.Contains(tasks, e.Task):
			t.Errorf("%s is for %q", e.ID, e.Task)
		case len(e.Use) < 20 || strings.HasSuffix(e.Use, "."):
			t.Errorf("%s: what it is for is %q", e.ID, e.Use)
		case e.Notes != "" && !strings.HasSuffix(e.Notes, "."):
			t.Errorf("%s: the note %q is no sentence", e.ID, e.Notes)
		case e.Context < 128 || len(e.Downloads) == 0:
			t.Errorf("%s: context %d, %d downloads", e.ID, e.Context, len(e.Downloads))
		case (e.Task == Embedding) && e.Dimension == 0:
			t.Errorf("%s gives vectors of no size", e.ID)
		case e.First && (e.Task != Chat || e.Gated || e.Classic || len(e.Downloads) == 0 || e.Downloads[0].File == ""):
			t.Errorf("%s is no first model: that is one file, for chats, which anybody may have", e.ID)
		}
		for _, d := range e.Downloads {
			if !hubID.MatchString(d.Repo) || d.File != "" && !strings.HasSuffix(d.File, ".gguf") {
				t.Errorf("%s: the download %+v", e.ID, d)
			}
		}
	}
}

// bits has the bits of a parameter in a type of weights. Those of mixed types are from
// llama.cpp's table of quantizations, for a 7B model.
var bits = map[string]float64{"F32": 32, "BF16": 16, "F16": 16, "Q8_0": 8.5, "Q4_K_M": 4.85, "MXFP4": 4.25}

// A download is as large as its parameters in its type; small models quantized
// to 4 bits are larger, since their tables of tokens stay wider.
func TestSizesFollowFromParameters(t *testing.T) {
	for _, e := range entries(t) {
		for _, d := range e.Downloads {
			b, known := bits[d.Type]
			if !known {
				t.Errorf("%s: the type %q", e.ID, d.Type)
				continue
			}
			most, least := 1.02, 0.98
			if d.File != "" {
				most, least = 1.65, 0.75 // a GGUF file has its table of tokens once
			}
			if r := float64(d.Bytes) * 8 / b / float64(e.Parameters); math.IsNaN(r) || r < least || r > most {
				t.Errorf("%s: %d bytes of %s are %.2f of %d parameters", e.ID, d.Bytes, d.Type, r, e.Parameters)
			}
		}
	}
}

// Every repository that can be downloaded leads to its entry, in any case.
func TestOfRepo(t *testing.T) {
	for _, e := range entries(t) {
		for _, d := range e.Downloads {
			if got, ok := OfRepo(strings.ToUpper(d.Repo)); !ok || got.Name != e.Name {
				t.Errorf("%s is called %q, want %q", d.Repo, got.Name, e.Name)
			}
		}
	}
	if e, ok := OfRepo("nobody/nothing"); ok {
		t.Errorf("a repository that is not listed is %q", e.Name)
	}
}

func TestMatches(t *testing.T) {
	list := entries(t)
	e := list[slices.IndexFunc(list, func(e Entry) bool { return e.ID == "BAAI/bge-small-en-v1.5" })]
	for query, want := range map[string]bool{"": true, "BGE small": true, "search english": true, "mit": true, "bge large": false} {
		if e.Matches(query) != want {
			t.Errorf("%q matches: %v", query, !want)
		}
	}
	if _, err := parse([]byte("{")); err == nil {
		t.Error("damaged data was read")
	}
}

// People search for what a model does, how large it is and for their language, in words that
// its description need not have, and that they need not write to the end.
func TestMatchesWhatPeopleLookFor(t *testing.T) {
	list := entries(t)
	for query, want := range map[string]struct{ in, out string }{
		"translate":             {"Qwen/Qwen2.5-1.5B-Instruct", "BAAI/bge-small-en-v1.5"},
		"translation to German": {"ibm-granite/granite-4.1-3b", "openai-community/gpt2"},
		"embed":                 {"intfloat/e5-base-v2", "Qwen/Qwen3.5-2B"},
		"embeddings":            {"thenlper/gte-small", "microsoft/phi-2"},
		"small chat":            {"Qwen/Qwen3-0.6B", "google/gemma-4-31B-it"},
		"large":                 {"google/gemma-4-31B-it", "Qwen/Qwen3-0.6B"},
		"german":                {"google/gemma-4-E2B-it", "sentence-transformers/all-MiniLM-L6-v2"},
		"deutsch":               {"HuggingFaceTB/SmolLM3-3B", "BAAI/bge-reranker-base"},
		"multiling":             {"BAAI/bge-reranker-v2-m3", "intfloat/e5-small-v2"},
		"a model for coding":    {"Qwen/Qwen2.5-Coder-7B-Instruct", "google/gemma-3-1b-it"},
		"program":               {"mistralai/Devstral-Small-2-24B-Instruct-2512", "google/gemma-3-1b-it"},
		"summarize":             {"microsoft/Phi-4-mini-instruct", "thenlper/gte-base"},
		"rerank":                {"cross-encoder/ms-marco-MiniLM-L6-v2", "thenlper/gte-base"},
		"maths":                 {"deepseek-ai/DeepSeek-R1-Distill-Qwen-14B", "thenlper/gte-base"},
		"semantic search":       {"thenlper/gte-base", "Qwen/Qwen3-0.6B"},
	} {
		for id, is := range map[string]bool{want.in: true, want.out: false} {
			i := slices.IndexFunc(list, func(e Entry) bool { return e.ID == id })
			if i < 0 {
				t.Fatalf("there is no %s", id)
			}
			if list[i].Matches(query) != is {
				t.Errorf("%q finds %s: %v", query, id, !is)
			}
		}
	}
	for _, nothing := range []string{"xyzzy", "german xyzzy", "photograph"} {
		if i := slices.IndexFunc(list, func(e Entry) bool { return e.Matches(nothing) }); i >= 0 {
			t.Errorf("%q finds %s", nothing, list[i].ID)
		}
	}
}

// A language is one by which models are found.
func TestLanguagesAreKnown(t *testing.T) {
	for _, e := range entries(t) {
		for name := range strings.SplitSeq(e.Languages, ", ") {
			if _, known := languages[name]; e.Languages != "" && e.Languages != manyLanguages && !known {
				t.Errorf("%s: the language %q", e.ID, name)
			}
		}
	}
}

// Who looks for code finds no encoder, and a name is found by its parts.
func TestMatchesTheBeginningOfWords(t *testing.T) {
	reranker := Entry{ID: "cross-encoder/ms-marco-MiniLM-L6-v2", Name: "ms-marco MiniLM L6", Task: Reranker}
	modern := Entry{ID: "answerdotai/ModernBERT-base", Name: "ModernBERT base", Task: Encoder}
	for _, c := range []struct {
		e     Entry
		query string
		found bool
	}{
		{reranker, "code", false},
		{reranker, "encoder", true},
		{reranker, "minilm", true},
		{reranker, "marco", true},
		{reranker, "l6", true},
		{modern, "bert", true},
		{modern, "modernbert", true},
		{modern, "ern", false},
	} {
		if got := c.e.Matches(c.query); got != c.found {
			t.Errorf("%q finds %s: %v", c.query, c.e.Name, got)
		}
	}
}

// Among those that are found for a task, some say themselves that they are for it.
func TestNames(t *testing.T) {
	e := Entry{Name: "Talker", Use: "Everyday questions, translation and JSON answers"}
	for query, want := range map[string]bool{"translate": true, "a model to translate": true, "talker": true, "rank": false, "": false} {
		if got := e.Names(query); got != want {
			t.Errorf("%q: %t", query, got)
		}
	}
}
