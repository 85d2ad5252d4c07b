// Package web reads web pages, and mail that holds them.
package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"inglenook/documents"
	"inglenook/documents/extract/format"
)

// HTML reads a web page. contentType may name its encoding, as mail does.
func HTML(ctx context.Context, data []byte, contentType string, b *format.Builder) error {
	r, err := charset.NewReader(format.ContextReader(ctx, bytes.NewReader(data)), contentType)
	if errors.Is(err, io.EOF) {
		return nil // an empty page
	}
	if err != nil {
		return format.DamagedBy(err)
	}
	return Markup(ctx, r, b)
}

// Markup reads the HTML of r, which is UTF-8. It goes by the tokens alone, without
// a tree: so a page of any nesting costs no more than its length, and what browsers
// repair needs no repair.
func Markup(ctx context.Context, r io.Reader, b *format.Builder) error {
	p := &page{b: b}
	tokens := html.NewTokenizer(r)
	tokens.SetMaxBuf(maxToken)
	for {
		switch kind := tokens.Next(); kind {
		case html.ErrorToken:
			if err := tokens.Err(); !errors.Is(err, io.EOF) {
				return format.DamagedBy(err)
			}
			p.flush()
			p.endTables()
			return b.Err(ctx)
		case html.TextToken:
			p.text(tokens.Text())
		case html.StartTagToken, html.SelfClosingTagToken:
			p.start(tokens, kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			name, _ := tokens.TagName()
			p.end(atom.Lookup(name))
		}
		if err := b.Err(ctx); err != nil {
			return err
		}
	}
}

// maxToken bounds one tag or one stretch of text.
const maxToken = 64 << 20

// page is the state between two tokens.
type page struct {
	b       *format.Builder
	words   strings.Builder // of the block that has begun
	kind    documents.Kind
	level   int
	pre     int       // depth of elements that keep white space
	skip    atom.Atom // the element whose content is left out
	skipped int       // how deep within elements of that name
	title   bool      // within <title>
	tables  []*table  // open ones, outermost first
}

func (p *page) start(tokens *html.Tokenizer, closed bool) {
	name, more := tokens.TagName()
	tag := atom.Lookup(name)
	if p.skip != 0 {
		if tag == p.skip && !closed {
			p.skipped++
		}
		return
	}
	if hidden[tag] {
		if !closed {
			p.skip, p.skipped = tag, 1
		}
		return
	}
	switch tag {
	case atom.Title:
		p.title = true
	case atom.Br:
		p.words.WriteByte('\n')
	case atom.Img:
		p.words.WriteString(attribute(tokens, more, "alt"))
		p.words.WriteByte(' ')
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		p.block(documents.Heading)
		p.level = int(name[1] - '0')
	case atom.Li, atom.Dt:
		p.block(documents.ListItem)
	case atom.Pre:
		p.block(documents.Code)
		p.pre++
	case atom.Table:
		p.flush()
		p.tables = append(p.tables, &table{})
	case atom.Tr, atom.Td, atom.Th, atom.Thead, atom.Tbody, atom.Tfoot, atom.Caption:
		p.startOfTable(tag)
	default:
		if breaks[tag] && p.pre == 0 {
			p.breakBlock()
		}
	}
}

func (p *page) end(tag atom.Atom) {
	if p.skip != 0 {
		if tag == p.skip {
			p.skipped--
		}
		if p.skipped == 0 {
			p.skip = 0
		}
		return
	}
	switch tag {
	case atom.Title:
		if p.title {
			p.b.SetTitle(p.words.String())
			p.words.Reset()
			p.title = false
		}
	case atom.Pre:
		p.flush()
		p.pre = max(0, p.pre-1)
	case atom.Table:
		p.flush()
		if n := len(p.tables); n > 0 {
			p.tables[n-1].endRow(p)
			p.tables = p.tables[:n-1]
		}
	case atom.Tr, atom.Td, atom.Th, atom.Thead, atom.Tbody, atom.Tfoot:
		p.endOfTable(tag)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Li, atom.Dt:
		p.flush()
	default:
		if breaks[tag] && p.pre == 0 {
			p.breakBlock()
		}
	}
}

// hidden are elements that are not read.
var hidden = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Template: true, atom.Noscript: true, atom.Svg: true, atom.Math: true,
	atom.Iframe: true, atom.Object: true, atom.Select: true, atom.Audio: true, atom.Video: true, atom.Canvas: true,
}

// breaks are elements that begin on a line of their own, and end one.
var breaks = map[atom.Atom]bool{
	atom.Address: true, atom.Article: true, atom.Aside: true, atom.Blockquote: true, atom.Body: true, atom.Center: true,
	atom.Dd: true, atom.Details: true, atom.Dialog: true, atom.Div: true, atom.Dl: true, atom.Fieldset: true,
	atom.Figcaption: true, atom.Figure: true, atom.Footer: true, atom.Form: true, atom.Head: true, atom.Header: true,
	atom.Hgroup: true, atom.Hr: true, atom.Html: true, atom.Main: true, atom.Nav: true, atom.Ol: true, atom.P: true,
	atom.Section: true, atom.Summary: true, atom.Ul: true,
}

// text appends words. White space is one space, but within <pre>.
func (p *page) text(raw []byte) {
	if p.skip != 0 || len(raw) == 0 {
		return
	}
	text := html.UnescapeString(string(raw))
	if p.pre > 0 {
		p.words.WriteString(text)
		return
	}
	if isSpace(text[0]) {
		p.words.WriteByte(' ')
	}
	p.words.WriteString(strings.Join(strings.Fields(text), " "))
	if isSpace(text[len(text)-1]) {
		p.words.WriteByte(' ')
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

// block ends the block that has begun, and begins one.
func (p *page) block(kind documents.Kind) {
	p.flush()
	p.kind = kind
}

// breakBlock ends what has begun. A list item that has only begun stays one: its
// text often is in a paragraph of its own.
func (p *page) breakBlock() {
	if strings.TrimSpace(p.words.String()) != "" {
		p.flush()
	}
}

// flush ends the block: it goes to the cell of a table, or to the document.
func (p *page) flush() {
	if p.title { // the page never closed it
		p.b.SetTitle(p.words.String())
		p.words.Reset()
		p.title = false
	}
	piece := piece{p.kind, p.level, p.words.String()}
	if p.kind != documents.Code {
		piece.text = tidyLines(piece.text)
	}
	p.words.Reset()
	p.kind, p.level = documents.Paragraph, 0
	if p.pre > 0 {
		p.kind = documents.Code
	}
	if n := len(p.tables); n > 0 && p.tables[n-1].add(piece) {
		return
	}
	p.b.Add(piece.kind, piece.level, piece.text)
}

// tidyLines drops doubled spaces, which neighbouring elements leave.
func tidyLines(text string) string {
	if !strings.Contains(text, "\n") {
		return strings.Join(strings.Fields(text), " ")
	}
	all := strings.Split(text, "\n")
	for i, l := range all {
		all[i] = strings.Join(strings.Fields(l), " ")
	}
	return strings.Join(all, "\n")
}

func attribute(tokens *html.Tokenizer, more bool, want string) string {
	for more {
		var name, value []byte
		name, value, more = tokens.TagAttr()
		if string(name) == want {
			return string(value)
		}
	}
	return ""
}
