package similarity

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/ui/uitest"
)

// A person's own texts come along to the other area where that has samples alone, and back; otherwise they are asked for.
func TestTextsComeAlong(t *testing.T) {
	b := grouped(t)
	mine := b.panel.texts.Lines()
	b.panel.areas.Pick(areaClassify)
	if !slices.Equal(b.page.taken, mine) {
		t.Errorf("taken along are %q", b.page.taken)
	}
	b.page.own = []string{"one", "two"}
	b.panel.areas.Pick(areaCompare)
	if !slices.Equal(b.panel.texts.Lines(), mine) {
		t.Error("a person's own texts are replaced unasked")
	}
	b.page.compare(b.page.own)
	if !slices.Equal(b.panel.texts.Lines(), b.page.own) || b.panel.areas.Index != areaCompare {
		t.Errorf("to be compared are %q", b.panel.texts.Lines())
	}
	b.panel.list.Undo()
	b.page.taken = nil
	b.panel.classifyItem().Action()
	if !slices.Equal(b.page.taken, mine) || b.panel.areas.Index != areaClassify {
		t.Errorf("to be classified are %q", b.page.taken)
	}

	s := opened(t, uitest.NewApp())
	s.page.own = []string{"one", "two"}
	s.panel.areas.Pick(areaClassify)
	s.panel.areas.Pick(areaCompare)
	if s.page.taken != nil || !slices.Equal(s.panel.texts.Lines(), s.page.own) {
		t.Errorf("of samples: %q taken, here are %q", s.page.taken, s.panel.texts.Lines())
	}
}

// A list without texts offers what comes next: files, or samples, which are compared at once.
func TestBeginning(t *testing.T) {
	b := opened(t, uitest.NewApp())
	p := b.panel
	p.list.Replace(nil)
	if !p.samples.Visible() || !p.begin.Visible() || p.begin.Text != "Open files…" {
		t.Errorf("offered are %q, samples %v", p.begin.Text, p.samples.Visible())
	}
	n := len(b.Double.Requests())
	test.Tap(p.samples)
	b.awaitResult(t, n+1)
	if p.texts.Len() < 8 || !p.results.view.Visible() {
		t.Errorf("%d samples are compared", p.texts.Len())
	}
}

// The area that was in view last is in view after a restart.
func TestAreaIsKept(t *testing.T) {
	b := grouped(t)
	b.panel.areas.Pick(areaClassify)
	b.Saver.Flush()
	d := uitest.NewApp()
	d.Kept = b.Double.Settings()
	c := newBench(t, d)
	c.panel.Enter()
	if c.panel.areas.Index != areaClassify {
		t.Error("Classify is not in view")
	}
	c.Idle()
	test.Tap(c.panel.compare)
	c.Idle()
	if strings.HasPrefix(c.Said, "Compared") {
		t.Errorf("in Classify it says %q", c.Said)
	}
	c.panel.areas.Pick(areaCompare)
	c.Saver.Flush()
	if c.panel.Enter(); c.panel.areas.Index != areaCompare || d.Settings().SimilarityClassify {
		t.Error("it turns back to Classify")
	}
}
