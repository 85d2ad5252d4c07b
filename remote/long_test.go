package remote

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"inglenook/pipeline"
	"inglenook/remote/remotetest"
)

// A document that is too long for a reranker of a server is read in parts, of which the best
// one counts; parts that it still refuses are made smaller.
func TestScoreOfLongDocuments(t *testing.T) {
	d := remotetest.New(t)
	s := serve(t, OpenAI, d)
	const context, question = 100, "how long is the river"
	longest := 0
	d.Fault = func(w http.ResponseWriter, r *http.Request, body []byte) bool {
		var in rerankRequest
		if json.Unmarshal(body, &in) != nil || len(in.Documents) == 0 {
			return false
		}
		for _, text := range in.Documents {
			n := 2 * (len(strings.Fields(in.Query)) + len(strings.Fields(text))) // more than is estimated
			if n > context {
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprintf(w, `{"error":{"message":"input (%d tokens) is larger than the max context size (%d tokens). skipping"}}`, n, context)
				return true
			}
			d.Lock()
			longest = max(longest, n)
			d.Unlock()
		}
		return false
	}
	r, err := s.OpenReranker(t.Context(), Model{ID: "some-reranker", Kind: Reranker, Context: context})
	if err != nil {
		t.Fatal(err)
	}
	filler := strings.Repeat("stones and sand ", 80)
	texts := []string{filler + question + " " + filler, "stones", filler}
	done := 0
	got, err := r.Score(t.Context(), question, texts, pipeline.RerankRequest{Progress: func(n, total int) { done = max(done, n) }})
	if err != nil {
		t.Fatal(err)
	}
	if got.Windows[0] < 8 || got.Windows[1] != 1 || done != len(texts) {
		t.Errorf("parts %v, progress %d", got.Windows, done)
	}
	if got.Values[0] <= got.Values[2] || got.Values[0] <= got.Values[1] {
		t.Errorf("scores %v", got.Values)
	}
	if longest < context/3 {
		t.Errorf("the longest part has %d tokens of %d", longest, context)
	}
	var all strings.Builder
	for _, part := range windows(texts[0]+"無空白"+strings.Repeat("長い文章", 300), 40) {
		if countTokens(part) > 40 {
			t.Errorf("a part of %d tokens", countTokens(part))
		}
		all.WriteString(part)
	}
	if !strings.Contains(all.String(), question) {
		t.Error("the parts leave something out")
	}
}

// Of a text that is too long for an embedder of a server its beginning is read, as here.
func TestEmbedLongTexts(t *testing.T) {
	d := remotetest.New(t)
	e, err := serve(t, OpenAI, d).OpenEmbedder(t.Context(), Model{ID: "some-embedder", Kind: Embedding, Context: 100})
	if err != nil {
		t.Fatal(err)
	}
	var read []string
	d.Fault = func(w http.ResponseWriter, r *http.Request, body []byte) bool {
		var in embedRequest
		if json.Unmarshal(body, &in) != nil {
			return false
		}
		for _, text := range in.Input {
			if n := 2 * len(strings.Fields(text)); n > 100 { // more than is estimated
				w.WriteHeader(http.StatusInternalServerError)
				fmt.Fprintf(w, `{"error":{"message":"input (%d tokens) is too large to process. increase the physical batch size"}}`, n)
				return true
			}
		}
		for _, text := range in.Input {
			if !slices.Contains(probeTexts(), text) {
				read = append(read, text)
			}
		}
		return false
	}
	long := strings.Repeat("stones and sand ", 80)
	got, err := e.Embed(t.Context(), []string{"short", long, "also short"}, pipeline.EmbedRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Truncated, []bool{false, true, false}) {
		t.Errorf("truncated: %v", got.Truncated)
	}
	if len(read) != 3 || read[0] != "short" || read[2] != "also short" || !strings.HasPrefix(long, read[1]) || len(strings.Fields(read[1])) < 25 {
		t.Errorf("read %q", read)
	}
	if !slices.Equal(got.Vectors[0], remotetest.Vector("short", 8, 0)) || !slices.Equal(got.Vectors[1], remotetest.Vector(read[1], 8, 0)) {
		t.Error("the vectors are of other texts")
	}
}
