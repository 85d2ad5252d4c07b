package support

import "math"

// Enough is the least score of a claim that a passage supports. docs/QUALITY.md says on
// what it and the weights were chosen, and what they reach on the rest.
const Enough = 0.5

// weights turn what is known of a pair of texts into a score by a logistic function.
type weights struct {
	bias, meaning, cover float64
}

var (
	ofClaims    = weights{bias: -4.3, meaning: 5, cover: 5}
	ofWords     = weights{bias: -6, cover: 10} // without an embedder
	ofQuestions = weights{bias: -5, meaning: 5, cover: 5}
)

func (w weights) score(meaning, cover float64) float64 {
	return 1 / (1 + math.Exp(-(w.bias + w.meaning*meaning + w.cover*cover)))
}

// finite is a similarity without what no embedder should give.
func finite(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return max(-1, min(1, v))
}
