package server

import (
	"net/http"
	"slices"

	"inglenook/app/texts"
)

// tokenize turns a text into token ids, in llama.cpp's form.
func (c *call) tokenize() error {
	var r struct {
		Model      string `json:"model"`
		Content    string `json:"content"`
		AddSpecial bool   `json:"add_special"`
		WithPieces bool   `json:"with_pieces"`
	}
	if err := c.read(&r); err != nil {
		return err
	}
	m, err := c.find(r.Model, anyModel)
	if err != nil {
		return err
	}
	if r.Content == "" {
		return c.writeJSON(http.StatusOK, map[string]any{"tokens": []int32{}})
	}
	got, err := c.app.Tokenize(c.r.Context(), texts.TokenizeRequest{Model: m.ID, Text: r.Content, NoSpecial: !r.AddSpecial})
	if err != nil {
		return err
	}
	c.note.PromptTokens = len(got.IDs)
	if !r.WithPieces {
		return c.writeJSON(http.StatusOK, map[string]any{"tokens": append([]int32{}, got.IDs...)})
	}
	type piece struct {
		ID    int32  `json:"id"`
		Piece string `json:"piece"`
	}
	pieces := []piece{}
	for i, id := range got.IDs {
		pieces = append(pieces, piece{id, got.Tokens[i]})
	}
	return c.writeJSON(http.StatusOK, map[string]any{"tokens": pieces})
}

// detokenize turns token ids back into text.
func (c *call) detokenize() error {
	var r struct {
		Model  string  `json:"model"`
		Tokens []int32 `json:"tokens"`
	}
	if err := c.read(&r); err != nil {
		return err
	}
	m, err := c.find(r.Model, anyModel)
	if err != nil {
		return err
	}
	text := ""
	if len(r.Tokens) > 0 {
		if text, err = c.app.Detokenize(c.r.Context(), m.ID, r.Tokens, false); err != nil {
			return notPlanned(c.r.Context(), err)
		}
	}
	return c.writeJSON(http.StatusOK, map[string]any{"content": text})
}

// texts returns the texts of a field. Token ids become text again; those that are
// not how the model's own tokenizer writes that text are refused, because some
// libraries send the ids of another model's, which would mean something else here.
func (c *call) texts(model string, p prompts, field string, most int) ([]string, error) {
	if n := len(p.texts) + len(p.ids); n == 0 || n > most {
		return nil, wrong(field, "%s has to be a text, or a list of 1 to %d of them", field, most)
	}
	if p.ids == nil {
		return p.texts, nil
	}
	var list []string
	for _, ids := range p.ids {
		text, err := c.ownText(model, ids)
		if err != nil {
			if c.r.Context().Err() != nil {
				return nil, err
			}
			return nil, wrong(field, "these token ids are not those of this model's tokenizer; send texts instead (LangChain: check_embedding_ctx_length=False), or ids from POST /tokenize")
		}
		list = append(list, text)
	}
	return list, nil
}

// ownText turns ids into the text that gives these ids.
func (c *call) ownText(model string, ids []int32) (string, error) {
	text, err := c.app.Detokenize(c.r.Context(), model, ids, true)
	if err != nil {
		return "", err
	}
	for _, bare := range []bool{true, false} {
		again, err := c.app.Tokenize(c.r.Context(), texts.TokenizeRequest{Model: model, Text: text, NoSpecial: bare})
		if err != nil {
			return "", err
		}
		if slices.Equal(again.IDs, ids) {
			return text, nil
		}
	}
	return "", wrong("", "the ids are another model's")
}
