package chat

import (
	"context"

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
