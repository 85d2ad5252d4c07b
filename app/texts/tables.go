package texts

import (
	"encoding/csv"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"inglenook/app/base"
)

// textHeaders are the column names that mean "the texts are here".
var textHeaders = map[string]bool{
	"text": true, "texts": true, "sentence": true, "sentences": true, "content": true, "document": true,
	"passage": true, "body": true, "question": true, "query": true, "description": true,
}

// Column is a column of a table, whose texts may be taken.
type Column struct {
	Name  string
	Lines []string
	Rows  []int // of the sheet, of each text
	At    int   // its place in a row
}

// Sheet is all of a table, as it was read.
type Sheet struct {
	Names []string // of its columns, as many as the widest row has
	Rows  [][]string
	First int // number of the first of them: 2 where a row with names stands above it
}

// Origin is where a text came from.
type Origin struct {
	File  string // its path; "": a person typed it
	Sheet *Sheet // nil: the file is no table
	Row   int    // of the sheet
	At    int    // place of the text in the row

	Passage base.Source // where it is a passage of a document; its zero value: it is none
}

// Source is what of an origin is kept for the next start, and shown.
func (o Origin) Source() base.Source {
	s := o.Passage
	s.File = o.File
	if o.Sheet != nil {
		s.Place = "row " + humanize.Comma(int64(o.Sheet.First+o.Row))
	}
	return s
}

// FromSource is the origin of a text that was kept.
func FromSource(s base.Source) Origin { return Origin{File: s.File, Passage: s} }

// OriginOf is where text i of a file came from.
func (t Texts) OriginOf(path string, i int) Origin {
	if t.Sheet == nil || i >= len(t.Taken.Rows) {
		return Origin{File: path}
	}
	return t.Taken.OriginOf(path, t.Sheet, i)
}

// OriginOf is where text i of the column came from.
func (c Column) OriginOf(path string, sheet *Sheet, i int) Origin {
	if i >= len(c.Rows) {
		return Origin{File: path}
	}
	return Origin{File: path, Sheet: sheet, Row: c.Rows[i], At: c.At}
}

// Blank says how many rows of the sheet have no text in the column; "": all have one.
func (c Column) Blank(sheet *Sheet) string {
	if sheet == nil || len(c.Rows) == 0 || len(c.Rows) == len(sheet.Rows) {
		return ""
	}
	if n := len(sheet.Rows) - len(c.Rows); n > 1 {
		return fmt.Sprintf("%s rows without a text were left out.", humanize.Comma(int64(n)))
	}
	return "1 row without a text was left out."
}

// sheetOf is the table that texts came from; nil: none, or several.
func sheetOf(from []Origin) (sheet *Sheet) {
	for _, o := range from {
		if sheet != nil && o.Sheet != nil && o.Sheet != sheet {
			return nil
		}
		if o.Sheet != nil {
			sheet = o.Sheet
		}
	}
	return sheet
}

// FromSheet reports whether texts came from a table, which can be written with what was found in them.
func FromSheet(from []Origin) bool { return sheetOf(from) != nil }

// cell is a text as it stands in a table that a spreadsheet may open: one that begins like a formula, and is no
// number, gets an apostrophe before it.
func cell(text string) string {
	if text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return text
	}
	if rest := text[1:]; (text[0] == '+' || text[0] == '-') && rest != "" && strings.Trim(rest, "0123456789.,% ") == "" {
		return text
	}
	return "'" + text
}

// cells are several of these.
func cells(texts []string) []string {
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = cell(text)
	}
	return list
}

// tableTexts returns the column that a header names, else the column with the longest
// texts, and beside it those that may be taken in its place.
func tableTexts(text string, comma rune) (Texts, error) {
	in := csv.NewReader(strings.NewReader(withoutHint(text)))
	in.Comma, in.FieldsPerRecord, in.LazyQuotes = comma, -1, comma == '\t'
	rows, err := in.ReadAll()
	if err != nil {
		return Texts{}, err
	}
	column, header := textColumn(rows)
	var t Texts
	var names []string
	if header {
		names = rows[0]
		t.Note = fmt.Sprintf("Took the column %q.", strings.TrimSpace(rows[0][column]))
		rows = rows[1:]
	} else if len(rows) > 0 && len(rows[0]) > 1 {
		t.Note = fmt.Sprintf("Took column %d, which has the longest texts.", column+1)
	}
	t.Sheet = &Sheet{Rows: rows, First: 1}
	if header {
		t.Sheet.First = 2
	}
	for i := range max(widest(rows), len(names)) {
		c := Column{Name: fmt.Sprintf("Column %d", i+1), At: i}
		c.Lines, c.Rows = textsOf(rows, i)
		if header && i < len(names) && strings.TrimSpace(names[i]) != "" {
			c.Name = strings.TrimSpace(names[i])
		}
		t.Sheet.Names = append(t.Sheet.Names, c.Name)
		if i == column {
			t.Column, t.Taken, t.Lines = len(t.Columns), c, c.Lines
		}
		if len(c.Lines) > 0 {
			t.Columns = append(t.Columns, c)
		}
	}
	if len(t.Columns) < 2 {
		t.Columns = nil
	}
	t.Note = strings.TrimSpace(t.Note + " " + t.Taken.Blank(t.Sheet))
	return t, nil
}

