package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"inglenook/hub/fault"
)

// Recognise asks an address which form it speaks and which models it has.
func Recognise(ctx context.Context, at Address, o Options) (Found, error) {
	c, err := newClient(at, o, usualTuning())
	if err != nil {
		return Found{}, err
	}
	defer c.close()
	return c.recognise(ctx)
}

func (c *client) recognise(ctx context.Context) (Found, error) {
	var refusals []error
	for _, ask := range []func(context.Context) (Found, error){c.asOpenAI("/v1"), c.asTEI, c.asOllama, c.asOpenAI("")} {
		found, err := ask(ctx)
		if err == nil {
			return found, nil
		}
		if ctx.Err() != nil || !errors.Is(err, fault.ErrNotFound) && !errors.Is(err, fault.ErrProtocol) {
			return Found{}, err // the others would not answer either
		}
		refusals = append(refusals, err)
	}
	for _, err := range refusals {
		if !errors.Is(err, fault.ErrNotFound) {
			return Found{}, err
		}
	}
	return Found{}, c.protocol("answers, and has no list of models in a form that is known here: neither OpenAI's (/v1/models), nor Ollama's, nor that of text-embeddings-inference; check the address")
}

// checked drops models whose names cannot be used, and refuses an empty list.
func (c *client) checked(f Found) (Found, error) {
	f.Models = slices.DeleteFunc(f.Models, func(m Model) bool { return !usableID(m.ID) || c.o.Token != "" && strings.Contains(m.ID, c.o.Token) })
	f.Server = c.plain(f.Server)
	if len(f.Models) > mostModels {
		f.Models = f.Models[:mostModels]
	}
	seen := map[string]bool{}
	f.Models = slices.DeleteFunc(f.Models, func(m Model) bool {
		again := seen[m.ID]
		seen[m.ID] = true
		return again
	})
	for i := range f.Models {
		m := &f.Models[i]
		if m.Context < 0 || m.Context > 1<<30 {
			m.Context = 0
		}
		if m.Dimension < 0 || m.Dimension > mostDimension {
			m.Dimension = 0
		}
	}
	if len(f.Models) == 0 {
		return f, c.protocol("answers and has no models; load one there, then add it again")
	}
	return f, nil
}

// openAIModel is an entry of /v1/models, with what some servers add to OpenAI's fields:
// this program's own, vLLM, Infinity, llama-server.
type openAIModel struct {
	ID           string   `json:"id"`
	OwnedBy      string   `json:"owned_by"`
	Type         string   `json:"type"`
	Capabilities []string `json:"capabilities"`
	Context      int      `json:"context_length"`
	MaxLen       int      `json:"max_model_len"`
	Dimension    int      `json:"dimension"`
	Meta         struct {
		Context int `json:"n_ctx"`
		Trained int `json:"n_ctx_train"`
		Width   int `json:"n_embd"`
	} `json:"meta"`
}

func (c *client) asOpenAI(prefix string) func(context.Context) (Found, error) {
	return func(ctx context.Context) (Found, error) {
		var list struct {
			Data []openAIModel `json:"data"`
		}
		if err := c.ask(ctx, prefix+"/models", nil, &list, c.t.quick); err != nil {
			return Found{}, err
		}
		if list.Data == nil {
			return Found{}, fault.New(fault.ErrNotFound, nil, "%s has no list of models", c.at.Host())
		}
		f := Found{Form: OpenAI, Prefix: prefix}
		for _, m := range list.Data {
			if m.OwnedBy == "library" { // Ollama, whose own form tells more
				if own, err := c.asOllama(ctx); err == nil {
					return own, nil
				}
			}
			f.Models = append(f.Models, m.model())
			f.Server = m.OwnedBy
		}
		f, err := c.checked(f)
		if err == nil {
			f.Counts = c.counts(ctx, f)
		}
		if err == nil && len(f.Models) <= mostProbed {
			err = c.probeKinds(ctx, &f)
		}
		return f, err
	}
}

