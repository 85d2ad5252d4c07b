package ui

import (
	"maps"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// What the prompt choice offers beside the model's own prompts.
const (
	noPrompt  = "None"
	ownPrompt = "Your own…"
)

// promptChoice offers the prompts that a model states: words put before each
// text, which the model was trained with. It is hidden where there are none.
type promptChoice struct {
	changed func()

	view    *fyne.Container
	choice  *choice
	own     *entry
	prompts map[string]string
}

func newPromptChoice(k *keyboard, changed func()) *promptChoice {
	p := &promptChoice{changed: changed, own: newEntry(k)}
	p.choice = newChoice(k, nil, func(string) { p.chosen() })
	p.own.SetPlaceHolder("Put before each text, such as query: ")
	p.own.OnChanged = func(string) { p.changed() }
	p.view = column(gapSmall, container.NewBorder(nil, nil, newName("Prompt"), nil, p.choice), p.own)
	p.show(nil, "")
	return p
}

// show offers the prompts of a model, by name; chosen is the one that it uses
// by itself.
func (p *promptChoice) show(prompts map[string]string, chosen string) {
	p.prompts = prompts
	p.own.Hide()
	if len(prompts) == 0 {
		p.choice.Selected = noPrompt
		p.view.Hide()
		return
	}
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
	p.view.Show()
}

func (p *promptChoice) chosen() {
	if p.choice.Selected == ownPrompt {
		p.own.Show()
	} else {
		p.own.Hide()
	}
	p.view.Refresh()
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
