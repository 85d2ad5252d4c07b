package support

import (
	"slices"
	"strings"
	"unicode/utf8"

	"inglenook/documents/chunk"
	"inglenook/documents/words"
)

// Bounds of the work: of a passage only its first sentences are looked at, and a sentence
// is cut where it is longer than a paragraph.
const (
	mostSentences   = 400
	longestSentence = 800 // bytes
)

// A reading is a text with what can be compared of it.
type reading struct {
	text     string
	terms    []term
	stems    map[string]bool
	words    map[string]bool // in small letters, frequent ones too
	numbers  []number
	names    []name
	polarity polarity
	pieces   []piece
}

// A piece is a part of a sentence that may be a clause, and what it has of it.
type piece struct {
	Span
	stems   map[string]bool
	numbers []number
	names   []name
}

// piece returns what a part of a text has.
func (r *reading) piece(s Span) piece {
	p := piece{Span: s, stems: map[string]bool{}}
	for _, t := range r.terms {
		if s.Start <= t.Start && t.End <= s.End {
			p.stems[t.stem] = true
		}
	}
	for _, n := range r.numbers {
		if s.Start <= n.Start && n.End <= s.End {
			p.numbers = append(p.numbers, n)
		}
	}
	for _, n := range r.names {
		if s.Start <= n.Start && n.End <= s.End {
			p.names = append(p.names, n)
		}
	}
	return p
}

func read(text string) *reading {
	r := &reading{text: text, numbers: numbersOf(text), names: namesOf(text)}
	for _, t := range termsOf(text) {
		if !slices.ContainsFunc(r.numbers, func(n number) bool { return !n.weak && t.Start < n.End && n.Start < t.End }) {
			r.terms = append(r.terms, t)
		}
	}
	r.stems = stems(r.terms)
	r.words = map[string]bool{}
	for _, w := range words.Split(text) {
		r.words[w] = true
	}
	r.polarity = polarityOf(text, r.terms)
	for _, s := range piecesOf(text) {
		r.pieces = append(r.pieces, r.piece(s))
	}
	return r
}

// A sentence is one of a passage, or a row of a table with its header.
type sentence struct {
	Span
	*reading
	row bool
}

// A window is a sentence of a passage, or two neighbours.
type window struct {
	Span
	passage   int
	page      *page
	sentences []*sentence
	stems     map[string]bool // of the sentences and of the heading
	text      string          // for the embedder
}

// A page is a passage that was read.
type page struct {
	Passage
	heading   *reading
	sentences []*sentence
	stems     map[string]bool // of all that is looked at
	initials  map[string]bool
	letters   letters
	pieces    []piece // of all sentences
	named     []piece // those and the sentences that have names
}

func readPassage(p Passage) *page {
	g := &page{Passage: p, heading: read(cut(p.Heading, longestSentence))}
	header := ""
	for _, s := range split(p.Text) {
		text := oneLine(p.Text[s.Start:s.End])
		isRow := isRow(p.Text[s.Start:s.End])
		switch {
		case !isRow:
			header = ""
		case header == "":
			header = text
		}
		r := read(text)
		if isRow && header != text {
			add(r.stems, stems(termsOf(header)))
		}
		if isRow {
			r.pieces = []piece{{Span{End: len(text)}, r.stems, r.numbers, r.names}}
		}
		g.sentences = append(g.sentences, &sentence{s, r, isRow})
		if len(g.sentences) == mostSentences {
			break
		}
	}
	g.stems = map[string]bool{}
	add(g.stems, g.heading.stems)
	for _, s := range g.sentences {
		add(g.stems, s.stems)
		g.pieces = append(g.pieces, s.pieces...)
		g.named = append(append(g.named, s.pieces...), piece{Span{End: len(s.text)}, s.stems, s.numbers, s.names})
		for w := range s.words {
			g.stems[words.Stem(w)] = true
		}
	}
	g.named = slices.DeleteFunc(g.named, func(p piece) bool { return len(p.names) == 0 })
	g.letters = lettersOf(p.Text)
	g.initials = initials(p.Heading + "\n" + cut(p.Text, 64<<10))
	return g
}

// windows are the sentences of a passage and each two neighbours; a row of a table is one alone.
func (g *page) windows(index int) (all []*window) {
	for i, s := range g.sentences {
		all = append(all, g.window(index, s))
		if i+1 < len(g.sentences) && !s.row && !g.sentences[i+1].row {
			all = append(all, g.window(index, s, g.sentences[i+1]))
		}
	}
	return all
}

func (g *page) window(index int, of ...*sentence) *window {
	w := &window{Span: Span{Start: of[0].Start, End: of[len(of)-1].End}, passage: index, page: g, sentences: of, stems: map[string]bool{}}
	add(w.stems, g.heading.stems)
	var texts []string
	if above := nearest(g.Heading); above != "" {
		texts = append(texts, above+":")
	}
	for _, s := range of {
		add(w.stems, s.stems)
		texts = append(texts, s.text)
	}
	w.text = strings.Join(texts, " ")
	return w
}

// nearest is the last line of a heading, which is the nearest to the text, without those
// above it.
func nearest(heading string) string {
	heading = strings.TrimSpace(heading)
	heading = strings.TrimSpace(heading[strings.LastIndexByte(heading, '\n')+1:])
	if _, last, ok := cutLast(heading, " › "); ok {
		heading = last
	}
	return cut(heading, 160)
}

func cutLast(text, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(text, sep); i >= 0 {
		return text[:i], text[i+len(sep):], true
	}
	return text, "", false
}

// split returns the sentences of a passage; items of lists and rows of tables are some too.
func split(text string) (spans []Span) {
	at := 0
	for _, part := range chunk.Sentences(text) {
		for _, line := range joinedLines(part) {
			end := at + len(line)
			for start := at; start < end; {
				n := len(cut(text[start:end], longestSentence))
				if s := words.Trim(text, Span{Start: start, End: start + n}); s.End > s.Start {
					spans = append(spans, s)
				}
				start += n
			}
			at = end
		}
	}
	return spans
}

// joinedLines cuts a text before each line that is an item of a list, and around each row of
// a table. Other lines are a paragraph that was broken to fit a page.
func joinedLines(text string) (parts []string) {
	start, at := 0, 0
	before := ""
	for line := range strings.Lines(text) {
		if at > start && (listItem.MatchString(line) || isRow(line) || isRow(before)) {
			parts = append(parts, text[start:at])
			start = at
		}
		at += len(line)
		before = line
	}
	return append(parts, text[start:])
}

// isRow reports whether a line is a row of a table, as readers of documents write them or
// as a file has them.
func isRow(line string) bool {
	if strings.Contains(line, " | ") || strings.Contains(line, "\t") && strings.Count(line, "\t") > 1 {
		return true
	}
	commas := strings.Count(line, ",") + strings.Count(line, ";")
	return commas > 2 && commas-strings.Count(line, ", ")-strings.Count(line, "; ") > 2
}

// cut returns the beginning of a text, up to n bytes, to a space where there is one.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for back := 0; back < utf8.UTFMax && !utf8.RuneStart(text[n]); back++ {
		n--
	}
	if i := strings.LastIndexAny(text[:n], " \n"); i > n/2 {
		n = i + 1
	}
	return text[:n]
}

func add(to, some map[string]bool) {
	for k := range some {
		to[k] = true
	}
}
