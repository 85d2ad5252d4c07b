package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

// goesLeft reports whether text has characters that are written from right to
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
	base := rightward
	if leftFirst {
		base = leftward
	}
	ways := resolve(p.runs, text, base)
	var parts []run
	var directions []direction
	i := 0
	for _, r := range p.runs {
		if r.math != nil {
			parts, directions = append(parts, r), append(directions, rightward)
			i += utf8.RuneCountInString(text[r.start:r.end])
			continue
		}
		for at, c := range text[r.start:r.end] {
			w := ways[i]
			own := w != leftward || directionOf(c) != neutral || unicode.Is(unicode.M, c) // Fyne puts spaces at the ends of a run on the wrong side
			if n := len(parts); at > 0 && n > 0 && directions[n-1] == w && (parts[n-1].sign == !own) {
				parts[n-1].end = r.start + at + len(string(c))
			} else {
				part := r
				part.start, part.end, part.left, part.sign = r.start+at, r.start+at+len(string(c)), w == leftward, !own
				parts, directions = append(parts, part), append(directions, w)
			}
			i++
		}
	}
	seen(parts, directions, base)
	at := p.x
	for i := range parts {
		r := &parts[i]
		if !r.silent && r.math == nil {
			r.width = r.face.width(text[r.start:r.end])
		}
		r.x = at
		at += r.width
	}
	p.runs, p.width = parts, at-p.x
}

// resolve finds the direction of every character of a line. What has none goes
// with its neighbours if they agree, else with the paragraph; figures after
// text from right to left count as such then.
func resolve(runs []run, text string, base direction) []direction {
	var ways []direction
	last := base
	for _, r := range runs {
		for _, c := range text[r.start:r.end] {
			d := directionOf(c)
			switch {
			case r.math != nil:
				d = rightward
			case unicode.Is(unicode.M, c) && len(ways) > 0:
				d = ways[len(ways)-1]
			case d == number && last == rightward:
				d = rightward
			}
			if d == leftward || d == rightward {
				last = d
			}
			ways = append(ways, d)
		}
	}
	strong := func(d direction) direction {
		if d == number {
			return leftward
		}
		return d
	}
	for from := 0; from < len(ways); from++ {
		if ways[from] != neutral {
			continue
		}
		to := from
		for to < len(ways) && ways[to] == neutral {
			to++
		}
		way := base
		if from > 0 && to < len(ways) && strong(ways[from-1]) == strong(ways[to]) {
			way = strong(ways[to])
		}
		for ; from < to; from++ {
			ways[from] = way
		}
	}
	return ways
}

// seen puts parts of a line in the order in which they are seen: from right to
// left what is written so, with the figures in between, and the whole line if
// the paragraph is.
func seen(parts []run, ways []direction, base direction) {
	if base == leftward {
		// Between two parts from right to left there may be several from left to right.
		for from := 0; from < len(parts); {
			to := from
			for to < len(parts) && ways[to] != leftward {
				to++
			}
			slices.Reverse(parts[from:to])
			from = max(to, from+1)
		}
		slices.Reverse(parts)
		return
	}
	for from := 0; from < len(parts); {
		to := from
		for to < len(parts) && ways[to] != rightward {
			to++
		}
		flip(parts[from:to], ways[from:to])
		from = max(to, from+1)
	}
}

// flip turns a stretch from right to left around, but not the figures in it.
func flip(parts []run, ways []direction) {
	for from := 0; from < len(parts); {
		to := from
		for to < len(parts) && ways[to] == number {
			to++
		}
		slices.Reverse(parts[from:to])
		from = max(to, from+1)
	}
	slices.Reverse(parts)
}

// mirrored are the signs that face the other way in text from right to left.
var mirrored = strings.NewReplacer("(", ")", ")", "(", "[", "]", "]", "[", "{", "}", "}", "{", "<", ">", ">", "<", "«", "»", "»", "«")

// drawn is the text of a run as it is drawn.
func (r *run) drawn(text string) string {
	part := text[r.start:r.end]
	if r.left && r.sign {
		signs := []rune(mirrored.Replace(part))
		slices.Reverse(signs)
		return string(signs)
	}
	return part
}
