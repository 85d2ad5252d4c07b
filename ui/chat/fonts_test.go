package chat

import (
	"strings"
	"testing"

	"inglenook/app/chat"
)

// A script without a font is reported; one that can be drawn is not.
func TestMissingFonts(t *testing.T) {
	_, p := chatting(t)
	if got := p.fonts.missingIn(chat.Message{Parts: chat.Content("Plain words, Привет, Γειά, 1 2 3 — 🔥")}); got != "" {
		t.Errorf("for scripts of the bundled font: %q", got)
	}
	// No desktop installs a font with cuneiform by itself. If there is one, nothing is reported.
	got := p.fonts.missingIn(chat.Message{Parts: chat.Content("and 𒀀𒀁𒀂")})
	if got != "" && !strings.Contains(got, "no font for Cuneiform") {
		t.Errorf("for cuneiform: %q", got)
	}
	p.fonts.missing = map[string]bool{"Han": true, "Thai": true}
	if got := p.fonts.missingIn(chat.Message{Parts: chat.Content("漢字 กข")}); !strings.Contains(got, "Han, Thai") || !strings.HasSuffix(got, ".") {
		t.Errorf("for two scripts: %q", got)
	}
}
