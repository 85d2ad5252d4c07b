package panel

import (
	"maps"
	"slices"

	"inglenook/ui/kit"
)

// What the prompt choice offers beside the model's own prompts.
const (
	NoPrompt  = "None"
	OwnPrompt = "Your own…"
)

// PromptChoice offers what can be put before each text: the prompts that the
// model states, which it was trained with, or words of the person's own for a
// model that states none.
type PromptChoice struct {
	changed func()

	Choice *kit.Choice
	Own    *kit.Entry
	texts  []string // what each option stands for, except for the last, the person's own
}

func NewPromptChoice(k *kit.Keyboard, changed func()) *PromptChoice {
	p := &PromptChoice{changed: changed, Own: kit.NewEntry(k)}
	p.Choice = kit.NewChoice(k, nil, func(string) { p.chosen() })
	p.Own.SetPlaceHolder("Put before each text")
	p.Own.OnChanged = func(string) { p.changed() }
	p.Offer(nil, "")
	return p
}

// Offer offers the prompts of a model, by name; chosen is the one that it uses
// by itself.
func (p *PromptChoice) Offer(prompts map[string]string, chosen string) {
	options := []string{NoPrompt}
	p.texts = []string{""}
	at := 0
	for _, name := range slices.Sorted(maps.Keys(prompts)) {
		if prompts[name] == "" {
			continue
		}
		if name == chosen {
			at = len(options)
		}
		options, p.texts = append(options, name), append(p.texts, prompts[name])
	}
	p.Own.Hide()
	p.Choice.Offer(append(options, OwnPrompt), at)
}

func (p *PromptChoice) chosen() {
	if p.Choice.Selected == OwnPrompt {
		p.Own.Show()
	} else {
		p.Own.Hide()
	}
	p.changed()
}

// Text is what is put before each text.
func (p *PromptChoice) Text() string {
	if i := p.Choice.SelectedIndex(); i >= 0 && i < len(p.texts) {
		return p.texts[i]
	}
	return p.Own.Text
}
