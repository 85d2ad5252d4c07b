package similarity

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

// Size of the saved picture in points; it has twice as many pixels.
const (
	pictureHeight float32 = 640
)

func (p *Panel) copyCSV() {
	if p.result == nil {
		return
	}
	var b bytes.Buffer
	if err := p.result.WriteCSV(&b); err != nil {
		p.ShowError(err)
		return
	}
	if n := len(p.result.Texts); p.Copy(b.String(), "similarity.csv") {
		p.Tell(fmt.Sprintf("Copied the matrix, %d by %d.", n, n))
	}
}

func (p *Panel) saveCSV() {
	if r := p.result; r != nil {
		p.Files().Save("similarity.csv", func(w fyne.URIWriteCloser) {
			p.Write(w, func(f fyne.URIWriteCloser) error { return r.WriteCSV(f) }, p.ShowError)
		})
	}
}

func (p *Panel) savePNG() {
	r := p.result
	if r == nil {
		return
	}
	p.Files().Save("similarity.png", func(w fyne.URIWriteCloser) {
		// Drawing needs the window's goroutine, writing does not.
		m := picture(r, p.results.selected)
		p.Write(w, func(f fyne.URIWriteCloser) error { return png.Encode(f, m) }, p.ShowError)
	})
}

// picture draws matrix and map of a result, without a window.
func picture(r *texts.SimilarityResult, selected int) image.Image {
	shown := newResults(&kit.Keyboard{})
	shown.show(r)
	shown.choose(selected)
	matrix := kit.Card(kit.Bordered(kit.Gap, container.NewBorder(nil, nil, kit.NewSection("Similarity of every pair"), shown.legend), shown.heat, nil))
	plane := kit.Card(kit.Bordered(kit.Gap, container.NewBorder(nil, nil, kit.NewSection("Map of meaning"), nil, shown.spread), shown.points, nil))
	facts := kit.NewCaption(factsText(r))
	sheet := kit.Inset(kit.Bordered(10, nil, container.New(&halves{}, matrix, plane), facts), 14, 14)
	return kit.Drawn(sheet, pictureHeight)
}

// halves gives the first object a little more than half of the width.
type halves struct{}

func (halves) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize().Max(o[1].MinSize()) }

func (halves) Layout(o []fyne.CanvasObject, size fyne.Size) {
	w := (size.Width - 12) * 0.56
	o[0].Resize(fyne.NewSize(w, size.Height))
	o[1].Move(fyne.NewPos(w+12, 0))
	o[1].Resize(fyne.NewSize(size.Width-12-w, size.Height))
}
