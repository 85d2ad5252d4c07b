package settings

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/ui/kit"
)

// prefixLimits are how much of the disk the caches of conversations may take, as
// it is offered.
var prefixLimits = []int64{0, 500e6, 2e9, 8e9, 32e9}

// buildPrefixes chooses how much of the disk keeps what models have read, so that
// an old conversation goes on at once.
func (p *Panel) buildPrefixes() fyne.CanvasObject {
	now, limits := p.App.Settings().PrefixLimit(), slices.Clone(prefixLimits)
	if !slices.Contains(limits, now) { // somebody wrote it into the file
		limits = slices.Sorted(slices.Values(append(limits, now)))
	}
	var names []string
	for _, n := range limits {
		if n == 0 {
			names = append(names, "None")
		} else {
			names = append(names, humanize.Bytes(uint64(n)))
		}
	}
	limit := kit.NewChoice(p.Keys, names, nil)
	limit.SetSelectedIndex(slices.Index(limits, now))
	limit.OnChanged = func(string) {
		n := limits[max(0, limit.SelectedIndex())]
		p.save(func(s *base.Settings) { s.PrefixBytes = &n }, func() {})
	}
	return field("Room on the disk", container.New(&kit.FixedWidth{Width: 150}, limit), "Keeps what models have read of old chats, so that they continue at once.")
}
