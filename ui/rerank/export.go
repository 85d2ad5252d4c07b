package rerank

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

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
	shown := p.results.shownTexts()
	what := "the ranking of " + kit.Count(len(out.lines), "text")
	if len(shown) < len(out.lines) {
		what = fmt.Sprintf("the best %d of %s", len(shown), kit.Count(len(out.lines), "text"))
	}
	wanted := func(text int) bool { return slices.Contains(shown, text) }
	return export{func(w io.Writer) error {
		return texts.WriteRankings(w, out.asked.query, out.lines, p.sourcesOf(out.asked.ids), out.rankings, wanted)
	}, "ranking.csv", what}, true
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

// copyTexts copies the texts in view, the best first, one a line.
func (p *Panel) copyTexts() {
	out := p.inView()
	if out == nil {
		return
	}
	var lines []string
	for _, text := range p.results.shownTexts() {
		lines = append(lines, strings.ReplaceAll(out.lines[text], "\n", " "))
	}
	if p.Copy(strings.Join(lines, "\n"), "ranking.txt") {
		p.Tell("Copied " + kit.Count(len(lines), "text") + ", the best first.")
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
	table := []*fyne.MenuItem{fyne.NewMenuItem("Copy CSV", p.copyCSV), fyne.NewMenuItem("Save CSV…", p.saveCSV)}
	if p.tabs.Index == viewTry {
		return table
	}
	return append(append([]*fyne.MenuItem{fyne.NewMenuItem("Copy texts in this order", p.copyTexts)}, table...), fyne.NewMenuItem("Save picture…", p.savePNG))
}
