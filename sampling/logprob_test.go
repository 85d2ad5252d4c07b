package sampling

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The logarithms are those of a softmax in plain loops, and the best tokens come in order,
// the lower id first where two are alike.
func TestLogprobs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		logits := make([]float32, 1+random.IntN(400))
		for i := range logits {
			logits[i] = float32(random.IntN(41) - 20)
		}
		if n%5 == 0 {
			logits[random.IntN(len(logits))] = float32(math.Inf(-1))
		}
		if slices.Max(logits) < -1e30 {
			continue
		}
		var sum float64
		for _, v := range logits {
			sum += math.Exp(float64(v))
		}
		ids := make([]int32, len(logits))
		for i := range ids {
			ids[i] = int32(i)
		}
		slices.SortStableFunc(ids, func(a, b int32) int { return -compare(logits[a], logits[b]) })
		id, most := int32(random.IntN(len(logits))), random.IntN(24)
		of, best := Logprobs(logits, id, most)
		if len(best) != min(most, len(logits)) {
			t.Fatalf("%d of %d tokens, not %d", len(best), len(logits), most)
		}
		for i, b := range append([]Likely{of}, best...) {
			if i > 0 && b.ID != ids[i-1] {
				t.Fatalf("place %d has token %d, not %d", i, b.ID, ids[i-1])
			}
			want := float64(logits[b.ID]) - math.Log(sum)
			if logits[b.ID] < -1e30 {
				want = -math.MaxFloat32
			}
			if math.Abs(b.Logprob-want) > 1e-9 || b.Logprob > 0 {
				t.Fatalf("token %d has %v, not %v", b.ID, b.Logprob, want)
			}
		}
	}
}

func compare(a, b float32) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
