package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"inglenook/tokenizer/definition"
)

// maxPieceBytes bounds the work of splitting a token. Published vocabularies
// stay below 200.
const maxPieceBytes = 512

// scoredMerges turns the scores of a SentencePiece vocabulary into the ranked
// merges of BPE. SentencePiece joins the two neighbours that make the piece
// with the best score, whichever two they are. So each way to split a piece
// into two others becomes a merge, and a better score becomes a lower rank.
//
// Where pieces of equal score could be joined at two places, SentencePiece
// joins the one further left, whereas BPE uses the merge of lower rank. In
// vocabularies that SentencePiece trained all scores differ. Some converters
// give every piece the same score; there the lower id goes first, which is the
// order in which BPE made them.
func (b *builder) scoredMerges() ([][2]string, error) {
	type merge struct {
		id  int32
		cut int
	}
	var merges []merge
	usable := make([]bool, len(b.Tokens))
	for i := range b.Tokens {
		usable[i] = b.kind(int32(i)) == NormalType
	}
	is := func(piece string) bool {
		id, ok := b.ids[piece]
		return ok && usable[id]
	}
	for i, token := range b.Tokens {
		if !usable[i] {
			continue
		}
		if len(token) > maxPieceBytes {
			return nil, fmt.Errorf("its token %d has %d bytes, more than the %d of the longest pieces", i, len(token), maxPieceBytes)
		}
		for cut := range token { // the start of each character
			if cut > 0 && is(token[:cut]) && is(token[cut:]) {
				merges = append(merges, merge{int32(i), cut})
			}
		}
		if len(merges) > definition.MaxTokens {
			return nil, fmt.Errorf("it has more than %d ways to put its tokens together", definition.MaxTokens)
		}
	}
	slices.SortFunc(merges, func(x, y merge) int {
		return cmp.Or(cmp.Compare(b.Scores[y.id], b.Scores[x.id]), cmp.Compare(x.id, y.id), cmp.Compare(x.cut, y.cut))
	})
	pairs := make([][2]string, len(merges))
	for i, m := range merges {
		token := b.Tokens[m.id]
		pairs[i] = [2]string{token[:m.cut], token[m.cut:]}
	}
	return pairs, nil
}

// statedMerges reads the merges of a BPE vocabulary.
func (b *builder) statedMerges() ([][2]string, error) {
	if len(b.Merges) == 0 {
		return nil, fmt.Errorf("it has no merges, and its kind (%s) needs them", b.Model)
	}
	pairs := make([][2]string, len(b.Merges))
	for i, m := range b.Merges {
		at := -1
		if len(m) > 1 {
			at = 1 + strings.IndexByte(m[1:], ' ') // the left part may be a space
		}
		if at < 1 || at == len(m)-1 {
			return nil, fmt.Errorf("its merge number %d, %.60q, is not a pair of tokens", i, m)
		}
		if !utf8.ValidString(m) {
			return nil, fmt.Errorf("its merge number %d, %.60q, is not UTF-8 text", i, m)
		}
		pairs[i] = [2]string{m[:at], m[at+1:]}
	}
	return pairs, nil
}

// mergesArray writes the merges in JSON: as "left right", or as ["left",
// "right"] where the former would be ambiguous. The library requires one form
// for all.
func mergesArray(pairs [][2]string) []byte {
	unclear := slices.ContainsFunc(pairs, func(p [2]string) bool {
		return strings.Contains(p[0], " ") || strings.Contains(p[1], " ") || strings.HasPrefix(p[0], "#version")
	})
	if len(pairs) == 0 {
		return []byte("[]")
	}
	out := make([]byte, 0, 24*len(pairs))
	out = append(out, '[')
	for _, p := range pairs {
		if unclear {
			out = append(quoteToken(append(out, '['), p[0]), ',')
			out = append(quoteToken(out, p[1]), "],"...)
			continue
		}
		out = append(quoteToken(out, p[0]+" "+p[1]), ',')
	}
	out[len(out)-1] = ']'
	return out
}
