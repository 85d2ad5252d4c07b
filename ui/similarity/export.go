package similarity

import (
	"bytes"
	"fmt"
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"inglenook/app/texts"
	"inglenook/ui/kit"
)

// Sizes of the saved picture in points; it has twice as many pixels.
const (
	cardsHeight  float32 = 606
	matrixWidth  float32 = 652 // of [kit.PictureWidth]; the map has the rest
	aroundCards  float32 = 14
	betweenCards float32 = 6 // on each side
)

// exports are the ways to take the result elsewhere.
func (p *Panel) exports() []*fyne.MenuItem {
	items := []*fyne.MenuItem{
		fyne.NewMenuItem("Copy matrix as CSV", p.copyCSV), fyne.NewMenuItem("Save matrix as CSV…", p.saveCSV), fyne.NewMenuItem("Save picture…", p.savePNG),
		fyne.NewMenuItem("Copy groups as CSV", p.copyGroups), fyne.NewMenuItem("Save groups as CSV…", p.saveGroups),
	}
	r := p.inView()
	for i, item := range items {
		item.Disabled = r == nil || i < 3 && r.Matrix == nil || i >= 3 && r.Groups.Count == 0
	}
	return append(items, fyne.NewMenuItemSeparator(), p.classifyItem())
}

// copyGroups puts the group of each text on the clipboard.
func (p *Panel) copyGroups() {
	r := p.inView()
	if r == nil || r.Groups.Count == 0 {
		return
	}
	var b bytes.Buffer
	if err := r.WriteGroups(&b); err != nil {
		p.ShowError(err)
		return
	}
	if p.Copy(b.String(), "groups.csv") {
		p.Tell(fmt.Sprintf("Copied the groups of %s.", itemsOf(r)))
	}
}

// saveGroups asks for a file for it.
func (p *Panel) saveGroups() {
	if r := p.inView(); r != nil && r.Groups.Count > 0 {
		p.Files().Save("groups.csv", func(w fyne.URIWriteCloser) {
			now := *r // a person may ask for more groups meanwhile
			p.Write(w, func(f fyne.URIWriteCloser) error { return now.WriteGroups(f) }, p.ShowError)
		})
	}
}

func (p *Panel) copyCSV() {
	if r := p.inView(); r == nil || r.Matrix == nil {
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
	if r := p.inView(); r != nil && r.Matrix != nil {
		p.Files().Save("similarity.csv", func(w fyne.URIWriteCloser) {
			p.Write(w, func(f fyne.URIWriteCloser) error { return r.WriteCSV(f) }, p.ShowError)
		})
	}
}

func (p *Panel) savePNG() {
	r := p.inView()
	if r == nil || r.Matrix == nil {
		return
	}
	p.Files().Save("similarity.png", func(w fyne.URIWriteCloser) {
		p.stopDrawing()
		p.stopDrawing = p.WritePicture(w, pieces(r, p.results.small, p.results.selected), joined, p.ShowError)
	})
}

// pieces are the parts of a picture of a result: the matrix, the map, and the facts.
func pieces(r *texts.SimilarityResult, small []image.Image, selected int) []kit.Piece {
	shown := newResults(&kit.Keyboard{})
	shown.show(r, small)
	shown.choose(selected)
	card := func(width float32, left, right float32, head, body fyne.CanvasObject) kit.Piece {
		return kit.Sized(fyne.NewSize(width, cardsHeight), func() fyne.CanvasObject {
			return container.New(layout.NewCustomPaddedLayout(aroundCards, 0, left, right), kit.Card(kit.Bordered(kit.Gap, head, body, nil)))
		})
	}
	return []kit.Piece{
		card(matrixWidth, aroundCards, betweenCards, container.NewBorder(nil, nil, kit.NewSection("Similarity of every pair"), shown.legend), shown.heat),
		card(kit.PictureWidth-matrixWidth, betweenCards, aroundCards, container.NewBorder(nil, nil, kit.NewSection("Map of meaning"), nil, shown.spread), shown.points),
		kit.Wide(func() fyne.CanvasObject { return kit.Inset(kit.NewCaption(factsText(r)), kit.GapSmall, aroundCards) }),
	}
}

// joined puts the pieces together: the matrix beside the map, and the facts below them.
func joined(parts []image.Image) image.Image {
	return kit.Under([]image.Image{kit.Beside(parts[:2]), parts[2]})
}
