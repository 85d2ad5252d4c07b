package ui

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/software"

	"inglenook/app"
)

func (p *performance) saveCSV() {
	if r := p.result; r != nil {
		p.files().save("performance.csv", func(w fyne.URIWriteCloser) { p.write(w, func(f fyne.URIWriteCloser) error { return r.WriteCSV(f) }) })
	}
}

func (p *performance) saveJSON() {
	if r := p.result; r != nil {
		p.files().save("performance.json", func(w fyne.URIWriteCloser) { p.write(w, func(f fyne.URIWriteCloser) error { return r.WriteJSON(f) }) })
	}
}

func (p *performance) savePNG() {
	if r := p.result; r != nil {
		p.files().save("performance.png", func(w fyne.URIWriteCloser) {
			// Drawing needs the window's goroutine, writing does not.
			m := performancePicture(r)
			p.write(w, func(f fyne.URIWriteCloser) error { return png.Encode(f, m) })
		})
	}
}

// write fills a file off the window's goroutine and says how it went.
func (p *performance) write(w fyne.URIWriteCloser, fill func(fyne.URIWriteCloser) error) {
	name := w.URI().Path()
	p.work(func(context.Context) {
		err := fill(w)
		if closing := w.Close(); err == nil {
			err = closing
		}
		p.do(func() {
			if err != nil {
				p.showError(fmt.Errorf("%s was not saved: %w; choose another place or make room", filepath.Base(name), err))
				return
			}
			p.app.Log().Info("exported", "file", filepath.Base(name))
			p.tell("Saved " + app.ShortPath(name) + ".")
		})
	})
}

// performancePicture draws the speeds of a measurement, without a window.
func performancePicture(r *app.Performance) image.Image {
	speed := newSpeedPage()
	speed.show(r.Rows, -1)
	facts := newCaption(r.Machine + " · " + r.When.Format("2 January 2006 15:04 UTC") + " · Inglenook " + r.Version)
	parts := column(gapWide, newTitle(r.Name), card(speed.page), facts)
	sheet := container.NewStack(newSurface("background", "", 0), inset(parts, 14, 14))
	c := software.NewCanvas()
	c.SetPadded(false)
	c.SetScale(pictureScale)
	c.SetContent(sheet)
	c.Resize(fyne.NewSize(pictureWidth, sheet.MinSize().Height))
	return c.Capture()
}
