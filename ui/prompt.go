package ui

import (
	"maps"
	"slices"
)

// What the prompt choice offers beside the model's own prompts.
const (
	noPrompt  = "None"
	ownPrompt = "Your own…"
)

// promptChoice offers what can be put before each text: the prompts that the
// model states, which it was trained with, or words of the person's own for a
// model that states none.
type promptChoice struct {
	changed func()

	choice  *choice
	own     *entry
	prompts map[string]string
}

func newPromptChoice(k *keyboard, changed func()) *promptChoice {
	p := &promptChoice{changed: changed, own: newEntry(k)}
	p.choice = newChoice(k, nil, func(string) { p.chosen() })
	p.own.SetPlaceHolder("Put before each text")
	p.own.OnChanged = func(string) { p.changed() }
	p.show(nil, "")
	return p
}

// show offers the prompts of a model, by name; chosen is the one that it uses
// by itself.
func (p *promptChoice) show(prompts map[string]string, chosen string) {
	p.prompts = prompts
	p.own.Hide()
	options := []string{noPrompt}
	for _, name := range slices.Sorted(maps.Keys(prompts)) {
		if prompts[name] != "" {
			options = append(options, name)
		}
	}
	p.choice.Options = append(options, ownPrompt)
	p.choice.Selected = noPrompt
	if prompts[chosen] != "" {
		p.choice.Selected = chosen
	}
	p.choice.Refresh()
}

func (p *promptChoice) chosen() {
	if p.choice.Selected == ownPrompt {
		p.own.Show()
	} else {
		p.own.Hide()
	}
	p.changed()
}

// text is what is put before each text.
func (p *promptChoice) text() string {
	switch p.choice.Selected {
	case noPrompt:
		return ""
	case ownPrompt:
		return p.own.Text
	}
	return p.prompts[p.choice.Selected]
}
