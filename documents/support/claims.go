package support

import (
	"regexp"
	"strings"

	"inglenook/documents/chunk"
	"inglenook/documents/words"
)

// MostClaims bounds how many sentences of an answer are judged. The rest of a longer
// answer has no claims.
const MostClaims = 200

const longestClaim = 2000 // bytes of a sentence that are compared

// A statement is a sentence, an item or a row of an answer that says something.
type statement struct {
	Span
	text string // without Markdown's signs and markers, in one line
	lead string // the line above a list, the header above a row of a table
}

// statements cuts an answer. It leaves out what claims nothing: headings, code, greetings,
// questions, and sentences that say that the answer is not known.
func statements(answer string) []statement {
	var found []statement
	plain := withoutMarkers(answer)
	for _, b := range blocks(plain) {
		for _, s := range sentencesOf(plain, b) {
			text := oneLine(cut(plain[s.Start:s.End], longestClaim))
			if claimsNothing(text) {
				continue
			}
			if len(found) == MostClaims {
				return found
			}
			found = append(found, statement{Span: s, text: text, lead: b.lead})
		}
	}
	return found
}

func sentencesOf(plain string, b block) (spans []Span) {
	if b.row {
		return []Span{words.Trim(plain, b.Span)}
	}
	start := b.Start
	for _, sentence := range chunk.Sentences(plain[b.Start:b.End]) {
		end := start + len(sentence)
		if s := words.Trim(plain, Span{Start: start, End: end}); s.End > s.Start {
			spans = append(spans, s)
		}
		start = end
	}
	return spans
}

// A block is a paragraph, an item of a list or a row of a table.
type block struct {
	Span
	row  bool
	lead string
}

// What a line of an answer may be. Signs of Markdown that withoutMarkers has removed are
// not among them.
var (
	fence     = regexp.MustCompile("^\\s*(```+|~~~+)")
	heading   = regexp.MustCompile(`^\s{0,3}#{1,6}(\s|$)`)
	underline = regexp.MustCompile(`^\s{0,3}(=+|-{3,}|\*{3,}|_{3,})\s*$`)
	tableRule = regexp.MustCompile(`^[\s|:+-]*-[\s|:+-]*$`)
	listItem  = regexp.MustCompile(`^\s*(?:[-*+•‣◦–—]|\(?\d{1,3}[.)]|\(?[a-z]\))\s+`)
)

// blocks cuts an answer into those of its blocks that may claim something.
func blocks(plain string) []block {
	var c cutter
	at := 0
	for line := range strings.Lines(plain) {
		c.line(line, at)
		at += len(line)
	}
	c.close()
	return c.blocks
}

// A cutter collects the lines of blocks.
type cutter struct {
	blocks []block
	open   block
	text   string // of the open block
	fence  string // the fence that the next lines are within
	lead   string // of the list that follows
	header string // of the table that follows
}

func (c *cutter) line(line string, at int) {
	span := Span{Start: at, End: at + len(line)}
	if mark := fence.FindStringSubmatch(line); c.fence != "" || mark != nil {
		c.code(mark)
		return
	}
	bare := strings.TrimSpace(line)
	if !strings.HasPrefix(bare, "|") {
		c.header = ""
	}
	switch {
	case bare == "":
		c.close()
	case strings.HasPrefix(bare, "|"):
		c.close()
		c.row(bare, span)
	case heading.MatchString(line):
		c.close()
		c.lead = ""
	case underline.MatchString(line):
		if text := strings.TrimSpace(c.text); !strings.ContainsAny(text, "\n.!") && strings.ContainsAny(bare, "=-") {
			c.drop() // a heading above its line
		}
		c.close()
	case listItem.MatchString(line):
		c.close()
		mark := len(listItem.FindString(line))
		c.open = block{Span: Span{Start: at + mark, End: span.End}, lead: c.lead}
		c.text = line[mark:]
	case c.text == "":
		c.open, c.text = block{Span: span}, line
	default:
		c.open.End = span.End
		c.text += line
	}
}

func (c *cutter) code(mark []string) {
	c.close()
	switch {
	case c.fence == "":
		c.fence = mark[1]
	case mark != nil && strings.HasPrefix(mark[1], c.fence):
		c.fence = ""
	}
}

func (c *cutter) row(bare string, span Span) {
	switch {
	case tableRule.MatchString(bare):
	case c.header == "":
		c.header = cells(bare)
	default:
		c.blocks = append(c.blocks, block{Span: span, row: true, lead: c.header})
	}
}

// close ends the open block. A paragraph that ends in a colon leads the list that follows.
func (c *cutter) close() {
	if text := strings.TrimSpace(c.text); text != "" {
		c.blocks = append(c.blocks, c.open)
		if c.open.lead == "" {
			c.lead = ""
			if strings.HasSuffix(text, ":") {
				c.lead = oneLine(text)
			}
		}
	}
	c.drop()
}

func (c *cutter) drop() { c.open, c.text = block{}, "" }

// cells are the cells of a row in one line.
func cells(row string) string {
	return oneLine(strings.ReplaceAll(row, "|", " "))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
