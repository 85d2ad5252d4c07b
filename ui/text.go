package ui

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// briefRunes bounds what is ever measured or drawn of a text: a text may be
// megabytes long, a line of the window is not.
const briefRunes = 400

// brief is text as one line that is not absurdly long.
func brief(text string) string {
	var b strings.Builder
	count, space := 0, false
	for _, r := range text {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			space = b.Len() > 0
			continue
		}
		if count >= briefRunes {
			b.WriteRune('…')
			break
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
		count++
	}
	return b.String()
}

// ellipsize cuts one line of text so that it is at most width wide, with an
// ellipsis where something is missing.
func ellipsize(text string, width, size float32, style fyne.TextStyle) string {
	measure := func(s string) float32 { return fyne.MeasureText(s, size, style).Width }
	if width <= 0 {
		return ""
	}
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
	for fits > 0 && joins(runes, fits) {
		fits--
	}
	if fits == 0 {
		return "…"
	}
	return strings.TrimRightFunc(string(runes[:fits]), unicode.IsSpace) + "…"
}

// joins reports whether a cut before runes[i] would tear a character apart: an
// accent from its letter, or the parts of a joined emoji.
func joins(runes []rune, i int) bool {
	const zeroWidthJoiner = '\u200d'
	if i >= len(runes) {
		return false
	}
	r := runes[i]
	return unicode.Is(unicode.M, r) || r == zeroWidthJoiner || runes[i-1] == zeroWidthJoiner ||
		r >= 0x1F3FB && r <= 0x1F3FF // skin tones
}

// line is one line of text in a colour of the theme, cut with an ellipsis
// where it does not fit.
type line struct {
	widget.BaseWidget

	text  string
	size  float32
	color fyne.ThemeColorName
	style fyne.TextStyle
	align fyne.TextAlign
	whole bool // never cut: the smallest width is that of the text
}

func newLine(text string, size float32, color fyne.ThemeColorName) *line {
	l := &line{text: text, size: size, color: color}
	l.ExtendBaseWidget(l)
	return l
}

// newTitle heads a panel.
func newTitle(text string) *line {
	l := newLine(text, textTitle, theme.ColorNameForeground)
	l.style.Bold = true
	return l
}

// newSection heads a group within a panel.
func newSection(text string) *line {
	l := newLine(text, textSection, theme.ColorNameForeground)
	l.style.Bold, l.whole = true, true
	return l
}

// newCaption is small secondary text.
func newCaption(text string) *line { return newLine(text, textSmall, colorMuted) }

// newName names a control above it.
func newName(text string) *line {
	l := newLine(text, textSmall, colorMuted)
	l.style.Bold, l.whole = true, true
	return l
}

func (l *line) set(text string) {
	if text = brief(text); text != l.text {
		l.text = text
		l.Refresh()
	}
}

func (l *line) setColor(name fyne.ThemeColorName) {
	if name != l.color {
		l.color = name
		l.Refresh()
	}
}

// CreateRenderer draws the text.
func (l *line) CreateRenderer() fyne.WidgetRenderer {
	r := &lineRenderer{line: l, text: canvas.NewText("", themed(l.color))}
	r.Refresh()
	return r
}

type lineRenderer struct {
	line *line
	text *canvas.Text
}

func (r *lineRenderer) MinSize() fyne.Size {
	l := r.line
	if l.whole {
		return fyne.MeasureText(l.text, l.size, l.style)
	}
	return fyne.NewSize(l.size*2, fyne.MeasureText("Ág", l.size, l.style).Height)
}

func (r *lineRenderer) Layout(size fyne.Size) {
	l := r.line
	r.text.Text = ellipsize(l.text, size.Width+0.5, l.size, l.style)
	height := r.text.MinSize().Height
	r.text.Move(fyne.NewPos(0, (size.Height-height)/2))
	r.text.Resize(fyne.NewSize(size.Width, height))
}

func (r *lineRenderer) Refresh() {
	l := r.line
	r.text.Color, r.text.TextSize, r.text.TextStyle, r.text.Alignment = themed(l.color), l.size, l.style, l.align
	r.Layout(l.Size())
	canvas.Refresh(r.text)
}

func (r *lineRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.text} }
func (r *lineRenderer) Destroy()                     {}

// paragraph is text that wraps, in a colour of the theme.
type paragraph struct {
	*widget.RichText
	segment *widget.TextSegment
	flat    *fyne.Container // the text without the room that Fyne leaves around it
}

func newParagraph(text string, color fyne.ThemeColorName) *paragraph {
	segment := &widget.TextSegment{Text: text, Style: widget.RichTextStyle{ColorName: color, SizeName: theme.SizeNameText}}
	p := &paragraph{RichText: widget.NewRichText(segment), segment: segment}
	p.Wrapping = fyne.TextWrapWord
	p.flat = inset(p.RichText, -gap, -gap)
	return p
}

// small makes it caption text.
func (p *paragraph) small() *paragraph {
	p.segment.Style.SizeName = theme.SizeNameCaptionText
	p.Refresh()
	return p
}

func (p *paragraph) set(text string) {
	if p.segment.Text != text {
		p.segment.Text = text
		p.Refresh()
	}
}

func newTitleWhole(text string) *line {
	t := newTitle(text)
	t.whole = true
	return t
}
