package search

import (
	"cmp"
	"context"
	"slices"

	"inglenook/documents/store"
)

// finish reads the passages of the best candidates and groups them by file.
func (r *run) finish(ctx context.Context, found []*candidate) (*Results, error) {
	n := r.limit
	if r.query.ToRerank {
		n = max(n, MostRead)
	}
	reach, ofOne := n+1, len(found)
	if r.query.Spread { // a file whose passages are all alike would keep the others out of reach
		reach, ofOne = max(reach, spreadReach*n), n+1
	}
	results, err := r.distinct(ctx, found, reach, ofOne)
	if err != nil {
		return nil, err
	}
	words := newMatcher(r.asked)
	for i := range results {
		results[i].Matches = words.spans(results[i].Text)
		results[i].Best = words.bestSentence(results[i].Text)
	}
	results = withoutOverlaps(results)
	if r.query.Spread {
		results = spread(results)
	}
	more := len(results) > r.limit
	results = results[:min(n, len(results))]
	for i := range results {
		results[i].TurnTo(results[i].Best.Start)
	}
	out := &Results{Files: Grouped(results[:min(r.limit, len(results))]), More: more, Notes: r.notes, Question: r.asked.plain}
	if r.query.ToRerank {
		out.Candidates = results
	}
	return out, nil
}

// distinct returns the best n of the candidates or some more, with their passages, in order. Of those with the same
// text, as in copies of a file and as what stands below every letter, it returns the best, and counts the others.
// Those that answer nothing themselves stand back, so that as many others are read in their place. Of one file there
// are ofOne at most.
func (r *run) distinct(ctx context.Context, found []*candidate, n, ofOne int) (results []Result, _ error) {
	place, of := map[string]int{}, map[string]int{}
	var sentences [][]sentence // of results
	weak := 0
	for len(found) > 0 && len(results)-weak < n {
		some := found[:min(n-len(results)+weak, len(found))]
		found = found[len(some):]
		read, err := r.read(ctx, some)
		if err != nil {
			return nil, err
		}
		for _, one := range read {
			if i, again := place[one.Text]; again {
				results[i].meets(one, true)
				continue
			}
			if of[one.Files[0].Path] == ofOne {
				continue
			}
			own := sentencesFor(one)
			same := func(other []sentence) bool { return alike(other, own) }
			if i := slices.IndexFunc(sentences, same); i >= 0 && !together(results[i], one) {
				results[i].meets(one, len(own) >= len(sentences[i]))
				continue
			}
			if isWeak(one.Chunk) {
				one.Score *= weakShare
				weak++
			}
			of[one.Files[0].Path]++
			place[one.Text] = len(results)
			results, sentences = append(results, one), append(sentences, own)
		}
	}
	slices.SortStableFunc(results, func(a, b Result) int { return cmp.Compare(b.Score, a.Score) })
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
