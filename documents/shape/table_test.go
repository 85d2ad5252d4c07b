package shape

import (
	"slices"
	"strings"
	"testing"

	"inglenook/documents"
)

// The table of a passage has the names of its columns from the passage or from what stands before it, and
// none where they are lost.
func TestTableAt(t *testing.T) {
	for name, c := range map[string]struct {
		format, text, context string
		start                 int
		at                    string // begins where the table is asked for
		names                 string
		rows                  []string // nil: there is no table
	}{
		"CSV":                       {"csv", "city,n\nPerth,1\nLyon,2\n", "orders", 0, "Lyon", "city,n", []string{"Perth,1", "Lyon,2"}},
		"CSV from its middle":       {"csv", "Perth,1\nLyon,2\n", "orders\n\ncity,n", 90, "Lyon", "city,n", []string{"Perth,1", "Lyon,2"}},
		"CSV, a piece":              {"csv", "Perth,1\nLyon,2", "", 90, "Lyon", "", []string{"Perth,1", "Lyon,2"}},
		"CSV, only the names":       {"csv", "city,n\n", "orders", 0, "city", "city,n", []string{}},
		"CSV, ragged":               {"csv", "city,n\nPerth\nLyon,2,x\n\n", "", 0, "Perth", "city,n", []string{"Perth", "Lyon,2,x"}},
		"CSV, lines in a cell":      {"csv", "city,note\nPerth,\"far,\n\naway\"\nLyon,near", "", 0, "away", "city,note", []string{"Perth,\"far,\n\naway\"", "Lyon,near"}},
		"CSV, a quote in a cell":    {"csv", "pipe,n\n5\" steel,1\n3\" brass,2", "", 0, "3", "pipe,n", []string{"5\" steel,1", "3\" brass,2"}},
		"CSV of a spreadsheet":      {"csv", "\ufeffsep=;\ncity;n\nPerth;1", "", 0, "Perth", "city;n", []string{"Perth;1"}},
		"CSV without a title":       {"csv", "Perth,1\nLyon,2", "Cities, of 2026", 90, "Lyon", "", []string{"Perth,1", "Lyon,2"}},
		"Markdown":                  {"markdown", "Fruit.\n\n| fig | May |\n|---|:-:|\n| pear | June |\n\nEnd.", "", 0, "pear", "| fig | May |\n|---|:-:|", []string{"| pear | June |"}},
		"Markdown from its middle":  {"markdown", "| pear | June |\n| plum | July |\n\nEnd.", "Fruit\n\n| fig | May |\n|---|---|", 90, "plum", "| fig | May |\n|---|---|", []string{"| pear | June |", "| plum | July |"}},
		"Markdown, a piece":         {"markdown", "| pear | June |", "", 90, "pear", "", []string{"| pear | June |"}},
		"Markdown, no outer lines":  {"markdown", "fig | May\n--- | ---\npear | June", "", 0, "June", "fig | May\n--- | ---", []string{"pear | June"}},
		"Markdown, only the names":  {"markdown", "| fig | May |\n|---|---|\n\nEnd.", "", 0, "fig", "| fig | May |\n|---|---|", []string{}},
		"Markdown, another table":   {"markdown", "| a | b |\n|---|---|\n| 1 | 2 |\n\n| c | d |\n|---|---|\n| 3 | 4 |", "", 0, "3", "| c | d |\n|---|---|", []string{"| 3 | 4 |"}},
		"Markdown, no table":        {"markdown", "Either a | b or c.\nNothing.", "", 0, "Either", "", nil},
		"Markdown, beside a table":  {"markdown", "Before.\n\n| a | b |\n|---|---|\n| 1 | 2 |", "", 0, "Before", "", nil},
		"HTML":                      {"html", "Trains\n\nDay | Time\nMonday | 8:10\nFriday | 9:20\n\nEnd.", "Trains | Home", 7, "Friday", "Day | Time", []string{"Monday | 8:10", "Friday | 9:20"}},
		"HTML from its middle":      {"html", "Friday | 9:20", "Trains | Home\n\nDay | Time", 90, "Friday", "Day | Time", []string{"Friday | 9:20"}},
		"HTML, names first":         {"html", "Day | Time\nFriday | 9:20", "Trains | Home", 90, "Friday", "Day | Time", []string{"Friday | 9:20"}},
		"HTML without names":        {"html", "Monday | 8\nFriday | 9", "Trains | Home", 90, "Friday", "", []string{"Monday | 8", "Friday | 9"}},
		"HTML, ragged":              {"html", "Day | Time\nFriday | 9:20 | late\n | 10:30", "", 0, "10:30", "Day | Time", []string{"Friday | 9:20 | late", "| 10:30"}},
		"a line alone":              {"html", "Home | About", "", 0, "About", "", nil},
		"a second sheet":            {"xlsx", "North\n\nDay | n\nMonday | 1\n\nSouth\n\nTown | n\nLyon | 2", "", 0, "Lyon", "Town | n", []string{"Lyon | 2"}},
		"between a table and a row": {"docx", "a | b\nc | d\n\nText.\n\ne | f\ng | h", "", 0, "Text", "", nil},
		"code":                      {"source", "a | b\nc | d", "", 0, "c", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			at := strings.Index(c.text, c.at)
			got, ok := TableAt(documents.Chunk{Text: c.text, Context: c.context, Start: c.start}, c.format, at)
			if ok != (c.rows != nil) {
				t.Fatalf("a table: %v, %+v", ok, got)
			}
			rows := []string{}
			for _, r := range got.Rows {
				rows = append(rows, c.text[r.Start:r.End])
			}
			if ok && (got.Names != c.names || !slices.Equal(rows, c.rows)) {
				t.Errorf("names %q, rows %q", got.Names, rows)
			}
			row, is := got.RowAt(at)
			if named := len(c.rows) > 0 && strings.Contains(c.names, c.at); is != (len(c.rows) > 0) || is && !named && !strings.Contains(c.text[row.Start:row.End], c.at) {
				t.Errorf("the row is %q", c.text[row.Start:row.End])
			}
		})
	}
}

// A table is asked for at any byte of any text.
func FuzzTableAt(f *testing.F) {
	f.Add("csv", "a,b\n\"c\nd", "x\n\na,b", 3)
	f.Add("markdown", "|a|\n|-|\n|b|", "", 9)
	f.Add("html", "a | b\nc | d", "", 11)
	f.Fuzz(func(t *testing.T, format, text, context string, at int) {
		got, _ := TableAt(documents.Chunk{Text: text, Context: context, Start: at % 2}, format, at)
		end := 0
		for _, r := range got.Rows {
			if r.Start < end || r.End < r.Start || r.End > len(text) {
				t.Fatalf("rows %v of %q", got.Rows, text)
			}
			end = r.End
		}
	})
}
