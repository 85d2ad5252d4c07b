package markdown

import (
	"cmp"
	"slices"
	"strings"
)

// Mark is what the program says about a part of a text.
type Mark struct {
	Start, End int   // bytes of the source
	Doubted    bool  // the part gets the style Doubted
	Refs       []Ref // they stand behind the part
}

// ParseMarked parses a whole text as [Parse] does, with marks of the program's own. A
// mark that begins within another one, or lies outside the text, is left out.
func ParseMarked(source string, marks []Mark) []Block {
	text := lineFeeds(source)
	p := newReader().read([]byte(text), nil)
	p.marks = &marker{marks: settled(source, len(text), marks)}
	return p.blocks()
}

// settled returns the marks that can be shown, in order, as bytes of the text with line
// feeds alone.
func settled(source string, length int, marks []Mark) (list []Mark) {
	marks = slices.Clone(marks)
	slices.SortStableFunc(marks, func(a, b Mark) int { return cmp.Compare(a.Start, b.Start) })
	at := 0
	for _, m := range marks {
		if m.Start < 0 || m.End <= m.Start || m.End > len(source) {
			continue
		}
		if length != len(source) {
			m.Start -= strings.Count(source[:m.Start], "\r\n")
			m.End -= strings.Count(source[:m.End], "\r\n")
		}
		if m.Start >= at {
			list = append(list, m)
			at = m.End
		}
	}
	return list
}

// marker puts marks into a text while that is converted, from the beginning to the end.
// A nil marker has none.
type marker struct {
	marks   []Mark
	next    int // the first whose references are not written
	reached int // the byte up to which the text is converted
}

// piece returns where the piece of a text ends that begins at from: at the next edge of a
// mark, or at to. It reports whether the piece is doubted.
func (m *marker) piece(from, to int) (end int, doubted bool) {
	if m == nil {
		return to, false
	}
	m.reached = max(m.reached, to)
	for _, k := range m.marks[m.next:] {
		switch {
		case k.End <= from:
		case k.Start <= from:
			return min(to, k.End), k.Doubted
		default:
			return min(to, k.Start), false
		}
	}
	return to, false
}

// before returns the references of the marks that end at a byte or before it.
func (m *marker) before(at int) (refs []Ref) {
	for m != nil && m.next < len(m.marks) && m.marks[m.next].End <= at {
		refs = append(refs, m.marks[m.next].Refs...)
		m.next++
	}
	return refs
}

// rest returns the references of the marks that began in the text so far, at the end of a
// block: what such a mark still holds is no text.
func (m *marker) rest() (refs []Ref) {
	for m != nil && m.next < len(m.marks) && m.marks[m.next].Start < m.reached {
		refs = append(refs, m.marks[m.next].Refs...)
		m.next++
	}
	return refs
}
