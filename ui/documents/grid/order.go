package grid

import (
	"cmp"
	"slices"
	"strings"
)

// sorting says by which column the rows of a section are sorted.
type sorting struct {
	on     bool
	column int
	down   bool // the greatest first
}

// next is what another click on the name of a column asks for: the least first, then the greatest,
// then the order of the file.
func (s sorting) next(column int) sorting {
	switch {
	case !s.on || s.column != column:
		return sorting{on: true, column: column}
	case !s.down:
		return sorting{on: true, column: column, down: true}
	}
	return sorting{}
}

// arrow shows the order beside the name of the column; "": the rows are not sorted by it.
func (s sorting) arrow(column int) string {
	switch {
	case !s.on || s.column != column:
		return ""
	case s.down:
		return "↓"
	}
	return "↑"
}

// sortBy sorts the rows of a section by a column, or another way round, or as they are in the file.
func (g *Grid) sortBy(s *section, column int) {
	if s.names < 0 || column < 0 || column >= len(s.widths) {
		return
	}
	s.sorted = s.sorted.next(column)
	g.arrange(s)
	g.wanted = None
	at := g.Scroll.Offset
	at.Y = min(at.Y, float32(s.from)*rowHeight())
	g.scrollTo(at)
}

// arrange puts the rows of a section in their order.
func (g *Grid) arrange(s *section) {
	if g.order == nil {
		g.order, g.places = counted(g.rows.Length()), counted(g.rows.Length())
	}
	type row struct {
		at     int
		text   string
		number float64
		holds  bool // a number
	}
	var rows []row
	var places []int // where rows that can change their places stand
	for i := s.from; i < s.to; i++ {
		if g.rows.Kind(i) != Values {
			continue
		}
		r := row{at: i}
		if s.sorted.on {
			text := strings.TrimSpace(textOf(g.rows.Cells(i), s.sorted.column))
			r.text = strings.ToLower(text)
			r.number, r.holds = numberOf(text)
		}
		rows, places = append(rows, r), append(places, i)
	}
	if s.sorted.on {
		slices.SortStableFunc(rows, func(a, b row) int {
			if a.text == "" || b.text == "" { // what is empty comes last, either way
				return cmp.Compare(rank(a.text == ""), rank(b.text == ""))
			}
			c := strings.Compare(a.text, b.text)
			if a.holds && b.holds {
				c = cmp.Compare(a.number, b.number)
			} else if a.holds != b.holds { // numbers before words
				c = rank(b.holds) - rank(a.holds)
			}
			if s.sorted.down {
				return -c
			}
			return c
		})
	}
	for k, r := range rows {
		g.order[places[k]], g.places[r.at] = r.at, places[k]
	}
}

// rank is 1 for what comes last.
func rank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// counted are the numbers from 0 to below n.
func counted(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// rowAt is the row that is shown at a place, counted from the top.
func (g *Grid) rowAt(place int) int {
	if place < 0 || place >= len(g.order) {
		return place
	}
	return g.order[place]
}

// placeOf is where a row is shown.
func (g *Grid) placeOf(row int) int {
	if row < 0 || row >= len(g.places) {
		return row
	}
	return g.places[row]
}