// textsOf are the texts of a column, each in a line, and the row of each.
func textsOf(rows [][]string, column int) (lines []string, at []int) {
	for i, row := range rows {
		if column < len(row) && strings.TrimSpace(row[column]) != "" {
			lines, at = append(lines, strings.Join(strings.Fields(row[column]), " ")), append(at, i)
		}
	}
	return lines, at
}

// widest is how many columns the row with the most of them has.
func widest(rows [][]string) (n int) {
	for _, row := range rows {
		n = max(n, len(row))
	}
	return n
}

// filled are the cells of a column that are not blank.
func filled(rows [][]string, column int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, row := range rows {
			if column < len(row) && strings.TrimSpace(row[column]) != "" && !yield(row[column]) {
				return
			}
		}
	}
}

// hint begins the line by which spreadsheets tell each other what stands between columns: "sep=;".
const hint = "sep="

// withoutHint leaves that line out.
func withoutHint(text string) string {
	if line, rest, more := strings.Cut(text, "\n"); more && strings.HasPrefix(line, hint) {
		return rest
	}
	return text
}

// seenRows are enough to tell what stands between the columns of a table.
const seenRows = 200

// separator is what stands between the columns of a .csv file: a comma, or the semicolon or tab that
// spreadsheets write where the comma belongs to numbers. It is what gives most rows as many columns as
// the first has.
func separator(text string) rune {
	if strings.HasPrefix(text, hint) && len(text) > len(hint) {
		if c := rune(text[len(hint)]); c == ',' || c == ';' || c == '\t' {
			return c
		}
	}
	best, bestShare, bestColumns := ',', 0.0, 0
	for _, comma := range []rune{',', ';', '\t'} {
		in := csv.NewReader(strings.NewReader(withoutHint(text)))
		in.Comma, in.FieldsPerRecord, in.LazyQuotes = comma, -1, true
		columns, alike, all := 0, 0, 0
		for all < seenRows {
			row, err := in.Read()
			if err != nil {
				break
			}
			if all++; all == 1 {
				columns = len(row)
			}
			if len(row) == columns {
				alike++
			}
		}
		if columns < 2 {
			continue
		}
		if share := float64(alike) / float64(all); share > bestShare || share == bestShare && columns > bestColumns {
			best, bestShare, bestColumns = comma, share, columns
		}
	}
	return best
}

// textColumn is the column with the texts, and whether the first row names the columns.
func textColumn(rows [][]string) (column int, header bool) {
	if len(rows) == 0 {
		return 0, false
	}
	for i, cell := range rows[0] {
		if textHeaders[strings.ToLower(strings.TrimSpace(cell))] {
			return i, true
		}
	}
	var lengths []int
	for _, row := range rows {
		for i, cell := range row {
			if i >= len(lengths) {
				lengths = append(lengths, 0)
			}
			lengths[i] += len(cell)
		}
	}
	for i, n := range lengths {
		if n > lengths[column] {
			column = i
		}
	}
	return column, namesColumns(rows, column)
}

// What a name of a column is like, and texts below it.
const (
	longestName  = 40 // characters
	mostNamed    = 5  // words
	leastUnlike  = 3  // texts, where nothing but their length tells them from a name
	wordsOfTexts = 5  // that half of these texts have at least
)

// namesColumns reports whether the first row names the columns of a table whose texts are in that column:
// its cells are short, and it has words above numbers, or above texts that all are longer.
func namesColumns(rows [][]string, column int) bool {
	first, rest := rows[0], rows[1:]
	if column >= len(first) || len(rest) == 0 {
		return false
	}
	for i, cell := range first {
		if !isName(cell) || slices.Contains(first[:i], cell) {
			return false
		}
	}
	for i := range first {
		if i != column && !isFigure(first[i]) && areFigures(rest, i) {
			return true
		}
	}
	return areUnlike(first[column], rest, column)
}

// isName reports whether a cell is short enough to name a column.
func isName(cell string) bool {
	cell = strings.TrimSpace(cell)
	return cell != "" && utf8.RuneCountInString(cell) <= longestName && len(strings.Fields(cell)) <= mostNamed && !endsSentence(cell)
}

// areFigures reports whether a column has figures and nothing else.
func areFigures(rows [][]string, column int) bool {
	some := false
	for cell := range filled(rows, column) {
		if some = isFigure(cell); !some {
			return false
		}
	}
	return some
}

// isFigure reports whether a cell is a number, a date, an amount or the like: it has at least as many
// digits as letters.
func isFigure(cell string) bool {
	digits, letters := 0, 0
	for _, r := range cell {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return digits > 0 && digits >= letters
}

// areUnlike reports whether the texts of a column are all longer than its first cell, and most are sentences.
func areUnlike(name string, rows [][]string, column int) bool {
	var words []int
	for cell := range filled(rows, column) {
		if utf8.RuneCountInString(cell) <= utf8.RuneCountInString(name) {
			return false
		}
		words = append(words, len(strings.Fields(cell)))
	}
	if len(words) < leastUnlike {
		return false
	}
	slices.Sort(words)
	return words[len(words)/2] >= wordsOfTexts && len(strings.Fields(name)) <= 2
}
