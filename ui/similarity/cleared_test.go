package similarity

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/texts"
	"inglenook/ui/chart"
	"inglenook/ui/uitest"
)

// After Clear the old result is not in view and cannot be copied; Undo brings it back with the texts.
// Below the texts stands how many are missing.
func TestClearTakesTheResult(t *testing.T) {
	b := opened(t, uitest.NewApp())
	p := b.panel
	seen := func() bool {
		return p.results.view.Visible() && p.foot.Visible() && !p.blank.Visible() && !p.export.Disabled()
	}
	if !seen() || p.lack.Visible() {
		t.Fatalf("the result is not in view, or texts are missing: %q", p.lack.Text)
	}
	test.Tap(uitest.FindButton(t, p.Content(), "Clear"))
	b.Idle()
	p.copyCSV()
	if p.results.view.Visible() || p.foot.Visible() || !p.blank.Visible() || !p.export.Disabled() || p.stale.Message() != "" || b.FyneApp.Clipboard().Content() != "" {
		t.Error("without texts the old result is in view")
	}
	if !p.lack.Visible() || p.lack.Text != "Add at least two texts to compare." {
		t.Errorf("without texts it says %q", p.lack.Text)
	}
	p.list.Undo()
	b.Idle()
	if !seen() {
		t.Error("with the texts the result does not come back")
	}
	p.list.Replace([]string{"alone"})
	if p.lack.Text != "Add a second text to compare." {
		t.Errorf("of one text it says %q", p.lack.Text)
	}
}

// After Clear and other texts the old result is not in view; it comes back with its own texts.
func TestAResultGoesWithItsTexts(t *testing.T) {
	b := opened(t, uitest.NewApp())
	p := b.panel
	test.Tap(uitest.FindButton(t, p.Content(), "Clear"))
	p.list.Add([]string{"one", "two", "three"})
	b.Idle()
	if p.results.view.Visible() || !p.blank.Visible() || !p.exports()[0].Disabled || p.stale.Message() != "" {
		t.Errorf("beside other texts the old result is in view; it says %q", p.stale.Message())
	}
	p.list.Undo()
	p.list.Undo()
	b.Idle()
	if !p.results.view.Visible() || p.stale.Message() != "" {
		t.Errorf("with its texts the result does not come back; it says %q", p.stale.Message())
	}
}

// Once the words of a search are taken away, neither list nor map is about them.
func TestEmptyWordsEndTheSearch(t *testing.T) {
	b := opened(t, uitest.NewApp())
	p, near := b.panel, b.panel.results.near
	near.asks.SetText("a cat")
	near.asks.Submit()
	b.Idle()
	if !near.asked || near.title.Text != "Closest to your words" {
		t.Fatalf("the list is %q", near.title.Text)
	}
	near.asks.SetText("a")
	if !near.asked {
		t.Error("while other words are written the list goes")
	}
	near.asks.SetText("")
	if near.asked || near.title.Text == "Closest to your words" || p.results.selected != p.texts.Index(p.list.Selected) {
		t.Errorf("without words the list is %q, text %d is marked of %d", near.title.Text, p.results.selected, p.list.Selected)
	}
}

// A group of texts that are hardly alike has no frame, and the text that is most like the others stands for
// its group.
func TestWeakGroups(t *testing.T) {
	r := &texts.SimilarityResult{
		Matrix: [][]float32{{1, 0.6, 0.5, 0, 0, 0}, {0.6, 1, 0.9, 0, 0, 0}, {0.5, 0.9, 1, 0, 0, 0}, {0, 0, 0, 1, 0.1, 0}, {0, 0, 0, 0.1, 1, 0}, {0, 0, 0, 0, 0, 1}},
		Groups: texts.Groups{Of: []int{0, 0, 0, 1, 1, 2}, Order: []int{0, 1, 2, 3, 4, 5}, Count: 3},
	}
	want := []chart.Block{{Size: 3, Text: 1, Framed: true}, {Size: 2, Text: 3}, {Size: 1, Text: 5, Framed: true}}
	if got := blocks(r); !slices.Equal(got, want) {
		t.Errorf("the groups are %+v", got)
	}
	r.Explained = [2]float64{0.3, 0.1}
	if got := spreadText(r); got != "3 groups · a rough picture" {
		t.Errorf("the map says %q", got)
	}
	if got := spreadText(&texts.SimilarityResult{Explained: [2]float64{1, 0}}); strings.Contains(got, "rough") {
		t.Errorf("a map of all differences says %q", got)
	}
}

// A small window keeps its height when the strip with Undo comes.
func TestUndoKeepsTheWindow(t *testing.T) {
	b := opened(t, uitest.NewApp())
	p := b.panel
	small := fyne.NewSize(556, 450) // of the room in a window of 640 by 480
	b.Window.Resize(small)
	p.list.Add([]string{"one", "two", "three"})
	b.Idle()
	if got := p.view.MinSize(); got.Height > small.Height {
		t.Errorf("the room asks for a height of %v", got.Height)
	}
}
