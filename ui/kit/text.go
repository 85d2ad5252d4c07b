package kit

import (
	"image/color"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/plain"
)

// What is ever measured or drawn of a text, in characters: laying out a text takes
// time with its length, and meanwhile the window answers nobody.
const (
	lineRunes      = 400
	sentenceRunes  = 1000
	paragraphRunes = 12_000
	brokenRunes    = 1000 // of a line of a paragraph: Fyne measures the rest of a line for each row of it
)

// Brief is text as one line that is not absurdly long.
func Brief(text string) string { return plain.Line(text, lineRunes) }

// bounded is Brief for a line of ours with texts in it: its spaces stay.
func bounded(line string) string {
	return plain.Cut(plain.Visible(plain.Cut(line, lineRunes)), lineRunes)
}

// Ellipsize cuts one line of text so that it is at most width wide, with an
// ellipsis where something is missing.
func Ellipsize(text string, width, size float32, style fyne.TextStyle) string {
	measure := func(s string) float32 { return fyne.MeasureText(s, size, style).Width }
	if width <= 0 {
		return ""
	}
	text = bounded(text)
	if measure(text) <= width {
		return text
	}
	runes := []rune(text)
	fits, cut := 0, len(runes)
	for fits+1 < cut {
		middle := (fits + cut) / 2
		if measure(string(runes[:middle])+"…") <= width {
			fits = middle
		} else {
			cut = middle
		}
	}
	for fits > 0 && Joins(runes, fits) {
		fits--
	}
	if fits == 0 {
		return "…"
	}
	return strings.TrimRightFunc(string(runes[:fits]), unicode.IsSpace) + "…"
}

// Joins reports whether a cut before runes[i] would tear a character apart: an
// accent from its letter, or the parts of a joined emoji.
func Joins(runes []rune, i int) bool {
	const zeroWidthJoiner = '\u200d'
	if i >= len(runes) {
		return false
	}
	r := runes[i]
	return unicode.Is(unicode.M, r) || r == zeroWidthJoiner || runes[i-1] == zeroWidthJoiner ||
		r >= 0x1F3FB && r <= 0x1F3FF // skin tones
}

// Line is one line of text in a colour of the theme, cut with an ellipsis
// where it does not fit.
type Line struct {
	widget.BaseWidget

	Text     string
	TextSize float32
	Color    fyne.ThemeColorName
	Style    fyne.TextStyle
	Align    fyne.TextAlign
	Whole    bool // never cut: the smallest width is that of the text
	cut      bool // it is drawn with an ellipsis
}

func NewLine(text string, size float32, color fyne.ThemeColorName) *Line {
	l := &Line{Text: Brief(text), TextSize: size, Color: color}
	l.ExtendBaseWidget(l)
	return l
}

// NewTitle heads a panel.
func NewTitle(text string) *Line {
	l := NewLine(text, textTitle, theme.ColorNameForeground)
	l.Style.Bold = true
	return l
}

// NewSection heads a group within a panel.
func NewSection(text string) *Line {
	l := NewLine(text, textSection, theme.ColorNameForeground)
	l.Style.Bold, l.Whole = true, true
	return l
}

// NewCaption is small secondary text.
func NewCaption(text string) *Line { return NewLine(text, TextSmall, ColorMuted) }

// NewName names a control above it.
func NewName(text string) *Line {
	l := NewLine(text, TextSmall, ColorMuted)
	l.Style.Bold, l.Whole = true, true
	return l
}

// Natural is the width in which the text is not cut; 0: there is no text.
func (l *Line) Natural() float32 {
	if l.Text == "" {
		return 0
	}
	return fyne.MeasureText(l.Text, l.TextSize, l.Style).Width + 1
}

func (l *Line) Set(text string) {
	if text = Brief(text); text != l.Text {
		l.Text = text
		l.Refresh()
	}
}

func (l *Line) SetColor(name fyne.ThemeColorName) {
	if name != l.Color {
		l.Color = name
		l.Refresh()
	}
}

// CreateRenderer draws the text.
func (l *Line) CreateRenderer() fyne.WidgetRenderer {
	r := &lineRenderer{line: l, text: canvas.NewText("", Themed(l.Color))}
	r.Refresh()
	return r
}

type lineRenderer struct {
	line *Line
	text *canvas.Text
}

func (r *lineRenderer) MinSize() fyne.Size {
	l := r.line
	if l.Whole {
		return fyne.MeasureText(l.Text, l.TextSize, l.Style)
	}
	return fyne.NewSize(l.TextSize*2, fyne.MeasureText("Ág", l.TextSize, l.Style).Height)
}

func (r *lineRenderer) Layout(size fyne.Size) {
	l := r.line
	r.text.Text = Ellipsize(l.Text, size.Width+0.5, l.TextSize, l.Style)
	l.cut = r.text.Text != bounded(l.Text)
	height := r.text.MinSize().Height
	r.text.Move(fyne.NewPos(0, (size.Height-height)/2))
	r.text.Resize(fyne.NewSize(size.Width, height))
}

func (r *lineRenderer) Refresh() {
	l := r.line
	r.text.Color, r.text.TextSize, r.text.TextStyle, r.text.Alignment = Themed(l.Color), l.TextSize, l.Style, l.Align
	r.Layout(l.Size())
	canvas.Refresh(r.text)
}

