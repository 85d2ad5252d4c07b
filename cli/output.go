package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"inglenook/app/devices"
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
			fmt.Fprintln(c.stderr, "note: "+harmless(s))
		}
	}
}

// noteFallbacks writes to standard error what did not run on the device that it
// was meant for, each kind of operation once, and what happened to devices.
func (c *call) noteFallbacks(list []devices.Fallback, notices []string) {
	c.note(notices...)
	for _, f := range list {
		c.note(fmt.Sprintf("%s runs on %s, because %s has no kernel: %s", f.Op, f.RunsOn, f.Device, f.Reason))
	}
}

type fallbackJSON struct {
	Op     string `json:"op"` // "all" where a device was given up
	Reason string `json:"reason"`
}

func fallbacksJSON(list []devices.Fallback, notices []string) []fallbackJSON {
	out := []fallbackJSON{}
	for _, f := range list {
		out = append(out, fallbackJSON{f.Op.String(), f.Reason})
	}
	for _, n := range notices {
		out = append(out, fallbackJSON{"all", n})
	}
	return out
}

// printText writes a text that we did not make, as it is; on a terminal without
// what could drive it.
func (c *call) printText(text string) {
	if c.terminal {
		text = harmless(text)
	}
	c.printf("%s", text)
}

// harmless returns a text without the control characters that drive a terminal:
// they move its cursor, recolour it, or make it answer as if somebody typed.
// They become their pictures (U+2400 and on), or U+FFFD where they have none, as
// do bytes that are no UTF-8. Line ends and tabs stay.
func harmless(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return -1
		case r < ' ':
			return '␀' + r
		case r == '\x7f':
			return '␡'
		case r >= 0x80 && r <= 0x9f:
			return unicode.ReplacementChar
		}
		return r
	}, text)
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
