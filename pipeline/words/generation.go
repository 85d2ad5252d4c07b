package words

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"inglenook/models"
	"inglenook/pipeline/smallfile"
	"inglenook/sampling"
	"inglenook/weights/gguf"
)

// Generation is what a checkpoint says about writing text: which tokens end it
// and how tokens should be chosen. A wrong setting does not
// prevent the use of the model: it is left out, and a note says so.
type Generation struct {
	Ends     []int32
	Sampling sampling.Options
	Stated   bool // the checkpoint says something about sampling
	Notes    []string
}

// readGeneration reads generation_config.json and the ending tokens of config.json.
func readGeneration(checkpoint fs.FS) (Generation, error) {
	var g Generation
	file, err := g.readSettings(checkpoint)
	if err != nil {
		return g, err
	}
	var config struct {
		End  json.RawMessage `json:"eos_token_id"`
		Text json.RawMessage `json:"text_config"` // of some
	}
	if _, err := smallfile.JSON(checkpoint, "config.json", &config); err != nil {
		return g, err
	}
	g.addEnds("generation_config.json", file["eos_token_id"])
	g.addEnds("config.json", config.End)
	var text map[string]json.RawMessage
	if json.Unmarshal(config.Text, &text) == nil { // whatever else it is says nothing about endings
		g.addEnds("config.json", text["eos_token_id"])
	}
	g.readSampling(file)
	return g, nil
}

// readSettings reads the object of generation_config.json, nil where there is none.
func (g *Generation) readSettings(checkpoint fs.FS) (map[string]json.RawMessage, error) {
	data, err := smallfile.Read(checkpoint, "generation_config.json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var file map[string]json.RawMessage
	if err := json.Unmarshal(models.PlainJSON(data), &file); err != nil {
		g.Notes = append(g.Notes, fmt.Sprintf("generation_config.json cannot be read (%v), so the usual settings are used", err))
	}
	return file, nil
}

// addEnds adds the ending tokens: an id, a list of them, or null.
func (g *Generation) addEnds(where string, raw json.RawMessage) {
	if raw == nil {
		return
	}
	var one *int32
	if json.Unmarshal(raw, &one) == nil {
		if one != nil {
			g.Ends = append(g.Ends, *one)
		}
		return
	}
	var many []int32
	if json.Unmarshal(raw, &many) != nil {
		g.leaveOut(where, errors.New("eos_token_id is neither a token id nor a list of them"))
		return
	}
	g.Ends = append(g.Ends, many...)
}

// readSampling reads how tokens are chosen. Where the file says nothing,
// the settings that suit most models are used: transformers would always choose the
// likeliest token, which makes chat models repeat themselves.
func (g *Generation) readSampling(file map[string]json.RawMessage) {
	sample, temperature, topK := setting[bool](g, file, "do_sample"), setting[float64](g, file, "temperature"), setting[int](g, file, "top_k")
	topP, minP, typicalP := setting[float64](g, file, "top_p"), setting[float64](g, file, "min_p"), setting[float64](g, file, "typical_p")
	repeat := setting[float64](g, file, "repetition_penalty")
	switch {
	case sample != nil && !*sample:
		g.Sampling, g.Stated = sampling.Likeliest(), true
		choose(g, repeat, func(s *sampling.Options, x float64) { s.RepeatPenalty = x })
		return
	case sample == nil && temperature == nil && topK == nil && topP == nil && minP == nil && repeat == nil:
		g.Sampling = sampling.Default()
		return
	}
	g.Sampling, g.Stated = sampling.Options{Temperature: 1, TopK: 50, TypicalP: 1, TopP: 1, RepeatPenalty: 1, RepeatWindow: -1}, true // transformers' defaults
	choose(g, temperature, func(s *sampling.Options, x float64) { s.Temperature = x })
	choose(g, topK, func(s *sampling.Options, k int) { s.TopK = k })
	choose(g, topP, func(s *sampling.Options, x float64) { s.TopP = x })
	choose(g, minP, func(s *sampling.Options, x float64) { s.MinP = x })
	choose(g, typicalP, func(s *sampling.Options, x float64) { s.TypicalP = x })
	choose(g, repeat, func(s *sampling.Options, x float64) { s.RepeatPenalty = x })
}

// setting reads a value of generation_config.json. It is nil if the value is
// absent, null or of another type.
func setting[T any](g *Generation, file map[string]json.RawMessage, name string) *T {
	raw, there := file[name]
	if !there {
		return nil
	}
	var v *T
	if err := json.Unmarshal(raw, &v); err != nil {
		g.leaveOut("generation_config.json", fmt.Errorf("%s is %.40s", name, raw))
		return nil
	}
	return v
}

// choose applies a stated setting to the sampling, unless samplers refuse it.
func choose[T any](g *Generation, v *T, put func(*sampling.Options, T)) {
	if v == nil {
		return
	}
	with := g.Sampling
	put(&with, *v)
	if err := with.Check(); err != nil {
		g.leaveOut("the settings for sampling", err)
		return
	}
	g.Sampling = with
}

// leaveOut notes what is wrong.
func (g *Generation) leaveOut(where string, err error) {
	g.Notes = append(g.Notes, fmt.Sprintf("%s: %v: this setting is left out", where, err))
}

// generationOf reads the same from the metadata of a GGUF file.
func generationOf(m *gguf.Meta) Generation {
	g := Generation{Sampling: sampling.Default()}
	for _, key := range []string{"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"} {
		if id, err := m.Int(key); err == nil {
			g.Ends = append(g.Ends, int32(id))
		}
	}
	for key, put := range map[string]func(*sampling.Options, float64){
		"temp":           func(s *sampling.Options, x float64) { s.Temperature = x },
		"top_p":          func(s *sampling.Options, x float64) { s.TopP = x },
		"min_p":          func(s *sampling.Options, x float64) { s.MinP = x },
		"penalty_repeat": func(s *sampling.Options, x float64) { s.RepeatPenalty = x },
	} {
		if x, err := m.Float("general.sampling." + key); err == nil {
			choose(&g, &x, put)
			g.Stated = true
		}
	}
	if k, err := m.Int("general.sampling.top_k"); err == nil {
		choose(&g, &k, func(s *sampling.Options, k int) { s.TopK = k })
		g.Stated = true
	}
	return g
}
