package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"inglenook/markdown"
)

// look is how a run of text is drawn.
type look struct {
	face    *face
	color   fyne.ThemeColorName
	tinted  bool // code within text
	struck  bool
	doubted bool           // by the program
	ref     bool           // a reference of the program's own
	link    *markdown.Link // that a click follows
	math    *mathPart      // drawn instead of the text
}

// run is text in one look on one line.
type run struct {
	look
	x, width   float32 // within the block
	start, end int     // bytes of the block's text
	silent     bool    // takes room, but draws nothing: tabs
	left       bool    // from right to left
	sign       bool    // signs alone, of which some face the other way then
}

// piece is one line of a text, or of a cell of a table.
type piece struct {
	x, y, width, height float32 // its area within the block
	base                float32 // the baseline below y
	start, end          int     // bytes of the block's text
	runs                []run
}

// atom is the smallest part of a text that is measured: a word, a space, an
// ideograph.
type atom struct {
	look
	start, end int
	width      float32
	kind       atomKind
	free       bool // a line may begin here
}

type atomKind uint8

const (
	wordAtom atomKind = iota
	spaceAtom
	tabAtom
	breakAtom // a new line begins after it
)

// maxAtom bounds in runes what is measured at once: a word may be a megabyte.
const maxAtom = 64

// breaker splits text into atoms and puts them on lines.
type breaker struct {
	atoms []atom
	last  rune // of the last word
}

// add splits text, which is bytes from start on of the block's text.
func (b *breaker) add(text string, start int, l look) {
	b.atoms = slices.Grow(b.atoms, len(text)/3)
	for i := 0; i < len(text); {
		from := i
		a := atom{look: l, start: start + i}
		switch text[i] {
		case ' ':
			for i < len(text) && text[i] == ' ' {
				i++
			}
			a.kind = spaceAtom
			b.widen(len(b.atoms)-1, func(before atom) bool { return before.math != nil })
		case '\t':
			i++
			a.kind = tabAtom
		case '\n':
			i++
			a.kind = breakAtom
		default:
			a.free = b.opens(text[i:])
			i += wordEnd(text[i:])
			b.last, _ = utf8.DecodeLastRuneInString(text[from:i])
		}
		a.end = start + i
		if a.kind == wordAtom || a.kind == spaceAtom {
			a.width = l.face.width(text[from:i])
		}
		b.atoms = append(b.atoms, a)
	}
}

// opens reports whether a line may begin with the word at the start of s.
func (b *breaker) opens(s string) bool {
	n := len(b.atoms)
	if n == 0 || b.atoms[n-1].kind != wordAtom {
		return true
	}
	r, _ := utf8.DecodeRuneInString(s)
	switch {
	case closing(r) || opening(b.last):
		return false
	case ideographic(r) || ideographic(b.last) || closing(b.last) && b.last > 0x2e80:
		return true
	}
	return splits(b.last) && unicode.IsLetter(r) && b.atoms[n-1].end-b.atoms[n-1].start > 2
}

// wordEnd is the length of the word that s begins with: up to a space, after a
// hyphen or a slash, one ideograph, and never absurdly long.
func wordEnd(s string) int {
	before, i := utf8.DecodeRuneInString(s)
	alone, twice := ideographic(before), false
	for count := 1; i < len(s); count++ {
		r, n := utf8.DecodeRuneInString(s[i:])
		part := unicode.Is(unicode.M, r) || r == '\u200d' || before == '\u200d'
		switch {
		case part || closing(r) && r > 0x2e80:
		case r == ' ' || r == '\t' || r == '\n' || alone || ideographic(r) || count >= maxAtom:
			return i
		case splits(before) && !twice && count > 2 && unicode.IsLetter(r):
			return i
		}
		twice = r == before
		i, before = i+n, r
	}
	return i
}

// splits reports whether a word may be split after r.
func splits(r rune) bool { return r == '-' || r == '/' || r == '–' || r == '—' }

// ideographic reports whether lines may end at any character of r's script.
func ideographic(r rune) bool {
	return r >= 0x2e80 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Yi) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff9f)
}

// closing reports whether r must not begin a line.
func closing(r rune) bool {
	return strings.ContainsRune(",.:;!?)]}”’»%…、。，．：；！？）］｝」』】〉》〕ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ", r)
}

// opening reports whether r must not end a line.
func opening(r rune) bool { return strings.ContainsRune("([{“‘«（［｛「『【〈《〔", r) }

