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
