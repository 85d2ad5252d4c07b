package server

import (
	"net/http"

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
