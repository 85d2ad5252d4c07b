// Package markdown turns the Markdown that language models write into a small
// tree of plain data: CommonMark with the tables, strikethrough, task lists
// and bare addresses of GitHub's flavour. [Parse] reads a whole text, a
// [Stream] one that is still being written, [Highlight] colours code.
//
// What it reads comes from a model and is trusted with nothing: it opens no
// connection and no file, an image becomes its description, HTML stays text,
// only addresses of the web are ever marked as such, and characters that hide
// or reorder text are written out (see [Visible]). The time that a text takes
// grows with its length, whatever it consists of. The package draws nothing.
package markdown

// Block is one of *Heading, *Paragraph, *Code, *Quote, *List, *Table, *Rule
// and *HTML. Blocks are never changed once they were handed out.
type Block interface{ isBlock() }

// Heading is a line that heads what follows.
type Heading struct {
	Level int // 1 to 6
	Text  []Inline
}

// Paragraph is running text.
type Paragraph struct{ Text []Inline }

// Code is a block of code, fenced or indented.
type Code struct {
	Language string // the first word after the fence, as it was written; may be empty
	Text     string // without the last line feed
}

// Quote holds blocks that are quoted.
type Quote struct{ Blocks []Block }

// List is a list with bullets or with numbers.
type List struct {
	Ordered bool
	Start   int  // the first number
	Tight   bool // no blank lines between the items
	Items   []*Item
}

// Item is an item of a list.
type Item struct {
	Task   Task
	Blocks []Block
}

// Task reports whether an item is something to do.
type Task int

// The states of an item.
const (
	NoTask Task = iota
	OpenTask
	DoneTask
)

// Table is a table. Each row has as many cells as the header.
type Table struct {
	Align  []Align // of each column
	Header []Cell
	Rows   [][]Cell
}

// Cell is the text of a cell.
type Cell []Inline

// Align says to which side the text of a column goes.
type Align int

// The sides.
const (
	AlignDefault Align = iota
	AlignLeft
	AlignCentre
	AlignRight
)

// Rule is a line across the page.
type Rule struct{ _ byte } // not empty, so that two rules are two addresses

// HTML is HTML that stands for itself: it is text to be shown as it is.
type HTML struct{ Text string }

func (*Heading) isBlock()   {}
func (*Paragraph) isBlock() {}
func (*Code) isBlock()      {}
func (*Quote) isBlock()     {}
func (*List) isBlock()      {}
func (*Table) isBlock()     {}
func (*Rule) isBlock()      {}
func (*HTML) isBlock()      {}

// Inline is one of Text, Link, Image and Break.
type Inline interface{ isInline() }

// Text is a run of text in one style.
type Text struct {
	Text  string
	Style Style
}

// Style is a set of ways in which text stands out.
type Style uint8

// The members of a Style.
const (
	Strong Style = 1 << iota
	Emphasis
	CodeSpan
	Strike
)

// Link is text that leads somewhere.
type Link struct {
	Text    []Inline // without links
	Address string   // in full; without characters that hide anything
	Web     bool     // an http or https address with a host: only such may be opened, and only when asked
}

// Image stands where a picture would be, which is never fetched.
type Image struct {
	Description string
	Host        string // where it would come from; empty: not from the web
}

// Break is the end of a line within a paragraph.
type Break struct{ Hard bool } // a soft one is drawn as a space

func (Text) isInline()  {}
func (Link) isInline()  {}
func (Image) isInline() {}
func (Break) isInline() {}
