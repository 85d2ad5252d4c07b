package chat

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/kit"
)

// Another size of text makes messages higher or lower, and the list keeps its end in view.
func TestTextSize(t *testing.T) {
	b, p := chatting(t)
	b.conversations.Put(longChat(60))
	p.openChat("long", 0)
	last := func() float32 { return p.bubbles[60].Size().Height }
	resize := func(size float32) { test.ApplyTheme(t, kit.NewTheme(kit.ThemeLight).WithReading(size)) }
	usual := last()
	heights := []float32{}
	for _, size := range kit.ReadingSizes {
		resize(size)
		heights = append(heights, last())
		if f := p.flow; !f.Stick || f.Scroll.Offset.Y+f.Scroll.Size().Height < f.Scroll.Content.Size().Height-1 {
			t.Errorf("at %v the end is out of view", size)
		}
	}
	for i := 1; i < len(heights); i++ {
		if heights[i] <= heights[i-1] {
			t.Errorf("messages of %v points at sizes %v", heights, kit.ReadingSizes)
		}
	}
	if heights[1] != usual {
		t.Errorf("%v at the usual size, and %v at first", heights[1], usual)
	}
	for _, size := range kit.ReadingSizes {
		resize(size)
		short, line := newOwnText(p.newText(nil), "What did the keeper do every evening?"), newOwnText(p.newText(nil), "x")
		for _, text := range []*ownText{short, line} {
			text.body.Resize(fyne.NewSize(text.width(600), 1))
		}
		if short.body.MinSize().Height != line.body.MinSize().Height {
			t.Errorf("at %v a line is broken where there is room", size)
		}
	}
	p.flow.Choose(10)
	before := p.flow.Scroll.Offset.Y
	resize(13)
	if y := p.flow.Scroll.Offset.Y; y >= before || y < before/2 {
		t.Errorf("from %v to %v", before, y)
	}
}
