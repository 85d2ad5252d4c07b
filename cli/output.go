package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"inglenook/app/devices"
	"inglenook/plain"
)

// printJSON writes one JSON document in one line.
func (c *call) printJSON(v any) error {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("the result could not be written: %w", err)
	}
	for _, r := range b.String() {
		if plain.Drives(r) && r != '\n' { // that JSON lets stand, but a terminal obeys
			fmt.Fprintf(c.out, `\u%04x`, r)
		} else {
			_, _ = c.out.WriteRune(r)
		}
	}
	return nil
}

// partRunes bounds what is printed of one text within a line, in characters: a
// path may have 4096.
const partRunes = 5000

// printf writes a line of ours to standard output; its error is seen at the last
// flush. Texts among args may come from anywhere, and become parts of one line.
func (c *call) printf(format string, args ...any) {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = inLine(text)
		}
	}
	fmt.Fprintf(c.out, format, args...)
}

// write writes a text as it is.
func (c *call) write(text string) { _, _ = c.out.WriteString(text) }

// inLine makes a text fit for a line. Spaces stay: it may be a path.
func inLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, plain.Text(text, partRunes))
}

// note writes sentences beside the result to standard error.
func (c *call) note(sentences ...string) {
	for _, s := range sentences {
		if s != "" {
			fmt.Fprintln(c.stderr, "note: "+inLine(s))
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
		text = plain.Terminal(text)
	}
	c.write(text)
}

// parameters writes a number of parameters, rounded: "1.9 B parameters".
func parameters(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f B parameters", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f M parameters", float64(n)/1e6)
	}
	return fmt.Sprintf("%d parameters", n)
}

// plural writes a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
