package chat

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/pool"
	"inglenook/pipeline"
)

// Choices are what a person chose for a conversation. The zero value leaves
// everything to the model that is loaded and to its makers.
type Choices struct {
	Model string `json:"model,omitempty"` // "": the one that is loaded
	devices.Target

	// Collection is the name or id of the collection whose passages go with each question, or
	// AllCollections; "": none.
	Collection string `json:"collection,omitempty"`

	// Tools has the model offered the tools of the servers in Settings.
	Tools bool `json:"tools,omitempty"`

	Preset    string    `json:"preset,omitempty"`     // its name; it holds where the conversation says nothing itself
	Sampling  *Sampling `json:"sampling,omitempty"`   // nil: the preset's, or else the model's own
	MaxTokens int       `json:"max_tokens,omitempty"` // of an answer; 0: no limit but the context
	Stop      []string  `json:"stop,omitempty"`       // texts before which an answer ends
	Think     *bool     `json:"think,omitempty"`      // nil: as the model does by itself
	Effort    string    `json:"effort,omitempty"`     // of its thinking, one of Efforts; "": as the model does by itself
}

// AllCollections as Choices.Collection asks all collections together. No collection has this id.
const AllCollections = "*"

// Efforts are how much a model may be asked to think, as gpt-oss knows them.
var Efforts = []string{"low", "medium", "high"}

// ChoicesOf are those of a conversation. What cannot be read is as if it had not
// been chosen.
func ChoicesOf(c Conversation) Choices {
	var x Choices
	if len(c.Settings) > 0 && json.Unmarshal(c.Settings, &x) != nil {
		return Choices{}
	}
	return x
}

// settings are the choices as the store keeps them.
func (x Choices) settings() (json.RawMessage, error) {
	if x.MaxTokens < 0 || x.Context < 0 {
		return nil, errors.New("a number of tokens cannot be negative; give 0 for what suits the model")
	}
	if x.Effort != "" && !slices.Contains(Efforts, x.Effort) {
		return nil, fmt.Errorf("a model cannot be asked to think with the effort %.40q; choose one of %s", x.Effort, strings.Join(Efforts, ", "))
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
func (x Choices) chatOptions() pool.WriterOptions {
	return pool.WriterOptions{Model: x.Model, Target: x.Target.Usual(), Plain: true}
}

// openedUnder returns the choices under which a model was opened.
func openedUnder(o pool.WriterOptions) Choices {
	return Choices{Model: o.Model, Target: o.Target}
}

// replyOptions are how it is to answer. What comes next is guessed where that is faster and changes
// no word of the answer.
func (x Choices) replyOptions(p base.Preset) ReplyOptions {
	o := ReplyOptions{MaxTokens: x.MaxTokens, Sampling: x.Sampling, Stop: x.Stop, Draft: pipeline.DraftAuto}
	if o.Sampling == nil {
		o.Sampling = p.Sampling
	}
	o.Variables = map[string]any{}
	if x.Think != nil {
		o.Variables["enable_thinking"] = *x.Think
	}
	if x.Effort != "" {
		o.Variables["reasoning_effort"] = x.Effort
	}
	return o
}
