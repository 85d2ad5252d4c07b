package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"inglenook/documents/store"
)

// finish reads the passages of the best candidates, reranks them if there is a
// reranker, and groups them by file.
func (r *run) finish(ctx context.Context, found []*candidate) (*Results, error) {
	n := r.limit
	if r.Reranker != nil && !r.asked.empty() {
		n = max(n, r.settings.Rerank)
	}
	results, err := r.read(ctx, found[:min(n, len(found))])
	if err != nil {
		return nil, err
	}
	if err := r.rerank(ctx, results); err != nil {
		return nil, err
	}
	results = results[:min(r.limit, len(results))]
	words := newMatcher(r.asked)
	for i := range results {
		results[i].Matches = words.spans(results[i].Text)
		results[i].Best = words.bestSentence(results[i].Text)
		results[i].Page = results[i].PageAt(results[i].Best.Start)
	}
	return &Results{Files: grouped(results), Notes: r.notes}, nil
}

// read returns the candidates with their passages, in order, without those that
// were deleted meanwhile.
func (r *run) read(ctx context.Context, found []*candidate) ([]Result, error) {
	passages := map[key]store.Passage{}
	for _, c := range r.collections {
		var ids []int64
		for _, f := range found {
			if f.key.collection == c.ID() {
				ids = append(ids, f.key.id)
			}
		}
		read, err := c.Passages(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, p := range read {
			passages[key{c.ID(), p.ID}] = p
		}
	}
	var results []Result
	for _, f := range found {
		if p, ok := passages[f.key]; ok && len(p.Files) > 0 {
			results = append(results, Result{Passage: p, Collection: f.key.collection, Score: f.score, Why: f.why})
		}
	}
	return results, nil
}

// rerank orders results anew by what the reranker thinks of them.
func (r *run) rerank(ctx context.Context, results []Result) error {
	if r.Reranker == nil || r.asked.empty() || len(results) == 0 {
		return nil
	}
	texts := make([]string, len(results))
	for i := range results {
		texts[i] = results[i].Input()
	}
	scores, err := r.Reranker.Rerank(ctx, r.asked.plain, texts)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		r.note("The passages were not read again for their order: %v", err)
		return nil
	case len(scores) != len(results):
		return fmt.Errorf("the reranker gave %d scores for %d passages", len(scores), len(results))
	}
	for i := range results {
		results[i].Score = scores[i]
		results[i].Why.Reranked, results[i].Why.RerankScore, results[i].Why.RankBefore = true, scores[i], i+1
	}
	slices.SortStableFunc(results, func(a, b Result) int { return cmp.Compare(b.Score, a.Score) })
	return nil
}

// grouped puts the passages of a file together. Files come in the order of their
// best passages.
func grouped(results []Result) []FileResult {
	var files []FileResult
	place := map[string]int{}
	for _, r := range results {
		path := r.Files[0].Path
		i, ok := place[path]
		if !ok {
			i = len(files)
			place[path] = i
			files = append(files, FileResult{File: r.Files[0], Also: r.Files[1:]})
		}
		files[i].Passages = append(files[i].Passages, r)
	}
	return files
}
