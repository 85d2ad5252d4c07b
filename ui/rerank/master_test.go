package rerank

import (
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/app/texts"
	"inglenook/ui/master"
	"inglenook/ui/uitest"
)

// The masters show the room in its main states.
func TestMasters(t *testing.T) {
	few := []string{"snow on the hills", "a warm hearth", "a fire in winter"}
	for name, arrange := range map[string]func(t *testing.T, d *uitest.App) *bench{
		"first": func(t *testing.T, d *uitest.App) *bench { return entered(t, d, "") },
		"ranked": func(t *testing.T, d *uitest.App) *bench {
			b := entered(t, d, "fire", few...)
			b.ranked(t)
			return b
		},
		"two": func(t *testing.T, d *uitest.App) *bench {
			b := entered(t, d, "fire", few...)
			b.panel.beside(true)
			b.ranked(t)
			return b
		},
		"compare": func(t *testing.T, d *uitest.App) *bench {
			b := entered(t, d, "")
			b.panel.tabs.Pick(viewTry)
			b.panel.trial.try()
			return b
		},
		"untrusted-small": func(t *testing.T, d *uitest.App) *bench {
			d.Ranked.Change = func(r *texts.RerankResult) {
				r.Untrusted = "it gives texts that have nothing in common nearly the same score"
			}
			b := entered(t, d, "fire", few...)
			b.ranked(t)
			b.panel.field.SetText("hearth")
			b.Window.Resize(fyne.NewSize(816, 570))
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := arrange(t, uitest.NewApp())
			b.Idle()
			master.CheckCanvas(t, name, b.Window.Canvas())
		})
	}
}
