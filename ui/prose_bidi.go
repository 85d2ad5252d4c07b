package ui

import (
	"slices"
	"unicode"

	"inglenook/markdown"
)

// Text from right to left, after the rules of Unicode's annex 9 as far as
// messages need them: a direction for the paragraph, runs of one direction
// each, in the order in which they are seen. Explicit embeddings do not occur:
// their characters are written out.

type direction uint8

const (
	neutral direction = iota
	leftward
	rightward
	number // from left to right wherever it stands
)

var rightToLeft = []*unicode.RangeTable{unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan, unicode.Mandaic, unicode.Adlam}

func directionOf(r rune) direction {
	switch {
	case r < 0x0590:
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0xc0 && unicode.IsLetter(r) {
			return rightward
		}
		if r >= '0' && r <= '9' {
			return number
		}
		return neutral
	case unicode.IsDigit(r):
		return number
	case unicode.In(r, rightToLeft...):
		return leftward
	case unicode.IsLetter(r):
		return rightward
	}
	return neutral
}

// goesLeft says whether text has characters that are written from right to
// left, and whether the first letter is one.
func goesLeft(text string) (some, first bool) {
	known := false
	for _, r := range text {
		if r < 0x0590 && known {
			continue
		}
		switch directionOf(r) {
		case leftward:
			return true, first || !known
		case rightward:
			known = true
		}
	}
	return false, false
}

// arrange gives the runs of a line their places: in the order in which they
// are seen, and to the side that align asks for. leftFirst is the direction of
// the paragraph.
func (p *piece) arrange(text string, x, width float32, align markdown.Align, some, leftFirst bool) {
	if some {
		p.visual(text, leftFirst)
	}
	shift := float32(0)
	switch {
	case align == markdown.AlignCentre:
		shift = (width - p.width) / 2
	case align == markdown.AlignRight || align == markdown.AlignDefault && leftFirst:
		shift = width - p.width - (p.x - x)
	}
	if shift = max(shift, 0); shift > 0 {
		p.x += shift
		for i := range p.runs {
			p.runs[i].x += shift
		}
	}
}

// visual splits the runs of a line by direction and puts them in the order in
// which they are seen.
func (p *piece) visual(text string, leftFirst bool) {
	var parts []run
	var ways []direction
	last := rightward
	if leftFirst {
		last = leftward
	}
	base := last
	for _, r := range p.runs {
		from := r.start
		way := neutral
		cut := func(to int, next direction) {
			if to > from {
				part := r
				part.start, part.end, part.left = from, to, way == leftward
				parts, ways = append(parts, part), append(ways, way)
			}
			from, way = to, next
		}
		for i, c := range text[r.start:r.end] {
			d := directionOf(c)
			if unicode.Is(unicode.M, c) || d == number && last == rightward {
				d = last
			}
			if d == neutral {
				continue
			}
			if way != d {
				if way == neutral {
					way = d
				} else {
					cut(r.start+i, d)
				}
			}
			if d != number {
				last = d
			}
		}
		cut(r.end, neutral)
	}
	for i, w := range ways { // what is neutral goes with the paragraph, or with both of its neighbours
		if w != neutral {
			continue
		}
		ways[i] = base
		if i > 0 && i+1 < len(ways) && ways[i-1] == ways[i+1] {
			ways[i] = ways[i-1]
		}
	}
	if base == leftward {
		slices.Reverse(parts)
	} else {
		for from := 0; from < len(parts); {
			to := from
			for to < len(parts) && ways[to] != rightward {
				to++
			}
			slices.Reverse(parts[from:to])
			from = max(to, from+1)
		}
	}
	at := p.x
	for i := range parts {
		r := &parts[i]
		if !r.silent {
			r.width = r.face.width(text[r.start:r.end])
		}
		r.x = at
		at += r.width
	}
	p.runs, p.width = parts, at-p.x
}
