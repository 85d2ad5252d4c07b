package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"time"

	"inglenook/hub/fault"
	"inglenook/remote/pieces"
)

// askOrRemove is what can be done about a server that answers what no server should.
const askOrRemove = "ask whoever runs it, or remove this address"

type embedRequest struct {
	Model string   `json:"model,omitempty"`
	Input []string `json:"input"`
}

// request embeds texts with one request, and checks what comes back. dimension is how long
// the vectors have to be; 0: all equally long.
func (e *Embedder) request(ctx context.Context, r *replica, texts []string, dimension int) (vectors [][]float32, tokens int, err error) {
	var list []json.RawMessage
	switch e.s.form {
	case TEI:
		err = r.ask(ctx, "/embed", map[string]any{"inputs": texts, "truncate": true}, &list, r.t.stall)
	case Ollama:
		var answer struct {
			Embeddings []json.RawMessage `json:"embeddings"`
			Tokens     int               `json:"prompt_eval_count"`
		}
		err = r.ask(ctx, "/api/embed", embedRequest{e.m.ID, texts}, &answer, r.t.stall)
		list, tokens = answer.Embeddings, answer.Tokens
	default:
		list, tokens, err = r.askVectors(ctx, e.s.prefix, embedRequest{e.m.ID, texts}, r.t.stall)
	}
	if err != nil {
		return nil, 0, err
	}
	vectors, err = r.vectors(list, len(texts), dimension)
	return vectors, tokens, err
}

// askVectors asks for vectors in OpenAI's form, and returns them in the order of the texts,
// with how many tokens the server counted.
func (c *client) askVectors(ctx context.Context, prefix string, in embedRequest, patience time.Duration) (list []json.RawMessage, tokens int, err error) {
	var answer openAIVectors
	if err := c.ask(ctx, prefix+"/embeddings", in, &answer, patience); err != nil {
		return nil, 0, err
	}
	list, err = answer.inOrder(c, len(in.Input))
	return list, answer.Usage.Prompt, err
}

// openAIVectors is an answer in OpenAI's form.
type openAIVectors struct {
	Data []struct {
		Index     *int            `json:"index"`
		Embedding json.RawMessage `json:"embedding"`
	} `json:"data"`
	Usage pieces.Usage `json:"usage"`
}

// inOrder returns the vectors in the order of the n texts.
func (a openAIVectors) inOrder(c *client, n int) ([]json.RawMessage, error) {
	if len(a.Data) != n {
		return nil, c.otherCount(len(a.Data), n)
	}
	list := make([]json.RawMessage, n)
	for i, d := range a.Data {
		at := i
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= n || list[at] != nil {
			return nil, c.protocol("gives vectors without saying properly which text each is of; " + askOrRemove)
		}
		if list[at] = d.Embedding; d.Embedding == nil {
			list[at] = json.RawMessage("null")
		}
	}
	return list, nil
}

func (c *client) otherCount(vectors, texts int) error {
	return c.protocol("gives %s for %s; "+askOrRemove, plural(vectors, "vector"), plural(texts, "text"))
}

// vectors reads the vectors of n texts, and refuses those that no model gives.
func (c *client) vectors(list []json.RawMessage, n, want int) ([][]float32, error) {
	if len(list) != n {
		return nil, c.otherCount(len(list), n)
	}
	vectors := make([][]float32, n)
	for i, raw := range list {
		v, err := c.vector(raw)
		if err != nil {
			return nil, err
		}
		if want == 0 {
			want = len(v)
		}
		if len(v) != want {
			return nil, fault.New(fault.ErrServer, nil, "the server %s gives vectors of %d numbers where those before had %d, so it has another model now; start the same model there, or open this one again", c.at.Host(), len(v), want)
		}
		vectors[i] = v
	}
	return vectors, nil
}

// mostValue bounds the numbers of a vector: with larger ones its length overflows.
const mostValue = 1e15

// vector reads one vector.
func (c *client) vector(raw json.RawMessage) ([]float32, error) {
	var values []float64
	err := json.Unmarshal(raw, &values)
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind) && strings.HasPrefix(kind.Value, "number "): // a number that is too large for any
		return nil, c.notUsable("vectors with numbers that are too large")
	case err != nil:
		return nil, c.protocol("gives vectors in a form that is not known here: they are no lists of numbers; " + askOrRemove)
	case values == nil:
		return nil, c.notUsable("nothing in the place of a vector")
	case len(values) == 0:
		return nil, c.notUsable("an empty vector")
	case bytes.Contains(raw, []byte("null")):
		return nil, c.notUsable("vectors with values that are no numbers")
	case len(values) > mostDimension:
		return nil, c.protocol("gives a vector of %d numbers, which is more than any model has; "+askOrRemove, len(values))
	}
	v := make([]float32, len(values))
	zero := true
	for i, x := range values {
		if math.Abs(x) > mostValue {
			return nil, c.notUsable("vectors with numbers that are too large")
		}
		v[i] = float32(x)
		zero = zero && v[i] == 0
	}
	if zero {
		return nil, c.notUsable("a vector that is zero everywhere, which says nothing about a text")
	}
	return v, nil
}

// notUsable is the error about vectors of a model that is damaged.
func (c *client) notUsable(what string) error {
	return c.protocol("gives %s; its model is damaged, or overflows: start it again there, or another one", what)
}
