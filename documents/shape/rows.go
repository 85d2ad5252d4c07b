package shape

import (
	"encoding/csv"
	"strings"
)

// Rows is a table of a CSV file with strokes between its cells, as other readers write tables. A line
// that is cut within a quoted cell stays as it is.
func Rows(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		r := csv.NewReader(strings.NewReader(line))
		r.FieldsPerRecord, r.LazyQuotes = -1, true
		if cells, err := r.Read(); err == nil && len(cells) > 1 {
			lines[i] = strings.Join(cells, Stroke)
		}
	}
	return strings.Join(lines, "\n")
}