// lines puts the atoms on lines that are at most width wide, from x and y on.
// text is the block's, to which the atoms refer. pitch is the height of a line
// and hang what lines after the first are indented by, as long as nothing but
// the width ended them.
func (b *breaker) lines(text string, x, y, width, pitch, hang float32) []piece {
	var pieces []piece
	line := lineMaker{text: text, left: x, width: width, hang: hang, tab: 4}
	flush := func(end int) {
		p := line.piece(end)
		p.y, p.height = y, pitch
		p.base = (pitch-line.height)/2 + line.base
		if more := line.above - p.base; more > 0 {
			p.base += whole(more + 1)
			p.height += whole(more + 1)
		}
		p.height = max(p.height, whole(p.base+line.below+1.5))
		pieces = append(pieces, p)
		y += p.height
	}
	for i := 0; i < len(b.atoms); {
		a := b.atoms[i]
		if a.kind == breakAtom {
			flush(a.start)
			line.begin(a.end, false)
			i++
			continue
		}
		to, wide := i+1, a.width
		for a.kind == wordAtom && to < len(b.atoms) && b.atoms[to].kind == wordAtom && !b.atoms[to].free {
			wide += b.atoms[to].width
			to++
		}
		if a.kind == wordAtom && !line.empty() && line.at+wide > line.room() {
			flush(a.start)
			line.begin(a.start, true)
		}
		for ; i < to; i++ {
			for rest := b.atoms[i]; !line.add(&rest); {
				flush(rest.start)
				line.begin(rest.start, true)
			}
		}
	}
	end := len(text)
	if n := len(b.atoms); n > 0 {
		end = b.atoms[n-1].end
	}
	if !line.empty() || len(pieces) == 0 || len(b.atoms) > 0 && b.atoms[len(b.atoms)-1].kind == breakAtom {
		flush(end)
	}
	return pieces
}

// lineMaker fills one line after the other.
type lineMaker struct {
	text              string
	left, width, hang float32
	tab               int // in spaces

	runs         []run
	started      bool
	start        int
	at           float32 // from the left edge of the line
	indent       float32
	height, base float32 // of the largest face
	above, below float32 // what the formulas of this line need at the baseline
}

func (l *lineMaker) empty() bool   { return len(l.runs) == 0 }
func (l *lineMaker) room() float32 { return l.width - l.indent }

// begin starts the next line; wrapped: the width ended the one before.
func (l *lineMaker) begin(start int, wrapped bool) {
	l.runs, l.at, l.start, l.started, l.indent = nil, 0, start, true, 0
	l.above, l.below = 0, 0
	if wrapped {
		l.indent = l.hang
	}
}

// add puts an atom at the end of the line. If only a part of it fits even a
// whole line, that part is taken off it, and it answers false.
func (l *lineMaker) add(a *atom) bool {
	if !l.started {
		l.begin(a.start, false)
	}
	if l.height < a.face.height {
		l.height = a.face.height
	}
	l.base = max(l.base, a.face.base)
	if a.kind == tabAtom {
		stop := a.face.width("0") * float32(l.tab)
		a.width = stop - float32(int(l.at)%max(1, int(stop)))
	}
	if a.math != nil && a.width > l.room() { // wider than a line
		a.math = a.math.scaled(l.room() / a.width)
		a.width = l.room()
	}
	if a.kind != wordAtom || a.math != nil || l.at+a.width <= l.room()+0.5 {
		l.append(*a)
		return true
	}
	if !l.empty() && l.room()-l.at < 4*a.face.size && l.at > 0 {
		return false
	}
	part := *a
	part.end = a.start + a.face.fitting(l.text[a.start:a.end], l.room()-l.at)
	if part.end >= a.end {
		l.append(*a)
		return true
	}
	part.width = a.face.width(l.text[part.start:part.end])
	l.append(part)
	a.start, a.width = part.end, a.face.width(l.text[part.end:a.end])
	return false
}

// tintRoom is the room between code within text and what is beside it.
const tintRoom float32 = 3

// append extends the last run, or begins another one.
func (l *lineMaker) append(a atom) {
	if a.math != nil {
		l.above, l.below = max(l.above, a.math.above()), max(l.below, a.math.below())
	}
	if n := len(l.runs); n > 0 && a.kind != tabAtom && a.math == nil {
		if r := &l.runs[n-1]; r.look == a.look && r.end == a.start && !r.silent {
			r.end, r.width = a.end, r.width+a.width
			l.at += a.width
			return
		}
	}
	if n := len(l.runs); n > 0 && l.runs[n-1].tinted != a.tinted || n == 0 && a.tinted {
		l.at += tintRoom
	}
	l.runs = append(l.runs, run{look: a.look, x: l.left + l.indent + l.at, width: a.width, start: a.start, end: a.end, silent: a.kind == tabAtom})
	l.at += a.width
}

// piece is the finished line, up to the byte end.
func (l *lineMaker) piece(end int) piece {
	p := piece{x: l.left + l.indent, width: l.at, start: l.start, end: end, runs: l.runs}
	if n := len(l.runs); n > 0 && l.runs[n-1].math == nil { // a space at the end of a line is not drawn
		r := &l.runs[n-1]
		trimmed := strings.TrimRight(l.text[r.start:r.end], " ")
		if cut := r.end - r.start - len(trimmed); cut > 0 && !r.silent {
			space := r.face.width(l.text[r.end-cut : r.end])
			r.end, r.width = r.end-cut, r.width-space
			p.width -= space
			if r.start == r.end {
				p.runs = l.runs[:n-1]
			}
		}
	}
	return p
}
