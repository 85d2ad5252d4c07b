package documents

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// A collection is made under a name of its own, and searched from then on. It is said where what is added goes.
func TestNewCollection(t *testing.T) {
	b := withLease(t)
	c := b.panel.collections
	if got := c.where.Segment.Text; got != "A folder that you add becomes a collection of its own." {
		t.Errorf("where no collection is chosen it says %q", got)
	}
	anew, ok := uitest.Find(c.view, func(b *kit.TextButton) bool { return b.Line.Text == newCollectionName })
	if !ok {
		t.Fatal("no button makes a collection")
	}
	test.Tap(anew)
	b.sheet(t, "New collection")
	b.panel.sheet.Close()
	b.panel.addNew("Contracts", []string{"/contracts"})
	b.Loop.Until(t, "the collection", func() bool {
		one, ok := b.panel.collection()
		return ok && one.Name == "Contracts" && c.rows.Current == c.row()
	})
	if got := c.where.Segment.Text; got != "What you add goes to “Contracts”." {
		t.Errorf("it says %q", got)
	}
	if got := b.panel.field.PlaceHolder; !strings.Contains(got, "Contracts") {
		t.Errorf("the field says %q", got)
	}
}

// A heading that stands over an excerpt is not repeated in it.
func TestHeadingIsNotRepeated(t *testing.T) {
	for text, want := range map[string]string{
		"6a. Non-competition\n\nNobody is hired.": "Nobody is hired.",
		"Non-competition\nNobody is hired.":       "Nobody is hired.",
		"\n\n6a. Non-competition\nNobody.":        "Nobody.",
		"6a. Non-competition":                     "6a. Non-competition",
		"7. Secrets\nNobody tells.":               "7. Secrets\nNobody tells.",
	} {
		if got := text[headed(text, "6a. Non-competition"):]; got != want {
			t.Errorf("of %q is shown %q", text, got)
		}
	}
}
