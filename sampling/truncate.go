package sampling

import (
	"math"
	"slices"
)

// truncate leaves in s.candidates the tokens that may be drawn, at least one.
// At least one logit must be above -Inf.
func (s *Sampler) truncate(logits []float32) {
	s.topK(logits, s.options.TopK)
	if s.options.TypicalP < 1 {
		s.typical(s.options.TypicalP)
	}
	if s.options.TopP < 1 {
		s.topP(s.options.TopP)
	}
	if s.options.MinP > 0 {
		s.minP(s.options.MinP)
	}
}

// topK makes the k highest logits the candidates; 0 takes all of them.
func (s *Sampler) topK(logits []float32, k int) {
	s.candidates, s.sorted = s.candidates[:0], false
	if k > 0 && k <= maxHeap {
		worst := float32(math.Inf(-1))
		for i, v := range logits {
			if v <= worst { // of equal logits, the lower id is in already
				continue
			}
			s.candidates = keep(s.candidates, pack(i, v), k)
			if len(s.candidates) == k {
				worst = s.candidates[0].logit()
			}
		}
		slices.Sort(s.candidates)
		s.sorted = true
		return
	}
	for i, v := range logits {
		if v >= -math.MaxFloat32 {
			s.candidates = append(s.candidates, pack(i, v))
		}
	}
	if k > 0 && k < len(s.candidates) {
		s.sort()
		s.candidates = s.candidates[:k]
	}
}

// sort sorts all candidates, best first.
func (s *Sampler) sort() {
	if !s.sorted {
		s.candidates, s.spare = sortByKey(s.candidates, s.spare)
		s.sorted = true
	}
}

// top returns the highest logit among the candidates.
func (s *Sampler) top() float64 {
	best := s.candidates[0]
	if !s.sorted {
		for _, c := range s.candidates {
			best = min(best, c)
		}
	}
	return float64(best.logit())
}

// weigh sets the weight of each candidate to the exponential of the scaled
// distance of its logit from the highest one, and returns their sum: a
// weight divided by the sum is a probability.
func (s *Sampler) weigh(scale float64) float64 {
	top, total := s.top(), 0.0
	s.weights = s.weights[:0]
	for _, c := range s.candidates {
		w := 1.0
		if distance := float64(c.logit()) - top; distance != 0 { // 0 × Inf is no number
			w = math.Exp(distance * scale)
		}
		s.weights = append(s.weights, w)
		total += w
	}
	return total
}

// typical keeps the tokens whose surprise, -log p, is nearest to the expected
// surprise, the entropy, until they have mass p (Meister et al., Locally
// Typical Sampling, 2022). If two are equally near, the lower id comes first.
func (s *Sampler) typical(p float64) {
	total, top := s.weigh(1), s.top()
	logTotal := math.Log(total)
	entropy := logTotal
	for i, c := range s.candidates {
		entropy -= s.weights[i] / total * (float64(c.logit()) - top)
	}
	key := func(i int) candidate {
		surprise := logTotal - (float64(s.candidates[i].logit()) - top)
		deviation := min(math.Abs(surprise-entropy), math.MaxFloat32)
		return candidate(math.Float32bits(float32(deviation)))<<32 | candidate(i)
	}
	s.order = s.order[:0]
	for i := range s.candidates {
		s.order = append(s.order, key(i))
	}
	s.order, s.spare = sortByKey(s.order, s.spare)

	var last candidate
	mass := 0.0
	for _, last = range s.order {
		if mass += s.weights[last.id()]; mass >= p*total {
			break
		}
	}
	kept := s.candidates[:0]
	for i, c := range s.candidates {
		if key(i) <= last {
			kept = append(kept, c)
		}
	}
	s.candidates = kept
}

// nucleus is how many tokens topP tries first when all of them are candidates.
const nucleus = 256

// topP keeps the fewest most likely tokens with at least mass p (Holtzman et
// al., The Curious Case of Neural Text Degeneration, 2020).
func (s *Sampler) topP(p float64) {
	mass := s.weigh(1) * p
	if !s.sorted && len(s.candidates) > nucleus {
		few := s.spare[:0]
		for _, c := range s.candidates {
			if len(few) < nucleus || c < few[0] {
				few = keep(few, c, nucleus)
			}
		}
		slices.Sort(few)
		s.spare = few
		if n, ok := reach(few, mass); ok { // usually; then there is no need to sort all
			s.candidates, s.spare, s.sorted = few[:n], s.candidates, true
			return
		}
	}
	s.sort()
	n, _ := reach(s.candidates, mass)
	s.candidates = s.candidates[:n]
}

// reach returns how many candidates, best first, are needed to reach a mass,
// and whether they reach it.
func reach(c []candidate, mass float64) (int, bool) {
	top, sum := float64(c[0].logit()), 0.0
	for i := range c {
		if sum += math.Exp(float64(c[i].logit()) - top); sum >= mass {
			return i + 1, true
		}
	}
	return len(c), false
}

// minP keeps the tokens at least p times as likely as the most likely one
// (Nguyen et al., Min-p Sampling, 2024).
func (s *Sampler) minP(p float64) {
	least := s.top() + math.Log(p)
	kept := s.candidates[:0]
	for _, c := range s.candidates {
		if float64(c.logit()) >= least {
			kept = append(kept, c)
		}
	}
	s.candidates = kept
}
