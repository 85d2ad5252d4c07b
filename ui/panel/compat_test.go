package panel_test

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/fit"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// whyPanel shows that there is no GPU.
type whyPanel struct {
	panel.Still
	view fyne.CanvasObject
}

func (p *whyPanel) Info() panel.Info           { return panel.Info{ID: "why", Name: "Why"} }
func (p *whyPanel) Content() fyne.CanvasObject { return p.view }
func (p *whyPanel) Enter()                     {}
func (p *whyPanel) ShowError(error)            {}

// Why there is no GPU is told in the room that a person is in.
func TestNoGPU(t *testing.T) {
	s := uitest.NewStage(t, uitest.NewApp())
	view := panel.NoGPU(s.Host)
	s.Put(&whyPanel{view: view})
	why, ok := uitest.Find(view, func(*kit.TextButton) bool { return true })
	if !ok {
		t.Fatal("nothing tells why")
	}
	test.Tap(why)
	over := s.Window.Canvas().Overlays().Top()
	if over == nil || s.Entered != "" {
		t.Fatalf("nothing is told here, or it leads to %q", s.Entered)
	}
	if text := uitest.AllText(over); !strings.Contains(text, "Models run on the processor") || !strings.Contains(text, "Metal") {
		t.Errorf("it says %q", text)
	}
	test.Tap(uitest.FindButton(t, over, "Close"))
	if s.Window.Canvas().Overlays().Top() != nil || s.Entered != "" {
		t.Error("it does not close")
	}
}

// Of the memory it is said how much the model takes and how much the program: other pages count the model
// alone.
func TestMemoryInParts(t *testing.T) {
	uitest.LightApp(t)
	memory := fit.CompatMemory{Total: 141e6, Runtime: 90e6}
	rows := panel.CompatRows(uitest.NewApp(), []fit.CompatDevice{{Device: "cpu", Verdict: fit.VerdictFull, Memory: memory}}, nil)
	if text := uitest.AllText(rows); !strings.Contains(text, "Takes 141 MB of memory: 51 MB for the model and 90 MB for the program.") {
		t.Errorf("it says %q", text)
	}
}
