package classify

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// lowCard is the height of the card of a text below which its labels stand side by side: one above the
// other, hardly one of them would be in view.
const lowCard float32 = 190

// brief is what was found in a text, side by side.
type brief struct {
	view  *container.Scroll
	chips *fyne.Container
	keys  *kit.Keyboard
	give  func(name string) // a person gives the text that label
}

func newBrief(k *kit.Keyboard, give func(name string)) *brief {
	b := &brief{keys: k, give: give, chips: container.New(&kit.Wrap{Gap: kit.GapSmall})}
	b.view = container.NewVScroll(b.chips)
	b.view.Hide()
	return b
}

// set shows these lines behind what is said of all of them, the one at an index marked; may: a click gives the text
// that label.
func (b *brief) set(said string, list []line, marked int, may bool) {
	b.chips.Objects = nil
	if said != "" {
		lead := kit.NewCaption(said)
		lead.Whole = true
		b.chips.Add(kit.Inset(lead, 3, 0))
	}
	for i, l := range list {
		name, sure := kit.NewLine(kit.Ellipsize(l.name, 170, kit.TextSmall, fyne.TextStyle{}), kit.TextSmall, theme.ColorNameForeground), kit.NewCaption(l.says())
		name.Whole, sure.Whole, sure.Style.Bold = true, true, true
		row := kit.Row(6, name, sure)
		if l.note != "" {
			note := kit.NewCaption(kit.Ellipsize(l.note, 120, kit.TextSmall, fyne.TextStyle{}))
			note.Whole = true
			row = kit.Row(6, name, note, sure)
		}
		if !may {
			b.chips.Add(kit.Inset(row, 3, 10))
			continue
		}
		chip := kit.NewChip(b.keys, kit.Inset(row, 1, 0), func() { b.give(l.name) })
		chip.Tip, chip.On = "Give the text this label, or take it away again", i == marked
		b.chips.Add(chip)
	}
	b.view.ScrollToTop()
	b.view.Refresh()
}
