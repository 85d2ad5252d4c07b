package sources

import (
	"strconv"
	"strings"

	"inglenook/app/chat"
	"inglenook/markdown"
)

// Marks says how the sentences of an answer are shown: behind one that a passage supports
// stands the passage's number, one that none supports is doubted.
func Marks(claims []chat.Claim, passages int) []markdown.Mark {
	var list []markdown.Mark
	for i, c := range claims {
		m := markdown.Mark{Start: c.Start, End: c.End}
		if c.Passage >= 0 && c.Passage < passages {
			m.Refs = []markdown.Ref{{Label: strconv.Itoa(c.Passage + 1), Address: address(cited, i)}}
		} else {
			m.Doubted, m.Refs = true, []markdown.Ref{{Label: "?", Address: address(doubted, i)}}
		}
		list = append(list, m)
	}
	return list
}

// What the references in an answer lead to.
const (
	cited   = "support:" // what supports a sentence, by the place of this among the claims
	doubted = "doubt:"   // why a sentence has no support, the same
)

func address(kind string, n int) string { return kind + strconv.Itoa(n) }

// numberIn returns the number behind a kind of address.
func numberIn(address, kind string) (int, bool) {
	text, ok := strings.CutPrefix(address, kind)
	n, err := strconv.Atoi(text)
	return n, ok && err == nil && n >= 0
}
