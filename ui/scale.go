package ui

import (
	"fyne.io/fyne/v2"

	"inglenook/app/base"
)

// setScale draws everything in another size, and keeps that. The window stays as large as it
// is on the screen.
func (s *shell) setScale(scale float32) {
	s.saver.Keep(func(settings *base.Settings) { settings.Scale = scale })
	s.theme = s.theme.Scaled(scale)
	if s.window == nil {
		s.theme.Apply(s.fyneApp)
		return
	}
	// Fyne would keep the size in points, and the window could grow out of the screen.
	canvas := s.window.Canvas()
	size, before := canvas.Size(), canvas.Scale()
	s.theme.Apply(s.fyneApp)
	if after := canvas.Scale(); after != before && !s.window.FullScreen() {
		s.window.Resize(fyne.NewSize(size.Width*before/after, size.Height*before/after))
	}
}
