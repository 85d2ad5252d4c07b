package tokenizer

import (
	"fmt"
	"strings"
	"testing"
)

// TestSplits opens a vocabulary with each way to split text, and gives each
// texts on which a bad pattern would take quadratic time.
func TestSplits(t *testing.T) {
	const n = 15_000
	long := []string{
		strings.Repeat(" ", n) + "a", strings.Repeat("\n ", n), strings.Repeat("a", n) + "1", strings.Repeat("1", n), strings.Repeat("A", n),
		strings.Repeat("!", n) + "a", strings.Repeat("'", n), strings.Repeat("\u3000", n) + "3", strings.Repeat(" ", n) + "3", strings.Repeat("é", n), strings.Repeat("\t", n) + "漢",
	}
	seen := map[string]bool{}
	for name, s := range splits {
		key := fmt.Sprint(s)
		if seen[key] {
			continue
		}
		seen[key] = true
		t.Run(name, func(t *testing.T) {
			v := smallBytes()
			v.Pre = name
			tok := openVocabulary(t, v)
			for _, text := range long {
				start := cpu()
				e := mustEncode(t, tok, text, Options{NoSpecial: true})
				if took := cpu() - start; took > 2 {
					t.Errorf("%.10q and so on takes %.1f s of CPU", text, took)
				}
				if back, err := tok.Decode(e.IDs, false); err != nil || back != text {
					t.Errorf("%.10q and so on comes back as %.20q, %v", text, back, err)
				}
			}
			checkPieces(t, tok, 5)
		})
	}
}
