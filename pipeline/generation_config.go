package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"inglenook/sampling"
	"inglenook/weights/gguf"
)

// Sampling says how the next token is chosen from the model's scores.
type Sampling = sampling.Options

// DefaultSampling suits most models: what their makers did not say otherwise.
func DefaultSampling() Sampling { return sampling.Default() }

// generation is what a checkpoint says about writing text: which tokens end it
// and how tokens should be chosen.
type generation struct {
	ends     []int32
	sampling Sampling
	stated   bool // the checkpoint says something about sampling
}

// generationFile is generation_config.json, as transformers writes it.
type generationFile struct {
	DoSample    *bool    `json:"do_sample"`
	Temperature *float64 `json:"temperature"`
	TopK        *int     `json:"top_k"`
	TopP        *float64 `json:"top_p"`
	MinP        *float64 `json:"min_p"`
	TypicalP    *float64 `json:"typical_p"`
	Repeat      *float64 `json:"repetition_penalty"`
	End         idOrIDs  `json:"eos_token_id"`
	Text        *struct {
		End idOrIDs `json:"eos_token_id"`
	} `json:"text_config"` // config.json of some
}

// idOrIDs is a token id, a list of them, or null.
type idOrIDs []int32

func (l *idOrIDs) UnmarshalJSON(data []byte) error {
	var one *int32
	if json.Unmarshal(data, &one) == nil {
		if *l = nil; one != nil {
			*l = idOrIDs{*one}
		}
		return nil
	}
	var many []int32
	if err := json.Unmarshal(data, &many); err != nil {
		return errors.New("eos_token_id is neither a token id nor a list of them")
	}
	*l = many
	return nil
}

// readGeneration reads generation_config.json and the ending tokens of config.json.
func readGeneration(checkpoint fs.FS) (generation, error) {
	var config, file generationFile
	if _, err := readJSON(checkpoint, "config.json", &config); err != nil {
		return generation{}, err
	}
	if _, err := readJSON(checkpoint, "generation_config.json", &file); err != nil {
		return generation{}, err
	}
	g := generation{ends: append(file.End, config.End...)}
	if config.Text != nil {
		g.ends = append(g.ends, config.Text.End...)
	}
	g.sampling, g.stated = file.sampling()
	return g, g.check("generation_config.json")
}

// sampling is what the file asks for. Where it says nothing, neither yes nor no,
// what suits most models is taken: always the likeliest token, which would be
// transformers' choice, makes chat models repeat themselves.
func (f generationFile) sampling() (s Sampling, stated bool) {
	if f.DoSample != nil && !*f.DoSample {
		s = Sampling{TypicalP: 1, TopP: 1, RepeatPenalty: 1, RepeatWindow: -1}
		set(&s.RepeatPenalty, f.Repeat)
		return s, true
	}
	if f.DoSample == nil && f.Temperature == nil && f.TopK == nil && f.TopP == nil && f.MinP == nil && f.Repeat == nil {
		return sampling.Default(), false
	}
	s = Sampling{Temperature: 1, TopK: 50, TypicalP: 1, TopP: 1, RepeatPenalty: 1, RepeatWindow: -1} // transformers' defaults
	set(&s.Temperature, f.Temperature)
	set(&s.TopK, f.TopK)
	set(&s.TopP, f.TopP)
	set(&s.MinP, f.MinP)
	set(&s.TypicalP, f.TypicalP)
	set(&s.RepeatPenalty, f.Repeat)
	return s, true
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// check refuses settings that no sampler takes.
func (g generation) check(where string) error {
	if _, err := sampling.New(g.sampling); err != nil {
		return fmt.Errorf("%s: %w; get the checkpoint again", where, err)
	}
	return nil
}

// generationOf reads the same from the metadata of a GGUF file.
func generationOf(m *gguf.Meta) (generation, error) {
	g := generation{sampling: sampling.Default()}
	for _, key := range []string{"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"} {
		if id, err := m.Int(key); err == nil {
			g.ends = append(g.ends, int32(id))
		}
	}
	for key, to := range map[string]*float64{
		"temp": &g.sampling.Temperature, "top_p": &g.sampling.TopP, "min_p": &g.sampling.MinP,
		"penalty_repeat": &g.sampling.RepeatPenalty,
	} {
		if x, err := m.Float("general.sampling." + key); err == nil {
			*to, g.stated = x, true
		}
	}
	if k, err := m.Int("general.sampling.top_k"); err == nil {
		g.sampling.TopK, g.stated = k, true
	}
	return g, g.check("general.sampling")
}
