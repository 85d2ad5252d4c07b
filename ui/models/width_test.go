package models

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/app/downloads"
	"inglenook/app/pool"
	"inglenook/ui/uitest"
)

// narrowRoom is what the smallest window has beside the rail.
const narrowRoom float32 = 640 - 84

// The room asks for no more width than the smallest window has, whatever its downloads and models do.
func TestFitsTheSmallestWindow(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Open = []pool.OpenModel{{Model: "starter-embed", Device: "cpu", Bytes: 123 << 30}, {Model: "starter-chat", Device: "cpu", Bytes: 123 << 30}}
	d.Hub.Free = 1023 << 30
	b := inModels(t, d)
	view := b.models.Content()
	b.models.filter.turn()
	b.models.lookFor(&reranking)
	b.models.page.details = true
	b.models.showNotice("An organization with a long name has a model with a very long name, of which something is to be said.", "Show the download", func() {})
	for _, state := range []string{downloads.DownloadAsking, downloads.DownloadWaiting, downloads.DownloadQueued, downloads.DownloadPaused, downloads.DownloadDone, downloads.DownloadFailed, "downloading"} {
		list := []downloads.Download{}
		for i := range 12 {
			list = append(list, downloads.Download{ID: fmt.Sprintf("an-organization-with-a-long-name/a-model-with-a-very-long-name-%d-GGUF", i), Revision: "main", State: state, Done: 123e6, Total: 12e9, Why: "The store answered with something that nobody expected, and it took many words to say so."})
		}
		for tab := range modelTabs {
			turnTo(b, tab)
			b.Idle()
			b.models.follow(list)
			b.models.lookFor(nil)
			if tab < tabDownloads {
				b.models.list.Pick(0)
				b.Idle()
			}
			for _, width := range []float32{1150, 700, narrowRoom} {
				view.Resize(fyne.NewSize(width, 440))
			}
			if got := view.MinSize().Width; got > narrowRoom {
				t.Errorf("%s with downloads that are %s: %v wide", modelTabs[tab], state, got)
			}
		}
	}
}
