package rerank

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"inglenook/ui/kit"
)

const (
	mostDrawn            = 40 // texts that a saved picture has room for
	pieceRows            = 2  // in one piece of it
	around       float32 = 24 // left and right of everything
	lineOverhang float32 = 8  // a line goes on past its piece, so that no end of it is seen there
)

// pieces are the parts of a picture of what is in view, from the first place on: what
// stands above the texts, the texts, and what stands below them.
func (r *results) pieces() []kit.Piece {
	shown := newResults(r.session, func(int) {})
	shown.tabs.Index, shown.best.n = r.tabs.Index, r.best.n
	shown.refresh()
	rows := min(len(r.picture.right.Texts), mostDrawn)
	pieces := []kit.Piece{kit.Wide(shown.drawnTop)}
	for first := 0; first < rows; first += pieceRows {
		pieces = append(pieces, kit.Wide(func() fyne.CanvasObject {
			return shown.picture.drawnRows(first, min(first+pieceRows, rows), rows)
		}))
	}
	return append(pieces, kit.Wide(shown.drawnFoot))
}

// drawnTop is the question, that no text stands out, the agreement, the legend and the names of both orders.
func (r *results) drawnTop() fyne.CanvasObject {
	title := kit.NewSection(r.of.asked.query)
	title.Whole = false
	n := len(r.of.lines)
	note := kit.NewCaption(kit.Count(n, "text"))
	if drawn := min(mostDrawn, len(r.picture.right.Texts)); n > drawn {
		note.Set(fmt.Sprintf("The first %d of %s", drawn, kit.Count(n, "text")))
	}
	note.Whole = true
	p := r.picture
	heads := container.New(&headsLayout{p}, p.heads[0], p.heads[1])
	return kit.Inset(kit.Column(kit.GapSmall, container.NewBorder(nil, nil, nil, note, title), r.doubt, r.agreement.Flat, r.legend(), heads), kit.Gap, around)
}

// drawnFoot is what the ranking took, and what is to be said of it.
func (r *results) drawnFoot() fyne.CanvasObject {
	return kit.Inset(kit.Column(kit.GapSmall, r.foot.Remarks.Flat, r.foot.Details.Flat), kit.Gap, around)
}

// drawnRows are the rows [first, last) of a picture of so many rows, with the parts of all
// lines that cross them.
func (p *picture) drawnRows(first, last, rows int) fyne.CanvasObject {
	width, high := kit.PictureWidth-2*around, p.rowHeight()
	var parts []fyne.CanvasObject
	for row := first; row < last; row++ {
		o := p.newRow()
		p.fill(row, o)
		o.Resize(fyne.NewSize(width, high))
		o.Move(fyne.NewPos(around, float32(row-first)*high))
		parts = append(parts, o)
	}
	x0, x1 := p.columns(width)
	top, bottom := float32(first)*high-lineOverhang, float32(last)*high+lineOverhang
	if first == 0 {
		top = 0
	}
	bottom = min(bottom, float32(rows)*high)
	for text := range p.lines {
		from, to := p.left.rows[text], p.right.rows[text]
		if from < 0 || from >= rows && to >= rows || !p.draws(text) {
			continue
		}
		a, b, seen := clipped(
			fyne.NewPos(around+x0, (float32(from)+0.5)*high-top),
			fyne.NewPos(around+x1, (float32(to)+0.5)*high-top), bottom-top)
		if !seen {
			continue
		}
		down := top - float32(first)*high
		l := &canvas.Line{Position1: a.AddXY(0, down), Position2: b.AddXY(0, down)}
		p.dress(l, text)
		parts = append(parts, l)
	}
	return container.New(fixed{fyne.NewSize(kit.PictureWidth, float32(last-first)*high)}, parts...)
}

// fixed leaves everything where it is, and takes so much room.
type fixed struct{ size fyne.Size }

func (f fixed) MinSize([]fyne.CanvasObject) fyne.Size { return f.size }

func (f fixed) Layout([]fyne.CanvasObject, fyne.Size) {}
