// Package markdown converts the Markdown that language models write to a small
// tree of plain data: CommonMark with the tables, strikethrough, task lists and
// bare addresses of GitHub's flavour, and formulas in LaTeX. [Parse] parses a whole text, a [Stream]
// one that is still being written, [Highlight] colours code.
//
// The text comes from a model and is not trusted: the package opens no
// connection and no file, an image becomes its description, HTML stays text,
// only web addresses are ever marked as such, and characters that hide or
// reorder text are shown as codes (see [Visible]). Parsing time is proportional
// to the length of the text, whatever its content. The package draws nothing.
package markdown

// Block is one of *Heading, *Paragraph, *Code, *Quote, *List, *Table, *Rule and
// *HTML. Blocks never change after they were returned.
type Block interface{ isBlock() }

// Heading is a title above the following text.
type Heading struct {
	Level int // 1 to 6
	Text  []Inline
}

// Paragraph is running text.
type Paragraph struct{ Text []Inline }

// Code is a block of code, fenced or indented.
type Code struct {
	Language string // the first word after the fence, as written; may be empty
	Text     string // without the last line feed
}

// Quote contains quoted blocks.
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

// Task is the check box state of an item.
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

// Align is the alignment of a column.
type Align int

// The sides.
const (
	AlignDefault Align = iota
	AlignLeft
	AlignCentre
	AlignRight
)

// Rule is a horizontal line.
type Rule struct{ _ byte } // not empty, so that two rules are two addresses

// HTML is a block of HTML, to be shown as text.
type HTML struct{ Text string }

func (*Heading) isBlock()   {}
func (*Paragraph) isBlock() {}
func (*Code) isBlock()      {}
func (*Quote) isBlock()     {}
func (*List) isBlock()      {}
func (*Table) isBlock()     {}
func (*Rule) isBlock()      {}
func (*HTML) isBlock()      {}

// Inline is one of Text, Link, Image, Break, Ref and Math.
type Inline interface{ isInline() }

// Text is a run of text in one style.
type Text struct {
	Text  string
	Style Style
}

// Style is a set of text styles.
type Style uint8

// The members of a Style.
const (
	Strong Style = 1 << iota
	Emphasis
	CodeSpan
	Strike
	Doubted // by the program; no text sets it
)

// Link is text with a target.
type Link struct {
	Text    []Inline // without links
	Address string   // in full; without invisible characters
	Web     bool     // an http or https address with a host: only these may be opened, and only when the user asks
}

// Image stands for a picture, which is never loaded.
type Image struct {
	Description string
	Host        string // from which it would be loaded; empty: not from the web
}

// Break is a line break within a paragraph. In Markdown a plain one is a space, and only a
// marked one begins a line. People and models who write verses in a chat mean a line, so
// here both do.
type Break struct{}

// Ref is a sign that the program puts behind a part of a text, such as the number of a
// source. No text makes one: see [ParseMarked].
type Ref struct {
	Label   string
	Address string // in the program's own terms, for who draws it
}

// Math is a formula in LaTeX. Whether it can be drawn is for who draws it to find out; what
// cannot is shown as its source.
type Math struct {
	Source  string // as it is written, with the signs around it
	TeX     string // without them
	Display bool   // on a line of its own
	Style   Style  // only Doubted counts
}

func (Math) isInline()  {}
func (Ref) isInline()   {}
func (Text) isInline()  {}
func (Link) isInline()  {}
func (Image) isInline() {}
func (Break) isInline() {}
