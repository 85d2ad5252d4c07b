package grammar

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// buildText makes the rule for any JSON string.
func (b *builder) buildText() int32 {
	inside := b.bytes()
	b.lead(inside, append(b.character(inside), edge{'"', '"', b.finish})...)
	return b.byte('"', inside)
}

// sizedText reads a JSON string of min to max characters; a negative max means
// no limit.
func (b *builder) sizedText(low, high int32) int32 {
	if low == 0 && high < 0 {
		return b.text
	}
	quote := b.byte('"', b.finish)
	return b.byte('"', b.repeat(low, high, func(again int32) int32 {
		return b.bytes(b.character(again)...)
	}, quote))
}

// character returns the edges for one character of a JSON string, literal or
// escaped (RFC 8259, section 7).
func (b *builder) character(next int32) []edge {
	return append(b.rawCharacter(next), edge{'\\', '\\', b.escape(next)})
}

// rawCharacter returns the edges for any character that needs no escape, in
// UTF-8: no overlong form, no half of a surrogate pair, nothing beyond U+10FFFF
// (RFC 3629).
func (b *builder) rawCharacter(next int32) []edge {
	one := b.bytes(edge{0x80, 0xBF, next})
	two := b.bytes(edge{0x80, 0xBF, one})
	three := b.bytes(edge{0x80, 0xBF, two})
	return []edge{
		{' ', '!', next},
		{'#', '[', next},
		{']', 0x7F, next},
		{0xC2, 0xDF, one},
		{0xE0, 0xE0, b.bytes(edge{0xA0, 0xBF, one})},
		{0xE1, 0xEC, two},
		{0xED, 0xED, b.bytes(edge{0x80, 0x9F, one})},
		{0xEE, 0xEF, two},
		{0xF0, 0xF0, b.bytes(edge{0x90, 0xBF, two})},
		{0xF1, 0xF3, three},
		{0xF4, 0xF4, b.bytes(edge{0x80, 0x8F, two})},
	}
}

// escape reads what follows a backslash: a letter, or four hexadecimal digits
// and, after the first half of a surrogate pair, the second half.
func (b *builder) escape(next int32) int32 {
	hex := func(next int32) int32 {
		return b.bytes(edge{'0', '9', next}, edge{'a', 'f', next}, edge{'A', 'F', next})
	}
	one := hex(next)
	two := hex(one)
	three := hex(two)

	low := b.bytes(edge{'c', 'f', two}, edge{'C', 'F', two})
	low = b.literal(`\u`, b.bytes(edge{'d', 'd', low}, edge{'D', 'D', low}))
	low = hex(hex(low))
	afterD := b.bytes(edge{'0', '7', two}, edge{'8', '9', low}, edge{'a', 'b', low}, edge{'A', 'B', low})

	first := b.bytes(edge{'0', '9', three},
		edge{'a', 'c', three}, edge{'d', 'd', afterD}, edge{'e', 'f', three},
		edge{'A', 'C', three}, edge{'D', 'D', afterD}, edge{'E', 'F', three})
	edges := []edge{{'u', 'u', first}}
	for _, c := range []byte(`"\/bfnrt`) {
		edges = append(edges, edge{c, c, next})
	}
	return b.bytes(edges...)
}

// quote returns a text as a JSON string with as few escapes as possible.
func quote(text string) string {
	var q strings.Builder
	q.WriteByte('"')
	for _, r := range text {
		q.WriteString(quoteRune(r))
	}
	q.WriteByte('"')
	return q.String()
}

