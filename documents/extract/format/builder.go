package format

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"inglenook/documents"
)

// A Builder collects a document in reading order. Its text is either what the
// blocks bring along (Add) or a text that was there first (Source, then Mark).
// The first error stays and makes the calls after it do nothing.
type Builder struct {
	title  string
	format string
	limits Limits

	text     strings.Builder
	source   string // with Source; then text stays empty
	ofSource bool
	blocks   []documents.Block
	notes    []string
	page     int
	pages    int
	line     int // of the byte at counted
	counted  int
	err      error
}

// NewBuilder returns a builder without text.
func NewBuilder(format string, limits Limits) *Builder {
	return &Builder{format: format, limits: limits.WithDefaults(), line: 1}
}

// SetTitle sets the document's title. The first title that is not empty stays.
func (b *Builder) SetTitle(title string) {
	if b.title == "" {
		b.title = clip(strings.Join(strings.Fields(Clean(title)), " "), 300)
	}
}

// SetPage sets the page of the blocks that follow, from 1.
func (b *Builder) SetPage(page int) {
	b.page = page
	b.pages = max(b.pages, page)
	if b.pages > b.limits.Pages {
		b.fail(Errorf(TooLarge, "it has more than %d pages", b.limits.Pages))
	}
}

// Note adds a sentence about something that was left out, once.
func (b *Builder) Note(sentence string, args ...any) {
	sentence = fmt.Sprintf(sentence, args...)
	for _, known := range b.notes {
		if known == sentence {
			return
		}
	}
	b.notes = append(b.notes, sentence)
}

// Add appends a block with its text. White space around it goes; a text without
// anything else adds no block.
func (b *Builder) Add(kind documents.Kind, level int, text string) { b.add(kind, level, text, "") }

// GoOn appends a paragraph that goes on with a sentence of the block before it, on another page.
func (b *Builder) GoOn(text string) { b.add(documents.Paragraph, 0, text, " ") }

// add appends a block; between stands before it, "": what does between blocks of their kinds.
func (b *Builder) add(kind documents.Kind, level int, text, between string) {
	text = strings.TrimRightFunc(Clean(text), unicode.IsSpace)
	if kind == documents.Code {
		text = withoutBlankStart(text)
	} else {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
	}
	if text == "" || b.err != nil {
		return
	}
	if b.ofSource {
		b.fail(errors.New("a block with text of its own in a document that is its source"))
		return
	}
	if b.text.Len() > 0 {
		b.text.WriteString(cmp.Or(between, separator(b.blocks[len(b.blocks)-1].Kind, kind)))
	}
	if int64(b.text.Len())+int64(len(text)) > b.limits.Expanded {
		b.fail(Errorf(TooLarge, "it has too much text"))
		return
	}
	start := b.text.Len()
	b.text.WriteString(text)
	b.append(kind, level, start, start+len(text))
}

// Row appends a row of a table, its cells between bars. Rows without text add
// nothing.
func (b *Builder) Row(kind documents.Kind, cells []string) {
	filled := false
	for i, cell := range cells {
		cells[i] = strings.Join(strings.Fields(cell), " ")
		filled = filled || cells[i] != ""
	}
	if filled {
		b.Add(kind, 0, strings.Join(cells, " | "))
	}
}

// Source makes a text the document's own. The blocks are parts of it, by Mark.
func (b *Builder) Source(text string) {
	b.source, b.ofSource = text, true
	if b.text.Len() > 0 {
		b.fail(errors.New("a source after blocks"))
	}
}

// Mark appends a block that is a part of the source. White space around it goes;
// a part without anything else adds no block.
func (b *Builder) Mark(kind documents.Kind, level, start, end int) {
	if b.err != nil {
		return
	}
	if last := b.end(); start < last || end < start || end > len(b.source) {
		b.fail(fmt.Errorf("block [%d, %d) after %d in a source of %d bytes", start, end, last, len(b.source)))
		return
	}
	part := b.source[start:end]
	part = strings.TrimRightFunc(part, unicode.IsSpace)
	end = start + len(part)
	if kind == documents.Code {
		part = withoutBlankStart(part)
	} else {
		part = strings.TrimLeftFunc(part, unicode.IsSpace)
	}
	if part != "" {
		b.append(kind, level, end-len(part), end)
	}
}

// Err returns the first error, or that of the context.
func (b *Builder) Err(ctx context.Context) error {
	if b.err != nil {
		return b.err
	}
	return ctx.Err()
}

// Len is how many blocks there are.
func (b *Builder) Len() int { return len(b.blocks) }

// Document returns what was collected.
func (b *Builder) Document() (documents.Document, error) {
	text := b.source
	if !b.ofSource {
		text = b.text.String()
	}
	return documents.Document{
		Title: b.title, Format: b.format, Text: text, Blocks: b.blocks, Pages: b.pages, Notes: b.notes,
	}, b.err
}

func (b *Builder) append(kind documents.Kind, level, start, end int) {
	if len(b.blocks) >= b.limits.Blocks {
		b.fail(Errorf(TooLarge, "it has more than %d paragraphs and rows", b.limits.Blocks))
		return
	}
	text := b.source
	if !b.ofSource {
		text = b.text.String() // shares the builder's memory
	}
	b.line += strings.Count(text[b.counted:start], "\n")
	b.counted = start
	b.blocks = append(b.blocks, documents.Block{
		Kind: kind, Level: level, Start: start, End: end, Page: b.page, Line: b.line,
	})
}

func (b *Builder) end() int {
	if len(b.blocks) == 0 {
		return 0
	}
	return b.blocks[len(b.blocks)-1].End
}

func (b *Builder) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

// separator keeps the rows of a table and the items of a list together.
func separator(before, after documents.Kind) string {
	if before == after && (after == documents.ListItem || after == documents.TableRow) ||
		before == documents.TableHeader && after == documents.TableRow {
		return "\n"
	}
	return "\n\n"
}

// Clean returns text as a document holds it: valid UTF-8, "\n" line ends, and no
// control characters but tabs.
func Clean(text string) string {
	clean := func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\f' || r == '\v' || r == '\u2028' || r == '\u2029' || r == '\u0085' || r == '\r':
			return '\n'
		case r < ' ' || r == 0x7f || r == '\ufeff' || r == '\u00ad':
			return -1 // a soft hyphen would hide a word from the search
		}
		return r
	}
	if strings.Contains(text, "\r\n") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\ufffd")
	}
	return strings.Map(clean, text)
}

// withoutBlankStart drops blank lines at the start, and keeps the indentation of
// the first other line.
func withoutBlankStart(text string) string {
	blank := len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
	return text[strings.LastIndexByte(text[:blank], '\n')+1:]
}

// clip shortens a text to at most n bytes, at the start of a character.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
