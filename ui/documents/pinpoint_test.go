package documents

import (
	"strings"
	"testing"

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
