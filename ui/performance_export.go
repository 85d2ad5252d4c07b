package ui

import (
	"image"
	"image/png"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app"
)

func (p *performance) saveCSV() {
	if r := p.result; r != nil {
		p.files().save("performance.csv", func(w fyne.URIWriteCloser) {
			p.write(w, func(f fyne.URIWriteCloser) error { return r.WriteCSV(f) }, p.showError)
		})
	}
}

func (p *performance) saveJSON() {
	if r := p.result; r != nil {
		p.files().save("performance.json", func(w fyne.URIWriteCloser) {
			p.write(w, func(f fyne.URIWriteCloser) error { return r.WriteJSON(f) }, p.showError)
		})
	}
}

func (p *performance) savePNG() {
	if r := p.result; r != nil {
		p.files().save("performance.png", func(w fyne.URIWriteCloser) {
			// Drawing needs the window's goroutine, writing does not.
			m := performancePicture(r)
			p.write(w, func(f fyne.URIWriteCloser) error { return png.Encode(f, m) }, p.showError)
		})
	}
}

// performancePicture draws the speeds of a measurement, without a window.
func performancePicture(r *app.Performance) image.Image {
	speed := newSpeedPage()
	speed.show(r.Rows, -1, nil)
	facts := newCaption(r.Machine + " · " + r.When.Format("2 January 2006 15:04 UTC") + " · Inglenook " + r.Version)
	parts := column(gapWide, newTitle(r.Name), card(speed.page), facts)
	sheet := container.NewStack(newSurface("background", "", 0), inset(parts, 14, 14))
	return drawn(sheet, sheet.MinSize().Height)
}
