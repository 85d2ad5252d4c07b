package remote

import (
	"fmt"

	"inglenook/pipeline"
)

// samplingFields adds what a person chose of how tokens are chosen: the values that were asked
// for by name, and those that are not our usual ones. For the rest the server's own hold.
func samplingFields(in map[string]any, o pipeline.ReplyOptions) {
	s, usual := o.Sampling, pipeline.DefaultSampling()
	if s == nil {
		return
	}
	add := func(name string, value, usual float64) {
		if o.Chosen[name] || value != usual {
			in[name] = value
		}
	}
	add("temperature", s.Temperature, usual.Temperature)
	if s.Temperature > 0 { // else they change nothing
		add("top_p", s.TopP, usual.TopP)
		add("min_p", s.MinP, usual.MinP)
		if o.Chosen["top_k"] || s.TopK != usual.TopK {
			in["top_k"] = s.TopK
		}
		if s.TypicalP > 0 {
			add("typical_p", s.TypicalP, usual.TypicalP)
		}
	}
	if s.RepeatPenalty > 0 {
		add("repeat_penalty", s.RepeatPenalty, usual.RepeatPenalty)
	}
	add("frequency_penalty", s.FrequencyPenalty, usual.FrequencyPenalty)
	add("presence_penalty", s.PresencePenalty, usual.PresencePenalty)
	if s.Seed != 0 {
		in["seed"] = s.Seed & (1<<31 - 1) // servers differ in how large it may be
	}
	if len(s.LogitBias) > 0 {
		bias := map[string]float32{}
		for id, x := range s.LogitBias {
			bias[fmt.Sprint(id)] = max(-100, min(100, x))
		}
		in["logit_bias"] = bias
	}
}
