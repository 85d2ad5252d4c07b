package classify

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/ui/uitest"
)

// The field for the labels grows with its lines, up to six, and in a low window there are two at most.
func TestLinesOfLabels(t *testing.T) {
	b := entered(t, uitest.NewApp(), "a cat")
	b.Window.Resize(fyne.NewSize(1280, 800))
	b.Idle()
	for _, c := range [][2]int{{1, 2}, {4, 4}, {9, 6}} {
		n, want := c[0], c[1]
		b.page.labels.SetText(strings.TrimSpace(strings.Repeat("a label\n", n)))
		b.Idle()
		if b.page.lines != want {
			t.Errorf("of %d lines %d are in view, not %d", n, b.page.lines, want)
		}
	}
	six := b.page.labels.Size().Height
	if b.page.labels.SetText("cats, dogs"); b.page.labels.Size().Height >= six {
		t.Error("the field does not get low again")
	}
	b.page.labels.SetText(strings.Repeat("late or missing delivery, ", 8))
	if b.page.lines < 3 {
		t.Errorf("of one long line %d are in view", b.page.lines)
	}
	b.Window.Resize(fyne.NewSize(1280, 480))
	b.Idle()
	if b.page.lines > 2 {
		t.Errorf("in a low window %d lines are in view", b.page.lines)
	}
}

// Long texts and words are counted in a bounded time.
func TestLinesIn(t *testing.T) {
	for text, want := range map[string]int{"": 1, "a": 1, "a\nb": 2, strings.Repeat("x", 4000): mostLabelLines, strings.Repeat("x", 1900): mostLabelLines, strings.Repeat("word ", 390): mostLabelLines} {
		if got := linesIn(text, 300); got != want {
			t.Errorf("%.10q: %d, not %d", text, got, want)
		}
	}
}