func (m openAIModel) model() Model {
	out := Model{ID: m.ID, Context: max(m.Context, m.MaxLen, m.Meta.Context), Dimension: m.Dimension}
	if out.Context == 0 {
		out.Context = m.Meta.Trained
	}
	writes := false
	for _, k := range append([]string{m.Type}, m.Capabilities...) {
		kind := kindOf(k)
		writes = writes || kind == Chat
		if out.Kind == "" || kind == Embedding && out.Kind == Chat {
			out.Kind = kind
		}
	}
	out.Writes = writes && out.Kind == Embedding
	if out.Kind == "" || m.OwnedBy == "llamacpp" {
		out.Kind, out.Writes, out.Guessed = guessKind(m.ID), false, true
	}
	return out
}

// kindOf is what a server's word for a kind of model, or for what one can do, means; "": it is another word.
func kindOf(word string) string {
	switch strings.ToLower(word) {
	case "embed", "embedding", "embeddings", "feature-extraction":
		return Embedding
	case "rerank", "reranker", "ranking", "score":
		return Reranker
	case "chat", "completion", "text", "text-to-text", "llm", "text-generation", "generate":
		return Chat
	}
	return ""
}

func (c *client) asTEI(ctx context.Context) (Found, error) {
	var info struct {
		Model string          `json:"model_id"`
		Kind  json.RawMessage `json:"model_type"`
		Max   int             `json:"max_input_length"`
	}
	if err := c.ask(ctx, "/info", nil, &info, c.t.quick); err != nil {
		return Found{}, err
	}
	if info.Model == "" {
		return Found{}, fault.New(fault.ErrNotFound, nil, "%s does not say which model it has", c.at.Host())
	}
	m := Model{ID: info.Model, Context: info.Max, Kind: Embedding}
	if strings.Contains(string(info.Kind), `"reranker"`) {
		m.Kind = Reranker
	}
	return c.checked(Found{Form: TEI, Models: []Model{m}, Server: "text-embeddings-inference"})
}

func (c *client) asOllama(ctx context.Context) (Found, error) {
	var list struct {
		Models []struct {
			Name  string `json:"name"`
			Model string `json:"model"`
		} `json:"models"`
	}
	if err := c.ask(ctx, "/api/tags", nil, &list, c.t.quick); err != nil {
		return Found{}, err
	}
	if list.Models == nil {
		return Found{}, fault.New(fault.ErrNotFound, nil, "%s has no list of models", c.at.Host())
	}
	f := Found{Form: Ollama, Server: "Ollama"}
	for i, m := range list.Models {
		if i == mostShown {
			break
		}
		model, err := c.ollamaModel(ctx, cmp.Or(m.Model, m.Name))
		if err != nil {
			return Found{}, err
		}
		f.Models = append(f.Models, model)
	}
	return c.checked(f)
}

// mostShown bounds how many models of an Ollama are asked about one by one.
const mostShown = 200

func (c *client) ollamaModel(ctx context.Context, id string) (Model, error) {
	m := Model{ID: id, Kind: guessKind(id), Guessed: true}
	var show struct {
		Capabilities []string       `json:"capabilities"`
		Info         map[string]any `json:"model_info"`
	}
	err := c.ask(ctx, "/api/show", map[string]string{"model": id, "name": id}, &show, c.t.quick)
	if err != nil {
		if ctx.Err() != nil || temporary(err) {
			return m, err
		}
		return m, nil // the name has to do
	}
	if embeds, writes := slices.Contains(show.Capabilities, "embedding"), slices.Contains(show.Capabilities, "completion"); embeds {
		m.Kind, m.Writes, m.Guessed = Embedding, writes, false
	} else if writes {
		m.Kind, m.Guessed = Chat, false
	}
	for name, value := range show.Info {
		n, _ := value.(float64)
		switch {
		case n <= 0 || n > 1<<30:
		case strings.HasSuffix(name, ".context_length"):
			m.Context = int(n)
		case strings.HasSuffix(name, ".embedding_length") && m.Kind == Embedding:
			m.Dimension = int(n)
		}
	}
	return m, nil
}
