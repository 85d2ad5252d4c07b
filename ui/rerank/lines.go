package rerank

import (
	"cmp"
	"slices"
)

// Which texts have a line from place to place. The lines of many would tangle: then only those have one
// that moved farthest, and the text that is chosen or under the pointer. Of all the number tells.
const (
	linesOfAll = 12 // texts, up to which each has one
	linesOfFar = 5  // of more texts
)

// farthest are the texts among these that moved farthest; nil: all have a line.
func farthest(moved, among []int) []int {
	if len(among) <= linesOfAll {
		return nil
	}
	list := slices.Clone(among)
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(distance(moved[b]), distance(moved[a])) })
	return list[:linesOfFar]
}

func distance(move int) int { return max(move, -move) }

// draws reports whether a text has a line.
func (p *picture) draws(text int) bool {
	return p.far == nil || text == p.selected || text == p.pointed || p.moved[text] != 0 && slices.Contains(p.far, text)
}

// point shows the line of the text in a row; -1: of none.
func (p *picture) point(row int) {
	text := -1
	if row >= 0 && row < len(p.right.Texts) {
		text = p.right.Texts[row]
	}
	if text != p.pointed {
		p.pointed = text
		p.moves.Refresh()
	}
}

// linesText says which texts have a line; "": all.
func (p *picture) linesText() string {
	if p.far == nil {
		return ""
	}
	return "Lines: the chosen text and the largest moves."
}
