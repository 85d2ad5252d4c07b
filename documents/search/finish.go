package search

import (
	"context"

	"inglenook/documents/store"
)

// finish reads the passages of the best candidates and groups them by file.
func (r *run) finish(ctx context.Context, found []*candidate) (*Results, error) {
	n := r.limit
	if r.query.ToRerank {
		n = max(n, MostRead)
	}
	reach := n + 1
	if r.query.Spread {
		reach = max(reach, spreadReach*n)
	}
	results, err := r.distinct(ctx, found, reach)
	if err != nil {
		return nil, err
	}
	if r.query.Spread {
		results = spread(results)
	}
	more := len(results) > r.limit
	results = results[:min(n, len(results))]
	words := newMatcher(r.asked)
	for i := range results {
		results[i].Matches = words.spans(results[i].Text)
		results[i].Best = words.bestSentence(results[i].Text)
		results[i].TurnTo(results[i].Best.Start)
	}
	out := &Results{Files: Grouped(results[:min(r.limit, len(results))]), More: more, Notes: r.notes, Question: r.asked.plain}
	if r.query.ToRerank {
		out.Candidates = results
	}
	return out, nil
}

// distinct returns up to n of the candidates with their passages, in order. Of those
// with the same text, such as what stands below every letter, it returns the best, or the
// original where that is a copy, and counts the others.
func (r *run) distinct(ctx context.Context, found []*candidate, n int) (results []Result, _ error) {
	place := map[string]int{}
	for len(found) > 0 && len(results) < n {
		some := found[:min(n-len(results), len(found))]
		found = found[len(some):]
		read, err := r.read(ctx, some)
		if err != nil {
			return nil, err
		}
		for _, one := range read {
			if i, again := place[one.Text]; again {
				if copies := results[i].Copies + 1; results[i].isCopy() && !one.isCopy() {
					one.Score = results[i].Score // in the place of the copy
					results[i] = one
					results[i].Copies = copies
				} else {
					results[i].Copies = copies
				}
				continue
			}
			place[one.Text] = len(results)
			results = append(results, one)
		}
	}
	return results, nil
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
			originalsFirst(p.Files)
			results = append(results, Result{Passage: p, Collection: f.key.collection, Score: f.score, Why: f.why})
		}
	}
	return results, nil
}

// Grouped puts the passages of a file together. Files come in the order of their
// best passages.
func Grouped(results []Result) []FileResult {
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
