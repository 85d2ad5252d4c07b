package documents

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/library"
	"inglenook/ui/uitest"
)

// A server that was not chosen for a collection here is asked about, and allowed by a button.
func TestServerIsAllowed(t *testing.T) {
	b := withLease(t)
	b.Double.Offered = []library.Model{{ID: "lab/vectors", Name: "lab/vectors", Kind: library.KindEmbedding, Usable: true, Source: library.SourceServer, Server: "lab", Leaves: "gpu.example.com"}}
	b.kept.SetEmbedder("Home", "lab/vectors")
	b.kept.SetAsk("Home", "lab/vectors")
	b.panel.list()
	b.Loop.Until(t, "the question", func() bool { return b.panel.session.collections[0].Ask != "" })
	test.Tap(b.panel.collections.manage)
	b.sheet(t, "Manage the collection")
	if text := uitest.AllText(b.panel.sheet.Popup.Content); !strings.Contains(text, "nothing of this collection is sent there unless you allow it") || !strings.Contains(text, "they are sent to gpu.example.com") {
		t.Error(text)
	}
	test.Tap(uitest.FindButton(t, b.panel.sheet.Popup.Content, "Allow lab/vectors"))
	b.Loop.Until(t, "that it is allowed", func() bool { return b.panel.session.collections[0].Ask == "" })
}
