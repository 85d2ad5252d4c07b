package excerpt

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/kit"
)

// Of a long text the lines are shown that there is room for, with its marked words apart, and that it goes on.
func TestExcerpt(t *testing.T) {
	test.NewTempApp(t)
	e := New(2)
	text := "The tenant gives notice. " + strings.Repeat("Nothing else is said here. ", 20)
	at := strings.Index(text, "notice")
	for width := float32(60); width < 400; width += 3 {
		e.Set(text, nil)
		e.Resize(fyne.NewSize(width, e.MinSize().Height))
		if lines, _ := drawn(e); len(lines) != 2 || !strings.HasSuffix(lines[1], "…") {
			t.Errorf("in a width of %v it does not say that it goes on: %q", width, lines)
		}
	}
	e.Set(text, [][2]int{{at, at + len("notice")}, {at, at + 3}, {len(text), len(text) + 5}})
	e.Resize(fyne.NewSize(200, e.MinSize().Height))
	lines, marked := drawn(e)
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "The tenant gives") || !strings.HasSuffix(lines[1], "…") {
		t.Errorf("shown are %q", lines)
	}
	if marked != "notice" {
		t.Errorf("%q stands out", marked)
	}
}

// drawn are the lines of one as it is drawn, and what stands out.
func drawn(e *Excerpt) (lines []string, marked string) {
	y := float32(-1)
	for _, o := range test.WidgetRenderer(e).Objects() {
		piece, ok := o.(*canvas.Text)
		if !ok || !piece.Visible() || piece.Text == "" {
			continue
		}
		if piece.Position().Y > y {
			y = piece.Position().Y
			lines = append(lines, "")
		}
		lines[len(lines)-1] += piece.Text
		if piece.Color == kit.Themed(kit.ColorAccent) {
			marked += piece.Text
		}
	}
	return lines, marked
}

// Code keeps its lines and indents. A line that is too long ends, and the next one follows below it.
func TestExcerptOfCode(t *testing.T) {
	test.NewTempApp(t)
	e := New(3)
	e.Code = true
	e.Set("func long(with many words, and more of them, and no end) {\n\tif a  == b {\n\t\treturn c\n", [][2]int{{5, 9}})
	e.Resize(fyne.NewSize(220, e.MinSize().Height))
	lines, marked := drawn(e)
	if len(lines) != 3 || !strings.HasSuffix(lines[0], "…") || strings.TrimRight(lines[1], " ") != "    if a  == b {" || strings.TrimRight(lines[2], " ") != "        return c" || marked != "long" {
		t.Errorf("shown are %q, and %q stands out", lines, marked)
	}
	for _, o := range test.WidgetRenderer(e).Objects() {
		if piece := o.(*canvas.Text); piece.Text != "" && !piece.TextStyle.Monospace {
			t.Errorf("%q has letters of several widths", piece.Text)
		}
	}
}
