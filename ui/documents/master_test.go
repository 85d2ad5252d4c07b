package documents

import (
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/documents"
	text "inglenook/documents"
	"inglenook/ui/master"
	"inglenook/ui/scripted"
)

func block(start, end int) text.Block { return text.Block{Start: start, End: end, Line: 1} }

// The masters show the panel in its main states.
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
			e.Progress.Files, e.Progress.FilesDone, e.Progress.Share = 12, 3, 0.25
			b.panel.noticed(documents.Watched{Collection: "Home", Event: &e})
			return b
		},
		"page": func(t *testing.T) *bench {
			b := withPages(t, true)
			b.pick(t, 1)
			b.Loop.Until(t, "the picture", func() bool { return b.panel.viewer.page.view.Visible() })
			return b
		},
		"filter": func(t *testing.T) *bench {
			b := withPages(t, false)
			test.Tap(b.panel.filters.button)
			b.panel.filters.kind.SetSelected("PDF")
			b.Loop.Until(t, "the PDF file", func() bool { return !b.panel.busy && len(b.panel.found) == 4 })
			return b
		},
		"sorted": func(t *testing.T) *bench {
			b := withLease(t)
			b.sortBy(t, 1)
			b.search(t, "dog")
			b.panel.results.rows.Pick(3)
			b.Loop.Until(t, "the order", func() bool { return b.panel.result.Reranked != nil && b.panel.shows })
			return b
		},
		"like": func(t *testing.T) *bench {
			b := withPages(t, false)
			b.pick(t, 1)
			b.panel.moreLike()
			b.Loop.Until(t, "passages like it", func() bool { return !b.panel.busy && len(b.panel.found) == 4 })
			return b
		},
		"details": func(t *testing.T) *bench {
			b := withLease(t)
			b.kept.SetEmbedder("Home", "starter-embed")
			b.kept.LeftOut = []documents.File{
				{Path: "/papers/scan.pdf", State: "skipped", Reason: "it has pictures of pages, but no text"},
				{Path: "/papers/secret.pdf", State: "failed", Reason: "it is locked with a password"},
				{Path: "/papers/bank.pdf", State: "failed", Reason: "it is locked with a password"},
			}
			b.panel.showDetails(b.panel.session.collections[0])
			b.sheet(t, "Manage the collection")
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
