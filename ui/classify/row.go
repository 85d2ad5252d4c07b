package classify

import (
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/textlist"
)

// newRow is a row: a number, a text, what it is, how sure that is, and that as a bar below.
func newRow(number *float32, tall *bool) fyne.CanvasObject {
	digits := kit.NewCaption("")
	digits.Align = fyne.TextAlignTrailing
	what, sure := kit.NewLine("", kit.TextBody, kit.ColorMuted), kit.NewLine("", kit.TextBody, theme.ColorNameForeground)
	what.Align, sure.Align, sure.Style.Bold = fyne.TextAlignTrailing, fyne.TextAlignTrailing, true
	more := kit.NewLine("", kit.TextBody, kit.ColorMuted)
	more.Align = fyne.TextAlignTrailing
	return container.New(&rowLayout{number: number, tall: tall}, digits, kit.NewLine("", kit.TextBody, theme.ColorNameForeground), what, sure, kit.NewBar(4), textlist.NewThumb(), more)
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
	parts[2].(*kit.Line).Color, parts[6].(*kit.Line).Color = color, color
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
	row.Layout.(*rowLayout).what = kit.Brief(what)
	parts[0].(*kit.Line).Set(number)
	parts[1].(*kit.Line).Set(text)
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
	tall   *bool    // what a text is may take two lines
	what   string
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

// natural is the width that what a text is needs in one line.
func natural(what string) float32 {
	return fyne.MeasureText(what, kit.TextBody, fyne.TextStyle{}).Width + 1
}

// inTwo breaks what a text is into two lines, between words where there is a place.
func inTwo(what string, width float32) (first, rest string) {
	words := strings.Fields(what)
	n := 0
	for n < len(words) && natural(strings.Join(words[:n+1], " ")) <= width {
		n++
	}
	if n == 0 {
		return what, ""
	}
	return strings.Join(words[:n], " "), strings.Join(words[n:], " ")
}

// fitRows makes the rows of that width as high as what the texts are needs.
func (r *results) fitRows(width float32) {
	tall, known := false, map[string]bool{}
	room := whatRoom(width - kit.GapSmall - r.nums - 2*kit.Gap)
	for i := range r.of.lines {
		what, _ := r.of.best(i)
		if what = kit.Brief(what); known[what] {
			continue
		}
		known[what] = true
		if tall = natural(what) > room; tall {
			break
		}
	}
	height := newRow(&r.nums, &r.tall).MinSize().Height
	if r.tall = tall; tall {
		height += kit.NewLine("", kit.TextBody, kit.ColorMuted).MinSize().Height
	}
	r.fitted = width
	if r.rows.Height != height {
		r.rows.Height = height
		r.rows.Refresh()
	}
}

// fitted fits the rows to their width.
type fitted struct{ results *results }

func (f *fitted) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }

func (f *fitted) Layout(o []fyne.CanvasObject, size fyne.Size) {
	if r := f.results; r.of != nil && r.fitted != size.Width {
		r.fitRows(size.Width)
	}
	o[0].Resize(size)
}

func (l *rowLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	top, height := float32(6), o[1].MinSize().Height
	bar := top + height + 5
	if *l.tall {
		top, bar = top+height/2, bar+height
	}
	at := func(i int, x, y, w float32) {
		o[i].Move(fyne.NewPos(x, y))
		o[i].Resize(fyne.NewSize(max(0, w), height))
	}
	put := func(i int, x, w float32) { at(i, x, top, w) }
	left, right := kit.GapSmall+*l.number+kit.Gap, size.Width-kit.Gap
	put(0, kit.GapSmall, *l.number)
	left += textlist.PlaceThumb(o[5].(*canvas.Image), left, size.Height/2)
	sure := float32(0)
	if o[3].(*kit.Line).Text != "" {
		sure = max(o[3].(*kit.Line).Natural(), fyne.MeasureText("100 %", kit.TextBody, fyne.TextStyle{Bold: true}).Width)
	}
	what, first, rest := whatRoom(right-left), l.what, ""
	if *l.tall && natural(l.what) > what {
		first, rest = inTwo(l.what, what)
	}
	what = min(what, max(natural(first), natural(rest))) // what it needs not, the text has
	o[2].(*kit.Line).Set(first)
	o[6].(*kit.Line).Set(rest)
	put(3, right-sure, sure)
	if rest == "" {
		put(2, right-sure-kit.Gap-what, what)
		put(6, right, 0)
	} else {
		at(2, right-sure-kit.Gap-what, top-height/2, what)
		at(6, right-sure-kit.Gap-what, top+height/2, what)
	}
	put(1, left, right-sure-what-2*kit.Gap-left)
	o[4].Move(fyne.NewPos(left, bar))
	o[4].Resize(fyne.NewSize(max(0, right-left), 4))
}
