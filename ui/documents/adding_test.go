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

// What lies in a folder that was added is not added on top of it: it is said where it is, and shown.
func TestWhatIsThereIsShown(t *testing.T) {
	b := withLease(t)
	says := func(want string) { t.Helper(); b.Loop.Until(t, want, func() bool { return b.Said == want }) }
	b.panel.addPaths([]string{"/papers/lease.txt"})
	says("“lease.txt” is in “Home” already. Changes in it are noticed.")
	b.Loop.Until(t, "the document", func() bool { return b.panel.shows && b.panel.viewer.title.Text == "lease.txt" })
	b.panel.addPaths([]string{"/papers/lease.txt", "/papers/minutes.txt"})
	says("Both are in “Home” already. Changes in them are noticed.")
	if b.panel.session.chosen != "Home" {
		t.Errorf("in view is %q", b.panel.session.chosen)
	}
	b.panel.choose("")
	b.panel.addPaths([]string{"/papers/lease.txt", "/papers/new.txt"})
	says("Added 1 file to “Documents”. Nothing is moved or copied. 1 was there already.")
	if n := len(b.kept.Added); n != 1 || len(b.kept.Added[0].Paths) != 1 || b.kept.Added[0].Paths[0] != "/papers/new.txt" {
		t.Errorf("added %+v", b.kept.Added)
	}
	b.panel.hidden["Home"] = true // what was removed is added again
	b.panel.addPaths([]string{"/papers/lease.txt"})
	b.Loop.Until(t, "the file", func() bool { return len(b.kept.Added) == 2 })
}
