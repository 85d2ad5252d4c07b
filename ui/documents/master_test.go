package documents

import (
	"testing"

	"inglenook/app/documents"
	text "inglenook/documents"
	"inglenook/ui/master"
	"inglenook/ui/scripted"
)

func block(start, end int) text.Block { return text.Block{Start: start, End: end, Line: 1} }

// The masters show the room in its main states.
func TestMasters(t *testing.T) {
	for name, arrange := range map[string]func(t *testing.T) *bench{
		"empty": func(t *testing.T) *bench { return newBench(t, scripted.NewDocuments()) },
		"found": func(t *testing.T) *bench {
			b := withLease(t)
			b.search(t, "dog lease")
			return b
		},
		"opened": func(t *testing.T) *bench {
			b := withLease(t)
			b.search(t, "sixty days")
			b.panel.results.rows.Pick(0)
			b.Loop.Until(t, "the document", func() bool { return b.panel.shows })
			return b
		},
		"nothing": func(t *testing.T) *bench {
			b := withLease(t)
			b.search(t, "unicorn")
			return b
		},
		"reading": func(t *testing.T) *bench {
			b := withLease(t)
			e := documents.Event{}
			e.Progress.Files, e.Progress.FilesDone = 12, 3
			b.panel.noticed(documents.Watched{Collection: "Home", Event: &e})
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := arrange(t)
			b.Idle()
			master.CheckCanvas(t, name, b.Window.Canvas())
		})
	}
}
