package definition

import (
	"strconv"
	"strings"
)

// Blank stands for a space in SentencePiece's tokens.
const Blank = "▁"

// ReplaceStep is the component that replaces one text by another.
func ReplaceStep(from, to string) Component {
	return Component{"type": "Replace", "pattern": map[string]any{"String": from}, "content": to}
}

// replacePattern is the component that replaces what a pattern finds.
func replacePattern(pattern, to string) Component {
	return Component{"type": "Replace", "pattern": map[string]any{"Regex": pattern}, "content": to}
}

// Sequence makes one component of several; of is the key that lists them
// ("normalizers", "pretokenizers" or "decoders"). Of none it is nil.
func Sequence(of string, steps ...Component) Component {
	if len(steps) == 0 {
		return nil
	}
	return Component{"type": "Sequence", of: steps}
}

// FallbackByte parses "<0x41>".
func FallbackByte(token string) (byte, bool) {
	digits, ok := strings.CutPrefix(token, "<0x")
	if !ok || len(digits) != 3 || digits[2] != '>' {
		return 0, false
	}
	b, err := strconv.ParseUint(digits[:2], 16, 8)
	return byte(b), err == nil
}
