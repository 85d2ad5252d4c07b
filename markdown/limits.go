package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Limits that keep the time of parsing proportional to the length of the text.
// Anything beyond them stays literal text.
const (
	maxNesting    = 16      // nested quotes and lists
	maxDelimiters = 1000    // runs of * _ ~ in one paragraph, because each may be compared with all before it
	maxScan       = 8 << 20 // bytes that the attempts at links, code and HTML of one paragraph may examine
	maxReference  = 1 << 16 // bytes of a paragraph that may define references
	maxAddress    = 2048    // bytes of an address
)

// newParser returns goldmark's parser for CommonMark and GitHub's extensions,
// with limits on each part. It omits the extension's step that finds escaped
// bars in code, which takes quadratic time; inlineWriter.code does that.
func newParser() parser.Parser {
	blocks := parser.DefaultBlockParsers()
	for i, p := range blocks {
		switch p.Value.(parser.BlockParser) {
		case parser.NewBlockquoteParser(), parser.NewListParser():
			blocks[i] = util.Prioritized(shallow{p.Value.(parser.BlockParser)}, p.Priority)
		}
	}
	blocks = append(blocks, util.Prioritized(mathBlockParser{}, 650))
	budget := &budget{}
	inlines := []util.PrioritizedValue{
		util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
		util.Prioritized(scanning{mathParser{}, budget}, 90),
		util.Prioritized(scanning{parser.NewCodeSpanParser(), budget}, 100),
		util.Prioritized(scanning{parser.NewLinkParser(), budget}, 200),
		util.Prioritized(scanning{parser.NewAutoLinkParser(), budget}, 300),
		util.Prioritized(scanning{parser.NewRawHTMLParser(), budget}, 400),
		util.Prioritized(delimiting{parser.NewEmphasisParser(), budget}, 500),
		util.Prioritized(delimiting{extension.NewStrikethroughParser(), budget}, 500),
		util.Prioritized(addressing{extension.NewLinkifyParser(), budget}, 999),
	}
	return parser.NewParser(
		parser.WithBlockParsers(blocks...),
		parser.WithInlineParsers(inlines...),
		parser.WithParagraphTransformers(
			util.Prioritized(shortReferences{parser.LinkReferenceParagraphTransformer}, 100),
			util.Prioritized(denseTables{extension.NewTableParagraphTransformer()}, 200),
		),
	)
}

// shallow opens quotes and lists up to a maximum depth.
type shallow struct{ parser.BlockParser }

func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if k := n.Kind(); k == ast.KindBlockquote || k == ast.KindList {
			depth++
		}
	}
	if depth >= maxNesting {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

// budget counts the work spent on the inline text of one block.
type budget struct {
	block      ast.Node
	scanned    int
	delimiters int
}

// of starts a new budget for each block.
func (b *budget) of(block ast.Node) *budget {
	if b.block != block {
		*b = budget{block: block}
	}
	return b
}

// scan takes n bytes from the budget and reports whether they were available.
func (b *budget) scan(n int) bool {
	b.scanned += n
	return b.scanned <= maxScan
}

// scanning is a parser that may examine the whole rest of a block.
type scanning struct {
	parser.InlineParser
	budget *budget
}

func (s scanning) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if !s.budget.of(parent).scan(remaining(parent, block)) {
		return nil
	}
	return s.InlineParser.Parse(parent, block, pc)
}

// CloseBlock forwards the call to parsers that keep state.
func (s scanning) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	if c, ok := s.InlineParser.(parser.CloseBlocker); ok {
		c.CloseBlock(parent, block, pc)
	}
}

// remaining returns how many bytes of a block follow the reader's position.
func remaining(block ast.Node, reader text.Reader) int {
	lines := block.Lines()
	if lines.Len() == 0 {
		return 0
	}
	_, at := reader.Position()
	return lines.At(lines.Len()-1).Stop - at.Start
}

// delimiting is a parser of delimiters.
type delimiting struct {
	parser.InlineParser
	budget *budget
}

func (d delimiting) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	b := d.budget.of(parent)
	if b.delimiters >= maxDelimiters {
		return nil
	}
	node := d.InlineParser.Parse(parent, block, pc)
	if node != nil {
		b.delimiters++
	}
	return node
}

// addressing is the parser of bare addresses, which examines one word.
type addressing struct {
	parser.InlineParser
	budget *budget
}

func (a addressing) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	if len(line) < 2 || !a.budget.of(parent).scan(0) {
		return nil
	}
	word := bytes.IndexAny(line[1:], " \t\n<")
	if word < 0 {
		word = len(line)
	}
	if !a.budget.scan(word) {
		return nil
	}
	return a.InlineParser.Parse(parent, block, pc)
}

// shortReferences looks for definitions of references only in paragraphs of
// limited length.
type shortReferences struct{ parser.ParagraphTransformer }

func (s shortReferences) Transform(p *ast.Paragraph, reader text.Reader, pc parser.Context) {
	if extent(p) <= maxReference {
		s.ParagraphTransformer.Transform(p, reader, pc)
	}
}

// denseTables makes a table only if its number of cells is in proportion to the
// bytes of its text: short rows are padded to the number of columns, so a small
// text could become a huge table.
type denseTables struct{ parser.ParagraphTransformer }

func (d denseTables) Transform(p *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines := p.Lines()
	columns := 0
	for i := range lines.Len() {
		line := lines.At(i)
		columns = max(columns, bytes.Count(line.Value(reader.Source()), []byte{'|'}))
	}
	if columns*lines.Len() <= 8*extent(p)+1000 {
		d.ParagraphTransformer.Transform(p, reader, pc)
	}
}

// extent returns the length of a paragraph in bytes.
func extent(p *ast.Paragraph) int {
	n := p.Lines().Len()
	if n == 0 {
		return 0
	}
	return p.Lines().At(n-1).Stop - p.Lines().At(0).Start
}
