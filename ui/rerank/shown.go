package rerank

import (
	"strings"
	"unicode/utf8"

	"inglenook/app/texts"
	"inglenook/ui/kit"
)

// shown is what a row shows of a text: the part that answers by its words, which stand out in it.
type shown struct {
	text  string
	words [][2]int
}

// How much of a text its row shows.
const (
	rowBytes  = 400 // at most
	wholeText = 60  // bytes up to which a text begins at its beginning
)

// longText is the size in bytes from which on a text is long: it takes more than a line.
const longText = 100

// mostAreLong reports whether most texts are long.
func mostAreLong(lines []string) bool {
	n := 0
	for _, l := range lines {
		if len(l) >= longText {
			n++
		}
	}
	return 2*n > len(lines)
}

// shownOf is what a row that has room for so many bytes shows of a text for a question.
func shownOf(question, text string, room int) shown {
	from, words := texts.Answering(question, text)
	before := "… "
	if from < wholeText || from+wholeText > len(text) {
		from = 0
	}
	if at := firstFrom(words, from); at-from > room-wholeText/2 { // the row would end before the first word
		from = max(from, at-wholeText/2)
		from += strings.IndexByte(text[from:at], ' ') + 1
	}
	if from == 0 {
		before = ""
	}
	end := min(len(text), from+rowBytes)
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	s := shown{text: before + strings.NewReplacer("\n", " ", "\r", " ", "\t", " ").Replace(text[from:end])}
	for _, w := range words {
		if w[0] >= from && w[1] <= end {
			s.words = append(s.words, [2]int{w[0] - from + len(before), w[1] - from + len(before)})
		}
	}
	return s
}

// firstFrom is where the first of some words from a byte on begins; that byte where there is none.
func firstFrom(words [][2]int, from int) int {
	for _, w := range words {
		if w[0] >= from {
			return w[0]
		}
	}
	return from
}

// letter is about how wide a byte of a text is.
const letter = kit.TextBody / 2

// shown is what the row of a text shows.
func (p *picture) shown(text int) shown {
	room := rowBytes
	if width := p.rows.Size().Width; width > 0 {
		_, start := p.columns(width)
		start += moveWidth + p.digits + 4*kit.Gap + scoreWidth()
		lines := float32(1)
		if p.twoLines() {
			lines = twoLines / oneLine // a second line has half a line more
		}
		room = int(max(0, width-start) * lines / letter)
	}
	if room != p.room {
		p.room, p.parts = room, map[int]shown{}
	}
	s, ok := p.parts[text]
	if !ok {
		s = shownOf(p.question, p.lines[text], room)
		p.parts[text] = s
	}
	return s
}
