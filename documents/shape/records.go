package shape

import "strings"

// Delimiter returns the character that separates the values of a table: the one
// that is there as often in each of the first lines, and most often.
func Delimiter(text string) byte {
	const delimiters = ",;\t|"
	best, bestScore := byte(','), 0
	for i := range len(delimiters) {
		delimiter := delimiters[i]
		lowest, rows := 0, 0
		for start := 0; start < len(text) && rows < 20; rows++ {
			end := RecordEnd(text, start, delimiter)
			n := unquoted(text[start:end], delimiter)
			if rows == 0 || n < lowest && strings.TrimSpace(text[start:end]) != "" {
				lowest = n
			}
			start = end
		}
		if lowest > bestScore {
			best, bestScore = delimiter, lowest
		}
	}
	return best
}

// IsSeparatorLine reports whether a spreadsheet wrote its separator on the first
// line, as "sep=;".
func IsSeparatorLine(line string) bool {
	return len(line) <= 6 && strings.HasPrefix(strings.ToLower(line), "sep=")
}

// RecordEnd returns the end of the record at start, after its line end. A quoted
// value may hold line ends; one that never closes ends with its line.
func RecordEnd(text string, start int, delimiter byte) int {
	atValue := true // a quote opens only where a value begins
	for i := start; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' && atValue:
			end := closingQuote(text, i+1)
			if end < 0 {
				atValue = false
				continue
			}
			i = end
			atValue = false
		case c == '\n':
			return i + 1
		default:
			atValue = c == delimiter || atValue && c == ' '
		}
	}
	return len(text)
}

// longestValue bounds the search for a closing quote, so that a file of quotes
// takes no time by the square of its size.
const longestValue = 64 << 10

// closingQuote returns where the quoted value that begins at i ends, or -1. Two
// quotes are a quote in the value.
func closingQuote(text string, i int) int {
	limit := min(len(text), i+longestValue)
	for i < limit {
		at := strings.IndexByte(text[i:limit], '"')
		if at < 0 {
			return -1
		}
		i += at
		if i+1 >= len(text) || text[i+1] != '"' {
			return i
		}
		i += 2
	}
	return -1
}

// unquoted counts a delimiter outside of quotes.
func unquoted(record string, delimiter byte) int {
	n, quoted := 0, false
	for i := range len(record) {
		switch record[i] {
		case '"':
			quoted = !quoted
		case delimiter:
			if !quoted {
				n++
			}
		}
	}
	return n
}
