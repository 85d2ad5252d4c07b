package tokenizer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"inglenook/tokenizer/definition"
	"inglenook/tokenizer/pieces"
)

// A rendered chat holds control tokens of two kinds: those that the chat
// template wrote must be control tokens, and those that a person typed must
// stay text. The library can only take all or none. So there is a third form
// of the tokenizer, in which every control token has a name that no text
// contains; the template's tokens are written by these names.

// EncodeChat returns the ids of a rendered chat. As with ParseSpecial and
// NoSpecial, control tokens in the text become control tokens, except those
// that begin at one of the bytes listed in plain (ascending), which stay text.
func (t *Tokenizer) EncodeChat(ctx context.Context, text string, plain []int) ([]int32, error) {
	if len(plain) == 0 {
		e, err := t.encodeSingle(ctx, text, Options{NoSpecial: true, ParseSpecial: true})
		return e.IDs, err
	}
	return t.encodeMarked(ctx, t.mark(text, plain))
}

// marked is a text in which controlMark precedes each control token that must
// be parsed as one.
type marked struct {
	text  string
	spans [][2]int      // of the marked tokens with their marks
	count map[int32]int // occurrences of each
}

// mark finds added tokens as the library does: the leftmost first, and at one
// place the longest.
func (t *Tokenizer) mark(text string, plain []int) marked {
	starts := map[byte][]string{} // added tokens by first byte, the longest first
	for _, a := range t.file.Added {
		starts[a.Content[0]] = append(starts[a.Content[0]], a.Content)
	}
	for _, list := range starts {
		slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
	}
	m := marked{count: map[int32]int{}}
	var out strings.Builder
	from := 0
	for i := 0; i < len(text); {
		for len(plain) > 0 && plain[0] < i {
			plain = plain[1:]
		}
		typed := len(plain) > 0 && plain[0] == i
		n := slices.IndexFunc(starts[text[i]], func(token string) bool {
			return strings.HasPrefix(text[i:], token) && !(typed && t.file.Controls[token])
		})
		if n < 0 {
			i++
			continue
		}
		token := starts[text[i]][n]
		if t.file.Controls[token] {
			out.WriteString(pieces.Prepare(text[from:i], 0).Text)
			start := out.Len()
			out.WriteString(definition.ControlMark + token)
			m.spans = append(m.spans, [2]int{start, out.Len()})
			m.count[t.ids[token]]++
			from = i + len(token)
		}
		i += len(token)
	}
	out.WriteString(pieces.Prepare(text[from:], 0).Text)
	m.text = out.String()
	return m
}

func (t *Tokenizer) encodeMarked(ctx context.Context, m marked) ([]int32, error) {
	var ids []int32
	for at := 0; at < len(m.text); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		end := m.uncut(at, at+t.cutter.Next(m.text[at:], t.cutter.Soft))
		answer, err := t.encodeWith(&t.marked, t.cutter.Instead(m.text[:at], m.text[at:end]), false)
		if err != nil {
			return nil, err
		}
		for _, id := range answer.ids {
			ids = append(ids, int32(id))
		}
		at = end
	}
	return ids, t.checkMarked(ids, m.count)
}

// uncut moves the end of a piece that begins at from so that it cuts no marked
// token in two.
func (m marked) uncut(from, end int) int {
	i, _ := slices.BinarySearchFunc(m.spans, end, func(span [2]int, end int) int { return span[1] - end })
	if i == len(m.spans) || m.spans[i][0] >= end {
		return end
	}
	if start := m.spans[i][0]; start > from {
		return start
	}
	return m.spans[i][1]
}

// checkMarked checks that the ids hold the marked control tokens and no
// others. They should by construction, but a typed control token that slips
// through ends a turn and makes the model mistake who is speaking.
func (t *Tokenizer) checkMarked(ids []int32, want map[int32]int) error {
	got := map[int32]int{}
	for _, id := range ids {
		got[id]++
	}
	unknown := t.UnknownID()
	for id := range t.special {
		if id != unknown && got[id] != want[id] {
			token, _ := t.Token(id)
			return fmt.Errorf("the text holds %q, and this model's tokenizer can't tell that from the model's own control token; take it out of the text", token)
		}
	}
	return nil
}
