package classify

import (
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/textlist"
)

// newRow is a row: a number, a text, what it is, how sure that is, and that as a bar below.
func newRow(number *float32) fyne.CanvasObject {
	digits := kit.NewCaption("")
	digits.Align = fyne.TextAlignTrailing
	what, sure := kit.NewLine("", kit.TextBody, kit.ColorMuted), kit.NewLine("", kit.TextBody, theme.ColorNameForeground)
	what.Align, sure.Align, sure.Style.Bold = fyne.TextAlignTrailing, fyne.TextAlignTrailing, true
	return container.New(&rowLayout{number: number}, digits, kit.NewLine("", kit.TextBody, theme.ColorNameForeground), what, sure, kit.NewBar(4), textlist.NewThumb())
}

func (r *results) fill(row int, o fyne.CanvasObject) {
	i := r.rowsOf[row]
	what, sure := r.of.best(i)
	parts := o.(*fyne.Container).Objects
	color := theme.ColorNameForeground
	switch r.of.verdict(i) {
	case texts.Close, texts.Improbable:
		color = theme.ColorNameWarning
	case texts.Outside:
		color = kit.ColorMuted
	}
	parts[2].(*kit.Line).Color = color
	mark := parts[3].(*kit.Line)
	mark.Color, mark.TextSize = theme.ColorNameForeground, kit.TextBody
	fillRow(o, strconv.Itoa(i+1), r.of.lines[i], what, sure)
	if r.of.byHand(i) {
		mark.Color, mark.TextSize = theme.ColorNamePrimary, kit.TextSmall
		mark.Set("by hand")
	}
	textlist.SetThumb(parts[5].(*canvas.Image), r.of.small[i], o.(*fyne.Container))
}

func (r *results) fillLine(i int, o fyne.CanvasObject) {
	parts := o.(*fyne.Container).Objects
	fill := kit.ColorMuted
	if !r.of.mayGive() || slices.Contains(r.of.labelsOf(r.at), r.list[i].name) {
		fill = theme.ColorNamePrimary
	}
	parts[4].(*kit.Bar).Colour(fill)
	number := ""
	if i < mostDigits && r.of.mayGive() {
		number = strconv.Itoa(i + 1) // the key that gives it
	}
	fillRow(o, number, r.list[i].name, r.list[i].note, r.list[i])
}

// fillRow fills the parts of a row.
func fillRow(o fyne.CanvasObject, number, text, what string, sure line) {
	row := o.(*fyne.Container)
	parts := row.Objects
	parts[0].(*kit.Line).Set(number)
	parts[1].(*kit.Line).Set(text)
	parts[2].(*kit.Line).Set(kit.Brief(what))
	says := ""
	if sure != (line{}) {
		says = sure.says()
	}
	parts[3].(*kit.Line).Set(says)
	parts[4].(*kit.Bar).Set(sure.value)
	kit.Show(parts[4], says != "" && !sure.plain)
}

// rowLayout places number, text, what it is, and how sure that is, with a bar below. A thumbnail
// comes before the text.
type rowLayout struct {
	number *float32 // width of the highest one
}

// The share of a row that says what a text is, and its width at most.
const (
	whatShare float32 = 0.4
	whatMost  float32 = 220
)

func (l *rowLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(*l.number+180, o[1].MinSize().Height+5+4+14)
}

// whatRoom is how wide a line of what a text is can be, in so much room for both.
func whatRoom(both float32) float32 { return min(whatMost, both*whatShare) }

// natural is the width that what a text is needs.
func natural(what string) float32 {
	return fyne.MeasureText(what, kit.TextBody, fyne.TextStyle{}).Width + 1
}

func (l *rowLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	top, height := float32(6), o[1].MinSize().Height
	bar := top + height + 5
	put := func(i int, x, w float32) {
		o[i].Move(fyne.NewPos(x, top))
		o[i].Resize(fyne.NewSize(max(0, w), height))
	}
	left, right := kit.GapSmall+*l.number+kit.Gap, size.Width-kit.Gap
	put(0, kit.GapSmall, *l.number)
	left += textlist.PlaceThumb(o[5].(*canvas.Image), left, size.Height/2)
	sure := float32(0)
	if o[3].(*kit.Line).Text != "" {
		sure = max(o[3].(*kit.Line).Natural(), fyne.MeasureText("100 %", kit.TextBody, fyne.TextStyle{Bold: true}).Width)
	}
	what := min(whatRoom(right-left), o[2].(*kit.Line).Natural()) // what it needs not, the text has
	put(3, right-sure, sure)
	put(2, right-sure-kit.Gap-what, what)
	put(1, left, right-sure-what-2*kit.Gap-left)
	o[4].Move(fyne.NewPos(left, bar))
	o[4].Resize(fyne.NewSize(max(0, right-left), 4))
}