// Cut reports whether it is drawn with an ellipsis.
func (l *Line) Cut() bool { return l.cut }

// cutTexts returns the texts that are drawn with an ellipsis in an object and below it,
// whole, a line each; "": none is.
func cutTexts(o fyne.CanvasObject) string {
	switch o := o.(type) {
	case *Line:
		if o.cut && o.Visible() {
			return o.Text
		}
	case *fyne.Container:
		var all []string
		for _, child := range o.Objects {
			if text := cutTexts(child); text != "" && child.Visible() {
				all = append(all, text)
			}
		}
		return strings.Join(all, "\n")
	}
	return ""
}

func (r *lineRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.text} }
func (r *lineRenderer) Destroy()                     {}

// Paragraph is text that wraps, in a colour of the theme.
type Paragraph struct {
	*widget.RichText
	Segment *widget.TextSegment
	Flat    *fyne.Container // the text without the room that Fyne leaves around it
}

// wrappable is a text that wraps in a time that does not grow with the square of
// its length: long lines are broken.
func wrappable(text string) string {
	text = plain.Text(text, paragraphRunes)
	if len(text) <= brokenRunes {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		for {
			first := plain.First(line, brokenRunes)
			if space := strings.LastIndexByte(first, ' '); len(first) < len(line) && space > 0 {
				first = first[:space+1]
			}
			b.WriteString(first)
			if line = line[len(first):]; line == "" {
				break
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func NewParagraph(text string, color fyne.ThemeColorName) *Paragraph {
	segment := &widget.TextSegment{Text: wrappable(text), Style: widget.RichTextStyle{ColorName: color, SizeName: theme.SizeNameText}}
	p := &Paragraph{RichText: widget.NewRichText(segment), Segment: segment}
	p.Wrapping = fyne.TextWrapWord
	p.Flat = Inset(p.RichText, -Gap, -Gap)
	return p
}

// Large makes it a sentence that stands above the rest.
func (p *Paragraph) Large() *Paragraph {
	p.Segment.Style.SizeName = theme.SizeNameSubHeadingText
	p.Refresh()
	return p
}

// Small makes it caption text.
func (p *Paragraph) Small() *Paragraph {
	p.Segment.Style.SizeName = theme.SizeNameCaptionText
	p.Refresh()
	return p
}

func (p *Paragraph) Set(text string) {
	if text = wrappable(text); p.Segment.Text != text {
		p.Segment.Text = text
		p.Refresh()
	}
}

// Say shows a text in a colour; "" hides the paragraph.
func (p *Paragraph) Say(text string, color fyne.ThemeColorName) {
	p.Segment.Style.ColorName = color
	p.Set(text)
	Show(p.Flat, text != "")
	p.Refresh()
}

func NewTitleWhole(text string) *Line {
	t := NewTitle(text)
	t.Whole = true
	return t
}

// Told tells the whole of the texts in an object that are cut, while the pointer is on it.
// Widgets that follow the pointer do so by themselves.
type Told struct {
	widget.BaseWidget
	keys    *Keyboard
	content fyne.CanvasObject
}

// NewTold puts one around an object.
func NewTold(k *Keyboard, content fyne.CanvasObject) *Told {
	t := &Told{keys: k, content: content}
	t.ExtendBaseWidget(t)
	return t
}

// Content is the object.
func (t *Told) Content() fyne.CanvasObject { return t.content }

// MouseIn tells what is cut.
func (t *Told) MouseIn(*desktop.MouseEvent) { t.keys.Explain(t, true, t.tip(), "") }

func (t *Told) tip() string { return cutTexts(t.content) }

// MouseMoved is of no interest.
func (t *Told) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes that away.
func (t *Told) MouseOut() { t.keys.Explain(t, false, "", "") }

// CreateRenderer draws the object.
func (t *Told) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(t.content) }

// TextPool lends text objects to a layout. A layout must not make new objects
// each time it runs: Fyne lays out again whenever it finds new ones.
type TextPool struct {
	Texts []*canvas.Text
	Used  int
}

// Begin takes all texts back.
func (p *TextPool) Begin() { p.Used = 0 }

// Next lends a text.
func (p *TextPool) Next(s string, size float32, style fyne.TextStyle, c color.Color) *canvas.Text {
	if p.Used == len(p.Texts) {
		p.Texts = append(p.Texts, canvas.NewText("", c))
	}
	t := p.Texts[p.Used]
	p.Used++
	t.Text, t.TextSize, t.TextStyle, t.Color, t.Alignment = bounded(s), size, style, c, fyne.TextAlignLeading
	t.Show()
	return t
}

// End hides what was not lent.
func (p *TextPool) End() {
	for _, t := range p.Texts[p.Used:] {
		t.Hide()
	}
}

// Lent returns the texts in use.
func (p *TextPool) Lent() []*canvas.Text { return p.Texts[:p.Used] }

// AddTo appends all texts, in use or not, to the objects of a renderer.
func (p *TextPool) AddTo(objects []fyne.CanvasObject) []fyne.CanvasObject {
	for _, t := range p.Texts {
		objects = append(objects, t)
	}
	return objects
}
