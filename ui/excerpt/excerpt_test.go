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
	e.Set(text, [][2]int{{at, at + len("notice")}, {at, at + 3}, {len(text), len(text) + 5}})
	e.Resize(fyne.NewSize(200, e.MinSize().Height))
	var lines []string
	y, marked := float32(-1), ""
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
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "The tenant gives") || !strings.HasSuffix(lines[1], "…") {
		t.Errorf("shown are %q", lines)
	}
	if marked != "notice" {
		t.Errorf("%q stands out", marked)
	}
}
