package office

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"inglenook/documents"
	"inglenook/documents/extract/format"
)

// XLSX reads a workbook of Excel. A sheet's name is a heading, its first row the
// header of a table. Cells have the values that the file keeps of formulas.
func XLSX(ctx context.Context, a *Archive, b *format.Builder) error {
	main := a.mainPart(ctx)
	if !a.Has(main) {
		main = "xl/workbook.xml"
	}
	if err := a.coreTitle(ctx, b); err != nil {
		return err
	}
	relations, err := a.relations(ctx, main)
	if err != nil {
		return err
	}
	w := &workbook{archive: a, b: b, targets: map[string]string{}}
	for _, r := range relations {
		w.targets[r.ID] = r.Target
		switch {
		case strings.HasSuffix(r.Type, "/sharedStrings"):
			err = w.readStrings(ctx, r.Target)
		case strings.HasSuffix(r.Type, "/styles"):
			err = w.readStyles(ctx, r.Target)
		}
		if err != nil {
			return err
		}
	}
	sheets, err := w.sheets(ctx, main)
	if err != nil {
		return err
	}
	for _, s := range sheets {
		b.Add(documents.Heading, 1, s.name)
		if err := w.readSheet(ctx, s.part); err != nil {
			return err
		}
	}
	return b.Err(ctx)
}

// workbook is what the sheets of a workbook share.
type workbook struct {
	archive  *Archive
	b        *format.Builder
	targets  map[string]string // parts by the id of their relation
	strings  []string
	dates    []bool // by style: whether numbers are days
	from1904 bool
}

type sheet struct{ name, part string }

func (w *workbook) sheets(ctx context.Context, main string) ([]sheet, error) {
	var all []sheet
	err := w.archive.walkXML(ctx, main, func(e *element) error {
		switch {
		case e.start("workbookPr"):
			w.from1904 = e.attr("date1904") == "1" || e.attr("date1904") == "true"
		case e.start("sheet"):
			if part := w.targets[e.attr("id")]; w.archive.Has(part) {
				all = append(all, sheet{e.attr("name"), part})
			}
		}
		return nil
	})
	return all, err
}

// readStrings reads the texts that cells refer to by number.
func (w *workbook) readStrings(ctx context.Context, part string) error {
	if !w.archive.Has(part) {
		return nil
	}
	var text strings.Builder
	return w.archive.walkXML(ctx, part, func(e *element) error {
		switch {
		case e.start("rPh"): // how it is pronounced
			e.skip = true
		case e.start("si"):
			text.Reset()
		case e.kind == textEvent && e.name == "t":
			text.WriteString(e.text)
		case e.end("si"):
			w.strings = append(w.strings, text.String())
		}
		return nil
	})
}

// readStyles finds the styles that show numbers as dates.
func (w *workbook) readStyles(ctx context.Context, part string) error {
	if !w.archive.Has(part) {
		return nil
	}
	custom := map[string]bool{}
	return w.archive.walkXML(ctx, part, func(e *element) error {
		switch {
		case e.start("numFmt"):
			custom[e.attr("numFmtId")] = isDateFormat(e.attr("formatCode"))
		case e.start("xf") && e.parent() == "cellXfs":
			id := e.attr("numFmtId")
			n, _ := strconv.Atoi(id)
			w.dates = append(w.dates, custom[id] || n >= 14 && n <= 22 || n >= 45 && n <= 47)
		}
		return nil
	})
}

// isDateFormat reports whether the code of a number format has a part of a date,
// outside of quotes and brackets.
func isDateFormat(code string) bool {
	quoted, bracket := false, false
	for _, c := range strings.ToLower(code) {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '[' || c == ']':
			bracket = c == '['
		case !quoted && !bracket && strings.ContainsRune("ymdhs", c):
			return true
		}
	}
	return false
}

// maxColumns is how many columns Excel has.
const maxColumns = 16_384

// maxGap is the longest stretch of empty cells that a row shows.
const maxGap = 8

func (w *workbook) readSheet(ctx context.Context, part string) error {
	var (
		row    []string
		column int // of the open cell, from 0
		kind   string
		style  int
		value  strings.Builder
		rows   int
	)
	return w.archive.walkXML(ctx, part, func(e *element) error {
		switch {
		case e.start("row"):
			row, column = nil, -1
		case e.start("c"):
			kind, style = e.attr("t"), 0
			if n, err := strconv.Atoi(e.attr("s")); err == nil {
				style = n
			}
			value.Reset()
			next := columnOf(e.attr("r"))
			if next <= column || next >= maxColumns {
				next = column + 1
			}
			for gap := min(next-column-1, maxGap); gap > 0; gap-- {
				row = append(row, "")
			}
			column = next
		case e.start("rPh"):
			e.skip = true
		case e.kind == textEvent && (e.name == "v" || e.name == "t") && e.within("c"):
			value.WriteString(e.text)
		case e.end("c"):
			row = append(row, w.cell(kind, style, value.String()))
		case e.end("row"):
			header := documents.TableRow
			if rows == 0 {
				header = documents.TableHeader
			}
			before := w.b.Len()
			w.b.Row(header, row)
			if w.b.Len() > before {
				rows++
			}
			return w.b.Err(ctx)
		}
		return nil
	})
}

// columnOf returns the column of a cell's name, from 0: "AB12" is 27. It is -1 for
// other texts.
func columnOf(cell string) int {
	column := 0
	for i := range len(cell) {
		c := cell[i] &^ 0x20
		if c < 'A' || c > 'Z' {
			break
		}
		if column = column*26 + int(c-'A'+1); column > maxColumns {
			return maxColumns
		}
	}
	return column - 1
}

// cell returns what a cell shows.
func (w *workbook) cell(kind string, style int, value string) string {
	switch kind {
	case "s":
		if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && n >= 0 && n < len(w.strings) {
			return w.strings[n]
		}
		return ""
	case "b":
		return map[string]string{"1": "TRUE", "0": "FALSE"}[value]
	case "", "n":
		if style >= 0 && style < len(w.dates) && w.dates[style] {
			return w.date(value)
		}
	}
	return value
}

// date writes a number of days as a date, with the time where there is one.
func (w *workbook) date(value string) string {
	days, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(days) || days < 0 || days > 2_958_466 { // the year 10000
		return value
	}
	start := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if w.from1904 {
		start = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	whole := math.Floor(days)
	at := start.AddDate(0, 0, int(whole)).Add(time.Duration((days - whole) * float64(24*time.Hour))).Round(time.Second)
	switch {
	case days < 1:
		return at.Format("15:04:05")
	case days == whole:
		return at.Format(time.DateOnly)
	}
	return fmt.Sprintf("%s %s", at.Format(time.DateOnly), at.Format("15:04"))
}
