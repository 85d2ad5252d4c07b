package sources

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/ui/kit"
)

// row shows one passage of the shelf: its name, how it begins, its share, and what can be
// done with it.
type row struct {
	widget.BaseWidget
	name, begins, share *kit.Line
	open, turn          *kit.TextButton
	content             *fyne.Container
	item                Item
}

// newRow makes one. open shows the passage in its document, turn leaves it out or adds it.
func newRow(k *kit.Keyboard, open, turn func(Item)) *row {
	r := &row{name: kit.NewLine("", kit.TextBody, theme.ColorNameForeground), begins: kit.NewCaption(""), share: kit.NewCaption("")}
	r.name.Style.Bold, r.share.Whole = true, true
	r.open = kit.NewTextButton(k, "Show", func() { open(r.item) })
	r.turn = kit.NewTextButton(k, "✕", func() { turn(r.item) })
	r.open.Tip, r.turn.Tip = "Show this passage in its document", "Leave this passage out, or add it again"
	acts := container.NewCenter(kit.Row(2, container.NewCenter(r.share), r.open, r.turn))
	r.content = kit.Inset(container.NewBorder(nil, nil, nil, acts, kit.Column(1, r.name, r.begins)), 3, 6)
	r.ExtendBaseWidget(r)
	return r
}

// show shows a passage; number is its place among those that go along.
func (r *row) show(i Item, number int, share string) {
	r.item = i
	name, color, act := nameOf(i.Part), theme.ColorNameForeground, "✕"
	if i.In {
		name = numbered(number, name)
	} else {
		color, act, share = kit.ColorMuted, "Add", ""
	}
	r.name.Set(name)
	r.name.SetColor(color)
	r.begins.Set(firstLine(i.Part))
	r.share.Set(share)
	if r.turn.Line.Text != act {
		r.turn.Set(act)
	}
	r.content.Refresh()
}

// CreateRenderer draws the row.
func (r *row) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.content) }
