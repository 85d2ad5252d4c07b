package ui

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"
)

// Snapshot draws the panels, with a real comparison, into PNG files in dir. It
// needs no display: Fyne's software painter draws.
func Snapshot(a App, t Talks, dir string, o Options) error {
	// Fyne keeps the main goroutine for a window's driver, which is not used
	// here, and complains about other work there.
	drawn := make(chan error)
	go func() { drawn <- drawPanels(a, t, dir, o) }()
	return <-drawn
}

func drawPanels(a App, t Talks, dir string, o Options) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the folder %s for the pictures cannot be made: %w", dir, err)
	}
	s := newShell(test.NewApp(), a, t, func(f func()) { f() })
	defer s.end()
	defer s.saver.flush()
	// Everything in turn on this goroutine.
	inTurn := func(f func(context.Context)) { f(s.life) }
	performance := s.room(roomPerformance).panel.(*performance)
	s.similarity.work, performance.work, s.chat.work, s.chat.list.work = inTurn, inTurn, inTurn, inTurn
	c := software.NewCanvas()
	c.SetPadded(false)
	c.SetScale(2)
	c.SetContent(s.view)
	c.Resize(fyne.NewSize(firstWidth, firstHeight))
	s.similarity.open(o.Model)
	if message := s.similarity.notice.message(); message != "" {
		return errors.New(message)
	}
	for _, r := range s.rooms {
		s.show(r.id)
		for _, choice := range []string{themeLight, themeDark} {
			picture := software.RenderCanvas(c, newTheme(choice))
			if err := writePNG(filepath.Join(dir, r.id+"-"+choice+".png"), picture); err != nil {
				return err
			}
		}
	}
	return nil
}

func writePNG(path string, m image.Image) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("the picture %s cannot be written: %w", path, err)
	}
	err = png.Encode(f, m)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return fmt.Errorf("the picture %s cannot be written: %w", path, err)
	}
	return nil
}
