package tokenizer

import (
	"fmt"
	"strings"
	"testing"

	"inglenook/tokenizer/convert"
)

// TestSplits opens a vocabulary with each way to split text and encodes texts on which a
// bad pattern would take quadratic time: a hundred times as long for ten times the text.
func TestSplits(t *testing.T) {
	const few, times = 1_500, 10
	long := []struct{ unit, end string }{
		{" ", "a"}, {"\n ", ""}, {"a", "1"}, {"1", ""}, {"A", ""}, {"!", "a"}, {"'", ""}, {"\u3000", "3"}, {" ", "3"}, {"é", ""}, {"\t", "漢"},
	}
	seen := map[string]bool{}
	for _, name := range convert.Splits() {
		v := smallBytes()
		v.Pre = name
		tok := openVocabulary(t, v)
		key := fmt.Sprint(tok.file.Normalizer, tok.file.PreTokenizer)
		if seen[key] {
			continue
		}
		seen[key] = true
		t.Run(name, func(t *testing.T) {
			for _, c := range long {
				measure := func(n int) float64 {
					text := strings.Repeat(c.unit, n) + c.end
					start := cpu()
					e := mustEncode(t, tok, text, Options{NoSpecial: true})
					took := cpu() - start
					if back, err := tok.Decode(e.IDs, false); err != nil || back != text {
						t.Errorf("%.10q and so on comes back as %.20q, %v", text, back, err)
					}
					return took
				}
				small, large := measure(few), measure(times*few)
				if large > 4*times*small+0.2 {
					t.Errorf("%q %d times takes %.2f s, %d times %.2f s of CPU", c.unit, few, small, times*few, large)
				}
			}
			checkPieces(t, tok, 5)
		})
	}
}
