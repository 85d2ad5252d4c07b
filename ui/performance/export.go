package performance

import (
	"fyne.io/fyne/v2"

	"inglenook/app/measure"
	"inglenook/ui/kit"
	"inglenook/ui/ways"
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
	if n := len(gist.page.Objects); n > 0 {
		parts = append(parts, gist.page.Objects[:n-2]...) // without the key and the remark, which follow below
	}
	parts = append(parts, speed.page.Objects...)
	var pieces []kit.Piece
	for _, part := range append(parts, facts) {
		pieces = append(pieces, kit.Wide(func() fyne.CanvasObject { return kit.Inset(part, kit.Gap, 24) }))
	}
	return pieces
}
