package support

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// shortestLiteral is how many letters of a passage a claim has to repeat to be supported by
// that alone; a short one may stand there in another sense.
const shortestLiteral = 20

// letters are the letters and digits of a text in small letters, with the byte of the text
// that each byte of them comes from. Texts that differ in spaces, hyphens, signs and
// capitals have the same.
type letters struct {
	text string
	at   []int
}

func lettersOf(text string) letters {
	var b strings.Builder
	var at []int
	for i, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			continue
		}
		n, _ := b.WriteRune(unicode.ToLower(r))
		for range n {
			at = append(at, i)
		}
	}
	return letters{b.String(), at}
}

// literal finds a claim that repeats a passage word for word.
func (j *judge) literal(c *claim) (*window, bool) {
	said := lettersOf(c.statement.text)
	if c.context != nil || utf8.RuneCountInString(said.text) < shortestLiteral {
		return nil, false
	}
	for i, g := range j.pages {
		for from := 0; ; {
			at := strings.Index(g.letters.text[from:], said.text)
			if at < 0 {
				break
			}
			start := g.letters.at[from+at]
			last := g.letters.at[from+at+len(said.text)-1]
			_, size := utf8.DecodeRuneInString(g.Text[last:])
			if w := g.around(i, Span{Start: start, End: last + size}); w != nil && (wholeWords(g.Text, start, last+size) && !j.turned(c, w)) {
				return w, true
			}
			from += at + 1
		}
	}
	return nil, false
}

// around is the window of the sentences that a part of a passage is in; nil if they were not
// looked at.
func (g *page) around(index int, part Span) *window {
	var of []*sentence
	for _, s := range g.sentences {
		if s.Start < part.End && part.Start < s.End {
			of = append(of, s)
		}
	}
	if of == nil {
		return nil
	}
	return g.window(index, of...)
}

// turned reports whether what stands around the repeated words turns their sense, as in "it is
// not true that".
func (j *judge) turned(c *claim, w *window) bool {
	for _, s := range w.sentences {
		if contradiction(c.reading, s.reading) != "" {
			return true
		}
	}
	return false
}

// wholeWords reports whether a part of a text begins and ends where words do.
func wholeWords(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return !letter(before) && !letter(after)
}

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
