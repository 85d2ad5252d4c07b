package models

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/app/library"
	"inglenook/ui/kit"
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

// A row is as high as its sentence needs, and shows all of it. What has no room beside the name
// stands before the sentence, and no name is cut for it.
func TestRowsShowWholeSentences(t *testing.T) {
	uitest.LightApp(t)
	rows := rowsByView{}
	o := rows.create()
	const width = 300
	long, name := "Everyday questions in many European languages, and reading what is in pictures", "A model with a name of some length"
	for _, c := range []struct {
		name, use, advice, want string
		low                     bool
	}{
		{"Small", "Quick answers", "recommended", "Small 1.0 kB · recommended Quick answers", true},
		{"Small", long, "recommended", "Small 1.0 kB · recommended " + long, false},
		{name, "Quick answers", "recommended", name + " 1.0 kB · recommended · Quick answers", true},
		{name, long, "recommended", name + " 1.0 kB · recommended · " + long, false},
	} {
		e := library.CatalogueEntry{Name: c.name, Use: c.use, Downloads: []library.CatalogueDownload{{Bytes: 1000}}}
		m := measured(shownItem{modelItem: modelItem{entry: &e}, advice: c.advice})
		if got := m.low(width); got != c.low {
			t.Errorf("%q: one line %v", c.want, got)
		}
		rows.fill(m, o)
		height := o.MinSize().Height
		if c.low {
			height = lowRow()
		}
		o.Resize(fyne.NewSize(width, height))
		var parts []string
		for _, line := range []*kit.Line{rows[o].name, rows[o].mark, rows[o].lines[0], rows[o].lines[1]} {
			if line.Visible() {
				parts = append(parts, line.Text)
			}
		}
		if text := strings.Join(parts, " "); text != c.want {
			t.Errorf("%q is shown as %q", c.want, text)
		}
		if line := rows[o].name; line.MinSize().Width > line.Size().Width {
			t.Errorf("%q has %v of %v", c.name, line.Size().Width, line.MinSize().Width)
		}
	}
	if o.MinSize().Height <= lowRow() {
		t.Error("a second line takes no room")
	}
}
