package ui

import (
	"bytes"
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

// Size of the saved picture in points; it has twice as many pixels.
const (
	pictureWidth  float32 = 1180
	pictureHeight float32 = 640
	pictureScale  float32 = 2
)

func (p *similarity) copyCSV() {
	if p.result == nil {
		return
	}
	var b bytes.Buffer
	if err := p.result.WriteCSV(&b); err != nil {
		p.showError(err)
		return
	}
	p.copy(b.String())
	n := len(p.result.Texts)
	p.tell(fmt.Sprintf("Copied the matrix, %d by %d.", n, n))
}

func (p *similarity) saveCSV() {
	if r := p.result; r != nil {
		p.files().save("similarity.csv", func(w fyne.URIWriteCloser) {
			p.write(w, func(f fyne.URIWriteCloser) error { return r.WriteCSV(f) }, p.showError)
		})
	}
}

func (p *similarity) savePNG() {
	r := p.result
	if r == nil {
		return
	}
	p.files().save("similarity.png", func(w fyne.URIWriteCloser) {
		// Drawing needs the window's goroutine, writing does not.
		m := picture(r, p.results.selected)
		p.write(w, func(f fyne.URIWriteCloser) error { return png.Encode(f, m) }, p.showError)
	})
}

// write fills a file off the window's goroutine and says how it went.
func (d desk) write(w fyne.URIWriteCloser, fill func(fyne.URIWriteCloser) error, fail func(error)) {
	name := w.URI().Path()
	d.work(func(context.Context) {
		err := fill(w)
		if closing := w.Close(); err == nil {
			err = closing
		}
		d.do(func() {
			if err != nil {
				fail(fmt.Errorf("%s was not saved: %w; choose another place or make room", filepath.Base(name), err))
				return
			}
			d.app.Log().Info("exported", "file", filepath.Base(name))
			d.tell("Saved " + app.ShortPath(name) + ".")
		})
	})
}

// picture draws matrix and map of a result, without a window.
func picture(r *app.SimilarityResult, selected int) image.Image {
	shown := newResults(&keyboard{})
	shown.show(r)
	shown.choose(selected)
	matrix := card(bordered(gap, container.NewBorder(nil, nil, newSection("Cosine of every pair"), shown.legend), shown.heat, nil))
	plane := card(bordered(gap, container.NewBorder(nil, nil, newSection("Map of meaning"), nil, shown.spread), shown.points, nil))
	facts := newCaption(factsText(r))
	sheet := container.NewStack(newSurface("background", "", 0),
		inset(bordered(10, nil, container.New(&halves{}, matrix, plane), facts), 14, 14))
	return drawn(sheet, pictureHeight)
}

// drawn is a picture of so many points of height, without a window.
func drawn(sheet fyne.CanvasObject, height float32) image.Image {
	c := software.NewCanvas()
	c.SetPadded(false)
	c.SetScale(pictureScale)
	c.SetContent(sheet)
	c.Resize(fyne.NewSize(pictureWidth, height))
	return c.Capture()
}

// halves gives the first object a little more than half of the width.
type halves struct{}

func (halves) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize().Max(o[1].MinSize()) }

func (halves) Layout(o []fyne.CanvasObject, size fyne.Size) {
	w := (size.Width - 12) * 0.56
	o[0].Resize(fyne.NewSize(w, size.Height))
	o[1].Move(fyne.NewPos(w+12, 0))
	o[1].Resize(fyne.NewSize(size.Width-12-w, size.Height))
}
