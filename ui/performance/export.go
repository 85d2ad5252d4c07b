package performance

import (
	"fyne.io/fyne/v2"

	"inglenook/app/measure"
	"inglenook/ui/kit"
	"inglenook/ui/ways"
)

// offerExports offers what the page in view can be saved as.
func (p *Panel) offerExports(page int) {
	csv, json, png := p.exports[0], p.exports[1], p.exports[2]
	for _, b := range p.exports {
		kit.Show(b, page != pageCompat) // nothing there is measured
		b.SetEnabled(p.result != nil && p.running == nil)
	}
	if page == pageAll {
		kit.Show(json, false)
		csv.SetEnabled(len(p.all.shown) > 0)
		png.SetEnabled(len(p.all.shown) > 0)
	}
}

// savesAll reports whether what is saved now is the comparison of all models.
func (p *Panel) savesAll() bool { return p.page() == pageAll && len(p.all.shown) > 0 }

func (p *Panel) saveCSV() {
	if list := p.all.fastest(); p.savesAll() {
		p.Files().Save("models.csv", func(w fyne.URIWriteCloser) {
			p.Write(w, func(f fyne.URIWriteCloser) error { return measure.WriteFastestCSV(f, list) }, p.ShowError)
		})
		return
	}
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
	if p.savesAll() {
		p.Files().Save("models.png", func(w fyne.URIWriteCloser) {
			p.stopDrawing()
			p.stopDrawing = p.WritePicture(w, p.comparisonPieces(), kit.Under, p.ShowError)
		})
		return
	}
	if r := p.result; r != nil {
		p.Files().Save("performance.png", func(w fyne.URIWriteCloser) {
			p.stopDrawing()
			p.stopDrawing = p.WritePicture(w, picturePieces(r, p.colors), kit.Under, p.ShowError)
		})
	}
}

// picturePieces are the parts of a picture of the speeds of a measurement.
func picturePieces(r *measure.Result, colors *ways.Colors) []kit.Piece {
	gist, speed := newSummaryPage(colors), newSpeedPage(colors)
	gist.show(r.Rows, "") // the facts below name the machine
	speed.show(r.Rows, -1, nil)
	facts := kit.NewCaption(r.Machine + " · " + r.When.Format("2 January 2006 15:04 UTC") + " · Inglenook " + r.Version)
	parts := []fyne.CanvasObject{kit.NewTitle(r.Name)}
	parts = append(parts, gist.page.Objects[:gist.upTo]...) // the key and the remark follow below
	parts = append(parts, speed.page.Objects...)
	return piecesOf(append(parts, facts))
}

// comparisonPieces are the parts of a picture of the comparison of all models.
func (p *Panel) comparisonPieces() []kit.Piece {
	drawn := newAllPage(p.Keys, p.colors, nil, nil)
	drawn.order, drawn.memory = p.all.order, p.all.memory
	drawn.show(p.all.list, p.comparable())
	newest := p.all.shown[0].result
	for _, s := range p.all.shown {
		if s.result.When.After(newest.When) {
			newest = s.result
		}
	}
	facts := kit.NewCaption(newest.Machine + " · " + newest.When.Format("2 January 2006 15:04 UTC") + " · Inglenook " + newest.Version)
	return piecesOf(append(append([]fyne.CanvasObject{kit.NewTitle("All models")}, drawn.page.Objects...), facts))
}

// piecesOf are the pieces of a picture with these parts below each other.
func piecesOf(parts []fyne.CanvasObject) (pieces []kit.Piece) {
	for _, part := range parts {
		pieces = append(pieces, kit.Wide(func() fyne.CanvasObject { return kit.Inset(part, kit.Gap, 24) }))
	}
	return pieces
}
