package labels

import "strings"

// gaps are how a person may write a gap in a text, beside a model's own word for it.
var gaps = []string{"[MASK]", "<mask>", "[mask]", "<MASK>", "___"}

// Gaps returns a text with the model's word for a gap in the place of each gap, and how many
// there are. A longer line of underscores is one gap.
func Gaps(text, mask string) (string, int) {
	var out strings.Builder
	n := 0
	for len(text) > 0 {
		gap := ""
		for _, g := range append([]string{mask}, gaps...) {
			if gap == "" && strings.HasPrefix(text, g) {
				gap = g
			}
		}
		if gap == "" {
			out.WriteByte(text[0])
			text = text[1:]
			continue
		}
		if text = text[len(gap):]; gap == "___" {
			text = strings.TrimLeft(text, "_")
		}
		out.WriteString(mask)
		n++
	}
	return out.String(), n
}
