package text

import (
	"context"
	"regexp"
	"strings"

	"inglenook/documents"
	"inglenook/documents/extract/format"
)

// Markdown reads Markdown. The document's text is the source with its marks, so a
// place in it is a place in the file. A header's block holds its marks too, and
// that of a table's header the line of dashes below.
func Markdown(ctx context.Context, in format.Input, b *format.Builder) error {
	text, err := Decode(ctx, in.Data)
	if err != nil {
		return err
	}
	b.Source(text)
	m := &markdown{b: b, text: text}
	for line := range lines(text) {
		m.line(line)
		if err := b.Err(ctx); err != nil {
			return err
		}
	}
	m.flush(len(text))
	return b.Err(ctx)
}

var (
	atxHeading    = regexp.MustCompile(`^ {0,3}(#{1,6})(?:[ \t]|$)`)
	setextLine    = regexp.MustCompile(`^ {0,3}(=+|-+)[ \t]*$`)
	fence         = regexp.MustCompile("^[ \t]*(?:[-*+>][ \t]+)*(`{3,}|~{3,})")
	listMark      = regexp.MustCompile(`^[ \t]*(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)`)
	rule          = regexp.MustCompile(`^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$`)
	tableDashes   = regexp.MustCompile(`^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)
	headingsMarks = regexp.MustCompile(`^[ \t]*#+[ \t]*|[ \t]+#+[ \t]*$|\n.*$`)
)

// markdown is the state between two lines: the block that has begun at start.
type markdown struct {
	b       *format.Builder
	text    string
	open    bool
	kind    documents.Kind
	start   int
	rows    int    // lines of the block so far
	last    string // its last line
	fence   string // of an open code block: the marks that end it
	matter  string // of an open front matter: the line that ends it
	inTable bool
}

func (m *markdown) line(l line) {
	switch {
	case m.fence != "":
		if mark := strings.TrimSpace(l.text); strings.HasPrefix(mark, m.fence) && strings.Trim(mark, m.fence[:1]) == "" {
			m.flush(l.end)
		}
		return
	case m.matter != "":
		if strings.TrimSpace(l.text) == m.matter {
			m.flush(l.end)
		}
		return
	case l.blank():
		m.flush(l.start)
		m.inTable = false
		return
	case l.start == 0 && (l.text == "---" || l.text == "+++") && strings.Contains(m.text, "\n"+l.text+"\n"):
		m.begin(l, documents.Code)
		m.matter = l.text
		return
	}
	if open := fence.FindStringSubmatch(l.text); open != nil && !(open[1][0] == '`' && strings.Count(l.text, "`") > len(open[1])) {
		m.begin(l, documents.Code)
		m.fence = open[1]
		return
	}
	m.textLine(l)
}

// textLine reads a line that is neither blank nor in a block with its own rules.
func (m *markdown) textLine(l line) {
	paragraph := m.open && m.kind == documents.Paragraph
	if h := atxHeading.FindStringSubmatch(l.text); h != nil {
		m.flush(l.start)
		m.heading(len(h[1]), l.start, l.end)
		return
	}
	if paragraph && m.rows == 1 && strings.Contains(m.last, "|") && strings.Contains(l.text, "-") && tableDashes.MatchString(l.text) &&
		strings.Count(strings.Trim(m.last, " \t|"), "|") == strings.Count(strings.Trim(l.text, " \t|"), "|") {
		m.kind = documents.TableHeader
		m.flush(l.end)
		m.inTable = true
		return
	}
	if h := setextLine.FindStringSubmatch(l.text); h != nil && paragraph && m.rows <= 3 {
		m.open = false
		m.heading(map[byte]int{'=': 1, '-': 2}[h[1][0]], m.start, l.end)
		return
	}
	switch {
	case m.inTable && strings.Contains(l.text, "|"):
		m.flush(l.start)
		m.b.Mark(documents.TableRow, 0, l.start, l.end)
	case rule.MatchString(l.text):
		m.begin(l, documents.Paragraph)
		m.flush(l.end)
	case listMark.MatchString(l.text):
		m.begin(l, documents.ListItem)
	case !m.open && l.indent() >= 4:
		m.begin(l, documents.Code)
	case m.open && m.kind == documents.Code && l.indent() < 4, !m.open:
		m.begin(l, documents.Paragraph)
	default: // the line goes on with what has begun
		m.rows++
		m.last = l.text
	}
}

func (m *markdown) heading(level, start, end int) {
	m.b.Mark(documents.Heading, level, start, end)
	m.b.SetTitle(headingsMarks.ReplaceAllString(strings.TrimSpace(m.text[start:end]), ""))
	m.inTable = false
}

// begin ends the block before the line and opens another with it.
func (m *markdown) begin(l line, kind documents.Kind) {
	m.flush(l.start)
	m.open, m.kind, m.start, m.rows, m.last = true, kind, l.start, 1, l.text
	m.inTable = false
}

func (m *markdown) flush(end int) {
	if m.open {
		m.b.Mark(m.kind, 0, m.start, end)
	}
	m.open, m.fence, m.matter = false, "", ""
}
