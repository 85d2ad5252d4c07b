// Package excerpt is text that wraps, of which a few lines are shown and in which some parts stand out.
package excerpt

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/ui/kit"
)

// Excerpt is text that wraps, in which some parts stand out. A line end in it ends a line; a line of code does not wrap. It
// shows a few lines at most and lets clicks through to what it lies on.
type Excerpt struct {
	widget.BaseWidget

	Lines  int                 // that are shown at most
	Colour fyne.ThemeColorName // of what does not stand out
	Code   bool                // lines and indents are kept, in letters of one width

	text  string
	marks [][2]int // bytes of text, in order
}

// New returns one of so many lines.
func New(lines int) *Excerpt {
	e := &Excerpt{Lines: lines, Colour: theme.ColorNameForeground}
	e.ExtendBaseWidget(e)
	return e
}

// Set shows a text, with the bytes at marks standing out. Marks that lie outside are
// left out.
func (e *Excerpt) Set(text string, marks [][2]int) {
	e.text, e.marks = text, nil
	at := 0
	for _, m := range marks {
		if m[0] >= at && m[1] > m[0] && m[1] <= len(text) {
			e.marks = append(e.marks, m)
			at = m[1]
		}
	}
	e.Refresh()
}

// String is the text.
func (e *Excerpt) String() string { return e.text }

// CreateRenderer draws one text for each piece of a line.
func (e *Excerpt) CreateRenderer() fyne.WidgetRenderer { return &excerptRenderer{excerpt: e} }

type excerptRenderer struct {
	excerpt *Excerpt
	pool    kit.TextPool
}

func (r *excerptRenderer) Destroy()                     {}
func (r *excerptRenderer) Objects() []fyne.CanvasObject { return r.pool.AddTo(nil) }

func (r *excerptRenderer) MinSize() fyne.Size {
	return fyne.NewSize(kit.TextBody*4, float32(r.excerpt.Lines)*LineHeight())
}

func (r *excerptRenderer) Refresh() {
	r.Layout(r.excerpt.Size())
	canvas.Refresh(r.excerpt)
}

// LineHeight is that of a line.
func LineHeight() float32 { return fyne.MeasureText("Ág", kit.TextBody, fyne.TextStyle{}).Height }

// word is a piece of an excerpt that is not broken: a word with the space behind it,
// or a part of one where a mark begins or ends.
type word struct {
	text   string
	marked bool
	glued  bool // no line may end before it
	opens  bool // a line begins with it
}

// Layout places the words.
func (r *excerptRenderer) Layout(size fyne.Size) {
	r.pool.Begin()
	defer r.pool.End()
	high, x, y, line := LineHeight(), float32(0), float32(0), 1
	sign := fyne.MeasureText("…", kit.TextBody, fyne.TextStyle{}).Width
	var before *canvas.Text // the piece before in the same line
	cut := false
	for _, w := range r.excerpt.words() {
		if cut = cut && !w.opens; cut {
			continue
		}
		style := fyne.TextStyle{Bold: w.marked && !r.excerpt.Code, Monospace: r.excerpt.Code}
		width := fyne.MeasureText(w.text, kit.TextBody, style).Width
		bare := fyne.MeasureText(strings.TrimRight(w.text, " "), kit.TextBody, style).Width
		last := line == r.excerpt.Lines
		if x > 0 && w.opens && last {
			return
		}
		breaks := x+bare > size.Width && !w.glued && !r.excerpt.Code // a line of code that goes on below looks like two
		if x > 0 && (w.opens || breaks) && !last {
			x, y, line, before = 0, y+high, line+1, nil
			last = line == r.excerpt.Lines
		}
		text := w.text
		if x+bare > size.Width {
			if before != nil && x+sign > size.Width { // the sign that it goes on has no room behind the piece before
				room := size.Width - before.Position().X
				before.Text = kit.Ellipsize(strings.TrimRight(before.Text, " ")+" "+w.text, room, kit.TextBody, before.TextStyle)
				if last || !r.excerpt.Code {
					return
				}
				cut = true
				continue
			}
			text = kit.Ellipsize(strings.TrimRight(w.text, " "), size.Width-x, kit.TextBody, style)
		}
		t := r.pool.Next(text, kit.TextBody, style, kit.Themed(r.excerpt.Colour))
		if w.marked {
			t.Color = kit.Themed(kit.ColorAccent)
		}
		own := max(high, t.MinSize().Height) // letters of one width may be higher, and none is to be cut
		t.Move(fyne.NewPos(x, y-(own-high)/2))
		t.Resize(fyne.NewSize(width, own))
		x, before = x+width, t
		if text == w.text {
			continue
		}
		if last {
			return
		}
		cut = r.excerpt.Code // the rest of its line has no room
	}
}

// words cuts the text where lines may end and where marks begin and end.
func (e *Excerpt) words() (list []word) {
	at, text := 0, e.text
	add := func(to int, marked bool) {
		for at < to {
			n := strings.IndexFunc(text[at:to], unicode.IsSpace)
			end := to
			if n >= 0 {
				_, space := utf8.DecodeRuneInString(text[at+n:])
				end = at + n + space
				end += len(text[end:to]) - len(strings.TrimLeftFunc(text[end:to], unicode.IsSpace))
			}
			piece := strings.TrimRightFunc(text[at:end], unicode.IsSpace)
			switch space := text[at+len(piece) : end]; {
			case space != "" && e.Code && !strings.Contains(space, "\n"):
				piece += expanded(space)
			case space != "":
				piece += " "
			}
			if opens := at == 0 || opensLineAt(text[:at]); e.Code && opens {
				piece = expanded(indentAt(text[:at])) + piece
			}
			glued := at > 0 && !endsInSpace(text[:at])
			list = append(list, word{text: piece, marked: marked, glued: glued, opens: opensLineAt(text[:at])})
			at = end
		}
	}
	for _, m := range e.marks {
		add(m[0], false)
		add(m[1], true)
	}
	add(len(text), false)
	return list
}

// opensLineAt reports whether a line ends before what follows a text.
func opensLineAt(before string) bool {
	return strings.Contains(before[len(strings.TrimRightFunc(before, unicode.IsSpace)):], "\n")
}

// indentAt is the space before what follows a text, in its line.
func indentAt(before string) string {
	return before[max(len(strings.TrimRight(before, " \t")), strings.LastIndexByte(before, '\n')+1):]
}

// expanded is space with its tabs as wide as they are usually read.
func expanded(space string) string { return strings.ReplaceAll(space, "\t", "    ") }

func endsInSpace(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return unicode.IsSpace(r)
}
