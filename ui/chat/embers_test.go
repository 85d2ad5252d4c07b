package chat

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/canvas"

	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// The embers glow and fade one after the other, in the colours of the theme, and look as
// before after a whole turn.
func TestEmbers(t *testing.T) {
	uitest.LightApp(t)
	e := newEmbers()
	r := e.CreateRenderer().(*embersRenderer)
	colours := func() (list [3]any) {
		r.Refresh()
		for i, o := range r.all {
			list[i] = o.(*canvas.Circle).FillColor
		}
		return list
	}
	first := colours()
	ashen, most := [3]bool{}, [3]int{}
	for beat := range emberTurn {
		for i, c := range colours() {
			ashen[i] = ashen[i] || c == kit.Themed(kit.ColorLine)
			if e.glow(i) > 0.999 {
				most[i] = beat
			}
		}
		e.beat()
	}
	if colours() != first {
		t.Error("after a turn they look otherwise")
	}
	if most[0] != 0 || most[1] != emberTurn/3 || most[2] != 2*emberTurn/3 {
		t.Errorf("they glow most at %v", most)
	}
	if !ashen[0] || !ashen[1] || !ashen[2] {
		t.Errorf("they turned to ashes: %v", ashen)
	}
}

// A model that a person chose and that is loaded is told of.
func TestFireIsLit(t *testing.T) {
	b, p := chatting(t)
	p.load()
	b.Loop.Until(t, "the fire", func() bool {
		return strings.HasSuffix(b.Said, "talker is ready.")
	})
}
