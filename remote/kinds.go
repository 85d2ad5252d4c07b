package remote

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"inglenook/hub/fault"
	"inglenook/remote/pieces"
)

// mostProbed bounds how many models a server may have that is asked what each can do:
// one that has many opens them for that.
const mostProbed = 2

// probeKinds asks a server that does not say what its models are for.
func (c *client) probeKinds(ctx context.Context, f *Found) error {
	for i := range f.Models {
		if m := &f.Models[i]; m.Guessed {
			c.probeKind(ctx, f.Prefix, m)
		}
	}
	return context.Cause(ctx)
}

// probeKind asks for a score and a vector, and an embedder for a word as well. It takes no longer
// than a small answer may: a server that hangs is not waited for each time.
func (c *client) probeKind(ctx context.Context, prefix string, m *Model) {
	ctx, end := context.WithTimeoutCause(ctx, c.t.quick, fault.New(fault.ErrUnreachable, errSilent, "the server %s did not answer in time", c.at.Host()))
	defer end()
	var scored error
	var asking sync.WaitGroup
	asking.Go(func() {
		var answer json.RawMessage
		scored = c.ask(ctx, prefix+"/rerank", rerankRequest{Model: m.ID, Query: "a", Documents: []string{"a"}}, &answer, c.t.quick)
	})
	vector, err := c.probeVector(ctx, prefix, m.ID)
	asking.Wait()
	named, scores := guessKind(m.ID), scored == nil
	switch {
	case err == nil && scores && len(vector) >= leastDimension && named != Reranker:
		m.Kind, m.Scores = Embedding, true
	case scores:
		m.Kind = Reranker
	case err == nil:
		m.Kind = Embedding
	case errors.Is(scored, errForm): // it takes the question, and what it answers is no score
		m.Kind, m.Wrong = Reranker, scored.Error()
	case refuses(err) || errors.Is(err, fault.ErrNotFound):
		m.Kind = Chat
	default:
		m.Kind, m.Wrong = named, err.Error()
		return
	}
	m.Guessed = false
	m.Writes = m.Kind == Embedding && c.probeWord(ctx, prefix, m.ID)
}

// leastDimension is how long the vectors of embedders are at least. Servers for rerankers may
// give their scores as short vectors.
const leastDimension = 8

// probeVector asks for a vector, and refuses one that no model gives.
func (c *client) probeVector(ctx context.Context, prefix, model string) ([]float32, error) {
	list, _, err := c.askVectors(ctx, prefix, embedRequest{model, []string{"a"}}, c.t.quick)
	if err != nil {
		return nil, err
	}
	vectors, err := c.vectors(list, 1, 0)
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// probeWord reports whether a model answers in a conversation, asked as it will be: for an answer
// in events, which may also come whole.
func (c *client) probeWord(ctx context.Context, prefix, model string) bool {
	in := map[string]any{"model": model, "messages": []message{{Role: "user", Content: "a"}}, "max_tokens": 1, "stream": true}
	body, err := c.open(ctx, prefix+"/chat/completions", in, c.t.quick, c.t.quick)
	if err != nil {
		return false
	}
	defer body.Close()
	events := pieces.NewEvents(body, true, pieces.Limits{Line: c.t.line, All: mostList})
	data, err := events.Next()
	if err != nil {
		data = events.Stray()
	}
	var answer struct {
		Choices []json.RawMessage `json:"choices"`
	}
	return json.Unmarshal(data, &answer) == nil && len(answer.Choices) > 0
}
