package markdown

import (
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"inglenook/plain"
)

// inlines converts the text of a block.
func (p parsed) inlines(block ast.Node) []Inline {
	w := &inlineWriter{parsed: p, cell: block.Kind() == east.KindTableCell}
	w.children(block, 0)
	w.refs(p.marks.rest())
	for len(w.out) > 0 {
		if _, ok := w.out[len(w.out)-1].(Break); !ok {
			break
		}
		w.out = w.out[:len(w.out)-1]
	}
	if len(w.out) == 0 {
		return nil
	}
	return w.out
}

// inlineWriter flattens goldmark's tree of inline nodes: nesting becomes a
// style.
type inlineWriter struct {
	parsed
	cell bool // of a table
	out  []Inline
}

func (w *inlineWriter) children(n ast.Node, style Style) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.node(c, style)
	}
}

func (w *inlineWriter) node(n ast.Node, style Style) {
	switch n := n.(type) {
	case *ast.Text:
		w.written(n, style)
		if n.SoftLineBreak() || n.HardLineBreak() {
			w.out = append(w.out, Break{})
		}
	case *ast.String:
		w.text(string(n.Value), style)
	case *ast.CodeSpan:
		if c, ok := n.FirstChild().(*ast.Text); ok {
			if _, doubted := w.marks.piece(c.Segment.Start, c.Segment.Stop); doubted {
				style |= Doubted
			}
		}
		w.text(w.code(n), style|CodeSpan)
	case *math:
		w.refs(w.marks.before(n.start))
		if _, doubted := w.marks.piece(n.start, n.stop); doubted {
			style |= Doubted
		}
		w.math(n.written, n.within, n.display, style)
		w.refs(w.marks.before(n.stop))
	case *ast.Emphasis:
		if n.Level == 1 {
			w.children(n, style|Emphasis)
		} else {
			w.children(n, style|Strong)
		}
	case *east.Strikethrough:
		w.children(n, style|Strike)
	case *ast.Link:
		w.link(n, style)
	case *ast.AutoLink:
		w.autoLink(n, style)
	case *ast.Image:
		w.out = append(w.out, Image{Description: w.plain(n), Host: hostOf(unescape(n.Destination))})
	case *ast.RawHTML:
		w.html(n, style)
	case *east.TaskCheckBox: // belongs to the item
	default:
		w.children(n, style)
	}
}

// written appends text as it stands in the source, with the marks in it.
func (w *inlineWriter) written(n *ast.Text, style Style) {
	from, to := n.Segment.Start, n.Segment.Stop
	for from < to {
		w.refs(w.marks.before(from))
		end, doubted := w.marks.piece(from, to)
		own := style
		if doubted {
			own |= Doubted
		}
		if piece := w.source[from:end]; n.IsRaw() {
			w.text(string(piece), own)
		} else {
			w.text(unescape(piece), own)
		}
		from = end
	}
	w.refs(w.marks.before(to))
}

// refs appends references of the program's own.
func (w *inlineWriter) refs(list []Ref) {
	for _, r := range list {
		w.out = append(w.out, r)
	}
}

// text appends text, to the previous run if that has the same style.
func (w *inlineWriter) text(s string, style Style) {
	if s == "" {
		return
	}
	s = plain.Visible(s)
	if last := len(w.out) - 1; last >= 0 {
		if t, ok := w.out[last].(Text); ok && t.Style == style && len(t.Text) < maxAddress {
			w.out[last] = Text{t.Text + s, style}
			return
		}
	}
	w.out = append(w.out, Text{s, style})
}

// math appends a formula. In a table, a bar in it is escaped.
func (w *inlineWriter) math(written, within string, display bool, style Style) {
	if w.cell {
		written, within = strings.ReplaceAll(written, `\|`, "|"), strings.ReplaceAll(within, `\|`, "|")
	}
	w.out = append(w.out, Math{Source: plain.Visible(written), TeX: plain.Visible(within), Display: display, Style: style})
}

func (w *inlineWriter) code(n *ast.CodeSpan) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(w.source))
		}
	}
	code := strings.ReplaceAll(b.String(), "\n", " ")
	if w.cell {
		code = strings.ReplaceAll(code, `\|`, "|")
	}
	return code
}

func (w *inlineWriter) link(n *ast.Link, style Style) {
	inner := &inlineWriter{parsed: w.parsed, cell: w.cell}
	inner.children(n, style)
	l := linkTo(unescape(n.Destination))
	if l.Text = inner.out; len(l.Text) == 0 {
		l.Text = []Inline{Text{l.Address, style}}
	}
	w.out = append(w.out, l)
}

// autoLink converts an address whose text is the address itself.
func (w *inlineWriter) autoLink(n *ast.AutoLink, style Style) {
	address := string(n.URL(w.source))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(address), "mailto:") {
		address = "mailto:" + address
	}
	l := linkTo(address)
	l.Text = []Inline{Text{plain.Visible(string(n.Label(w.source))), style}}
	w.out = append(w.out, l)
}

// html keeps HTML as text, except for line breaks, which models write into
// table cells.
func (w *inlineWriter) html(n *ast.RawHTML, style Style) {
	var b strings.Builder
	for i := range n.Segments.Len() {
		segment := n.Segments.At(i)
		b.Write(segment.Value(w.source))
	}
	switch strings.ToLower(strings.ReplaceAll(b.String(), " ", "")) {
	case "<br>", "<br/>":
		w.out = append(w.out, Break{})
	default:
		w.text(strings.ReplaceAll(b.String(), "\n", " "), style)
	}
}

// plain returns the text of inline nodes without styles, as one line.
func (w *inlineWriter) plain(n ast.Node) string {
	inner := &inlineWriter{parsed: w.parsed, cell: w.cell}
	inner.marks = nil
	inner.children(n, 0)
	return strings.ReplaceAll(PlainText(inner.out), "\n", " ")
}

// unescape resolves backslashes and entities.
func unescape(s []byte) string {
	at := strings.IndexAny(string(s), `\&`)
	if at < 0 {
		return string(s)
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]):
			i++
			b.WriteByte(s[i])
		case c == '&':
			entity := entityAt(s[i:])
			b.WriteString(html.UnescapeString(entity))
			i += len(entity) - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// maxEntity is longer than any named entity.
const maxEntity = 40

// entityAt returns what may be an entity at the start of s, or only the
// ampersand.
func entityAt(s []byte) string {
	for i := 1; i < min(len(s), maxEntity); i++ {
		switch c := s[i]; {
		case c == ';' && i > 1:
			return string(s[:i+1])
		case c == '#' && i == 1:
		case !util.IsAlphaNumeric(c):
			return "&"
		}
	}
	return "&"
}
