package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// printJSON writes one JSON document in one line.
func (c *call) printJSON(v any) error {
	e := json.NewEncoder(c.out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("the result could not be written: %w", err)
	}
	return nil
}

// printf writes to standard output; its error is seen at the last flush.
func (c *call) printf(format string, args ...any) { fmt.Fprintf(c.out, format, args...) }

// note writes sentences beside the result to standard error.
func (c *call) note(sentences ...string) {
	for _, s := range sentences {
		if s != "" {
			fmt.Fprintln(c.stderr, "note: "+s)
		}
	}
}

// clip shortens a text to width characters and leaves out what would move the
// terminal's cursor.
func clip(text string, width int) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	if r := []rune(text); len(r) > width {
		return string(r[:width-1]) + "…"
	}
	return text
}

// plural writes a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
