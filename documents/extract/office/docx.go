package office

import (
	"context"
	"strconv"
	"strings"

	"inglenook/documents"
	"inglenook/documents/extract/format"
)

// DOCX reads a document of Word. Headers and footers of its pages are left out.
func DOCX(ctx context.Context, a *Archive, b *format.Builder) error {
	main := a.mainPart(ctx)
	if !a.Has(main) {
		main = "word/document.xml"
	}
	if err := a.coreTitle(ctx, b); err != nil {
		return err
	}
	relations, err := a.relations(ctx, main)
	if err != nil {
		return err
	}
	parts := map[string]string{} // by the last word of their type
	for _, r := range relations {
		parts[r.Type[strings.LastIndexByte(r.Type, '/')+1:]] = r.Target
	}
	styles, err := a.headingStyles(ctx, parts["styles"])
	if err != nil {
		return err
	}
	for _, part := range []string{main, parts["footnotes"], parts["endnotes"], parts["comments"]} {
		if part == "" || part != main && !a.Has(part) {
			continue
		}
		w := &wordReader{b: b, styles: styles}
		if err := a.walkXML(ctx, part, func(e *element) error { w.visit(e); return b.Err(ctx) }); err != nil {
			return err
		}
	}
	if parts["header"] != "" || parts["footer"] != "" {
		b.Note("Headers and footers of the pages were left out.")
	}
	return b.Err(ctx)
}

// coreTitle reads the title of an Office Open XML package.
func (a *Archive) coreTitle(ctx context.Context, b *format.Builder) error {
	if !a.Has("docProps/core.xml") {
		return nil
	}
	return a.walkXML(ctx, "docProps/core.xml", func(e *element) error {
		if e.kind == textEvent && e.name == "title" {
			b.SetTitle(e.text)
		}
		return nil
	})
}

// listLevel is what headingStyles gives for styles of lists.
const listLevel = -1

// headingStyles returns the level of each paragraph style that is a heading, or
// listLevel, by its id. Ids are in the language of the program that wrote them;
// names are not.
func (a *Archive) headingStyles(ctx context.Context, part string) (map[string]int, error) {
	levels := map[string]int{}
	if part == "" {
		part = "word/styles.xml"
	}
	if !a.Has(part) {
		return levels, nil
	}
	id := ""
	err := a.walkXML(ctx, part, func(e *element) error {
		switch {
		case e.start("style"):
			id = e.attr("styleId")
		case e.start("name") && e.parent() == "style":
			if level := headingLevel(e.attr("val")); level > 0 {
				levels[id] = level
			}
		case e.start("numPr") && levels[id] == 0:
			levels[id] = listLevel
		case e.start("outlineLvl") && levels[id] <= 0:
			if n, err := strconv.Atoi(e.attr("val")); err == nil && n >= 0 && n < 9 {
				levels[id] = min(n+1, 6)
			}
		}
		return nil
	})
	return levels, err
}

// headingLevel returns the level that the name or id of a style says, or 0.
func headingLevel(style string) int {
	style = strings.ToLower(style)
	if style == "title" {
		return 1
	}
	rest, ok := strings.CutPrefix(style, "heading")
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSpace(rest))
	if err != nil || n < 1 || n > 9 {
		return 0
	}
	return min(n, 6)
}

// wordReader is the state while a part of a document is read. Paragraphs nest,
// because text boxes are in them, and so do tables.
type wordReader struct {
	b          *format.Builder
	styles     map[string]int
	paragraphs []*wordParagraph // open ones
	tables     []*wordTable     // open ones
}

type wordParagraph struct {
	kind  documents.Kind
	level int
	words strings.Builder
}

type wordTable struct {
	cells []string
	rows  int
}

func (w *wordReader) visit(e *element) {
	switch e.kind {
	case startEvent:
		w.start(e)
	case endEvent:
		w.end(e)
	case textEvent:
		if e.name == "t" {
			w.write(e.text)
		}
	}
}

func (w *wordReader) start(e *element) {
	switch e.name {
	case "p":
		w.paragraphs = append(w.paragraphs, &wordParagraph{})
	case "Fallback", "del", "moveFrom": // the same again for old programs; what was deleted
		e.skip = true
	case "footnote", "endnote":
		e.skip = e.attr("type") != "" && e.attr("type") != "normal" // lines between text and notes
	case "tab":
		if e.parent() == "r" {
			w.write("\t")
		}
	case "br", "cr":
		w.write("\n")
	case "noBreakHyphen":
		w.write("-")
	case "pStyle":
		w.style(w.styles[e.attr("val")], e.attr("val"))
	case "outlineLvl":
		if n, err := strconv.Atoi(e.attr("val")); err == nil && n >= 0 && n < 9 {
			w.style(min(n+1, 6), "")
		}
	case "numPr":
		if n := len(w.paragraphs); n > 0 && e.parent() == "pPr" && w.paragraphs[n-1].kind == documents.Paragraph {
			w.paragraphs[n-1].kind = documents.ListItem
		}
	case "tbl":
		w.tables = append(w.tables, &wordTable{})
	case "tc":
		if n := len(w.tables); n > 0 {
			w.tables[n-1].cells = append(w.tables[n-1].cells, "")
		}
	}
}

// style makes the open paragraph a heading. An id may tell what no table of
// styles does.
func (w *wordReader) style(level int, id string) {
	if level == 0 {
		level = headingLevel(id)
	}
	n := len(w.paragraphs)
	switch {
	case n == 0:
	case level > 0:
		w.paragraphs[n-1].kind, w.paragraphs[n-1].level = documents.Heading, level
	case level == listLevel:
		w.paragraphs[n-1].kind = documents.ListItem
	}
}

func (w *wordReader) end(e *element) {
	switch e.name {
	case "p":
		n := len(w.paragraphs)
		if n == 0 {
			return
		}
		p := w.paragraphs[n-1]
		w.paragraphs = w.paragraphs[:n-1]
		if n := len(w.tables); n > 0 && len(w.tables[n-1].cells) > 0 {
			w.tables[n-1].cells[len(w.tables[n-1].cells)-1] += p.words.String() + " "
			return
		}
		if p.kind == documents.Heading && p.level == 1 {
			w.b.SetTitle(p.words.String())
		}
		w.b.Add(p.kind, p.level, p.words.String())
	case "tr":
		w.endRow()
	case "tbl":
		w.endRow()
		if n := len(w.tables); n > 0 {
			w.tables = w.tables[:n-1]
		}
	}
}

func (w *wordReader) endRow() {
	n := len(w.tables)
	if n == 0 || len(w.tables[n-1].cells) == 0 {
		return
	}
	t := w.tables[n-1]
	kind := documents.TableRow
	if t.rows == 0 && len(t.cells) > 1 {
		kind = documents.TableHeader
	}
	t.rows++
	w.b.Row(kind, t.cells)
	t.cells = nil
}

func (w *wordReader) write(text string) {
	if n := len(w.paragraphs); n > 0 {
		w.paragraphs[n-1].words.WriteString(text)
	}
}
