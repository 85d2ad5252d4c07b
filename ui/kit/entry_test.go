package kit

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// TestPasteTooMuch: a field takes no text that it would lay out for seconds, keeps what it
// has and says so; a text that replaces all of it counts alone.
func TestPasteTooMuch(t *testing.T) {
	app := test.NewTempApp(t)
	line, lines, words := strings.Repeat("A", editLine+1), strings.Repeat("\n", editLines), strings.Repeat("words and\n", editBytes/10+1)
	for _, c := range []struct {
		what, before, pasted string
		all, single          bool // all of what is there is selected
		want                 bool
	}{
		{what: "a long line", before: "kept", pasted: line},
		{what: "a line that becomes long", before: line[:editLine-10], pasted: line[:100]},
		{what: "in the place of a long one", before: line[:editLine-10], pasted: line[:100], all: true, want: true},
		{what: "beside a long one", before: line[:editLine] + "\n", pasted: line[:editLine], want: true},
		{what: "many lines", before: "kept", pasted: lines},
		{what: "many bytes", before: "kept", pasted: words},
		{what: "few lines", before: "kept", pasted: "\n\n", want: true},
		{what: "a long line in a field that does not wrap", before: "kept", pasted: line, single: true, want: true},
		{what: "many bytes in a field that does not wrap", before: "kept", pasted: words, single: true},
	} {
		said := ""
		e := NewEntry(&Keyboard{Tell: func(message string) { said = message }})
		if e.MultiLine = !c.single; e.MultiLine {
			e.Wrapping = fyne.TextWrapWord
		}
		e.SetText(c.before)
		e.Resize(fyne.NewSize(400, 200))
		e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown}) // to the end of the text
		if c.single {
			e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
		}
		want := c.before + c.pasted
		if c.all {
			e.TypedShortcut(&fyne.ShortcutSelectAll{})
			want = c.pasted
		}
		if !c.want {
			want = c.before
		}
		app.Clipboard().SetContent(c.pasted)
		e.TypedShortcut(&fyne.ShortcutPaste{Clipboard: app.Clipboard()})
		if e.Text != want || c.want != (said == "") {
			t.Errorf("%s: the field has %d bytes, want %d; it says %q", c.what, len(e.Text), len(want), said)
		}
	}
}
