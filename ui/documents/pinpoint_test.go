package documents

import (
	"strings"
	"testing"

	"inglenook/app/documents"
	"inglenook/ui/scripted"
)

const leave = "Hours are flexible. Workers choose their days themselves. Every employee has four weeks of paid leave."

// The list shows the sentence that answers best by meaning, also where it has no word of the question, and
// in the document it stands out from the passage around it.
func TestBestSentenceByMeaning(t *testing.T) {
	kept := scripted.NewDocuments()
	kept.Put("Work", map[string]string{"/papers/handbook.txt": leave})
	kept.Pinpoints = true
	b := newBench(t, kept)
	b.search(t, "days")
	b.Loop.Until(t, "the best sentence", func() bool { return len(b.panel.found) == 1 && b.panel.found[0].result.Pinpointed })
	const best = "Every employee has four weeks of paid leave."
	if text, _ := excerptOf(b.panel.found[0].result, "text"); strings.TrimSpace(text) != best {
		t.Errorf("the list shows %q", text)
	}
	b.panel.pick(0)
	b.Loop.Until(t, "the document", func() bool { return b.panel.shows })
	v := b.panel.viewer
	piece := v.pieces[v.best()]
	parts := v.bestIn(piece)
	if shown := shownText(v.laid, piece); len(parts) != 1 || strings.TrimSpace(shown[parts[0][0]:parts[0][1]]) != best {
		t.Errorf("in %q stands out %v", shown, parts)
	}
}

// Of two passages that overlap the second is not listed where the same sentence answers best in both, unless it is in
// view.
func TestASentenceIsListedOnce(t *testing.T) {
	b := withLease(t)
	s := b.panel.session
	file := documents.FileResult{File: documents.File{Path: "/papers/alice.txt"}}
	overlapping := func() []hit {
		one := documents.Result{Collection: "Home"}
		one.ID, one.Text, one.Files = 1, "The king turned pale. It was the oldest rule.", []documents.File{file.File}
		two := one
		two.ID, two.Start, two.Text = 2, 22, "It was the oldest rule. Then he left."
		one.Best, one.Pinpointed = documents.Span{Start: 22, End: 45}, true
		two.Best, two.Pinpointed = documents.Span{Start: 0, End: 23}, true
		return []hit{{file: file, result: one, first: true}, {file: file, result: two}}
	}
	for picked, want := range map[int]int{-1: 1, 0: 1, 1: 2} {
		s.found, s.picked = overlapping(), picked
		s.listOnce()
		if len(s.found) != want || s.picked != picked {
			t.Errorf("with %d picked %d are listed, and %d is picked", picked, len(s.found), s.picked)
		}
	}
	s.found, s.picked = nil, -1
}
