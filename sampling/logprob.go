package sampling

import (
	"math"
	"slices"
)

// Likely is a token with how likely the model found it.
type Likely struct {
	ID      int32
	Logprob float64 // the natural logarithm of its probability; never above 0
}

// Logprobs returns how likely the model found a token, and the most likely tokens in
// order, as many as most says. They are the softmax of the logits as the model computed
// them: temperature, penalties, bias and grammar do not count.
func Logprobs(logits []float32, id int32, most int) (of Likely, best []Likely) {
	top := float64(slices.Max(logits))
	var h []candidate
	var sum float64
	most = min(most, len(logits))
	for i, v := range logits {
		sum += math.Exp(float64(v) - top)
		if c := pack(i, v); len(h) < most || most > 0 && c < h[0] {
			h = keep(h, c, most)
		}
	}
	slices.Sort(h)
	likely := func(id int32) Likely {
		distance := float64(logits[id]) - top - math.Log(sum)
		return Likely{id, max(min(distance, 0), -math.MaxFloat32)} // -Inf has no form in JSON
	}
	for _, c := range h {
		best = append(best, likely(c.id()))
	}
	return likely(id), best
}
