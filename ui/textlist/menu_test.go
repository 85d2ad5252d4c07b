package textlist

import (
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/ui/uitest"
)

// The other button of the mouse offers what can be done with a text, and what the room can do with it.
func TestMenuOfARoom(t *testing.T) {
	_, l := few(t)
	asked := 0
	l.Menu = func(id int) []*fyne.MenuItem {
		asked = id
		return []*fyne.MenuItem{fyne.NewMenuItem("Look", nil)}
	}
	uitest.RowsOf(l.Rows)[1].(fyne.SecondaryTappable).TappedSecondary(&fyne.PointEvent{})
	if asked != l.texts.items[1].id || l.Selected != asked {
		t.Errorf("asked about %d, selected %d", asked, l.Selected)
	}
	l.RemoveAll([]int{l.texts.items[0].id, 999, l.texts.items[1].id})
	wantTexts(t, l, "gamma")
	l.Undo()
	wantTexts(t, l, "alpha", "beta", "gamma")
}
