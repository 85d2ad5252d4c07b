package rerank

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/app/texts"
	"inglenook/ui/excerpt"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/textlist"
)

// The colours of texts that moved up and down. Arrows say the same.
const (
	colorUp   = kit.ColorSeries2
	colorDown = kit.ColorSeries3
)

// picture shows two orders of the same texts beside each other, with a line from the place
// of each text in the left one to that in the right one. Only what is in view is drawn.
type picture struct {
	chosen func(text int) // a person chose the text with that index

	view        fyne.CanvasObject
	heads       [2]*kit.Line
	rows        *kit.Rows
	moves       *moves
	question    string
	lines       []string
	sources     []base.Source // of each; nil: a person wrote all of them
	parts       map[int]shown // of those that were drawn
	room        int           // bytes of a text for which its row has room
	tall        bool          // most texts are long, and a row has two lines of them
	few         bool          // there is room for few rows, which then have one
	left, right order
	moved       []int   // by index: how many places down from left to right
	low, high   float32 // ends of the bars
	leftHigh    float32 // the highest score of the left order
	selected    int     // index of a text; -1: none
	pointed     int     // the text under the pointer, by its index; -1: none
	far         []int   // the texts that moved farthest, where the lines of all would tangle
	doubtful    bool    // no text of the right order stands out, and the bars are grey
	digits      float32 // width of the highest number
}

func newPicture(k *kit.Keyboard) *picture {
	p := &picture{chosen: func(int) {}, selected: -1, pointed: -1, digits: textlist.NumberWidth(0)}
	p.heads = [2]*kit.Line{kit.NewName(""), kit.NewName("")}
	p.heads[0].Whole, p.heads[1].Whole = false, false
	p.rows = kit.NewRows(k, func() int { return len(p.right.Texts) }, p.newRow, p.fill)
	p.rows.MarkFrom = func(width float32) float32 { // a row has two texts: the mark is that of the right one
		_, right := p.columns(width)
		return right
	}
	p.rows.Selected = func(row int) { p.chosen(p.right.Texts[row]) }
	p.moves = newMoves(p)
	p.rows.Hovered = p.point
	p.rows.Arranged = func(first, last int) { p.moves.show(first, last) }
	heads := container.New(&headsLayout{p}, p.heads[0], p.heads[1])
	p.view = kit.Bordered(kit.GapSmall, kit.NewTold(k, heads), container.NewStack(p.rows, p.moves), nil)
	return p
}

// set shows other orders of these texts for a question, and of the right one so many of the best;
// nothing is selected then.
func (p *picture) set(question string, lines []string, left, right order, best int) {
	p.question, p.lines, p.parts = question, lines, map[int]shown{}
	p.selected, p.pointed = -1, -1
	p.moved = texts.Moves(left.Order, right.Order)
	kept := right.first(best)
	p.left, p.right = left.only(kept), right.only(kept)
	p.far = farthest(p.moved, p.right.Texts)
	p.low, p.high = span(right.scores)
	_, p.leftHigh = span(left.scores)
	p.digits = textlist.NumberWidth(len(lines))
	p.tall = mostAreLong(lines)
	p.rows.Height = p.rowHeight()
	p.heads[0].Set(left.name)
	p.heads[1].Set(right.name)
	p.rows.Current = -1
	p.rows.Scroll.ScrollToTop()
	p.rows.Refresh()
}

// choose marks a text in both orders, without telling anybody; -1: none.
func (p *picture) choose(text int) {
	if text >= len(p.lines) {
		text = -1
	}
	p.selected = text
	if text < 0 {
		p.rows.Choose(-1)
		return
	}
	p.rows.Choose(p.right.rows[text]) // -1 where it is not among the best
}

// Places of the objects in a row.
const (
	rowLeftNumber = iota
	rowLeftText
	rowLeftScore
	rowMove
	rowNumber
	rowText
	rowScore
	rowBar
	rowFirst  // what the first of two models says, where its own order has no room
	rowSource // the file that the text is from
)

