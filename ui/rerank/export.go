package rerank

import (
	"bytes"

	"fyne.io/fyne/v2"

	"inglenook/app/texts"
	"inglenook/ui/kit"
)

func (p *Panel) copyCSV() {
	if p.inView() == nil {
		return
	}
	var b bytes.Buffer
	if err := texts.WriteRankings(&b, p.found.lines, p.found.rankings); err != nil {
		p.ShowError(err)
		return
	}
	if p.Copy(b.String(), "ranking.csv") {
		p.Tell("Copied the ranking of " + kit.Count(len(p.found.lines), "text") + ".")
	}
}

func (p *Panel) saveCSV() {
	if out := p.inView(); out != nil {
		p.Files().Save("ranking.csv", func(w fyne.URIWriteCloser) {
			p.Write(w, func(f fyne.URIWriteCloser) error { return texts.WriteRankings(f, out.lines, out.rankings) }, p.ShowError)
		})
	}
}

func (p *Panel) savePNG() {
	if p.inView() == nil {
		return
	}
	p.Files().Save("ranking.png", func(w fyne.URIWriteCloser) {
		p.stopDrawing()
		p.stopDrawing = p.WritePicture(w, p.results.pieces(), kit.Under, p.ShowError)
	})
}

// showExports offers what can be done with the order in view.
func (p *Panel) showExports() {
	c := fyne.CurrentApp().Driver().CanvasForObject(p.export)
	if c == nil {
		return
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(p.export).AddXY(0, p.export.Size().Height+2)
	kit.ShowMenu(p.Keys, c, []*fyne.MenuItem{
		fyne.NewMenuItem("Copy CSV", p.copyCSV), fyne.NewMenuItem("Save CSV…", p.saveCSV), fyne.NewMenuItem("Save picture…", p.savePNG),
	}, at, 0)
}
