package grammar

import (
	"encoding/binary"
	"slices"
)

// machine runs a grammar over bytes. A grammar may continue in several ways at
// once, so a state is a set of positions, each a node and a stack. States are
// numbered and have a table of the state after each byte, which is filled on
// demand, so that most steps are a single look-up.
type machine struct {
	grammar *Grammar

	frames  []frame
	frameAt map[frame]int32

	sets    [][]position // by state
	ends    []bool       // by state: the text may end here
	rows    [][256]int32 // by state: the state after each byte
	stateAt map[string]int32

	work int // positions visited to fill the table

	building []position
	mayEnd   bool
	visited  map[position]struct{}
	key      []byte
}

// frame is an entry of a stack, linked to the frames below it.
type frame struct {
	below int32
	node  int32 // where a return continues, or the node that counts
	count int32
	depth int32 // of the stack including this frame
}

// position is a place in the grammar: a node that reads bytes, and the stack.
type position struct{ node, stack int32 }

const (
	dead    = 0 // the state without continuations
	unknown = -1
)

// maxPositions limits the positions of a state. For a more ambiguous grammar
// only the first positions are kept; each of them can still reach the end.
const maxPositions = 256

// maxVisits limits the search for positions once one was found.
const maxVisits = 2048

// maxStates is the number of states at which the tables are cleared; each state
// takes 1 kB or more.
const maxStates = 8192

// newMachine returns the machine and the state before the first byte.
func newMachine(g *Grammar) (*machine, int32) {
	m := &machine{grammar: g, visited: map[position]struct{}{}}
	m.clear()
	m.reach(g.start, 0)
	return m, m.intern()
}

func (m *machine) clear() {
	m.frames, m.frameAt = []frame{{}}, map[frame]int32{}
	m.sets, m.ends, m.stateAt = [][]position{nil}, []bool{false}, map[string]int32{}
	m.rows = make([][256]int32, 1, 64) // no byte leads away from dead
}

// renew clears the tables except for one state, and returns its new number.
func (m *machine) renew(state int32) int32 {
	set, ends, frames := m.sets[state], m.ends[state], m.frames
	m.clear()
	var keep func(stack int32) int32
	keep = func(stack int32) int32 {
		if stack == 0 {
			return 0
		}
		f := frames[stack]
		return m.push(keep(f.below), f.node, f.count)
	}
	m.building, m.mayEnd = m.building[:0], ends
	for _, p := range set {
		m.building = append(m.building, position{p.node, keep(p.stack)})
	}
	return m.intern()
}

// step returns the state after a byte.
func (m *machine) step(state int32, b byte) int32 {
	if to := m.rows[state][b]; to != unknown {
		return to
	}
	m.building, m.mayEnd = m.building[:0], false
	clear(m.visited)
	for _, p := range m.sets[state] {
		for _, e := range m.grammar.nodes[p.node].edges {
			if e.low <= b && b <= e.high {
				m.reach(e.to, p.stack)
			}
		}
	}
	m.work += 1 + len(m.sets[state]) + len(m.visited)
	to := m.intern()
	m.rows[state][b] = to
	return to
}

// reach adds the positions that can be reached from a node without reading a
// byte.
func (m *machine) reach(at, stack int32) {
	for {
		if m.frames[stack].depth+m.grammar.need[at] > maxFrames || len(m.visited) > maxVisits && (m.mayEnd || len(m.building) > 0) {
			return
		}
		n := &m.grammar.nodes[at]
		switch n.op {
		case opBytes:
			if p := (position{at, stack}); len(m.building) < maxPositions && m.visit(p) {
				m.building = append(m.building, p)
			}
			return
		case opSplit:
			if !m.visit(position{at, stack}) {
				return
			}
			for _, to := range n.alts {
				m.reach(to, stack)
			}
			return
		case opCall:
			if m.grammar.nodes[n.next].op != opReturn { // otherwise the body's return is this one
				stack = m.push(stack, n.next, 0)
			}
			at = n.body
		case opReturn:
			if stack == 0 {
				m.mayEnd = true
				return
			}
			at, stack = m.frames[stack].node, m.frames[stack].below
		case opEnter:
			at, stack = n.next, m.push(stack, n.next, 0)
		case opCount:
			if !m.visit(position{at, stack}) {
				return
			}
			f := m.frames[stack]
			if n.max < 0 || f.count < n.max {
				count := f.count + 1
				if n.max < 0 {
					count = min(count, n.min)
				}
				m.reach(n.body, m.push(f.below, f.node, count))
			}
			if f.count < n.min {
				return
			}
			at, stack = n.next, f.below
		}
	}
}

// visit reports whether the position is new in this step.
func (m *machine) visit(p position) bool {
	before := len(m.visited)
	m.visited[p] = struct{}{}
	return len(m.visited) > before
}

// push returns the stack with an additional frame; equal stacks have the same
// number.
func (m *machine) push(stack, node, count int32) int32 {
	f := frame{stack, node, count, m.frames[stack].depth + 1}
	if i, ok := m.frameAt[f]; ok {
		return i
	}
	m.frames = append(m.frames, f)
	m.frameAt[f] = int32(len(m.frames) - 1)
	return m.frameAt[f]
}

// intern returns the number of the state with the positions that were just
// built.
func (m *machine) intern() int32 {
	if len(m.building) == 0 && !m.mayEnd {
		return dead
	}
	slices.SortFunc(m.building, func(a, b position) int {
		if a.node != b.node {
			return int(a.node - b.node)
		}
		return int(a.stack - b.stack)
	})
	m.key = m.key[:0]
	for _, p := range m.building {
		m.key = binary.NativeEndian.AppendUint32(m.key, uint32(p.node))
		m.key = binary.NativeEndian.AppendUint32(m.key, uint32(p.stack))
	}
	if m.mayEnd {
		m.key = append(m.key, 1)
	}
	if state, ok := m.stateAt[string(m.key)]; ok {
		return state
	}
	state := int32(len(m.sets))
	m.stateAt[string(m.key)] = state
	m.sets = append(m.sets, slices.Clone(m.building))
	m.ends = append(m.ends, m.mayEnd)
	var row [256]int32
	for b := range row {
		row[b] = unknown
	}
	m.rows = append(m.rows, row)
	return state
}
