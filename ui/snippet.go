package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// snippetBefore is how many characters are shown before the place that was found.
const snippetBefore = 16

// snippet is a line of small text with a place in it that stands out.
type snippet struct {
	widget.BaseWidget
	before, match, after string
}

func newSnippet() *snippet {
	s := &snippet{}
	s.ExtendBaseWidget(s)
	return s
}

// set shows text, the bytes at match standing out. Where the place is far from the
// beginning, the line begins shortly before it.
func (s *snippet) set(text string, match [2]int) {
	from, to := match[0], match[1]
	if from < 0 || to < from || to > len(text) {
		from, to = 0, 0
	}
	before := []rune(text[:from])
	s.before = string(before)
	if len(before) > snippetBefore {
		s.before = "…" + string(before[len(before)-snippetBefore:])
	}
	s.before = strings.ReplaceAll(s.before, "\n", " ")
	s.match, s.after = text[from:to], brief(text[to:])
	if strings.HasPrefix(text[to:], " ") && s.after != "" {
		s.after = " " + s.after
	}
	s.Refresh()
}

// CreateRenderer draws three texts in a row.
func (s *snippet) CreateRenderer() fyne.WidgetRenderer {
	r := &snippetRenderer{snippet: s}
	for i := range r.texts {
		r.texts[i] = canvas.NewText("", themed(colorMuted))
	}
	r.Refresh()
	return r
}

type snippetRenderer struct {
	snippet *snippet
	texts   [3]*canvas.Text
}

func (r *snippetRenderer) Destroy() {}
func (r *snippetRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.texts[0], r.texts[1], r.texts[2]}
}

func (r *snippetRenderer) MinSize() fyne.Size {
	return fyne.NewSize(textSmall*2, fyne.MeasureText("Ág", textSmall, fyne.TextStyle{}).Height)
}

func (r *snippetRenderer) Layout(size fyne.Size) {
	x := float32(0)
	for i, part := range []string{r.snippet.before, r.snippet.match, r.snippet.after} {
		t := r.texts[i]
		style := fyne.TextStyle{Bold: i == 1}
		t.Text = ellipsize(part, size.Width-x+0.5, textSmall, style)
		if part == "" {
			t.Text = ""
		}
		w := fyne.MeasureText(t.Text, textSmall, style).Width
		t.Move(fyne.NewPos(x, 0))
		t.Resize(fyne.NewSize(w, size.Height))
		x += w
	}
}

func (r *snippetRenderer) Refresh() {
	for i, t := range r.texts {
		t.Color, t.TextSize, t.TextStyle = themed(colorMuted), textSmall, fyne.TextStyle{Bold: i == 1}
		if i == 1 {
			t.Color = themed(colorAccent)
		}
	}
	r.Layout(r.snippet.Size())
	canvas.Refresh(r.snippet)
}
