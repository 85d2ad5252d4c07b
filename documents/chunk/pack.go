package chunk

import (
	"slices"
	"strings"

	"inglenook/documents"
)

// A run is a passage as the units first to last-1.
type run struct{ first, last int }

// pack fills passages with units. A passage ends when the next unit has no room,
// or before a heading once it has a quarter of its size. A heading at its end
// moves to the next one.
func (s *splitter) pack() []run {
	var runs []run
	var r run
	tokens := 0
	for i, u := range s.units {
		for r.first < i {
			full := tokens+u.tokens > s.room(r.first)
			if !full && !(s.kind(i) == documents.Heading && s.kind(i-1) != documents.Heading && tokens >= s.size/4) {
				break
			}
			r.last = i
			for r.last > r.first+1 && s.kind(r.last-1) == documents.Heading {
				r.last--
			}
			runs = append(runs, r)
			first := r.last
			if first == i && s.kind(i) != documents.Heading {
				first = s.repeat(r, u.tokens)
			}
			r.first, tokens = first, s.tokens(first, i)
		}
		tokens += u.tokens
	}
	if r.last = len(s.units); r.first < r.last {
		runs = append(runs, r)
	}
	return runs
}

// repeat returns the unit with which the passage after r begins: sentences at
// the end of r are repeated as far as the overlap allows and the next unit, of
// the given tokens, still fits.
func (s *splitter) repeat(r run, next int) int {
	first, tokens := r.last, 0
	for first-1 > r.first && s.overlaps(first-1) {
		tokens += s.units[first-1].tokens
		if tokens > s.overlap || tokens+next > s.room(first-1) {
			break
		}
		first--
	}
	return first
}

// overlaps reports whether a unit may be repeated: a sentence of prose.
func (s *splitter) overlaps(i int) bool {
	return s.kind(i) == documents.Paragraph || s.kind(i) == documents.ListItem
}

func (s *splitter) kind(i int) documents.Kind { return s.blocks[s.units[i].block].Kind }

// room is how many tokens a passage that begins with unit i has for its text.
func (s *splitter) room(i int) int { return s.size - s.contexts[s.units[i].block].tokens }

func (s *splitter) tokens(first, last int) (sum int) {
	for _, u := range s.units[first:last] {
		sum += u.tokens
	}
	return sum
}

// fitted makes passages of runs. The tokens of a text may be more than those of
// its parts; a passage that is too large for the model is cut in two.
func (s *splitter) fitted(runs []run) ([]documents.Chunk, error) {
	chunks := make([]documents.Chunk, len(runs))
	for i, r := range runs {
		first := s.units[r.first]
		chunks[i] = s.chunk(first.block, first.start, s.units[r.last-1].end)
	}
	for {
		var texts []string
		var at []int
		for i := range chunks {
			if chunks[i].Tokens < 0 {
				texts, at = append(texts, chunks[i].Input()), append(at, i)
			}
		}
		if len(texts) == 0 {
			return chunks, nil
		}
		counts, err := count(s.counter, texts)
		if err != nil {
			return nil, err
		}
		for k, i := range at {
			chunks[i].Tokens = counts[k]
		}
		chunks = s.cutLarge(chunks)
	}
}

// cutLarge replaces each passage that the model would not read to its end by
// two, which are to be counted.
func (s *splitter) cutLarge(chunks []documents.Chunk) []documents.Chunk {
	var cut []documents.Chunk
	for _, c := range chunks {
		switch middle := halfway(c.Text); {
		case c.Tokens <= s.counter.MaxTokens():
			cut = append(cut, c)
		case middle > 0 && strings.TrimSpace(c.Text[:middle]) != "" && strings.TrimSpace(c.Text[middle:]) != "":
			cut = append(cut, s.chunk(s.blockAt(c.Start), c.Start, c.Start+middle), s.chunk(s.blockAt(c.Start+middle), c.Start+middle, c.End))
		case c.Context != "":
			c.Context, c.Tokens = "", -1
			cut = append(cut, c)
		default:
			cut = append(cut, c) // one character
		}
	}
	return cut
}

// chunk returns the passage from start to end, which begins in a block; its
// tokens are to be counted.
func (s *splitter) chunk(block, start, end int) documents.Chunk {
	b, c := s.blocks[block], s.contexts[block]
	return documents.Chunk{
		Start: start, End: end, Page: b.Page, Breaks: s.breaks(block, start, end),
		Line:     b.Line + strings.Count(s.doc.Text[min(b.Start, start):start], "\n"),
		Headings: c.headings, Context: c.text,
		Text: s.doc.Text[start:end], Tokens: -1,
	}
}

// breaks returns where headings begin in the passage from start to end, and pages after the one on which its first
// block is.
func (s *splitter) breaks(first, start, end int) (list []documents.Break) {
	page := s.blocks[first].Page
	for i, b := range s.blocks[first:] {
		if b.Start >= end {
			break
		}
		here := documents.Break{At: b.Start - start, Page: b.Page}
		if c := s.contexts[first+i]; c.heads != "" && b.Start >= start {
			here.Headings = append(slices.Clone(c.headings), c.heads)
		}
		turns := b.Page != page && b.Start > start
		if turns {
			page = b.Page
		}
		if turns || here.Headings != nil {
			list = append(list, here)
		}
	}
	return list
}

// blockAt returns the last block that begins at or before a byte of the text.
func (s *splitter) blockAt(offset int) int {
	block := 0
	for i, b := range s.blocks {
		if b.Start > offset {
			break
		}
		block = i
	}
	return block
}
