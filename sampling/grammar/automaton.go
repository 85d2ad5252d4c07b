// Package grammar limits what a language model writes to valid JSON: a [Grammar]
// is made of a JSON schema, and the [State] of a reply tells which tokens may come
// next. What a grammar cannot enforce is judged by [Grammar.Check] once the reply is
// complete.
package grammar

import (
	"maps"
	"slices"
)

// A grammar is a recursive automaton over bytes. Its nodes read a byte, choose
// without reading, call a rule (push the node to go on with) or return from it
// (pop). A counter is a frame on the same stack.

type nodeOp uint8

const (
	opBytes  nodeOp = iota // reads a byte and follows the matching edge; without edges nothing may follow
	opSplit                // continues at each of alts
	opCall                 // runs body up to its return, then next
	opReturn               // ends a rule, or the text if the stack is empty
	opEnter                // starts counting for the opCount node next
	opCount                // runs body, which returns here, min to max times, then next
)

type node struct {
	op       nodeOp
	next     int32
	body     int32
	min, max int32   // of opCount; a max below 0 is no limit
	edges    []edge  // of opBytes
	alts     []int32 // of opSplit
}

// edge leads from one node to another on any byte of a range.
type edge struct {
	low, high byte
	to        int32
}

// Grammar is a language of texts, such as all JSON objects that follow a
// schema. It is safe for concurrent use.
type Grammar struct {
	nodes []node
	start int32
	need  []int32 // of each node: frames that it needs at least to reach the return

	checker *checker        // judges what the grammar cannot enforce; nil: nothing
	rest    map[string]bool // the keywords that are left to it
}

// Check returns an error, one sentence, if a complete text that the grammar allows
// does not follow the schema all the same: see [CompileSchema] for what cannot be
// enforced while it is written.
func (g *Grammar) Check(text string) error {
	if g.checker == nil {
		return nil
	}
	return g.checker.judge(text)
}

// Checked returns the keywords that [Grammar.Check] judges, sorted.
func (g *Grammar) Checked() []string { return slices.Sorted(maps.Keys(g.rest)) }

// maxFrames limits the stack, and so the nesting of a text. A node that needs
// more frames than are left is never entered, so the end can always be reached.
const maxFrames = 256

// measure computes what every node needs, by Knuth's generalization of
// Dijkstra's algorithm: nodes are settled in the order of their need. A node
// that cannot reach a return needs more than maxFrames.
func (g *Grammar) measure() {
	g.need = make([]int32, len(g.nodes))
	for i := range g.need {
		g.need[i] = maxFrames + 1
	}
	before := g.predecessors()
	var waiting [maxFrames + 1][]int32
	offer := func(i, need int32) {
		if need < g.need[i] {
			g.need[i] = need
			waiting[need] = append(waiting[need], i)
		}
	}
	for i := range g.nodes {
		if g.nodes[i].op == opReturn {
			offer(int32(i), 0)
		}
	}
	for need := range int32(len(waiting)) {
		for at := 0; at < len(waiting[need]); at++ {
			i := waiting[need][at]
			if g.need[i] < need {
				continue // settled with less
			}
			for _, p := range before[i] {
				offer(p, g.needOf(p))
			}
		}
	}
}

// needOf returns what a node needs, given the needs of the nodes it leads to.
func (g *Grammar) needOf(i int32) int32 {
	n := &g.nodes[i]
	least := int32(maxFrames + 1)
	switch n.op {
	case opBytes:
		for _, e := range n.edges {
			least = min(least, g.need[e.to])
		}
	case opSplit:
		for _, to := range n.alts {
			least = min(least, g.need[to])
		}
	case opCall:
		least = max(1+g.need[n.body], g.need[n.next])
	case opCount:
		least = g.need[n.next]
	case opEnter:
		least = 1 + g.need[n.next]
		if c := &g.nodes[n.next]; c.min > 0 {
			least = max(least, 1+g.need[c.body])
		}
	}
	return least
}

// predecessors lists for every node the nodes whose need depends on its own.
func (g *Grammar) predecessors() [][]int32 {
	before := make([][]int32, len(g.nodes))
	add := func(from int, to int32) { before[to] = append(before[to], int32(from)) }
	for i := range g.nodes {
		switch n := &g.nodes[i]; n.op {
		case opBytes:
			for _, e := range n.edges {
				add(i, e.to)
			}
		case opSplit:
			for _, to := range n.alts {
				add(i, to)
			}
		case opCall:
			add(i, n.body)
			add(i, n.next)
		case opCount:
			add(i, n.next)
		case opEnter:
			add(i, n.next)
			add(i, g.nodes[n.next].body)
		}
	}
	return before
}
