package grammar

import (
	"errors"
	"slices"
)

// builder makes the nodes of a grammar from the end to the beginning: each part
// is given the node that follows it.
type builder struct {
	nodes []node
	err   error // the first error; nodes made after it are useless

	finish int32 // the one return
	space  int32 // rule: white space between two JSON tokens
	text   int32 // rule: any JSON string

	effort     int                                 // places compared so far for what must not match, see product.go
	freeDigits map[numberKind]map[digitState]int32 // see number.go
}

// maxNodes limits the size of a grammar, at some 100 bytes per node.
const maxNodes = 100_000

var errTooLarge = errors.New("it allows too many different texts to keep track of; shorten its lists, lengths and patterns")

func newBuilder() *builder {
	b := &builder{freeDigits: map[numberKind]map[digitState]int32{}}
	b.finish = b.add(node{op: opReturn})
	b.space = b.buildSpace()
	b.text = b.buildText()
	return b
}

func (b *builder) add(n node) int32 {
	if len(b.nodes) >= maxNodes {
		if b.err == nil {
			b.err = errTooLarge
		}
		return 0
	}
	b.nodes = append(b.nodes, n)
	return int32(len(b.nodes) - 1)
}

func (b *builder) bytes(edges ...edge) int32     { return b.add(node{op: opBytes, edges: edges}) }
func (b *builder) byte(c byte, next int32) int32 { return b.bytes(edge{c, c, next}) }
func (b *builder) split(alts ...int32) int32     { return b.add(node{op: opSplit, alts: alts}) }
func (b *builder) call(rule, next int32) int32 {
	return b.add(node{op: opCall, body: rule, next: next})
}
func (b *builder) spaceThen(next int32) int32 { return b.call(b.space, next) }
func (b *builder) nothing() int32             { return b.bytes() } // no text at all

// lead sets the edges of a node; they may lead back to it.
func (b *builder) lead(at int32, edges ...edge) { b.nodes[at].edges = edges }

// literal reads a text.
func (b *builder) literal(text string, next int32) int32 {
	for i := len(text) - 1; i >= 0; i-- {
		next = b.byte(text[i], next)
	}
	return next
}

// repeat reads what body makes min to max times; a negative max means no limit.
// body is given the node that follows one repetition.
func (b *builder) repeat(low, high int32, body func(again int32) int32, next int32) int32 {
	if high >= 0 && low > high {
		return b.nothing()
	}
	count := b.add(node{op: opCount, min: low, max: high, next: next})
	again := body(count)
	b.nodes[count].body = again
	return b.add(node{op: opEnter, next: count})
}

// buildSpace makes white space as people and models lay out JSON: none, a
// space, or one or two line breaks and an indentation. Its length is limited,
// so that a model cannot continue it forever.
func (b *builder) buildSpace() int32 {
	indent := b.finish
	for range 20 {
		indent = b.split(b.finish, b.bytes(edge{' ', ' ', indent}, edge{'\t', '\t', indent}))
	}
	lines := b.split(indent, b.byte('\n', indent))
	return b.split(b.finish, b.bytes(edge{' ', ' ', b.finish}, edge{'\n', '\n', lines}))
}

// texts reads one of the texts. They share their prefixes, so that a long list
// is as fast to match as a short one.
func (b *builder) texts(all []string, next int32) int32 {
	all = slices.Sorted(slices.Values(all))
	root := b.bytes()
	var full []int32
	for _, text := range slices.Compact(all) {
		full = append(full, b.path(root, text))
	}
	if b.err != nil {
		return 0
	}
	for _, at := range full {
		if n := &b.nodes[at]; len(n.edges) == 0 {
			*n = node{op: opSplit, alts: []int32{next}}
		} else {
			longer := b.add(*n)
			b.nodes[at] = node{op: opSplit, alts: []int32{next, longer}}
		}
	}
	return root
}

// path follows a text from a node, adding missing nodes, and returns the node
// at its end.
func (b *builder) path(at int32, text string) int32 {
	for i := 0; i < len(text) && b.err == nil; i++ {
		to := int32(-1)
		for _, e := range b.nodes[at].edges {
			if e.low == text[i] {
				to = e.to
			}
		}
		if to < 0 {
			to = b.bytes()
			b.nodes[at].edges = append(b.nodes[at].edges, edge{text[i], text[i], to})
		}
		at = to
	}
	return at
}
