package sampling

import (
	"fmt"
	"math"
	"slices"
)

// bias is one entry of Options.LogitBias.
type bias struct {
	id    int32
	value float32
}

// sortedBias returns the biases sorted by id, so that errors do not depend on
// the order of the map.
func sortedBias(m map[int32]float32) []bias {
	var all []bias
	for id, value := range m {
		all = append(all, bias{id, value})
	}
	slices.SortFunc(all, func(a, b bias) int { return int(a.id) - int(b.id) })
	return all
}

// penalizes reports whether a seen token's logit changes.
func (o Options) penalizes() bool {
	repeat := o.RepeatPenalty != 0 && o.RepeatPenalty != 1
	return o.RepeatWindow != 0 && (repeat || o.FrequencyPenalty != 0 || o.PresencePenalty != 0)
}

// adjusts reports whether adjust has anything to do.
func (s *Sampler) adjusts(allowed Mask) bool {
	return allowed != nil || len(s.bias) > 0 || s.options.penalizes()
}

// adjust copies the logits and applies the mask, the logit bias and the
// penalties to the copy. Only the mask and a bias of -Inf rule a token out.
func (s *Sampler) adjust(logits []float32, history []int32, allowed Mask) ([]float32, error) {
	s.logits = append(s.logits[:0], logits...)
	if allowed != nil {
		allowed.apply(s.logits, float32(math.Inf(-1)))
	}
	for _, b := range s.bias {
		if int(b.id) >= len(logits) {
			return nil, fmt.Errorf("the logit bias names token %d, but this model's tokens end at %d", b.id, len(logits)-1)
		}
		switch logit := &s.logits[b.id]; {
		case math.IsInf(float64(b.value), -1):
			*logit = b.value
		case *logit >= -math.MaxFloat32: // not ruled out
			*logit = float32(clamp(float64(*logit) + float64(b.value)))
		}
	}
	if s.options.penalizes() {
		s.penalize(history)
	}
	return s.logits, nil
}

// penalize lowers the logits of the tokens in the window: the repeat penalty
// of CTRL (Keskar et al., 2019), which multiplies negative logits where it
// divides positive ones, then OpenAI's frequency and presence penalties.
func (s *Sampler) penalize(history []int32) {
	o := &s.options
	if o.RepeatWindow > 0 {
		history = history[max(0, len(history)-o.RepeatWindow):]
	}
	repeat := o.RepeatPenalty
	if repeat == 0 {
		repeat = 1
	}
	if len(s.counts) < len(s.logits) {
		s.counts = make([]int32, len(s.logits))
	}
	for _, id := range history {
		if 0 <= id && int(id) < len(s.logits) {
			s.counts[id]++
		}
	}
	for _, id := range history {
		if id < 0 || int(id) >= len(s.logits) || s.counts[id] == 0 {
			continue
		}
		count := float64(s.counts[id])
		s.counts[id] = 0
		logit := float64(s.logits[id])
		if math.IsInf(logit, -1) {
			continue
		}
		if logit > 0 {
			logit /= repeat
		} else {
			logit *= repeat
		}
		s.logits[id] = float32(clamp(clamp(logit) - (count*o.FrequencyPenalty + o.PresencePenalty)))
	}
}

// clamp keeps logits within the range of float32 even at extreme settings, so
// that a penalty never rules a token out.
func clamp(v float64) float64 { return max(-math.MaxFloat32, min(math.MaxFloat32, v)) }
