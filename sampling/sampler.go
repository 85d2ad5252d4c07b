package sampling

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Sampler chooses one token after another. It works in the order of llama.cpp:
//
//	mask, logit bias, penalties, top-k, typical-p, top-p, min-p, temperature, draw
//
// so the temperature changes the probabilities of the kept tokens, but not which
// ones are kept. Each step works on the distribution that the previous one left.
// A temperature of 0 chooses the highest logit after the penalties; for equal
// logits, the lowest id.
//
// A Sampler is not safe for concurrent use.
type Sampler struct {
	options Options
	bias    []bias // by id
	random  *rand.PCG

	logits []float32 // [vocabulary], a copy with mask, bias and penalties
	counts []int32   // [vocabulary], zero between tokens

	candidates []candidate // the tokens kept so far, by id or best first
	sorted     bool        // candidates are best first
	weights    []float64   // of candidates, relative to the best

	order, spare []candidate // scratch
}

// New returns a Sampler with the given options; an error is a sentence that names
// the invalid setting.
func New(o Options) (*Sampler, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	return &Sampler{options: o, bias: sortedBias(o.LogitBias), random: rand.NewPCG(o.Seed, 0)}, nil
}

// Follow makes the next random numbers those that another Sampler will use, which keeps
// its own: a guess drawn with them agrees with that Sampler's token as often as their
// logits do.
func (s *Sampler) Follow(other *Sampler) { *s.random = *other.random }

// Next chooses a token given the logits of the whole vocabulary. The penalties
// look at history, the tokens so far (of prompt and reply, or only of the reply:
// the caller chooses); ids outside the vocabulary are ignored. If the mask is not
// nil, only tokens in it are chosen. Next neither modifies nor keeps its
// arguments. It uses exactly one random number for each token drawn.
func (s *Sampler) Next(logits []float32, history []int32, allowed Mask) (int32, error) {
	best, err := highest(logits)
	if err != nil {
		return 0, err
	}
	if s.adjusts(allowed) {
		if logits, err = s.adjust(logits, history, allowed); err != nil {
			return 0, err
		}
		if best, err = highest(logits); err != nil {
			return 0, ErrNothingAllowed // adjust never produces NaN or +Inf
		}
	}
	if s.options.Temperature == 0 {
		return best, nil
	}
	s.truncate(logits)
	return s.draw(), nil
}

// highest returns the highest logit, the first of equal ones, and rejects values
// that no logit can have.
func highest(logits []float32) (int32, error) {
	if len(logits) == 0 {
		return 0, fmt.Errorf("%w: there is no logit at all", ErrLogits)
	}
	best, at := float32(math.Inf(-1)), -1
	for i := 0; i < len(logits); i++ {
		for i+4 <= len(logits) { // most of them are not the highest so far
			four := logits[i : i+4 : i+4]
			if !(four[0] <= best && four[1] <= best && four[2] <= best && four[3] <= best) { // also false for NaN
				break
			}
			i += 4
		}
		if i == len(logits) || logits[i] <= best {
			continue
		}
		v := logits[i]
		if v != v || v > math.MaxFloat32 {
			return 0, fmt.Errorf("%w: the logit of token %d is %v", ErrLogits, i, v)
		}
		best, at = v, i
	}
	if at < 0 {
		return 0, fmt.Errorf("%w: every logit is -Inf", ErrLogits)
	}
	return int32(at), nil
}

// draw picks one of the candidates according to their probabilities at the
// temperature.
func (s *Sampler) draw() int32 {
	total := s.weigh(1 / s.options.Temperature)
	left := float64(s.random.Uint64()>>11) / (1 << 53) * total
	chosen := 0
	for i, w := range s.weights {
		if w == 0 {
			continue
		}
		chosen = i
		if left -= w; left < 0 {
			break
		}
	}
	return s.candidates[chosen].id()
}
