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

	mostWeighed = 100 // words of the question in a text at which its row may begin
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
	from = fullest(text, words, from, room-wholeText/2)
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

// fullest is where a piece of a text should begin, at a byte or behind it, so that the most of some words begin in the
// piece; room is its size in bytes. Where no other piece has more of them, it is that byte.
func fullest(text string, words [][2]int, from, room int) int {
	has := func(start int) int {
		seen := map[string]bool{}
		for _, w := range words {
			if w[0] >= start && w[0] <= start+room {
				seen[strings.ToLower(text[w[0]:w[1]])] = true
			}
		}
		return len(seen)
	}
	best, most := from, has(from)
	for _, w := range words[:min(len(words), mostWeighed)] {
		start := max(from, w[0]-wholeText/2)
		if w[0] < from || start == from {
			continue
		}
		start += strings.IndexByte(text[start:w[0]], ' ') + 1
		if n := has(start); n > most {
			best, most = start, n
		}
	}
	return best
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
