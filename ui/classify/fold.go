package classify

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/ui/kit"
)

// folding keeps model, device and labels behind a line where the texts need the room.
type folding struct {
	row  *fyne.Container
	says *kit.Line
	turn *kit.TextButton

	low  bool // there is no room for both
	open bool // a person wants to see what is behind the line
}

// newFolding is the line; turned hears that a person opened or closed it.
func newFolding(k *kit.Keyboard, turned func()) *folding {
	f := &folding{says: kit.NewLine("", kit.TextBody, kit.ColorMuted)}
	f.turn = kit.NewTextButton(k, "", func() {
		f.open = !f.open
		turned()
	})
	f.turn.Color = kit.ColorAccent
	f.row = container.NewBorder(nil, nil, nil, f.turn, f.says)
	return f
}

// foldBy shows what there is room for on a left side of that height.
func (p *Page) foldBy(height float32) {
	p.folding.low = height < lowWork
	p.labels.room.Most = tagRoom(height)
	if p.folding.low && p.folding.open {
		p.labels.room.Most = max(tagRow, height-foldedRest)
	}
	p.showFolds()
}

// foldedRest is what model, device and the button need beside the labels, where the texts give way.
const foldedRest float32 = 250

// showFolds shows the settings, the texts or both.
func (p *Page) showFolds() {
	f := p.folding
	all := !f.low || f.open
	kit.Show(f.row, f.low)
	kit.Show(p.settings, all)
	kit.Show(p.list.View, !f.low || !f.open)
	m, _ := p.picker.Model()
	switch {
	case f.open:
		f.turn.Set("Back to the texts")
	case HasItsOwn(m):
		f.turn.Set("Model…")
	default:
		f.turn.Set("Labels and model…")
	}
	f.says.Set(p.inShort())
}

// inShort says by what the texts are classified.
func (p *Page) inShort() string {
	m, ok := p.picker.Model()
	switch {
	case !ok:
		return "No model"
	case HasItsOwn(m):
		return m.Title()
	}
	return fmt.Sprintf("%s  ·  %s", kit.Count(len(p.labels.names), "label"), m.Title())
}

// unfold brings the settings into view.
func (p *Page) unfold() {
	if p.folding.low && !p.folding.open {
		p.folding.open = true
		p.left.Refresh()
	}
}
