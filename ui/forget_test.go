package ui

import (
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/library"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// A model that is removed from the list in any room can be brought back at once, by a button
// that is in view there.
func TestUndoOfRemoveFromList(t *testing.T) {
	for name, enter := range map[string]func(*bench){
		"Similarity": func(b *bench) { b.enter(panel.Similarity) },
		"Classify":   func(b *bench) { b.enter(panel.Similarity); b.similarity.Classify("starter-embed") },
		"Rerank":     func(b *bench) { b.enter(panel.Rerank) },
	} {
		d := uitest.NewApp()
		b := started(t, d)
		own, err := d.AddModel(t.Context(), filepath.Join(t.TempDir(), "own"))
		if err != nil {
			t.Fatal(err)
		}
		listed := func() bool {
			return slices.ContainsFunc(d.Offered, func(m library.Model) bool { return m.ID == own.ID })
		}
		enter(b)
		b.modelsChanged()
		var picker *panel.ModelPicker
		b.loop.Until(t, name+": the model", func() bool {
			uitest.Each(b.stage, func(o fyne.CanvasObject) {
				if p, ok := o.(*panel.ModelPicker); ok && picker == nil {
					picker = p
				}
			})
			return picker != nil && slices.ContainsFunc(picker.Models, func(m library.Model) bool { return m.ID == own.ID })
		})
		picker.Open()
		picker.List.Choose(slices.IndexFunc(picker.Models, func(m library.Model) bool { return m.ID == own.ID }))
		picker.List.Selected(picker.List.Current)
		test.Tap(uitest.FindButton(t, picker.Popup.Content, "Remove from list"))
		b.loop.Until(t, name+": the offer", func() bool { return !listed() && b.toast.View.Visible() })
		b.window.Canvas().Capture() // lays it out
		undo := uitest.FindButton(t, b.toast.View, "Undo")
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(undo)
		if size := undo.Size(); size.Width < 20 || at.X < railWidth || at.X+size.Width > firstWidth || at.Y+size.Height > firstHeight {
			t.Errorf("%s: the button is at %v, %v large", name, at, size)
		}
		test.TapCanvas(b.window.Canvas(), at.AddXY(10, 10))
		b.loop.Until(t, name+": the model again", listed)
	}
}
