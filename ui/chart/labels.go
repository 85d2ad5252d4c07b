package chart

import "fyne.io/fyne/v2"

// labelGapPoint is the distance between a point and its label.
const labelGapPoint float32 = 7

// box is an area of the map.
type box struct{ left, top, right, bottom float32 }

func (b box) overlaps(o box) bool {
	return b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom
}

func (b box) within(o box) bool {
	return b.left >= o.left && b.right <= o.right && b.top >= o.top && b.bottom <= o.bottom
}

// around is the box of a square with its centre at p.
func around(p fyne.Position, half float32) box {
	return box{p.X - half, p.Y - half, p.X + half, p.Y + half}
}

// labelPlacer finds places for labels beside points where they cover no other
// label and no point.
type labelPlacer struct {
	area   box
	points []box
	placed []box
}

// place finds a place for a label of the given size beside a point: to the
// right, to the left, above, below, then the corners. It returns the upper left
// corner; false: there is no room.
func (l *labelPlacer) place(p fyne.Position, size fyne.Size) (fyne.Position, bool) {
	for _, at := range around8(p, size) {
		b := box{at.X, at.Y, at.X + size.Width, at.Y + size.Height}
		if b.within(l.area) && l.free(b) {
			l.placed = append(l.placed, b)
			return at, true
		}
	}
	return fyne.Position{}, false
}

// force finds a place within the area, even where the label covers others.
func (l *labelPlacer) force(p fyne.Position, size fyne.Size) fyne.Position {
	for _, at := range around8(p, size) {
		b := box{at.X, at.Y, at.X + size.Width, at.Y + size.Height}
		if b.within(l.area) {
			l.placed = append(l.placed, b)
			return at
		}
	}
	return p
}

// around8 lists the places beside a point.
func around8(p fyne.Position, size fyne.Size) []fyne.Position {
	w, h, d := size.Width, size.Height, labelGapPoint
	slant := d * 0.7
	return []fyne.Position{
		{X: p.X + d, Y: p.Y - h/2},
		{X: p.X - d - w, Y: p.Y - h/2},
		{X: p.X - w/2, Y: p.Y - d - h},
		{X: p.X - w/2, Y: p.Y + d},
		{X: p.X + slant, Y: p.Y - slant - h},
		{X: p.X + slant, Y: p.Y + slant},
		{X: p.X - slant - w, Y: p.Y - slant - h},
		{X: p.X - slant - w, Y: p.Y + slant},
	}
}

func (l *labelPlacer) free(b box) bool {
	for _, o := range l.placed {
		if b.overlaps(o) {
			return false
		}
	}
	for _, o := range l.points {
		if b.overlaps(o) {
			return false
		}
	}
	return true
}
