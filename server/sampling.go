package server

import (
	"slices"
	"strconv"

	"inglenook/app/chat"
)

// sampling are the fields that say how tokens are chosen. What is not given is
// what the model's makers suggest.
type sampling struct {
	Temperature      *float64           `json:"temperature"`
	TopP             *float64           `json:"top_p"`
	TopK             *int               `json:"top_k"`
	MinP             *float64           `json:"min_p"`
	RepeatPenalty    *float64           `json:"repeat_penalty"`
	FrequencyPenalty *float64           `json:"frequency_penalty"`
	PresencePenalty  *float64           `json:"presence_penalty"`
	LogitBias        map[string]float32 `json:"logit_bias"`
	Seed             *int64             `json:"seed"`

	more uint64 // added to the seed: several answers to one request differ
}

// mostTemperature is the highest temperature: at 100 each token is about as likely as any other. OpenAI
// refuses those above 2, and llama-server none.
const mostTemperature = 100

// over returns the settings of a model with what a request says instead.
func (s sampling) over(own chat.Sampling) (chat.Sampling, error) {
	for _, f := range []struct {
		to   *float64
		from *float64
	}{
		{&own.Temperature, s.Temperature},
		{&own.TopP, s.TopP},
		{&own.MinP, s.MinP},
		{&own.RepeatPenalty, s.RepeatPenalty},
		{&own.FrequencyPenalty, s.FrequencyPenalty},
		{&own.PresencePenalty, s.PresencePenalty},
	} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	if own.Temperature > mostTemperature {
		return own, wrong("temperature", "temperature is %g; give a number from 0 to %d, mostly below 2", own.Temperature, mostTemperature)
	}
	if s.TopK != nil {
		own.TopK = max(*s.TopK, 0) // -1 is all, in the words of others
	}
	if s.Seed != nil && *s.Seed != -1 { // -1 is any, likewise
		own.Seed = seedOf(*s.Seed) + s.more
	}
	if len(s.LogitBias) > 0 {
		own.LogitBias = map[int32]float32{}
	}
	for id, bias := range s.LogitBias {
		n, err := strconv.ParseInt(id, 10, 32)
		if err != nil {
			return own, wrong("logit_bias", "a key of logit_bias is not a token id; POST /tokenize gives those of a text")
		}
		own.LogitBias[int32(n)] = bias
	}
	if err := own.Check(); err != nil {
		return own, wrong("", "%s", err.Error())
	}
	return own, nil
}

// chosen are the fields that a request gives, for a server that makes the answer.
func (s sampling) chosen() map[string]bool {
	return map[string]bool{
		"temperature": s.Temperature != nil, "top_p": s.TopP != nil, "top_k": s.TopK != nil, "min_p": s.MinP != nil,
		"repeat_penalty": s.RepeatPenalty != nil, "frequency_penalty": s.FrequencyPenalty != nil, "presence_penalty": s.PresencePenalty != nil,
	}
}

// seedOf is a seed that gives the same answer each time; our own 0 would give another.
func seedOf(seed int64) uint64 {
	if seed == 0 {
		return 1 << 63
	}
	return uint64(seed)
}

// Bounds of stop texts.
const (
	maxStops    = 16
	maxStopSize = 1024 // bytes
)

func checkStops(stops list) error {
	if len(stops) > maxStops || slices.ContainsFunc(stops, func(s string) bool { return s == "" || len(s) > maxStopSize }) {
		return wrong("stop", "stop can be up to %d texts, none of them empty or longer than %d bytes", maxStops, maxStopSize)
	}
	return nil
}

// limit returns how long an answer may be, in tokens; 0: as long as the context is.
func limit(fields ...*int) (int, error) {
	for _, n := range fields {
		if n == nil {
			continue
		}
		if *n < 1 && *n != -1 { // -1 is no limit, in the words of others
			return 0, wrong("max_tokens", "max_tokens is %d; give a number of tokens above 0", *n)
		}
		return max(*n, 0), nil
	}
	return 0, nil
}
