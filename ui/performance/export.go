package performance

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/measure"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/ways"
)

// saver writes what is in view into files.
type saver struct {
	panel.Host
	app     App
	frame   *frame
	colors  *ways.Colors
	models  *models
	record  *record
	run     *runner
	results *results

	view        *fyne.Container
	buttons     []*kit.Button
	stopDrawing func() // ends the drawing of a picture, where one is under way
}

// build makes the buttons.
func (p *saver) build() {
	csv := kit.NewQuietButton(p.Keys, "Save CSV…", theme.DocumentSaveIcon(), p.saveCSV)
	json := kit.NewQuietButton(p.Keys, "Save JSON…", theme.DocumentSaveIcon(), p.saveJSON)
	png := kit.NewQuietButton(p.Keys, "Save picture…", theme.MediaPhotoIcon(), p.savePNG)
	p.buttons, p.stopDrawing = []*kit.Button{csv, json, png}, func() {}
	p.view = container.New(&kit.Wrap{}, csv, json, png)
}

// offer offers what the page in view can be saved as.
func (p *saver) offer(page int) {
	csv, json, png := p.buttons[0], p.buttons[1], p.buttons[2]
	for _, b := range p.buttons {
		kit.Show(b, page != pageCompat) // nothing there is measured
		b.SetEnabled(p.record.result != nil && p.run.under == nil)
	}
	if page == pageAll {
		kit.Show(json, false)
		csv.SetEnabled(len(p.results.all.shown) > 0)
		png.SetEnabled(len(p.results.all.shown) > 0)
	}
}

// savesAll reports whether what is saved now is the comparison of all models.
func (p *saver) savesAll() bool { return p.results.page() == pageAll && len(p.results.all.shown) > 0 }

func (p *saver) saveCSV() {
	if list := p.results.all.fastest(); p.savesAll() {
		p.Files().Save("models.csv", func(w fyne.URIWriteCloser) {
			p.Write(w, func(f fyne.URIWriteCloser) error { return measure.WriteFastestCSV(f, list) }, p.frame.fail)
		})
		return
	}
	if r := p.record.result; r != nil {
		p.Files().Save("performance.csv", func(w fyne.URIWriteCloser) {
			p.Write(w, func(f fyne.URIWriteCloser) error { return r.WriteCSV(f, kit.WordsPerToken) }, p.frame.fail)
		})
	}
}

func (p *saver) saveJSON() {
	if r := p.record.result; r != nil {
		p.Files().Save("performance.json", func(w fyne.URIWriteCloser) {
			p.Write(w, func(f fyne.URIWriteCloser) error { return r.WriteJSON(f) }, p.frame.fail)
		})
	}
}

func (p *saver) savePNG() {
	if p.savesAll() {
		p.Files().Save("models.png", func(w fyne.URIWriteCloser) {
			p.stopDrawing()
			p.stopDrawing = p.WritePicture(w, p.comparisonPieces(), kit.Under, p.frame.fail)
		})
		return
	}
	if r := p.record.result; r != nil {
		p.Files().Save("performance.png", func(w fyne.URIWriteCloser) {
			p.stopDrawing()
			p.stopDrawing = p.WritePicture(w, picturePieces(r, p.colors), kit.Under, p.frame.fail)
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
func (p *saver) comparisonPieces() []kit.Piece {
	drawn := newAllPage(p.Host, p.app, p.colors)
	drawn.order, drawn.memory = p.results.all.order, p.results.all.memory
	drawn.show(p.results.all.list, p.models.comparable())
	newest := p.results.all.shown[0].result
	for _, s := range p.results.all.shown {
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
