package prose

import (
	"fyne.io/fyne/v2/theme"

	"inglenook/markdown"
	"inglenook/ui/kit"
)

// found is what a search within the message finds.
type found struct {
	find func(text string) [][2]int // nil: nothing is looked for
	here int                        // the part that stands out most; -1: none
}

// ShowFound marks what find returns of the text of each block: bytes, in order. Of all parts, counted
// from 0, the one with number here stands out most; -1: none does. Without find nothing is marked.
func (p *Text) ShowFound(find func(text string) [][2]int, here int) {
	p.found = found{find, here}
	p.Draw()
}

// FoundAt is where the part that stands out most is, from the upper edge of the message on; false: it
// is nowhere.
func (p *Text) FoundAt() (top, bottom float32, ok bool) {
	if p.found.find == nil || p.found.here < 0 {
		return 0, 0, false
	}
	n := 0
	for _, s := range p.sets {
		parts := p.found.find(s.text)
		if p.found.here >= n+len(parts) {
			n += len(parts)
			continue
		}
		part := parts[p.found.here-n]
		for i := range s.pieces {
			line := &s.pieces[i]
			if _, _, in := line.extent(s.text, part[0], part[1]); !in {
				continue
			}
			if !ok {
				top, ok = s.top+line.y, true
			}
			bottom = s.top + line.y + line.height
		}
		return top, bottom, ok
	}
	return 0, 0, false
}

// foundIn are the found parts of set i, with the number of the first.
func (p *Text) foundIn(i int) (parts [][2]int, first int) {
	if p.found.find == nil {
		return nil, 0
	}
	for _, s := range p.sets[:i] {
		first += len(p.found.find(s.text))
	}
	return p.found.find(p.sets[i].text), first
}

// foundParts draws what was found on a line.
func (r *proseRenderer) foundParts(s *set, line *piece, parts [][2]int, first int) {
	for i, part := range parts {
		left, right, ok := line.extent(s.text, part[0], part[1])
		if !ok {
			continue
		}
		fill, stroke := kit.ColorFound, kit.ColorFound
		if first+i == r.prose.found.here {
			stroke = theme.ColorNamePrimary
		}
		r.chosen.next(left-1, s.top+line.y, right-left+2, line.height, 3, fill, stroke)
	}
}

// Texts are the texts of blocks as they are shown, in which [Text.ShowFound] looks. It may run on any goroutine.
func Texts(blocks []markdown.Block) []string {
	texts, f, m, z := make([]string, len(blocks)), faces{}, maths{}, sizesOf(kit.TextBody)
	for i, b := range blocks {
		texts[i] = setBlock(b, narrowest, z, f, m, func(*markdown.Code) []markdown.Span { return nil }).text
	}
	return texts
}
