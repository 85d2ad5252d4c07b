package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"inglenook/plain"
)

// Parse parses a whole text.
func Parse(source string) []Block {
	return newReader().read([]byte(lineFeeds(source)), nil).blocks()
}

// lineFeeds converts all line ends to line feeds.
func lineFeeds(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// references maps labels, in goldmark's normal form, to the targets defined for
// them in a text.
type references map[string]definition

type definition = parser.Reference

// reader parses text into goldmark's tree. It is not safe for concurrent use.
type reader struct{ parser parser.Parser }

func newReader() *reader { return &reader{newParser()} }

// parsed is goldmark's tree of a text, with the references it defines and
// misses.
type parsed struct {
	source  []byte
	root    ast.Node
	defined references      // defined here and not before
	missing map[string]bool // labels that may be references but have no definition
	marks   *marker         // nil: none
}

// read parses source, which follows a text that defines known.
func (r *reader) read(source []byte, known references) parsed {
	pc := &state{Context: parser.NewContext(), known: known, defined: references{}, missing: map[string]bool{}, unclosed: map[string]int{}}
	root := r.parser.Parse(text.NewReader(source), parser.WithContext(pc))
	return parsed{source: source, root: root, defined: pc.defined, missing: pc.missing}
}

// state is goldmark's state of one parse, extended by earlier definitions and
// by a list of labels that were not found.
type state struct {
	parser.Context
	known, defined references
	missing        map[string]bool
	unclosed       map[string]int // by the end of a formula: there is none before this byte
}

// AddReference stores the first definition of a label.
func (c *state) AddReference(ref parser.Reference) {
	label := util.ToLinkReference(ref.Label())
	if _, ok := c.known[label]; ok {
		return
	}
	if _, ok := c.defined[label]; !ok {
		c.defined[label] = ref
	}
}

// Reference returns the definition of a label.
func (c *state) Reference(label string) (parser.Reference, bool) {
	if ref, ok := c.known[label]; ok {
		return ref, true
	}
	ref, ok := c.defined[label]
	if !ok {
		c.missing[label] = true
	}
	return ref, ok
}

// blocks converts the whole tree.
func (p parsed) blocks() []Block { return p.blocksOf(p.root) }

func (p parsed) blocksOf(parent ast.Node) []Block {
	var blocks []Block
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if b := p.block(n); b != nil {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// block converts one block; nil means that it shows nothing.
func (p parsed) block(n ast.Node) Block {
	switch n := n.(type) {
	case *ast.Heading:
		return &Heading{Level: n.Level, Text: p.inlines(n)}
	case *ast.Paragraph, *ast.TextBlock:
		if inlines := p.inlines(n); len(inlines) > 0 {
			return &Paragraph{inlines}
		}
	case *mathBlock:
		return p.formula(n)
	case *ast.FencedCodeBlock:
		return &Code{Language: plain.Visible(string(n.Language(p.source))), Text: p.lines(n)}
	case *ast.CodeBlock:
		return &Code{Text: p.lines(n)}
	case *ast.Blockquote:
		return &Quote{p.blocksOf(n)}
	case *ast.List:
		return p.list(n)
	case *east.Table:
		return p.table(n)
	case *ast.ThematicBreak:
		return &Rule{}
	case *ast.HTMLBlock:
		html := p.raw(n)
		if n.HasClosure() {
			html += string(n.ClosureLine.Value(p.source))
		}
		return &HTML{plain.Visible(strings.TrimRight(html, "\n"))}
	}
	return nil
}

// raw returns the source text of a block.
func (p parsed) raw(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(p.source))
	}
	return b.String()
}

// lines returns the source text of a block without the last line feed.
func (p parsed) lines(n ast.Node) string {
	return plain.Visible(strings.TrimSuffix(p.raw(n), "\n"))
}

func (p parsed) list(n *ast.List) *List {
	l := &List{Ordered: n.IsOrdered(), Start: n.Start, Tight: n.IsTight}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		l.Items = append(l.Items, &Item{Task: task(c), Blocks: p.blocksOf(c)})
	}
	return l
}

// task returns the state of the check box with which an item may begin.
func task(item ast.Node) Task {
	first := item.FirstChild()
	if first == nil {
		return NoTask
	}
	box, ok := first.FirstChild().(*east.TaskCheckBox)
	switch {
	case !ok:
		return NoTask
	case box.IsChecked:
		return DoneTask
	}
	return OpenTask
}

func (p parsed) table(n *east.Table) *Table {
	t := &Table{}
	for _, a := range n.Alignments {
		t.Align = append(t.Align, map[east.Alignment]Align{
			east.AlignLeft: AlignLeft, east.AlignCenter: AlignCentre, east.AlignRight: AlignRight,
		}[a])
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		row := make([]Cell, 0, len(t.Align))
		for cell := c.FirstChild(); cell != nil; cell = cell.NextSibling() {
			row = append(row, p.inlines(cell))
		}
		if c.Kind() == east.KindTableHeader {
			t.Header = row
		} else {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
