package tokenizer

import (
	"strconv"
	"strings"
)

const blank = "▁" // stands for a space in SentencePiece's tokens

func replaceStep(from, to string) component {
	return component{"type": "Replace", "pattern": map[string]any{"String": from}, "content": to}
}

func sequence(of string, steps ...component) component {
	if len(steps) == 0 {
		return nil
	}
	return component{"type": "Sequence", of: steps}
}

// fallbackByte parses "<0x41>".
func fallbackByte(token string) (byte, bool) {
	digits, ok := strings.CutPrefix(token, "<0x")
	if !ok || len(digits) != 3 || digits[2] != '>' {
		return 0, false
	}
	b, err := strconv.ParseUint(digits[:2], 16, 8)
	return byte(b), err == nil
}
