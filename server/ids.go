package server

import (
	"slices"

	"inglenook/app/texts"
)

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
