package similarity

import (
	"testing"

	"inglenook/ui/master"
	"inglenook/ui/uitest"
)

// The masters show the panel in its main states.
func TestMasters(t *testing.T) {
	texts := []string{"a fire in winter", "a warm hearth", "snow on the hills"}
	for name, arrange := range map[string]func(t *testing.T, d *uitest.App) *bench{
		"empty": func(t *testing.T, d *uitest.App) *bench {
			d.Kept.SimilarityTexts = []string{}
			b := newBench(t, d)
			b.panel.Open("")
			b.Loop.Until(t, "models", func() bool { return b.panel.models != nil })
			return b
		},
		"result": func(t *testing.T, d *uitest.App) *bench { return opened(t, d) },
		"stale": func(t *testing.T, d *uitest.App) *bench {
			b := opened(t, d)
			b.panel.list.Add([]string{"a new text"})
			return b
		},
		"failed": func(t *testing.T, d *uitest.App) *bench {
			b := opened(t, d)
			b.panel.notice.Fail("The model gives no finite numbers for text 3; try another model.")
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := uitest.NewApp()
			d.Kept.SimilarityTexts = texts
			b := arrange(t, d)
			b.Idle()
			master.CheckCanvas(t, name, b.Window.Canvas())
		})
	}
}
