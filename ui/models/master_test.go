package models

import (
	"testing"

	"inglenook/app/downloads"
	"inglenook/ui/master"
	"inglenook/ui/uitest"
)

// The masters show the panel in its main states.
func TestMasters(t *testing.T) {
	for name, arrange := range map[string]func(t *testing.T, d *uitest.App, b *bench){
		"installed": func(t *testing.T, _ *uitest.App, b *bench) {
			pickModel(t, b, "org/other")
			b.Loop.Until(t, "a verdict", func() bool { return b.models.page.compat != nil })
			b.Idle()
		},
		"discover": func(t *testing.T, _ *uitest.App, b *bench) {
			turnTo(b, tabDiscover)
			pickModel(t, b, "Talker 1B")
			b.Loop.Until(t, "a preview", func() bool { return b.models.page.preview != nil })
			b.Idle()
		},
		"downloads": func(_ *testing.T, d *uitest.App, b *bench) {
			turnTo(b, tabDownloads)
			b.models.downloads.show([]downloads.Download{
				{ID: "org/a", State: "downloading", Done: 150e6, Total: 600e6, Speed: 1e6},
				{ID: "org/b", State: downloads.DownloadPaused, Done: 1e6, Total: 2e6},
				{ID: "org/c", State: downloads.DownloadFailed, Why: "the disk is full; make room"},
				{ID: "org/d", State: downloads.DownloadDone, Total: 3e6, Done: 3e6},
			})
		},
		"nothing-found": func(_ *testing.T, _ *uitest.App, b *bench) { b.models.filter.text.SetText("nothing such") },
	} {
		t.Run(name, func(t *testing.T) {
			d := uitest.NewApp()
			d.Hub.Previews = map[string]downloads.Preview{"org/talker-GGUF": uitest.TalkerPreview()}
			b := inModels(t, d)
			b.Idle()
			arrange(t, d, b)
			master.CheckCanvas(t, name, b.Window.Canvas())
		})
	}
}
