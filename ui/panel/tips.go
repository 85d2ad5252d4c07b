package panel

import (
	"slices"

	"inglenook/app/base"
)

// TipClosed reports whether a person closed the tip of that name for good.
func (d Host) TipClosed(name string) bool { return slices.Contains(d.App.Settings().ClosedTips, name) }

// CloseTip closes a tip for good, from the next time on that it would be given.
func (d Host) CloseTip(name string) {
	d.Keep(func(s *base.Settings) {
		if !slices.Contains(s.ClosedTips, name) {
			s.ClosedTips = append(slices.Clone(s.ClosedTips), name)
		}
	})
}
