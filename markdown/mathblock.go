package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// mathBlock is a formula on lines of its own. The lines of a formula may look like a list, a
// title or a quotation, so no other block begins in it. One that is not closed is text: it may
// be on its way.
type mathBlock struct {
	ast.BaseBlock
	open, end string
	closed    bool
	after     string // a full stop or comma behind the formula
	search    search
}

// Kind is that of goldmark's tree.
func (*mathBlock) Kind() ast.NodeKind { return kindMathBlock }

// IsRaw reports that there is no other text in it.
func (*mathBlock) IsRaw() bool { return true }

// Dump is for people who look for a mistake.
func (m *mathBlock) Dump(source []byte, level int) { ast.DumpHelper(m, source, level, nil, nil) }

// mathBlockParser finds formulas on lines of their own.
type mathBlockParser struct{}

// Trigger returns what such a formula begins with.
func (mathBlockParser) Trigger() []byte { return []byte{'\\', '$'} }

// CanInterruptParagraph reports that no blank line has to stand before.
func (mathBlockParser) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine reports that indented lines are code.
func (mathBlockParser) CanAcceptIndentedLine() bool { return false }

// Close does nothing.
func (mathBlockParser) Close(ast.Node, text.Reader, parser.Context) {}

// Open begins a formula if it also ends before the next blank line, or the text ends there.
func (mathBlockParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	pos := pc.BlockOffset()
	if pos < 0 {
		return nil, parser.NoChildren
	}
	m := &mathBlock{}
	if m.open, m.end = blockSigns(line[pos:]); m.open == "" {
		return nil, parser.NoChildren
	}
	start := segment.Start - segment.Padding + pos
	if !m.ends(reader.Source()[start:], start, pc) {
		return nil, parser.NoChildren
	}
	m.search = search{end: m.end}
	m.Lines().Append(text.NewSegment(start, segment.Stop))
	m.SetPos(start)
	m.look(line[pos:], len(m.open))
	reader.AdvanceToEOL()
	return m, parser.NoChildren
}

// Continue takes the next line.
func (mathBlockParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	m := node.(*mathBlock)
	line, segment := reader.PeekLine()
	if m.closed || util.IsBlank(line) {
		return parser.Close
	}
	m.Lines().Append(segment)
	m.look(line, 0)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// look looks for the end in a line.
func (m *mathBlock) look(line []byte, from int) {
	if at, _ := m.search.line(line[from:]); at >= 0 {
		m.closed = true
		m.after = strings.TrimSpace(string(line[from+at+len(m.end):]))
	}
}

// blockSigns returns the signs that begin and end a formula on lines of its own.
func blockSigns(line []byte) (open, end string) {
	if open, end = signs(line); open == "$$" || open == `\[` {
		return open, end
	}
	name, ok := bytes.CutPrefix(line, []byte(`\begin{`))
	if !ok {
		return "", ""
	}
	switch n := bytes.IndexByte(name, '}'); strings.TrimSuffix(string(name[:max(n, 0)]), "*") {
	case "equation", "align", "gather", "multline", "alignat", "eqnarray", "aligned", "displaymath":
		return `\begin{` + string(name[:n+1]), `\end{` + string(name[:n+1])
	}
	return "", ""
}

// ends reports whether a formula ends at the end of one of its lines. It looks no further than
// to the next blank line; where the text ends before, the end may still come.
func (m *mathBlock) ends(source []byte, start int, pc parser.Context) bool {
	s, _ := pc.(*state)
	if s != nil && start < s.unclosed[m.end] {
		return false
	}
	look := search{end: m.end}
	from := len(m.open)
	for i := 0; i < len(source); {
		stop := bytes.IndexByte(source[i:], '\n') + 1
		if stop == 0 {
			stop = len(source) - i
		}
		line := source[i : i+stop]
		if util.IsBlank(line) || i > maxFormula {
			if s != nil {
				s.unclosed[m.end] = start + i
			}
			return false
		}
		at, failed := look.line(line[from:])
		if failed {
			return false
		}
		if at >= 0 {
			rest := strings.TrimSpace(string(line[from+at+len(m.end):]))
			return strings.Trim(rest, ".,;:") == "" && len(rest) <= 1 && plausible(m.open, string(source[len(m.open):i+from+at]))
		}
		i += stop
		from = 0
	}
	return plausible(`\(`, string(source[len(m.open):])) || len(bytes.TrimSpace(source)) == len(m.open)
}

// formula converts a formula on lines of its own.
func (p parsed) formula(m *mathBlock) Block {
	w := &inlineWriter{parsed: p}
	raw := strings.TrimRight(p.raw(m), " \t\n")
	lines := m.Lines()
	start, stop := lines.At(0).Start, lines.At(lines.Len()-1).Stop
	w.refs(w.marks.before(start))
	_, doubted := w.marks.piece(start, stop)
	style := Style(0)
	if doubted {
		style = Doubted
	}
	if m.closed {
		within := strings.TrimSuffix(strings.TrimSpace(strings.TrimSuffix(raw, m.after)), m.end)
		within = within[len(m.open):]
		if strings.HasPrefix(m.open, `\begin`) {
			within = m.open + within + m.end
		}
		w.math(raw, within+m.after, true, style)
	} else {
		for i, line := range strings.Split(raw, "\n") {
			if i > 0 {
				w.out = append(w.out, Break{})
			}
			w.text(strings.TrimSpace(line), style)
		}
	}
	w.refs(w.marks.before(stop))
	w.refs(w.marks.rest())
	if len(w.out) == 0 {
		return nil
	}
	return &Paragraph{w.out}
}
