package rerank

import (
	"strings"
	"unicode/utf8"

	"inglenook/app/texts"
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

// shownOf is what a row shows of a text for a question.
func shownOf(question, text string) shown {
	from, words := texts.Answering(question, text)
	before := "… "
	if from < wholeText || from+wholeText > len(text) {
		from, before = 0, ""
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

// shown is what the row of a text shows.
func (p *picture) shown(text int) shown {
	s, ok := p.parts[text]
	if !ok {
		s = shownOf(p.question, p.lines[text])
		p.parts[text] = s
	}
	return s
}
