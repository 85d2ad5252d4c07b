package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// A Reranker scores how well passages answer a question; more is better.
type Reranker interface {
	Rerank(ctx context.Context, question string, passages []string) ([]float64, error)
	// Cosines reports whether the scores are cosines of vectors: those of an embedder.
	Cosines() bool
}

// MostRead is how many passages of a search a reranker may read.
const MostRead = 40

// RerankShare is how much a reranker counts in the order, of 1; the search has the
// rest. docs/QUALITY.md says what it was chosen on.
const RerankShare = 0.3

// Rerank has a reranker read passages that were found, the best first, and returns
// them in their new order with the number of those that were read. It reads for as
// long as the next ones are expected to be done within the budget, by the time that
// the last ones took: first one passage, then twice as many at each step. Those that
// it does not reach stay behind the others.
func Rerank(ctx context.Context, r Reranker, question string, found []Result, budget time.Duration) (ranked []Result, read int, err error) {
	start := time.Now()
	scores := make([]float64, 0, len(found))
	for step := min(1, len(found)); step > 0; {
		begun := time.Now()
		next, err := score(ctx, r, question, found[read:read+step])
		if err != nil {
			return nil, 0, err
		}
		scores = append(scores, next...)
		read += step
		each := max(1, time.Since(begun)/time.Duration(step))
		step = min(2*step, len(found)-read, int((budget-time.Since(start))/each))
	}
	join := joinCross
	if r.Cosines() {
		join = joinCosines
	}
	return joinRerank(found, scores, join), read, nil
}

// score has the reranker read some passages.
func score(ctx context.Context, r Reranker, question string, passages []Result) ([]float64, error) {
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = p.Input()
	}
	scores, err := r.Rerank(ctx, question, texts)
	if err == nil && len(scores) != len(texts) {
		err = fmt.Errorf("the reranker gave %d scores for %d passages", len(scores), len(texts))
	}
	return scores, err
}

// joinRerank returns passages in the order of both scores. The passages that were not
// read follow in their order, with scores below 0.
func joinRerank(found []Result, scores []float64, join func(found []Result, scores []float64) []float64) []Result {
	ranked := slices.Clone(found)
	joined := join(found[:len(scores)], scores)
	for i := range ranked {
		r := &ranked[i]
		if i >= len(scores) {
			r.Score = -float64(i-len(scores)+1) / float64(len(ranked))
			continue
		}
		r.Score = joined[i]
		r.Why.Reranked, r.Why.RerankScore, r.Why.RankBefore = true, scores[i], i+1
	}
	slices.SortStableFunc(ranked, func(a, b Result) int { return cmp.Compare(b.Score, a.Score) })
	return ranked
}

// joinCosines joins scores with the cosines of another embedder. Both embedders say
// how near a passage's meaning is to the question's, so the reader takes its share from
// the search's own cosine, which has half of the score, and none from the words.
func joinCosines(found []Result, cosines []float64) []float64 {
	joined := make([]float64, len(found))
	for i, f := range found {
		joined[i] = f.Score + RerankShare*(max(0, cosines[i])-max(0, f.Why.Meaning))
	}
	return joined
}

// joinCross joins scores with those of a cross-encoder. Each is stretched to the range
// from 0 to 1 over the passages that were read, because a cross-encoder's scores may be
// of any size, and they are added by RerankShare.
func joinCross(found []Result, scores []float64) []float64 {
	before := make([]float64, len(found))
	for i, f := range found {
		before[i] = f.Score
	}
	joined, after := stretched(before), stretched(scores)
	for i := range joined {
		joined[i] = (1-RerankShare)*joined[i] + RerankShare*after[i]
	}
	return joined
}

// stretched are scores in the range from 0 to 1; all 0 where they are equal.
func stretched(scores []float64) []float64 {
	out := make([]float64, len(scores))
	if len(scores) == 0 {
		return out
	}
	low, high := slices.Min(scores), slices.Max(scores)
	for i, s := range scores {
		if high > low {
			out[i] = (s - low) / (high - low)
		}
	}
	return out
}
