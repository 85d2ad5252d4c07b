package rerank

import (
	"bytes"
	"io"

	"fyne.io/fyne/v2"

	"inglenook/app/texts"
	"inglenook/ui/kit"
)

// export is what is in view as a table.
type export struct {
	write      func(io.Writer) error
	file, what string // a name for its file, and what it is
}

// exported is the ranking or the comparison that is in view; false: there is none.
func (p *Panel) exported() (export, bool) {
	if p.tabs.Index == viewTry {
		out := p.workbench.shown()
		if out == nil {
			return export{}, false
		}
		return export{func(w io.Writer) error { return texts.WriteFound(w, p.trial.asked(out), out.lines, out.results) }, "comparison.csv", "the comparison of " + kit.Count(len(out.results), "model")}, true
	}
	out := p.inView()
	if out == nil {
		return export{}, false
	}
	return export{func(w io.Writer) error { return texts.WriteRankings(w, out.asked.query, out.lines, out.rankings) }, "ranking.csv", "the ranking of " + kit.Count(len(out.lines), "text")}, true
}

func (p *Panel) copyCSV() {
	e, ok := p.exported()
	if !ok {
		return
	}
	var b bytes.Buffer
	if err := e.write(&b); err != nil {
		p.ShowError(err)
		return
	}
	if p.Copy(b.String(), e.file) {
		p.Tell("Copied " + e.what + ".")
	}
}

func (p *Panel) saveCSV() {
	if e, ok := p.exported(); ok {
		p.Files().Save(e.file, func(w fyne.URIWriteCloser) {
			p.Write(w, func(f fyne.URIWriteCloser) error { return e.write(f) }, p.ShowError)
		})
	}
}

func (p *Panel) savePNG() {
	if p.tabs.Index == viewTry || p.inView() == nil {
		return
	}
	p.Files().Save("ranking.png", func(w fyne.URIWriteCloser) {
		p.stopDrawing()
		p.stopDrawing = p.WritePicture(w, p.results.pieces(), kit.Under, p.ShowError)
	})
}

// exports are the ways to take what is in view elsewhere.
func (p *Panel) exports() []*fyne.MenuItem {
	ways := []*fyne.MenuItem{fyne.NewMenuItem("Copy CSV", p.copyCSV), fyne.NewMenuItem("Save CSV…", p.saveCSV)}
	if p.tabs.Index != viewTry {
		ways = append(ways, fyne.NewMenuItem("Save picture…", p.savePNG))
	}
	return ways
}
