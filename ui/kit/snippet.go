package kit

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/plain"
)

// snippetBefore is how many characters are shown before the place that was found.
const snippetBefore = 16

// Snippet is a line of small text with a place in it that stands out.
type Snippet struct {
	widget.BaseWidget
	before, match, after string
}

func NewSnippet() *Snippet {
	s := &Snippet{}
	s.ExtendBaseWidget(s)
	return s
}

// Set shows text, the bytes at match standing out. Where the place is far from the
// beginning, the line begins shortly before it.
func (s *Snippet) Set(text string, match [2]int) {
	from, to := match[0], match[1]
	if from < 0 || to < from || to > len(text) {
		from, to = 0, 0
	}
	before := plain.Last(text[:from], snippetBefore)
	s.before = strings.ReplaceAll(plain.Visible(before), "\n", " ")
	if len(before) < from {
		s.before = "…" + s.before
	}
	s.match, s.after = Brief(text[from:to]), Brief(text[to:])
	if strings.HasPrefix(text[to:], " ") && s.after != "" {
		s.after = " " + s.after
	}
	s.Refresh()
}

// CreateRenderer draws three texts in a row.
func (s *Snippet) CreateRenderer() fyne.WidgetRenderer {
	r := &snippetRenderer{snippet: s}
	for i := range r.texts {
		r.texts[i] = canvas.NewText("", Themed(ColorMuted))
	}
	r.Refresh()
	return r
}

type snippetRenderer struct {
	snippet *Snippet
	texts   [3]*canvas.Text
}

func (r *snippetRenderer) Destroy() {}
func (r *snippetRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.texts[0], r.texts[1], r.texts[2]}
}

func (r *snippetRenderer) MinSize() fyne.Size {
	return fyne.NewSize(TextSmall*2, fyne.MeasureText("Ág", TextSmall, fyne.TextStyle{}).Height)
}

func (r *snippetRenderer) Layout(size fyne.Size) {
	x := float32(0)
	for i, part := range []string{r.snippet.before, r.snippet.match, r.snippet.after} {
		t := r.texts[i]
		style := fyne.TextStyle{Bold: i == 1}
		t.Text = Ellipsize(part, size.Width-x+0.5, TextSmall, style)
		if part == "" {
			t.Text = ""
		}
		w := fyne.MeasureText(t.Text, TextSmall, style).Width
		t.Move(fyne.NewPos(x, 0))
		t.Resize(fyne.NewSize(w, size.Height))
		x += w
	}
}

func (r *snippetRenderer) Refresh() {
	for i, t := range r.texts {
		t.Color, t.TextSize, t.TextStyle = Themed(ColorMuted), TextSmall, fyne.TextStyle{Bold: i == 1}
		if i == 1 {
			t.Color = Themed(ColorAccent)
		}
	}
	r.Layout(r.snippet.Size())
	canvas.Refresh(r.snippet)
}

// Mark is a part of a text that stands out, with a word behind it or none.
type Mark struct {
	Start, End int // bytes of the text
	Label      string
}

// How much of a text with marks is drawn.
const (
	markedRunes = 4000 // characters of it
	mostMarks   = 100
	labelRunes  = 40 // characters of a label
)

// Marked is a text that wraps, in which parts stand out.
type Marked struct {
	*widget.RichText
	Flat *fyne.Container // as in Paragraph
}

// NewMarked returns one without a text.
func NewMarked() *Marked {
	m := &Marked{RichText: widget.NewRichText()}
	m.Wrapping = fyne.TextWrapWord
	m.Flat = Inset(m.RichText, -Gap, -Gap)
	return m
}

// Set shows a text with its marks, which stand in their order. One that overlaps another is
// left out.
func (m *Marked) Set(text string, marks []Mark) {
	m.Segments = nil
	end, at := len(plain.First(text, markedRunes)), 0
	for _, k := range marks[:min(len(marks), mostMarks)] {
		if k.Start < at || k.End < k.Start || k.End > end {
			continue
		}
		m.add(text[at:k.Start], theme.ColorNameForeground, false)
		m.add(text[k.Start:k.End], ColorAccent, true)
		if k.Label != "" {
			m.add(" "+plain.Line(k.Label, labelRunes), ColorMuted, false)
		}
		at = k.End
	}
	m.add(text[at:end], theme.ColorNameForeground, false)
	if end < len(text) {
		m.add("…", ColorMuted, false)
	}
	m.Refresh()
}

// add appends a piece.
func (m *Marked) add(piece string, color fyne.ThemeColorName, bold bool) {
	if piece == "" {
		return
	}
	style := widget.RichTextStyle{ColorName: color, SizeName: theme.SizeNameText, Inline: true, TextStyle: fyne.TextStyle{Bold: bold}}
	m.Segments = append(m.Segments, &widget.TextSegment{Text: plain.Text(piece, markedRunes), Style: style})
}
