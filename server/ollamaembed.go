package server

import (
	"net/http"
	"slices"
	"time"

	"inglenook/app/texts"
	"inglenook/plain"
)

// ollamaEmbed turns texts into vectors.
func (c *call) ollamaEmbed() error {
	begun := time.Now()
	var r struct {
		Model      string `json:"model"`
		Input      list   `json:"input"`
		Truncate   *bool  `json:"truncate"` // false: a text that is too long is an error
		Dimensions *int   `json:"dimensions"`
		Options    struct {
			Context *int `json:"num_ctx"` // tokens of a text that are read
		} `json:"options"`
	}
	if err := c.read(&r); err != nil {
		return err
	}
	m, err := c.reads(untagged(r.Model))
	if err != nil {
		return err
	}
	if len(r.Input) > maxTexts {
		return wrong("input", "input has to be a text, or a list of up to %d", maxTexts)
	}
	if len(r.Input) == 0 {
		return c.writeJSON(http.StatusOK, map[string]any{"model": c.shown(m), "embeddings": [][]float32{}})
	}
	if n := r.Options.Context; n != nil {
		if r.Input, err = c.shortened(m.ID, r.Input, *n, r.Truncate == nil || *r.Truncate); err != nil {
			return err
		}
	}
	got, err := c.embed(m.ID, "", r.Input, r.Dimensions)
	if err != nil {
		return err
	}
	for i, cut := range got.Truncated {
		if cut && r.Truncate != nil && !*r.Truncate {
			return wrong("input", "text %d: the input length exceeds the context length; shorten it, or allow truncate", i+1)
		}
	}
	where := truthOf(got.Device, got.Fallbacks, got.Notices, got.Notes)
	c.tell(where)
	return c.writeJSON(http.StatusOK, map[string]any{
		"model": c.shown(m), "embeddings": got.Vectors, "total_duration": time.Since(begun), "load_duration": got.Load,
		"prompt_eval_count": c.note.PromptTokens, "inglenook": where,
	})
}

// ollamaEmbedding turns one text into a vector, in Ollama's older form.
func (c *call) ollamaEmbedding() error {
	var r struct {
		Model  string `json:"model"`
		Prompt string `json:"prompt"`
	}
	if err := c.read(&r); err != nil {
		return err
	}
	m, err := c.reads(untagged(r.Model))
	if err != nil {
		return err
	}
	if r.Prompt == "" {
		return c.writeJSON(http.StatusOK, map[string]any{"embedding": []float32{}})
	}
	got, err := c.embed(m.ID, "", []string{r.Prompt}, nil)
	if err != nil {
		return err
	}
	where := truthOf(got.Device, got.Fallbacks, got.Notices, got.Notes)
	c.tell(where)
	return c.writeJSON(http.StatusOK, map[string]any{"embedding": got.Vectors[0], "inglenook": where})
}

// shortened cuts each text to so many of the model's tokens, its control tokens included.
func (c *call) shortened(model string, list []string, most int, cut bool) ([]string, error) {
	out := slices.Clone(list)
	for i, text := range list {
		if plain.IsBlank(text) {
			continue
		}
		whole, err := c.app.Tokenize(c.r.Context(), texts.TokenizeRequest{Model: model, Text: text})
		if err != nil {
			return nil, err
		}
		bare, err := c.app.Tokenize(c.r.Context(), texts.TokenizeRequest{Model: model, Text: text, NoSpecial: true})
		if err != nil {
			return nil, err
		}
		room := most - (len(whole.IDs) - len(bare.IDs))
		switch {
		case len(bare.IDs) <= room:
		case !cut:
			return nil, wrong("input", "text %d: the input length exceeds the context length of %d; shorten it, or allow truncate", i+1, most)
		case room < 1:
			return nil, wrong("input", "text %d: the input exceeds maximum context length and cannot be truncated further; give a num_ctx above %d", i+1, most-room)
		default:
			out[i] = text[:bare.Offsets[room-1][1]]
		}
	}
	return out, nil
}
