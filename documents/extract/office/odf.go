package office

import (
	"context"
	"strconv"
	"strings"

	"inglenook/documents"
	"inglenook/documents/extract/format"
)

// ODF reads an OpenDocument text, spreadsheet or presentation. The sheets of a
// spreadsheet are headings; the slides of a presentation are pages.
func ODF(ctx context.Context, a *Archive, b *format.Builder) error {
	if a.Has("META-INF/manifest.xml") {
		err := a.walkXML(ctx, "META-INF/manifest.xml", func(e *element) error {
			if e.start("encryption-data") {
				return format.Errorf(format.Sealed, "it has a password, and only PDF files are opened with one")
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if a.Has("meta.xml") {
		err := a.walkXML(ctx, "meta.xml", func(e *element) error {
			if e.kind == textEvent && e.name == "title" {
				b.SetTitle(e.text)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	kind, err := a.Kind(ctx)
	if err != nil {
		return err
	}
	o := &odfReader{b: b, kind: kind}
	err = a.walkXML(ctx, "content.xml", func(e *element) error { o.visit(e); return b.Err(ctx) })
	if err != nil {
		return format.DamagedBy(err)
	}
	return b.Err(ctx)
}

// odfReader is the state while the content is read. Paragraphs nest, because
// frames and notes are in them, and so do tables.
type odfReader struct {
	b          *format.Builder
	kind       string
	paragraphs []*wordParagraph
	tables     []*odfTable
	lists      int
	page       int
}

type odfTable struct {
	cells  []string
	repeat int // how often the open cell is there
	header bool
	rows   int
}

func (o *odfReader) visit(e *element) {
	switch e.kind {
	case startEvent:
		o.start(e)
	case endEvent:
		o.end(e)
	case textEvent:
		if len(o.paragraphs) > 0 {
			o.write(collapse(e.text))
		}
	}
}

// collapse makes one space of white space: more of it is written as elements.
func collapse(text string) string {
	var b strings.Builder
	space := false
	for _, r := range text {
		if r == ' ' || r == '\t' || r == '\n' || r == '\r' {
			if !space {
				b.WriteByte(' ')
			}
			space = true
			continue
		}
		space = false
		b.WriteRune(r)
	}
	return b.String()
}

func (o *odfReader) start(e *element) {
	switch e.name {
	case "p":
		p := &wordParagraph{}
		if o.lists > 0 {
			p.kind = documents.ListItem
		}
		o.paragraphs = append(o.paragraphs, p)
	case "h":
		level, err := strconv.Atoi(e.attr("outline-level"))
		if err != nil {
			level = 1
		}
		o.paragraphs = append(o.paragraphs, &wordParagraph{kind: documents.Heading, level: max(1, min(level, 6))})
	case "list":
		o.lists++
	case "s":
		n, err := strconv.Atoi(e.attr("c"))
		if err != nil {
			n = 1
		}
		o.write(strings.Repeat(" ", max(1, min(n, 100))))
	case "tab":
		o.write("\t")
	case "line-break":
		o.write("\n")
	case "annotation", "tracked-changes", "note-citation", "forms", "settings":
		e.skip = true
	case "page":
		if o.kind == "odp" {
			o.page++
			o.b.SetPage(o.page)
		}
	case "table":
		if o.kind == "ods" && len(o.tables) == 0 {
			o.b.Add(documents.Heading, 1, e.attr("name"))
		}
		o.tables = append(o.tables, &odfTable{})
	case "table-header-rows", "table-row":
		if n := len(o.tables); n > 0 {
			o.tables[n-1].cells = nil
			o.tables[n-1].header = o.tables[n-1].header || e.name == "table-header-rows"
		}
	case "table-cell", "covered-table-cell":
		if n := len(o.tables); n > 0 {
			t := o.tables[n-1]
			t.cells = append(t.cells, "")
			repeat, err := strconv.Atoi(e.attr("number-columns-repeated"))
			if err != nil {
				repeat = 1
			}
			t.repeat = max(1, min(repeat, maxGap))
		}
	}
}

func (o *odfReader) end(e *element) {
	switch e.name {
	case "p", "h":
		o.endParagraph()
	case "list":
		o.lists = max(0, o.lists-1)
	case "table-cell", "covered-table-cell":
		if n := len(o.tables); n > 0 && len(o.tables[n-1].cells) > 0 {
			t := o.tables[n-1]
			for range t.repeat - 1 {
				t.cells = append(t.cells, t.cells[len(t.cells)-1])
			}
			t.repeat = 1
		}
	case "table-row":
		if n := len(o.tables); n > 0 {
			o.tables[n-1].endRow(o.b)
		}
	case "table-header-rows":
		if n := len(o.tables); n > 0 {
			o.tables[n-1].header = false
		}
	case "table":
		if n := len(o.tables); n > 0 {
			o.tables = o.tables[:n-1]
		}
	}
}

func (t *odfTable) endRow(b *format.Builder) {
	kind := documents.TableRow
	if t.header || t.rows == 0 && len(t.cells) > 1 {
		kind = documents.TableHeader
	}
	for n := len(t.cells); n > 0 && t.cells[n-1] == ""; n-- { // sheets end with thousands of empty cells
		t.cells = t.cells[:n-1]
	}
	before := b.Len()
	b.Row(kind, t.cells)
	if b.Len() > before {
		t.rows++
	}
	t.cells = nil
}

func (o *odfReader) endParagraph() {
	n := len(o.paragraphs)
	if n == 0 {
		return
	}
	p := o.paragraphs[n-1]
	o.paragraphs = o.paragraphs[:n-1]
	if n := len(o.tables); n > 0 && len(o.tables[n-1].cells) > 0 {
		o.tables[n-1].cells[len(o.tables[n-1].cells)-1] += p.words.String() + " "
		return
	}
	if p.level == 1 {
		o.b.SetTitle(p.words.String())
	}
	o.b.Add(p.kind, p.level, p.words.String())
}

func (o *odfReader) write(text string) {
	if n := len(o.paragraphs); n > 0 {
		o.paragraphs[n-1].words.WriteString(text)
	}
}
