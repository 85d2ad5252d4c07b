package prose

import (
	"slices"
	"testing"

	"inglenook/ui/master"
)

// The masters show each kind of block, in a wide and in a narrow column.
func TestMasters(t *testing.T) {
	for name, width := range map[string]float32{"wide": 640, "narrow": 240} {
		t.Run(name, func(t *testing.T) {
			g := newPage(t, sample, width)
			g.loop.Until(t, "the colours of code", func() bool { return slices.Contains(g.words(), "func ") })
			master.CheckCanvas(t, name, g.window.Canvas())
		})
	}
}
