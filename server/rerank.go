package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"inglenook/app/devices"
	"inglenook/app/texts"
	"inglenook/plain"
)

// reading is the target of models that read: contexts and caches are of those that write.
func (c *call) reading() devices.Target {
	t := c.o.Target
	t.KV, t.Context, t.Sequences = "", 0, 0
	return t
}

// rerankRequest is the body of the routes for reranking: documents as Jina and
// Cohere have them, or texts as text-embeddings-inference has them.
type rerankRequest struct {
	Model      string     `json:"model"`
	Query      string     `json:"query"`
	Documents  []document `json:"documents"`
	TopN       *int       `json:"top_n"`
	ReturnDocs bool       `json:"return_documents"`

	Texts       []string `json:"texts"`
	ReturnTexts bool     `json:"return_text"`
	Truncate    *bool    `json:"truncate"` // false: a text that is too long is an error
	Direction   string   `json:"truncation_direction"`
	RawScores   bool     `json:"raw_scores"`
}

// check returns what cannot be done of what text-embeddings-inference offers.
func (r *rerankRequest) check() error {
	switch {
	case r.RawScores:
		return absent("raw_scores", "raw_scores is not offered: a score is what the model's own last step makes of it; leave raw_scores out")
	case r.Direction != "" && !strings.EqualFold(r.Direction, "right"):
		return absent("truncation_direction", "texts that are too long lose their end, not their beginning; leave truncation_direction out")
	}
	return nil
}

// document is a text, or an object with one.
type document string

// UnmarshalJSON implements json.Unmarshaler.
func (d *document) UnmarshalJSON(data []byte) error {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return json.Unmarshal(data, (*string)(d))
	}
	var x struct {
		Text *string `json:"text"`
	}
	if err := json.Unmarshal(data, &x); err != nil {
		return err
	}
	if x.Text == nil {
		return wrong("documents", "a document has no text; send texts, or objects with a text")
	}
	*d = document(*x.Text)
	return nil
}

type scoreJSON struct {
	Index    int           `json:"index"`
	Score    float32       `json:"relevance_score"`
	Document *documentJSON `json:"document,omitempty"`
}

type documentJSON struct {
	Text string `json:"text"`
}

// textScoreJSON is the form of text-embeddings-inference.
type textScoreJSON struct {
	Index int     `json:"index"`
	Score float32 `json:"score"`
	Text  *string `json:"text,omitempty"`
}

// rerank scores documents against a query, the best first.
func (c *call) rerank() error {
	var r rerankRequest
	if err := c.read(&r); err != nil {
		return err
	}
	m, err := c.reads(r.Model)
	if err != nil {
		return err
	}
	list := r.Texts
	for _, d := range r.Documents {
		list = append(list, string(d))
	}
	switch {
	case plain.IsBlank(r.Query):
		return wrong("query", "query is missing; say what the documents should answer")
	case len(r.Texts) > 0 && len(r.Documents) > 0:
		return wrong("documents", "give documents or texts, not both")
	case len(list) == 0 || len(list) > maxTexts:
		return wrong("documents", "documents has to be a list of 1 to %d texts", maxTexts)
	case r.TopN != nil && *r.TopN < 1:
		return wrong("top_n", "top_n has to be 1 or more")
	}
	if err := r.check(); err != nil {
		return err
	}
	got, err := c.score(m.ID, r.Query, list)
	if err != nil {
		return err
	}
	if r.Truncate != nil && !*r.Truncate {
		for _, x := range got.Ranking {
			if x.Cut {
				return wrong("truncate", "text %d is longer than the model reads; shorten it, or allow truncate", x.Index+1)
			}
		}
	}
	notes := got.Notes
	if got.Untrusted != "" {
		notes = append(notes, "Scores untrusted: "+got.Untrusted)
	}
	where := truthOf(got.Device, got.Fallbacks, got.Notices, notes)
	c.tell(where)
	ranking := got.Ranking
	if r.TopN != nil {
		ranking = ranking[:min(*r.TopN, len(ranking))]
	}
	if len(r.Texts) > 0 {
		return c.writeJSON(http.StatusOK, textScores(ranking, list, r.ReturnTexts))
	}
	return c.writeJSON(http.StatusOK, map[string]any{
		"id": newID("rerank-"), "object": "list", "model": c.shown(m), "results": scores(ranking, list, r.ReturnDocs), "inglenook": where,
		"usage": map[string]int{"prompt_tokens": got.Tokens, "total_tokens": got.Tokens},
	})
}

// score waits for the turn and scores.
func (c *call) score(model, query string, list []string) (texts.RerankResult, error) {
	leave, err := c.queues.enter(c.r.Context(), model, 1)
	if err != nil {
		return texts.RerankResult{}, err
	}
	defer leave()
	got, err := c.app.Rerank(c.r.Context(), texts.RerankRequest{Model: model, Target: c.reading(), Query: query, Texts: list}, nil)
	c.note.PromptTokens += got.Tokens
	return got, err
}

func scores(ranking []texts.Ranked, list []string, withText bool) []scoreJSON {
	var out []scoreJSON
	for _, x := range ranking {
		s := scoreJSON{Index: x.Index, Score: x.Score}
		if withText {
			s.Document = &documentJSON{list[x.Index]}
		}
		out = append(out, s)
	}
	return out
}

func textScores(ranking []texts.Ranked, list []string, withText bool) []textScoreJSON {
	var out []textScoreJSON
	for _, x := range ranking {
		s := textScoreJSON{Index: x.Index, Score: x.Score}
		if withText {
			s.Text = &list[x.Index]
		}
		out = append(out, s)
	}
	return out
}