func quoteRune(r rune) string {
	switch r {
	case '"', '\\':
		return `\` + string(r)
	case '\b':
		return `\b`
	case '\f':
		return `\f`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	if r < ' ' {
		return fmt.Sprintf(`\u%04x`, r)
	}
	return string(r)
}

// otherName reads any JSON string without escapes, except the given ones: the
// name of a property that a schema does not list. It follows a tree of the
// names in parallel with the automaton of any string; once off the tree only
// the latter is left.
func (b *builder) otherName(names []string, next int32) int32 {
	inside := b.bytes()
	b.lead(inside, append(b.rawCharacter(inside), edge{'"', '"', next})...)

	names = slices.Clone(names)
	slices.Sort(names)
	root := b.bytes()
	beside := map[int32]int32{root: inside} // by node of the tree
	given := map[int32]bool{}
	for _, name := range names {
		at, ok := root, true
		for i := 0; i < len(name) && ok && b.err == nil; i++ {
			var any int32
			if any, ok = b.follow(beside[at], name[i]); ok { // otherwise it cannot be spelled without escapes
				at = b.path(at, name[i:i+1])
				beside[at] = any
			}
		}
		given[at] = given[at] || ok
	}
	if b.err != nil {
		return 0
	}
	for at, any := range beside {
		edges := b.nodes[at].edges // one byte each, ascending
		for _, e := range b.nodes[any].edges {
			if e.low != '"' || !given[at] {
				edges = append(edges, without(e, b.nodes[at].edges)...)
			}
		}
		b.lead(at, edges...)
	}
	return b.byte('"', root)
}

// follow returns the node that follows a byte.
func (b *builder) follow(at int32, c byte) (int32, bool) {
	for _, e := range b.nodes[at].edges {
		if e.low <= c && c <= e.high {
			return e.to, true
		}
	}
	return 0, false
}

// without removes from an edge the bytes of others, which have one byte each
// and ascend.
func without(e edge, others []edge) (left []edge) {
	low := int(e.low)
	for _, o := range others {
		if c := int(o.low); low <= c && c <= int(e.high) {
			if low < c {
				left = append(left, edge{byte(low), byte(c - 1), e.to})
			}
			low = c + 1
		}
	}
	if low <= int(e.high) {
		left = append(left, edge{byte(low), e.high, e.to})
	}
	return left
}

// runes reads one character of a set of ranges, each in the shortest form that
// JSON allows.
func (b *builder) runes(set []rune, next int32) (edges []edge) {
	var escaped []string
	for i := 0; i < len(set); i += 2 {
		for r := set[i]; r <= min(set[i+1], '\\'); r++ {
			if q := quoteRune(r); len(q) > 1 {
				escaped = append(escaped, q)
			}
		}
	}
	if escaped != nil {
		edges = append(edges, b.nodes[b.texts(escaped, next)].edges...)
	}
	set = cut(cut(cut(set, 0, ' '-1), '"', '"'), '\\', '\\')
	for i := 0; i < len(set); i += 2 {
		from := set[i]
		for _, last := range []rune{0x7F, 0x7FF, 0xFFFF, utf8.MaxRune} { // of one byte, of two, ...
			if to := min(set[i+1], last); from <= to {
				edges = append(edges, b.span([]byte(string(from)), []byte(string(to)), next)...)
				from = to + 1
			}
		}
	}
	return edges
}

// span reads the characters whose UTF-8 forms, of the same length, lie between
// two.
func (b *builder) span(low, high []byte, next int32) (edges []edge) {
	if len(low) == 1 {
		return []edge{{low[0], high[0], next}}
	}
	if low[0] == high[0] {
		return []edge{{low[0], low[0], b.bytes(b.span(low[1:], high[1:], next)...)}}
	}
	first := bytes.Repeat([]byte{0x80}, len(low)-1)
	last := bytes.Repeat([]byte{0xBF}, len(low)-1)
	from, to := low[0], high[0]
	if !bytes.Equal(low[1:], first) {
		edges = append(edges, edge{from, from, b.bytes(b.span(low[1:], last, next)...)})
		from++
	}
	if !bytes.Equal(high[1:], last) {
		edges = append(edges, edge{to, to, b.bytes(b.span(first, high[1:], next)...)})
		to--
	}
	if from <= to {
		edges = append(edges, edge{from, to, b.bytes(b.span(first, last, next)...)})
	}
	return edges
}
