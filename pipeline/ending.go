package pipeline

import (
	"context"
	"slices"

	"inglenook/jinja"
	"inglenook/pipeline/chattemplate"
	"inglenook/tokenizer"
)

// endNames are the control tokens that end an answer or a text in the
// vocabularies of known families. One counts if the tokenizer has it as a
// control token. They are needed because many checkpoints have two such tokens
// and name only one of them in generation_config.json.
var endNames = []string{
	"</s>", "<|endoftext|>", "<|end_of_text|>", "<|eot_id|>", "<|eom_id|>", "<|im_end|>", "<|end|>",
	"<end_of_turn>", "<eos>", "<|eot|>", "<｜end▁of▁sentence｜>", "<|end_of_turn|>", "<|return|>", "<EOT>",
}

// endIDs are the tokens with which the model ends an answer, ascending: those
// that the checkpoint states, those with a known name, and the one that the chat
// template writes behind an answer.
func endIDs(ctx context.Context, tok *tokenizer.Tokenizer, template *chattemplate.Template, stated []int32) []int32 {
	ids := []int32{tok.EndID()}
	for _, id := range stated {
		if _, ok := tok.Token(id); ok {
			ids = append(ids, id)
		}
	}
	control := tok.SpecialIDs()
	for _, name := range endNames {
		if id, ok := tok.TokenID(name); ok && slices.Contains(control, id) {
			ids = append(ids, id)
		}
	}
	if template != nil {
		ids = append(ids, endOfTurn(ctx, template, control))
	}
	if id, ok := tok.TokenID("<|end|>"); ok && hasChannels(tok) { // it ends a message, and another one may follow
		ids = slices.DeleteFunc(ids, func(other int32) bool { return other == id })
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) > 0 && ids[0] < 0 { // none
		ids = ids[1:]
	}
	return ids
}

// endOfTurn returns the control token that the template writes behind an
// answer, or -1 if it writes none.
func endOfTurn(ctx context.Context, c *chattemplate.Template, control []int32) int32 {
	const answer = "yes"
	messages := &jinja.List{}
	for _, m := range []Message{TextMessage("user", "no"), TextMessage("assistant", answer)} {
		d, _ := m.dict() // it has no calls
		messages.Items = append(messages.Items, d)
	}
	p, err := c.Render(ctx, chattemplate.Conversation{Messages: messages})
	if err != nil {
		return -1 // a template that takes no such conversation says nothing about it
	}
	until, err := p.UpTo(answer)
	if err != nil {
		return -1
	}
	rest := chattemplate.Rendered{Text: p.Text[len(until.Text):]}
	ids, err := c.IDs(ctx, rest)
	if err != nil {
		return -1
	}
	for _, id := range ids {
		if slices.Contains(control, id) {
			return id
		}
	}
	return -1
}
