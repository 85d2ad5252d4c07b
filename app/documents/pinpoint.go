package documents

import (
	"context"
	"errors"

	"inglenook/app/base"
	"inglenook/documents/search"
)

// Pinpoint sets Best of passages that answer a question to the sentence that does so best, by the
// embedder of the collection that they are of and by words, and
// turns them to it. The others stay as they are: those of a collection whose embedder cannot be asked now.
func (s *Service) Pinpoint(ctx context.Context, question string, passages []Result) ([]Result, error) {
	out := append([]Result(nil), passages...)
	of := map[string][]int{}
	for i, r := range out {
		of[r.Collection] = append(of[r.Collection], i)
	}
	var failed error
	for collection, list := range of {
		failed = errors.Join(failed, s.pinpoint(ctx, question, collection, out, list))
	}
	return out, failed
}

// pinpoint does so for those of a collection, which list names.
func (s *Service) pinpoint(ctx context.Context, question, collection string, out []Result, list []int) error {
	similar, release, err := s.Meaning(ctx, collection)
	if err != nil {
		return base.InContext(ctx, err)
	}
	defer release()
	texts := make([]string, len(list))
	for k, i := range list {
		texts[k] = out[i].Text
	}
	best, err := search.Pinpoint(ctx, question, texts, similar.Similar)
	if err != nil {
		return base.InContext(ctx, err)
	}
	for k, i := range list {
		if best[k].End > best[k].Start {
			out[i].Best, out[i].Pinpointed = best[k], true
			out[i].TurnTo(best[k].Start)
		}
	}
	return nil
}
