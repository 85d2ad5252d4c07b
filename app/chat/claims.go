package chat

import (
	"slices"

	"inglenook/chats"
)

// Claim is a sentence of an answer with the passage that supports it.
type Claim = chats.Claim

// ClaimsOf returns what is known of the sentences of an answer, in order, with the
// passages of the message that it answers. What a damaged record says is left out.
func ClaimsOf(answer Message, passages []Part) []Claim {
	if answer.Reply == nil {
		return nil
	}
	text, last := answer.Text(), 0
	var claims []Claim
	for _, c := range answer.Reply.Claims {
		if c.Start < last || !within(Span{Start: c.Start, End: c.End}, text) || c.Passage >= len(passages) {
			continue
		}
		last = c.End
		if c.Passage < 0 {
			c.BestStart, c.BestEnd = 0, 0
		} else if !within(Span{Start: c.BestStart, End: c.BestEnd}, passages[c.Passage].Text) {
			c.BestStart, c.BestEnd = 0, 0
		}
		claims = append(claims, c)
	}
	return slices.Clip(claims)
}
