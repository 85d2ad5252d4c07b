package similarity

import (
	"math"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/base"
	"inglenook/ui/uitest"
)

// A comparison is there again after a restart, without asking a model, as long as the texts and the model are the same.
func TestComparisonIsThereAgain(t *testing.T) {
	b := grouped(t)
	r := b.panel.results
	test.Tap(r.groups.more)
	b.Idle()
	before := b.panel.result
	b.Saver.Flush()
	d := uitest.NewApp()
	d.Kept.SimilarityTexts, d.Kept.SimilarityFound = b.Double.Kept.SimilarityTexts, b.Double.Kept.SimilarityFound
	c := newBench(t, d)
	again := c.panel
	again.Open("")
	c.Loop.Until(t, "what was kept", func() bool { return again.result != nil })
	if n := len(d.Requests()); n != 0 || again.result == nil || again.stale.View.Visible() {
		t.Fatalf("%d requests, %v", n, again.result)
	}
	if again.result.Groups.Count != before.Groups.Count || again.groupsAsked != before.Groups.Count {
		t.Errorf("%d groups instead of %d", again.result.Groups.Count, before.Groups.Count)
	}
	for i, row := range before.Matrix {
		for j, v := range row {
			if math.Abs(float64(v-again.result.Matrix[i][j])) > 1e-3 {
				t.Errorf("%d and %d are %v alike, and were %v", i, j, again.result.Matrix[i][j], v)
			}
		}
	}
	again.list.Add([]string{"another one"})
	if c.Saver.Flush(); d.Kept.SimilarityFound != nil {
		t.Error("of other texts a result is kept")
	}
	again.list.Undo()
	if c.Saver.Flush(); d.Kept.SimilarityFound == nil {
		t.Error("after Undo nothing is kept")
	}
}

// What does not fit the texts or the model is not shown: these are compared anew.
func TestOtherComparison(t *testing.T) {
	for _, kept := range []base.KeptComparison{{Model: "m", KeptVectors: base.KeptVectors{Dimension: 1, Vectors: make([]byte, 4)}}, {KeptVectors: base.KeptVectors{Dimension: 2, Vectors: make([]byte, 4)}}} {
		d := uitest.NewApp()
		d.Kept.SimilarityTexts = []string{"zz", "ee"}
		d.Kept.SimilarityFound = &kept
		opened(t, d)
		if n := len(d.Requests()); n != 1 {
			t.Errorf("%d comparisons", n)
		}
	}
}