func (p *picture) newRow() fyne.CanvasObject {
	line := func(size float32, color fyne.ThemeColorName, bold bool, align fyne.TextAlign) *kit.Line {
		l := kit.NewLine("", size, color)
		l.Style.Bold, l.Align = bold, align
		return l
	}
	return container.New(&rowLayout{p},
		line(kit.TextSmall, kit.ColorMuted, false, fyne.TextAlignTrailing),
		line(kit.TextBody, kit.ColorMuted, false, fyne.TextAlignLeading),
		line(kit.TextBody, kit.ColorMuted, true, fyne.TextAlignTrailing),
		line(kit.TextSmall, kit.ColorMuted, true, fyne.TextAlignTrailing),
		line(kit.TextSmall, kit.ColorMuted, false, fyne.TextAlignTrailing),
		excerpt.New(1),
		line(kit.TextBody, theme.ColorNameForeground, true, fyne.TextAlignTrailing),
		kit.NewBar(4),
		line(kit.TextSmall, kit.ColorMuted, false, fyne.TextAlignLeading),
		line(kit.TextSmall, kit.ColorMuted, false, fyne.TextAlignLeading))
}

// fill shows what stands in a row of both orders.
func (p *picture) fill(row int, o fyne.CanvasObject) {
	parts := o.(*fyne.Container).Objects
	set := func(part int, text string) *kit.Line {
		l := parts[part].(*kit.Line)
		l.Set(text)
		return l
	}
	before, now := p.left.Texts[row], p.right.Texts[row]
	set(rowLeftNumber, strconv.Itoa(p.left.Places[before]+1))
	left := set(rowLeftText, p.lines[before])
	left.SetColor(kit.ColorMuted)
	if before == p.selected {
		left.SetColor(kit.ColorAccent)
	}
	score := ""
	if p.left.scores != nil {
		score = scoreText(p.left.scores[before], p.leftHigh)
	}
	set(rowLeftScore, score)
	set(rowMove, moveText(p.moved[now])).SetColor(colorOf(p.moved[now]))
	set(rowNumber, strconv.Itoa(p.right.Places[now]+1))
	text := p.shown(now)
	shows := parts[rowText].(*excerpt.Excerpt)
	if shows.Lines = 1; p.twoLines() {
		shows.Lines = 2
	}
	shows.Set(text.text, text.words)
	set(rowScore, scoreText(p.right.scores[now], p.high))
	bar := parts[rowBar].(*kit.Bar)
	fill := theme.ColorNamePrimary
	if p.doubtful {
		fill = kit.ColorMuted
	}
	bar.Colour(fill)
	bar.Set(share(p.right.scores[now], p.low, p.high))
	first := ""
	if p.left.scores != nil {
		first = humanize.Ordinal(p.left.Places[now]+1) + " by " + p.left.name + ", score " + scoreText(p.left.scores[now], p.leftHigh)
	}
	set(rowFirst, first)
	from := ""
	if p.sources != nil {
		from = panel.FromInWords(p.sources[now])
	}
	set(rowSource, from)
}

// colorOf is that of a text that moved down, or up where move is less than 0.
func colorOf(move int) fyne.ThemeColorName {
	switch {
	case move < 0:
		return colorUp
	case move > 0:
		return colorDown
	}
	return kit.ColorMuted
}

// Where the columns of the picture are, and how high its rows.
const (
	oneLine   float32 = 36
	twoLines  float32 = 54
	sourceRow float32 = 16 // of the line that names the file of a text
	leftShare float32 = 0.34
	bothFrom  float32 = 620 // narrower pictures of two models show only the numbers on the left
	givenFrom float32 = 900 // and so do narrower ones of one model: the texts stand in that order beside it
	gapShare  float32 = 0.13
	moveWidth float32 = 46
)

// twoLines reports whether a row has two lines of its text.
func (p *picture) twoLines() bool { return p.tall && !p.few }

// setLow shows rows for much room, or for little.
func (p *picture) setLow(low bool) {
	if p.few == low {
		return
	}
	p.few = low
	p.rows.Height = p.rowHeight()
	p.rows.Refresh()
}

