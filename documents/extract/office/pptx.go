package office

import (
	"context"
	"strings"

	"inglenook/documents"
	"inglenook/documents/extract/format"
)

// PPTX reads a presentation of PowerPoint. A slide is a page: its title, its text
// and its notes.
func PPTX(ctx context.Context, a *Archive, b *format.Builder) error {
	main := a.mainPart(ctx)
	if !a.Has(main) {
		main = "ppt/presentation.xml"
	}
	if err := a.coreTitle(ctx, b); err != nil {
		return err
	}
	relations, err := a.relations(ctx, main)
	if err != nil {
		return err
	}
	targets := map[string]string{}
	for _, r := range relations {
		targets[r.ID] = r.Target
	}
	var slides []string
	err = a.walkXML(ctx, main, func(e *element) error {
		if !e.start("sldId") {
			return nil
		}
		for _, attr := range e.attrs { // "id" in two name spaces
			if part := targets[attr.Value]; attr.Name.Local == "id" && a.Has(part) {
				slides = append(slides, part)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, slide := range slides {
		b.SetPage(i + 1)
		if err := a.slide(ctx, slide, b); err != nil {
			return err
		}
	}
	return b.Err(ctx)
}

// slide reads one slide, and then the notes that belong to it.
func (a *Archive) slide(ctx context.Context, part string, b *format.Builder) error {
	s := &slideReader{b: b}
	if err := a.walkXML(ctx, part, func(e *element) error { s.visit(e); return b.Err(ctx) }); err != nil {
		return err
	}
	relations, err := a.relations(ctx, part)
	if err != nil {
		return err
	}
	for _, r := range relations {
		if !strings.HasSuffix(r.Type, "/notesSlide") || !a.Has(r.Target) {
			continue
		}
		notes := &slideReader{b: b, notes: true}
		if err := a.walkXML(ctx, r.Target, func(e *element) error { notes.visit(e); return b.Err(ctx) }); err != nil {
			return err
		}
	}
	return nil
}

// slideReader is the state while the shapes of a slide are read.
type slideReader struct {
	b     *format.Builder
	notes bool   // of a page of notes only its body counts
	holds string // the kind of placeholder that the open shape is
	words strings.Builder
	cells []string // of an open row of a table
	inRow bool
	rows  int
}

func (s *slideReader) visit(e *element) {
	switch {
	case e.start("Fallback"):
		e.skip = true
	case e.start("sp"):
		s.holds = ""
	case e.start("ph"):
		s.holds = e.attr("type")
		if s.holds == "" {
			s.holds = "text"
		}
	case e.start("p"):
		s.words.Reset()
	case e.start("br"):
		s.words.WriteByte('\n')
	case e.start("tab"):
		s.words.WriteByte('\t')
	case e.kind == textEvent && e.name == "t":
		s.words.WriteString(e.text)
	case e.start("tbl"):
		s.rows = 0
	case e.start("tr"):
		s.inRow, s.cells = true, nil
	case e.start("tc"):
		s.cells = append(s.cells, "")
	case e.end("tr"):
		kind := documents.TableRow
		if s.rows == 0 {
			kind = documents.TableHeader
		}
		s.rows++
		s.inRow = false
		s.b.Row(kind, s.cells)
	case e.end("p"):
		s.endParagraph()
	}
}

func (s *slideReader) endParagraph() {
	text := s.words.String()
	s.words.Reset()
	switch {
	case s.inRow:
		if n := len(s.cells); n > 0 {
			s.cells[n-1] += text + " "
		}
	case s.notes:
		if s.holds == "body" {
			s.b.Add(documents.Paragraph, 0, text)
		}
	case s.holds == "title", s.holds == "ctrTitle":
		s.b.SetTitle(text)
		s.b.Add(documents.Heading, 1, text)
	case s.holds == "sldNum", s.holds == "dt", s.holds == "ftr":
	default:
		s.b.Add(documents.Paragraph, 0, text)
	}
}
