package shape

import (
	"encoding/csv"
	"strings"
)

// Rows is a table of a CSV file with strokes between its cells, as other readers write tables. A quoted
// cell may have line ends; a row that is cut within one stays as it is.
func Rows(text string) string {
	var rows []string
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		row, last := lines[i], i
		for strings.Count(row, `"`)%2 == 1 && last+1 < len(lines) {
			last++
			row += " " + lines[last]
		}
		if strings.Count(row, `"`)%2 == 1 {
			row, last = lines[i], i
		}
		r := csv.NewReader(strings.NewReader(row))
		r.FieldsPerRecord, r.LazyQuotes = -1, true
		if cells, err := r.Read(); err == nil && len(cells) > 1 {
			row = strings.Join(cells, Stroke)
		}
		rows = append(rows, row)
		i = last
	}
	return strings.Join(rows, "\n")
}
