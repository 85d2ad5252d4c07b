package panel

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// Trouble says in a short sentence why a download does not go on. What can be checked about that
// is below, once a person asks for details.
type Trouble struct {
	View *fyne.Container
	More *kit.TextButton // shows and hides what can be checked

	why, hint *kit.Paragraph
}

// NewTrouble says nothing yet; changed hears when a person shows or hides the details.
func NewTrouble(k *kit.Keyboard, changed func()) *Trouble {
	t := &Trouble{why: kit.NewParagraph("", theme.ColorNameWarning).Small(), hint: kit.NewParagraph("", kit.ColorMuted).Small()}
	t.hint.Flat.Hide()
	t.More = kit.NewTextButton(k, "Details", func() {
		kit.Show(t.hint.Flat, !t.hint.Flat.Visible())
		changed()
	})
	t.View = kit.Column(2, t.why.Flat, kit.Inset(container.NewHBox(t.More), 0, -5), t.hint.Flat) // its words stand below the others
	t.View.Hide()
	return t
}

// Set says why, with a note on what happens now; "": there is no trouble.
func (t *Trouble) Set(why, note string) {
	kit.Show(t.View, why != "")
	short, hint := inShort(why)
	if note != "" {
		short += " " + note
	}
	t.why.Set(short)
	t.hint.Set(hint)
	if kit.Show(t.More, hint != ""); hint == "" {
		t.hint.Flat.Hide()
	}
}

// inShort cuts a reason into its first sentence and what can be done or checked.
func inShort(why string) (short, hint string) {
	short, hint, _ = strings.Cut(why, "; ")
	if short = kit.Sentence(short); hint != "" {
		hint = kit.Sentence(strings.ToUpper(hint[:1]) + hint[1:])
	}
	return short, hint
}
