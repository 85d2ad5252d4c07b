package rerank

import (
	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
)

// leastPane is the height that a pane is laid out in at least: that of the smallest window.
const leastPane float32 = 330

// fit has a function told the height of a container before each layout, as kit.ByHeight does, and
// has the container ask for leastPane at most.
func fit(c *fyne.Container, tell func(height float32)) *fyne.Container {
	return kit.UpTo(leastPane, kit.ByHeight(c, tell))
}
