package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"inglenook/documents"
)

// A unit is a part of a block that is not cut further: a sentence, a line of
// code, a row of a table, a heading. The units of a block cover it.
type unit struct {
	block, start, end int
	tokens            int
}

// findUnits cuts the blocks into units and counts their tokens, each text once.
// What is larger than a passage is halved until it fits.
func (s *splitter) findUnits() error {
	for i, b := range s.blocks {
		start := b.Start
		for _, part := range s.parts(b) {
			s.units = append(s.units, unit{block: i, start: start, end: start + len(part), tokens: -1})
			start += len(part)
		}
	}
	for {
		var texts []string
		var at []int
		for i, u := range s.units {
			if u.tokens < 0 {
				texts, at = append(texts, s.doc.Text[u.start:u.end]), append(at, i)
			}
		}
		if len(texts) == 0 {
			return nil
		}
		counts, err := count(s.counter, texts)
		if err != nil {
			return err
		}
		for k, i := range at {
			s.units[i].tokens = counts[k]
		}
		s.halveLarge()
	}
}

// halveLarge replaces each unit that exceeds the room of its passage by two,
// which are to be counted.
func (s *splitter) halveLarge() {
	var units []unit
	for i, u := range s.units {
		room := s.size - s.contexts[u.block].tokens
		text := s.doc.Text[u.start:u.end]
		middle := halfway(text)
		if u.tokens <= room || middle == 0 {
			if units != nil {
				units = append(units, u)
			}
			continue
		}
		if units == nil {
			units = append(make([]unit, 0, 2*len(s.units)), s.units[:i]...)
		}
		units = append(units,
			unit{block: u.block, start: u.start, end: u.start + middle, tokens: -1},
			unit{block: u.block, start: u.start + middle, end: u.end, tokens: -1})
	}
	if units != nil {
		s.units = units
	}
}

// parts cuts the text of a block into strings that make it up. None is so long
// that counting its tokens would be a waste.
func (s *splitter) parts(b documents.Block) []string {
	text := s.doc.Text[b.Start:b.End]
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var parts []string
	switch b.Kind {
	case documents.Heading, documents.TableHeader, documents.TableRow:
		parts = []string{text}
	case documents.Code:
		parts = strings.SplitAfter(text, "\n")
	default:
		parts = Sentences(text)
	}
	longest := 8 * s.size // bytes; a token has about four
	var short []string
	for _, part := range parts {
		for len(part) > longest {
			n := cutBefore(part, longest)
			short, part = append(short, part[:n]), part[n:]
		}
		if part != "" {
			short = append(short, part)
		}
	}
	return joinBlank(short)
}

// joinBlank joins parts of white space alone to a neighbour.
func joinBlank(parts []string) []string {
	var joined []string
	blank := ""
	for _, part := range parts {
		switch {
		case strings.TrimSpace(part) != "":
			joined, blank = append(joined, blank+part), ""
		case len(joined) > 0:
			joined[len(joined)-1] += part
		default:
			blank += part
		}
	}
	return joined
}

// halfway returns where a text is cut in two: after white space near its middle,
// else between two characters; 0 if it is one character.
func halfway(text string) int {
	middle := len(text) / 2
	for d := 0; d < len(text)/4; d++ {
		for _, i := range [2]int{middle - d, middle + d} {
			if i > 0 && i < len(text) && text[i-1] == ' ' {
				return i
			}
		}
	}
	return runeBefore(text, middle+1)
}

// cutBefore returns where a text is cut so that the first part has at most n
// bytes: after the last white space in its second half, else between characters.
func cutBefore(text string, n int) int {
	head := text[:n]
	if i := strings.LastIndexFunc(head, unicode.IsSpace); i >= n/2 {
		_, size := utf8.DecodeRuneInString(head[i:])
		return i + size
	}
	return runeBefore(text, n)
}

// runeBefore returns the last start of a character in text[:n+1] that is not 0,
// or 0 if there is none before the end of the text.
func runeBefore(text string, n int) int {
	for i := min(n, len(text)-1); i > 0; i-- {
		if utf8.RuneStart(text[i]) {
			return i
		}
	}
	_, size := utf8.DecodeRuneInString(text)
	if size < len(text) {
		return size
	}
	return 0
}

// batchBytes bounds what goes to the tokenizer in one call.
const batchBytes = 1 << 20

// wideToken is the most bytes of a text that count as one token. A tokenizer may take a
// word of any length for one unknown token; a passage would have no bound then.
const wideToken = 64

// count counts the tokens of texts in batches.
func count(c Counter, texts []string) ([]int, error) {
	counts := make([]int, 0, len(texts))
	for first := 0; first < len(texts); {
		last, bytes := first, 0
		for last < len(texts) && (last == first || bytes+len(texts[last]) <= batchBytes) {
			bytes += len(texts[last])
			last++
		}
		n, err := c.CountTokens(texts[first:last])
		if err != nil {
			return nil, err
		}
		for i, tokens := range n {
			counts = append(counts, max(tokens, len(texts[first+i])/wideToken))
		}
		first = last
	}
	return counts, nil
}
