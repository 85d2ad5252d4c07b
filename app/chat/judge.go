package chat

import (
	"context"
	"slices"

	"inglenook/chats"
	"inglenook/documents/support"
)

// Judge returns the sentences of an answer with the passages of its question that support
// them. It stops when ctx is done; nothing else fails: without an embedder words alone are
// compared.
func (s *Service) Judge(ctx context.Context, question Message, answer string) ([]Claim, error) {
	passages := Passages(question.Parts)
	if len(passages) == 0 {
		return nil, ctx.Err()
	}
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	list := make([]support.Passage, len(passages))
	collection := ""
	for i, p := range passages {
		list[i].Text = p.Text
		if from, ok := SourceOf(p); ok {
			list[i].Heading, collection = from.Heading, from.Collection
		}
	}
	meaning, release := s.meaning(ctx, collection)
	defer release()
	found, err := support.Judge(ctx, question.Text(), answer, list, meaning)
	if err != nil && ctx.Err() == nil && meaning != nil {
		s.log.Warn("an answer is judged by words alone", "error", err)
		found, err = support.Judge(ctx, question.Text(), answer, list, nil)
	}
	if err != nil {
		return nil, err
	}
	claims := make([]Claim, len(found))
	for i, c := range found {
		claims[i] = chats.Claim{Start: c.Start, End: c.End, Passage: c.Passage, BestStart: c.Best.Start, BestEnd: c.Best.End, Score: c.Score, Why: c.Why}
	}
	return claims, nil
}

// meaning returns what compares texts by the embedder of a collection, nil where it cannot
// be opened.
func (s *Service) meaning(ctx context.Context, collection string) (m support.Meaning, release func()) {
	if collection == "" {
		return nil, func() {}
	}
	vectors, release, err := s.papers.Meaning(ctx, collection)
	if err != nil {
		s.log.Warn("texts are compared by words alone", "collection", collection, "error", err)
		return nil, func() {}
	}
	return vectors, release
}

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
