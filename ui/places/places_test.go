package places

import (
	"image/color"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	_ "inglenook/app/locale"
	"inglenook/ui/kit"
)

// A click on the place of something reaches it, wherever it was moved; what is hidden, scrolled out
// of view or covered has no place.
func TestAClickOnItsPlaceReachesIt(t *testing.T) {
	fyneApp := test.NewTempApp(t)
	fyneApp.Settings().SetTheme(kit.NewTheme(kit.ThemeLight))
	var did []string
	k := &kit.Keyboard{}
	button := func(name string) *kit.Button {
		return kit.NewButton(k, name, nil, func() { did = append(did, name) })
	}
	icon := kit.NewIconButton(k, theme.DeleteIcon(), "Take it away", func() { did = append(did, "icon") })
	check := kit.NewCheck(k, "Ticked", func(bool) { did = append(did, "Ticked") })
	hidden := button("Hidden")
	hidden.Hide()
	far := button("Far below")
	between := canvas.NewRectangle(color.Transparent)
	between.SetMinSize(fyne.NewSize(1, 900))
	list := container.NewVScroll(container.NewVBox(button("In the list"), between, far))
	w := fyneApp.NewWindow("test")
	w.SetPadded(false)
	w.SetContent(container.NewBorder(container.NewHBox(button("First"), icon, hidden), container.NewGridWithColumns(1, check), nil, nil, list))
	w.Resize(fyne.NewSize(600, 300))

	click := func(name string) bool {
		t.Helper()
		all := In(w.Canvas())
		at := slices.IndexFunc(all, func(p Place) bool { return p.Name == name })
		if at >= 0 {
			test.TapCanvas(w.Canvas(), fyne.NewPos(float32(all[at].X), float32(all[at].Y)))
		}
		return at >= 0
	}
	for _, name := range []string{"First", "Take it away", "In the list", "Ticked"} {
		if !click(name) {
			t.Errorf("%s has no place", name)
		}
	}
	if want := []string{"First", "icon", "In the list", "Ticked"}; !slices.Equal(did, want) {
		t.Errorf("clicked were %v, want %v", did, want)
	}
	if click("Hidden") || click("Far below") {
		t.Error("what cannot be seen has a place")
	}
	list.ScrollToBottom()
	if !click("Far below") || did[len(did)-1] != "Far below" {
		t.Errorf("scrolled into view it is not reached: %v", did)
	}
	over := widget.NewModalPopUp(container.NewVBox(button("On top")), w.Canvas())
	over.Show()
	if click("First") || !click("On top") || did[len(did)-1] != "On top" {
		t.Errorf("with a dialog over the window, clicked were %v", did)
	}
}