// rowHeight is that of a row.
func (p *picture) rowHeight() float32 {
	height := oneLine
	if p.twoLines() {
		height = twoLines
	}
	if p.sources != nil {
		height += sourceRow
	}
	return height
}

// both reports whether a picture of that width shows the texts of both orders.
func (p *picture) both(width float32) bool {
	if p.left.scores != nil {
		return width >= bothFrom
	}
	return width >= givenFrom
}

// columns returns where the left order ends and the right one begins in a picture of that
// width. The lines run between.
func (p *picture) columns(width float32) (leftEnd, rightStart float32) {
	leftEnd = kit.GapSmall + p.digits + kit.GapSmall
	if p.both(width) {
		leftEnd = max(leftEnd, width*leftShare)
	}
	return leftEnd, leftEnd + min(150, max(50, width*gapShare))
}

// rowLayout places the parts of a row.
type rowLayout struct{ p *picture }

func (l *rowLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(260, l.p.rowHeight()) }

func (l *rowLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	put := func(part int, x, y, w, h float32) {
		o[part].Move(fyne.NewPos(x, y))
		o[part].Resize(fyne.NewSize(max(0, w), h))
	}
	digits := l.p.digits
	leftEnd, right := l.p.columns(size.Width)
	put(rowLeftNumber, kit.GapSmall, 0, digits, size.Height)
	score := scoreWidth()
	both, two, leftScore := l.p.both(size.Width), l.p.left.scores != nil, float32(0)
	if both && two {
		leftScore = score
	}
	top, text, bar := float32(2), float32(22), float32(26)
	if two && !both { // a line more
		top, text, bar = 0, 16, 34
	}
	barOfFirst := bar
	kit.Show(o[rowLeftText], both)
	kit.Show(o[rowLeftScore], both && two)
	kit.Show(o[rowFirst], two && !both)
	put(rowLeftText, kit.GapSmall+digits+kit.Gap, 0, leftEnd-2*kit.GapSmall-digits-kit.Gap-leftScore, size.Height)
	put(rowLeftScore, leftEnd-kit.GapSmall-leftScore, 0, leftScore, size.Height)
	put(rowMove, right, 0, moveWidth, size.Height)
	right += moveWidth + kit.Gap
	put(rowNumber, right, top, digits, text)
	right += digits + kit.Gap
	line, more := excerpt.LineHeight(), size.Height-oneLine // for a second line of the text
	if kit.Show(o[rowSource], l.p.sources != nil); l.p.sources != nil {
		more -= sourceRow
		put(rowSource, right, bar+more-2, size.Width-right-kit.Gap, sourceRow)
		bar += sourceRow
	}
	put(rowText, right, top+(text-line)/2, size.Width-right-score-2*kit.Gap, line+more)
	put(rowScore, size.Width-score-kit.Gap, top, score, text)
	put(rowFirst, right, top+text-1+more, size.Width-right-kit.Gap, barOfFirst-top-text)
	put(rowBar, right, bar+more, size.Width-right-kit.Gap, max(0, min(4, size.Height-bar-more)))
}

// scoreWidth is the width of a score.
func scoreWidth() float32 {
	return fyne.MeasureText("-00.000", kit.TextBody, fyne.TextStyle{Bold: true}).Width
}

// headsLayout puts a name over each order.
type headsLayout struct{ p *picture }

func (l *headsLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(120, o[0].MinSize().Height)
}

func (l *headsLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	leftEnd, right := l.p.columns(size.Width)
	if !l.p.both(size.Width) {
		leftEnd = right
	}
	o[0].Move(fyne.NewPos(kit.GapSmall, 0))
	o[0].Resize(fyne.NewSize(leftEnd-kit.GapSmall, size.Height))
	right += moveWidth + kit.Gap
	o[1].Move(fyne.NewPos(right, 0))
	o[1].Resize(fyne.NewSize(max(0, size.Width-right), size.Height))
}
