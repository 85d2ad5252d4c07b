package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"inglenook/pipeline"
)

// TalkChoices are what a person chose for a conversation. The zero value leaves
// everything to the model that is loaded and to its makers.
type TalkChoices struct {
	Model   string `json:"model,omitempty"`   // "": the one that is loaded
	Device  string `json:"device,omitempty"`  // "" or "auto", or a device id
	Weights string `json:"weights,omitempty"` // as in ChatOptions
	KV      string `json:"kv,omitempty"`      // as in ChatOptions
	Context int    `json:"context,omitempty"` // tokens; 0: as in ChatOptions

	Preset    string    `json:"preset,omitempty"`     // its name; it holds where the conversation says nothing itself
	Sampling  *Sampling `json:"sampling,omitempty"`   // nil: the preset's, or else the model's own
	MaxTokens int       `json:"max_tokens,omitempty"` // of an answer; 0: no limit but the context
	Stop      []string  `json:"stop,omitempty"`       // texts before which an answer ends
	Think     *bool     `json:"think,omitempty"`      // nil: as the model does by itself
}

// Choices are those of a conversation. What cannot be read is as if it had not
// been chosen.
func Choices(c Conversation) TalkChoices {
	var x TalkChoices
	if len(c.Settings) > 0 && json.Unmarshal(c.Settings, &x) != nil {
		return TalkChoices{}
	}
	return x
}

// settings are the choices as the store keeps them.
func (x TalkChoices) settings() (json.RawMessage, error) {
	if x.MaxTokens < 0 || x.Context < 0 {
		return nil, errors.New("a number of tokens cannot be negative; give 0 for what suits the model")
	}
	if slices.Contains(x.Stop, "") {
		return nil, errors.New("an empty stop text would end every answer before it begins; give a text")
	}
	if x.Sampling != nil {
		if err := x.Sampling.Check(); err != nil {
			return nil, err
		}
	}
	data, err := json.Marshal(x)
	if err != nil {
		return nil, fmt.Errorf("the settings of the conversation cannot be kept: %w", err)
	}
	return data, nil
}

// chatOptions are how the model is to be opened. One without a chat template
// continues texts. What is as usual has one name, so that they can be compared.
func (x TalkChoices) chatOptions() ChatOptions {
	usual := func(value, name string) string {
		if value == name {
			return ""
		}
		return value
	}
	return ChatOptions{
		Model: x.Model, Device: usual(x.Device, "auto"), Weights: usual(x.Weights, "auto"), KV: usual(x.KV, "f16"),
		Context: x.Context, Plain: true,
	}
}

// choices are those under which a model was opened.
func (o ChatOptions) choices() TalkChoices {
	return TalkChoices{Model: o.Model, Device: o.Device, Weights: o.Weights, KV: o.KV, Context: o.Context}
}

// replyOptions are how it is to answer.
func (x TalkChoices) replyOptions(p Preset) ReplyOptions {
	o := ReplyOptions{MaxTokens: x.MaxTokens, Sampling: x.Sampling, Stop: x.Stop}
	if o.Sampling == nil {
		o.Sampling = p.Sampling
	}
	if x.Think != nil {
		o.Variables = map[string]any{"enable_thinking": *x.Think}
	}
	return o
}

// builtInPresets come with the program. Their temperatures are usual ones for
// such work; everything else is as llama.cpp has it.
func builtInPresets() []Preset {
	at := func(temperature, topP float64) *Sampling {
		s := pipeline.DefaultSampling()
		s.Temperature, s.TopP = temperature, topP
		return &s
	}
	return []Preset{
		{Name: "Plain", BuiltIn: true},
		{Name: "Precise", BuiltIn: true, Sampling: at(0.2, 0.9), System: "You are a careful assistant. Answer briefly and exactly. Say so where you do not know something."},
		{Name: "Creative", BuiltIn: true, Sampling: at(1, 0.95), System: "You are an imaginative writer. Prefer the vivid and concrete to the usual."},
		{Name: "Code", BuiltIn: true, Sampling: at(0.2, 0.95), System: "You are an experienced programmer. Answer with complete, correct code in fenced blocks that name their language, and explain only what is not obvious."},
	}
}

// Presets lists those that come with the program, then the person's own by name.
func (t *Talks) Presets() []Preset {
	return append(builtInPresets(), t.app.settings.get().Presets...)
}

// preset is the one of a name; where there is none any more, one that says nothing.
func (t *Talks) preset(name string) Preset {
	list := t.Presets()
	if i := slices.IndexFunc(list, func(p Preset) bool { return p.Name == name }); i >= 0 {
		return list[i]
	}
	return Preset{}
}

// SavePreset keeps a preset under its name, in the place of one that has it.
func (t *Talks) SavePreset(p Preset) error {
	p.Name, p.BuiltIn = strings.TrimSpace(p.Name), false
	switch {
	case p.Name == "" || len(p.Name) > 100 || strings.ContainsAny(p.Name, "\r\n"):
		return errors.New("a preset needs a name of one line with at most 100 bytes; give it one")
	case len(p.System) > maxPresetBytes:
		return fmt.Errorf("the system prompt of a preset can have %d bytes at most; shorten it", maxPresetBytes)
	case isBuiltIn(p.Name):
		return fmt.Errorf("%s comes with the program and stays as it is; choose another name", p.Name)
	}
	if p.Sampling != nil {
		if err := p.Sampling.Check(); err != nil {
			return err
		}
	}
	if len(t.app.settings.get().Presets) >= maxPresets {
		return fmt.Errorf("there are %d presets already; delete one first", maxPresets)
	}
	return t.app.settings.change(func(s *Settings) {
		s.Presets = append(without(s.Presets, p.Name), p)
		slices.SortStableFunc(s.Presets, func(a, b Preset) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	})
}

// DeletePreset forgets one of the person's own.
func (t *Talks) DeletePreset(name string) error {
	if isBuiltIn(name) {
		return fmt.Errorf("%s comes with the program, so it stays", name)
	}
	return t.app.settings.change(func(s *Settings) { s.Presets = without(s.Presets, name) })
}

func isBuiltIn(name string) bool {
	return slices.ContainsFunc(builtInPresets(), func(p Preset) bool { return strings.EqualFold(p.Name, name) })
}

func without(list []Preset, name string) []Preset {
	return slices.DeleteFunc(list, func(p Preset) bool { return p.Name == name })
}
