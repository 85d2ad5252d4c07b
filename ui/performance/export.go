package performance

import (
	"image"
	"image/png"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app/measure"
	"inglenook/ui/kit"
)

func (p *Panel) saveCSV() {
	if r := p.result; r != nil {
		p.Files().Save("performance.csv", func(w fyne.URIWriteCloser) {
			p.Write(w, func(f fyne.URIWriteCloser) error { return r.WriteCSV(f) }, p.ShowError)
		})
	}
}

func (p *Panel) saveJSON() {
	if r := p.result; r != nil {
		p.Files().Save("performance.json", func(w fyne.URIWriteCloser) {
			p.Write(w, func(f fyne.URIWriteCloser) error { return r.WriteJSON(f) }, p.ShowError)
		})
	}
}

func (p *Panel) savePNG() {
	if r := p.result; r != nil {
		p.Files().Save("performance.png", func(w fyne.URIWriteCloser) {
			// Drawing needs the window's goroutine, writing does not.
			m := performancePicture(r)
			p.Write(w, func(f fyne.URIWriteCloser) error { return png.Encode(f, m) }, p.ShowError)
		})
	}
}

// performancePicture draws the speeds of a measurement, without a window.
func performancePicture(r *measure.Result) image.Image {
	speed := newSpeedPage()
	speed.show(r.Rows, -1, nil)
	facts := kit.NewCaption(r.Machine + " · " + r.When.Format("2 January 2006 15:04 UTC") + " · Inglenook " + r.Version)
	parts := kit.Column(kit.GapWide, kit.NewTitle(r.Name), kit.Card(speed.page), facts)
	sheet := container.NewStack(kit.NewSurface("background", "", 0), kit.Inset(parts, 14, 14))
	return kit.Drawn(sheet, sheet.MinSize().Height)
}
