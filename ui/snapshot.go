package ui

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/kit"
)

// Snapshot draws the panels, with a real comparison, into PNG files in dir. It
// needs no display: Fyne's software painter draws.
func Snapshot(a App, kept Stores, dir string, o Options) error {
	// Fyne keeps the main goroutine for a window's driver, which is not used
	// here, and complains about other work there.
	drawn := make(chan error)
	go func() { drawn <- drawPanels(a, kept, dir, o) }()
	return <-drawn
}

func drawPanels(a App, kept Stores, dir string, o Options) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the folder %s for the pictures cannot be made: %w", dir, err)
	}
	q := &queue{}
	s := newShell(test.NewApp(), a, kept, q.add)
	defer s.end()
	defer s.saver.Flush()
	s.inTurn = true
	c := software.NewCanvas()
	c.SetPadded(false)
	c.SetScale(2)
	c.SetContent(s.view)
	c.Resize(fyne.NewSize(firstWidth, firstHeight))
	s.similarity.Open(o.Model)
	q.settle()
	if message := s.similarity.Failure(); message != "" {
		return errors.New(message)
	}
	for _, choice := range []string{kit.ThemeLight, kit.ThemeDark} {
		for i, p := range s.panels {
			s.show(p.Info().ID)
			q.settle()
			picture := image.Image(nil)
			if i == 0 { // a theme is for all panels, and takes a second
				picture = software.RenderCanvas(c, kit.NewTheme(choice))
			} else {
				picture = c.Capture()
			}
			if err := writePNG(filepath.Join(dir, p.Info().ID+"-"+choice+".png"), picture); err != nil {
				return err
			}
		}
	}
	return nil
}

// queue holds calls for the window from other goroutines until the goroutine that draws
// runs them: only one goroutine may use widgets.
type queue struct {
	mu   sync.Mutex
	list []func()
}

func (q *queue) add(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = append(q.list, f)
}

// settle runs what comes until nothing has come for a moment, for two seconds at most.
func (q *queue) settle() {
	const moment = 100 * time.Millisecond
	end := time.Now().Add(2 * time.Second)
	for quiet := time.Now().Add(moment); time.Now().Before(quiet) && time.Now().Before(end); time.Sleep(time.Millisecond) {
		q.mu.Lock()
		list := q.list
		q.list = nil
		q.mu.Unlock()
		for _, f := range list {
			f()
			quiet = time.Now().Add(moment)
		}
	}
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
