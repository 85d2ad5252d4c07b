package kit

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
)

// A password is dots until its eye is clicked on, and dots again after that or when it is concealed.
func TestTheEyeOfASecret(t *testing.T) {
	fyneApp := test.NewTempApp(t)
	fyneApp.Settings().SetTheme(NewTheme(ThemeLight))
	w := fyneApp.NewWindow("test")
	e := NewSecret(&Keyboard{}, "Password")
	w.SetContent(e)
	w.Resize(fyne.NewSize(300, 60))
	e.SetText("swordfish")
	shown := func() bool {
		return slices.Contains(lettersOf(e), "swordfish")
	}
	for i, want := range []bool{false, true, false, true} {
		if i > 0 {
			test.Tap(e.eye)
		}
		if shown() != want || e.Password == want {
			t.Errorf("after %d clicks the text is shown: %v, drawn is %q", i, shown(), lettersOf(e))
		}
		if hides := strings.HasPrefix(e.eye.Tip, "Hide"); hides != want {
			t.Errorf("after %d clicks the eye says %q", i, e.eye.Tip)
		}
	}
	if w.Canvas().Focused() != fyne.Focusable(e) {
		t.Error("the eye takes the keyboard from the field")
	}
	if e.Conceal(); shown() {
		t.Error("what is concealed is shown")
	}
}

// lettersOf are the texts that are drawn, dots and all.
func lettersOf(o fyne.CanvasObject) (texts []string) {
	switch o := o.(type) {
	case *canvas.Text:
		return []string{o.Text}
	case *fyne.Container:
		for _, child := range o.Objects {
			texts = append(texts, lettersOf(child)...)
		}
	case fyne.Widget:
		for _, child := range test.WidgetRenderer(o).Objects() {
			texts = append(texts, lettersOf(child)...)
		}
	}
	return texts
}
