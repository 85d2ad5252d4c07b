package grammar

import (
	"bytes"
	"slices"
)

// Vocabulary holds the bytes of all tokens of a model as a tree, so that tokens
// with a common prefix are examined together. It is made once per model and is
// safe for concurrent use.
type Vocabulary struct {
	size   int     // ids are below it
	ends   []int32 // tokens that end a reply
	tokens [][]byte
	nodes  []treeNode // every node precedes those below it; one extra at the end
	order  []int32    // token ids in the order of the nodes they end at
	depth  int        // bytes of the longest token
}

// treeNode is one byte of one or more tokens.
type treeNode struct {
	skip  int32 // the next node that is not below this one
	first int32 // the tokens that end here are order[first:the next node's first]
	depth int32 // bytes before this one
	byte  byte
}

// NewVocabulary returns the vocabulary of the tokens with ids below n. A
// grammar never allows a token without bytes (a control token); it allows the
// tokens in ends where the text may end.
func NewVocabulary(tokens func(id int32) []byte, n int, ends []int32) *Vocabulary {
	v := &Vocabulary{size: n, tokens: make([][]byte, n)}
	for _, id := range ends {
		if 0 <= id && int(id) < n && !slices.Contains(v.ends, id) {
			v.ends = append(v.ends, id)
		}
	}
	sorted := make([]int32, 0, n)
	for id := range int32(n) {
		if slices.Contains(v.ends, id) {
			continue
		}
		if text := tokens(id); len(text) > 0 {
			v.tokens[id] = bytes.Clone(text)
			v.depth = max(v.depth, len(text))
			sorted = append(sorted, id)
		}
	}
	slices.SortFunc(sorted, func(a, b int32) int {
		if c := bytes.Compare(v.tokens[a], v.tokens[b]); c != 0 {
			return c
		}
		return int(a - b)
	})
	v.grow(sorted)
	return v
}

// grow builds the tree of the tokens, which are sorted by their bytes.
func (v *Vocabulary) grow(sorted []int32) {
	var path []int32 // nodes of the previous token
	var before []byte
	cut := func(length int) {
		for _, node := range path[length:] {
			v.nodes[node].skip = int32(len(v.nodes))
		}
		path = path[:length]
	}
	for _, id := range sorted {
		text := v.tokens[id]
		same := 0
		for same < min(len(before), len(text)) && before[same] == text[same] {
			same++
		}
		cut(same)
		for depth := same; depth < len(text); depth++ {
			path = append(path, int32(len(v.nodes)))
			v.nodes = append(v.nodes, treeNode{first: int32(len(v.order)), depth: int32(depth), byte: text[depth]})
		}
		v.order = append(v.order, id)
		before = text
	}
	cut(0)
	v.nodes = append(v.nodes, treeNode{first: int32(len(v.order))})
}
