package models

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/uitest"
)

// A sentence that is longer than its row has a second line, and no word of it is torn or lost.
func TestBrokenAt(t *testing.T) {
	uitest.LightApp(t)
	const sentence = "A good all-round chat with 8 GB of memory: languages, summaries, JSON, some code"
	if first, rest := brokenAt(sentence, wideAs(sentence)+1); first != sentence || rest != "" {
		t.Errorf("a wide row: %q, %q", first, rest)
	}
	half := wideAs(sentence) * 0.6
	first, rest := brokenAt(sentence, half)
	if first+" "+rest != sentence || wideAs(first) > half || wideAs(rest) > half {
		t.Errorf("%q, %q", first, rest)
	}
	if first, rest := brokenAt("oneword", 3); first != "oneword" || rest != "" {
		t.Errorf("a word without a space: %q, %q", first, rest)
	}
	if first, rest := brokenAt("", 3); first != "" || rest != "" {
		t.Errorf("nothing: %q, %q", first, rest)
	}
}

// A row is as high as its sentence needs, and shows all of it.
func TestRowsShowWholeSentences(t *testing.T) {
	uitest.LightApp(t)
	rows := rowsByView{}
	o := rows.create()
	const width = 300
	long := "Everyday questions in many European languages, and reading what is in pictures"
	for sentence, low := range map[string]bool{"Quick answers": true, long: false} {
		if got := (shownItem{wide: wideAs(sentence)}).low(width); got != low {
			t.Errorf("%q: one line %v", sentence, got)
		}
		rows[o].detail.set(sentence, theme.ColorNameForeground)
		height := o.MinSize().Height
		if low {
			height = lowRow()
		}
		o.Resize(fyne.NewSize(width, height))
		if text := strings.Join(strings.Fields(uitest.AllText(o)), " "); !strings.Contains(text, sentence) {
			t.Errorf("%q is shown as %q", sentence, text)
		}
	}
	if o.MinSize().Height <= lowRow() {
		t.Error("a second line takes no room")
	}
}
