// Package documents holds the words of a document search: the text that was
// read from a file, the passages it is cut into, and what the search asks of an
// embedder. The packages below it do the work, one step each:
//
//	extract   reads a file of any format into a Document
//	chunk     cuts a Document into passages
//	store     keeps files, passages and vectors, and finds the nearest
//	search    answers a question from a store
//	index     keeps a store in step with files and folders
//	support   judges an answer by passages
package documents

import "strings"

// Document is the text of one file, in reading order.
type Document struct {
	Title  string
	Format string   // "pdf", "docx", "text", …; the extractor's name
	Text   string   // valid UTF-8 with "\n" line ends; for text files the file itself
	Blocks []Block  // in order, without overlap; between them is white space only
	Pages  int      // 0 where the format has no pages
	Notes  []string // one sentence for each thing that was left out
}

// A Block is a part of a document that belongs together.
type Block struct {
	Kind  Kind
	Level int // of a heading, 1 to 6
	Start int // first byte in Document.Text
	End   int // the byte after the last
	Page  int // from 1; 0 where the format has no pages
	Line  int // from 1; the line of Document.Text that Start is on
}

// Kind tells what a block is.
type Kind uint8

// The kinds of blocks.
const (
	Paragraph Kind = iota
	Heading
	ListItem
	Code
	TableHeader // the row that names the columns; it goes with every part of its table
	TableRow
)

// A Chunk is a passage: the unit that is embedded, found and shown.
type Chunk struct {
	Start    int      // first byte in Document.Text
	End      int      // the byte after the last
	Page     int      // where it begins, from 1; 0 where the format has no pages
	Breaks   []Break  // where further pages and headings begin in it, in order
	Line     int      // from 1
	Headings []string // the path of headings above it, outermost first
	Context  string   // what stands before the passage when it is embedded: headings, a table's header
	Text     string   // the passage, as the document has it
	Tokens   int      // of Context and Text together, for the embedder
}

// A Break is a place in a passage at which a page begins, or a heading.
type Break struct {
	At       int      `json:"at"`                 // byte of Text
	Page     int      `json:"page"`               // from 1
	Headings []string `json:"headings,omitempty"` // the path with that heading at its end; nil: as before
}

// PageAt is the page that a byte of Text is on.
func (c Chunk) PageAt(at int) int {
	page := c.Page
	for _, b := range c.Breaks {
		if b.At <= at {
			page = b.Page
		}
	}
	return page
}

// LineAt is the line that a byte of Text is on.
func (c Chunk) LineAt(at int) int {
	if c.Line == 0 {
		return 0
	}
	return c.Line + strings.Count(c.Text[:max(0, min(at, len(c.Text)))], "\n")
}

// HeadingsAt is the path of headings that a byte of Text is below, or in the last of.
func (c Chunk) HeadingsAt(at int) []string {
	path := c.Headings
	for _, b := range c.Breaks {
		if b.At <= at && b.Headings != nil {
			path = b.Headings
		}
	}
	return path
}

// TurnTo makes Page the page that a byte of Text is on. Where the text begins stays known, so
// that it may be turned again.
func (c *Chunk) TurnTo(at int) {
	if len(c.Breaks) > 0 && c.Breaks[0].At > 0 {
		c.Breaks = append([]Break{{Page: c.Page}}, c.Breaks...)
	}
	c.Page = c.PageAt(at)
}

// Input is the text that is embedded for the passage.
func (c Chunk) Input() string {
	if c.Context == "" {
		return c.Text
	}
	return c.Context + "\n\n" + c.Text
}
