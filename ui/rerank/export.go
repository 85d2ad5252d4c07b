package rerank

import (
	"bytes"

	"fyne.io/fyne/v2"

	"inglenook/app/texts"
	"inglenook/ui/kit"
)

func (p *Panel) copyCSV() {
	if p.found == nil {
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
	if out := p.found; out != nil {
		p.Files().Save("ranking.csv", func(w fyne.URIWriteCloser) {
			p.Write(w, func(f fyne.URIWriteCloser) error { return texts.WriteRankings(f, out.lines, out.rankings) }, p.ShowError)
		})
	}
}

func (p *Panel) savePNG() {
	if p.found == nil {
		return
	}
	p.Files().Save("ranking.png", func(w fyne.URIWriteCloser) {
		p.stopDrawing()
		p.stopDrawing = p.WritePicture(w, p.results.pieces(), kit.Under, p.ShowError)
	})
}
