package base

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

// TestLogOfHostileNames writes names of any length and content as each kind of value. Each
// record stays one short line in plain characters.
func TestLogOfHostileNames(t *testing.T) {
	for kind, name := range map[string]string{
		"long": strings.Repeat("A", 200_000), "reversed": "a\u202eb", "controls": "\x1b[2J\x07\u009b", "lines": "a\nlevel=ERROR msg=forged\r\nb", "broken": "\xff\xfe",
		"secret at the cut": strings.Repeat("x", logRunes/2) + " hf_" + strings.Repeat("q", 5000),
	} {
		var out bytes.Buffer
		log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: RedactAttr}))
		log.Info(name, "text", name, "error", errors.New(name), "list", []string{name, name}, "any", struct{ Name string }{name})
		got := out.String()
		if len(got) > 6*logRunes*5 {
			t.Errorf("%s: a line of %d bytes", kind, len(got))
		}
		if strings.Count(got, "\n") != 1 || strings.ContainsAny(got, "\x1b\x07\u202e\u009b\r") || strings.Contains(got, "qqqq") {
			t.Errorf("%s: %.300q", kind, got)
		}
	}
}
