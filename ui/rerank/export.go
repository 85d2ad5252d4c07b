package rerank

import (
	"bytes"
	"fmt"
	"image"
	"image/png"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app/texts"
	"inglenook/ui/kit"
)

// mostDrawn is how many texts a saved picture has room for.
const mostDrawn = 40

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
		// Drawing needs the window's goroutine, writing does not.
		m := p.results.drawn()
		p.Write(w, func(f fyne.URIWriteCloser) error { return png.Encode(f, m) }, p.ShowError)
	})
}

// drawn is a picture of what is in view, from the first place on, without a window.
func (r *results) drawn() image.Image {
	shown := newResults(r.session, func(int) {})
	shown.tabs.Index = r.tabs.Index
	shown.refresh()
	shown.which.Hide()
	shown.foot.Most = 200 // a picture has no scroll
	out := r.of
	title := kit.NewSection(out.asked.query)
	title.Whole = false
	n := len(out.lines)
	note := kit.NewCaption(kit.Count(n, "text"))
	if n > mostDrawn {
		note.Set(fmt.Sprintf("The first %d of %s", mostDrawn, kit.Count(n, "text")))
	}
	note.Whole = true
	sheet := container.NewStack(kit.NewSurface("background", "", 0),
		kit.Inset(kit.Bordered(10, container.NewBorder(nil, nil, nil, note, title), shown.view, nil), 14, 14))
	const around = 350 // for all that is not a row
	return kit.Drawn(sheet, around+rowHeight*float32(min(n, mostDrawn)))
}
