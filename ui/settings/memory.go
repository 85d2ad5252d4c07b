package settings

import (
	"cmp"
	"math"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app/base"
	"inglenook/ui/kit"
)

// unloadAfter are the times without use on offer after which a model leaves the memory, in minutes;
// 0: never.
var unloadAfter = []int{5, 15, 60, 240, 0}

// buildUnload chooses when a model that nobody uses gives its memory back.
func (p *Panel) buildUnload() fyne.CanvasObject {
	now, times := int(p.App.Settings().Unload()/time.Minute), slices.Clone(unloadAfter)
	if !slices.Contains(times, now) { // somebody wrote it into the file
		times = append(times, now)
		slices.SortFunc(times, func(a, b int) int { return cmp.Compare(cmp.Or(a, math.MaxInt), cmp.Or(b, math.MaxInt)) })
	}
	var names []string
	for _, n := range times {
		names = append(names, unloadName(n))
	}
	p.unload = kit.NewChoice(p.Keys, names, nil)
	p.unload.SetSelectedIndex(slices.Index(times, now))
	p.unload.OnChanged = func(string) {
		n := times[max(0, p.unload.SelectedIndex())]
		if n == 0 {
			n = -1
		}
		p.save(func(s *base.Settings) { s.UnloadAfter = n }, func() {})
	}
	return field("Unload models", container.New(&kit.FixedWidth{Width: unloadWidth}, p.unload), "A model that nobody has used for so long gives its memory back. It loads again when you use it.")
}

// unloadWidth has room for the longest of the times.
const unloadWidth float32 = 220

// unloadName is a time in words.
func unloadName(minutes int) string {
	switch {
	case minutes == 0:
		return "Never"
	case minutes%60 == 0:
		return "After " + kit.Count(minutes/60, "hour") + " without use"
	}
	return "After " + kit.Count(minutes, "minute") + " without use"
}
