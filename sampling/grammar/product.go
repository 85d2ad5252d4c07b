package grammar

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// matching reads a JSON string that follows a rule. A character that JSON escapes
// has one spelling.
//
// The nodes are those of a product of automata: a place in each expression that
// has to match, a set of places in each that must not, and the number of
// characters so far, as far as it matters.
func (b *builder) matching(r textRule) (int32, error) {
	all, err := programs(r.all)
	if err != nil {
		return 0, err
	}
	none, err := programs(r.none)
	if err != nil {
		return 0, err
	}
	p := &product{builder: b, all: all, low: r.low, high: r.high, made: map[string]int32{}}
	for _, program := range none {
		p.none = append(p.none, &avoided{program: program, setAt: map[string]int32{}})
	}
	s := productState{at: make([]progress, len(all)), sets: make([]int32, len(none))}
	for i, a := range p.none {
		s.sets[i] = a.start()
	}
	start := p.node(s)
	for len(p.waiting) > 0 && b.err == nil {
		s := p.waiting[len(p.waiting)-1]
		p.waiting = p.waiting[:len(p.waiting)-1]
		at := p.made[s.key()]
		alts := p.follow(s)
		p.nodes[at].alts = alts
	}
	return b.byte('"', start), nil
}

// product makes the nodes of a string that follows several expressions.
type product struct {
	*builder
	all       []*syntax.Prog
	none      []*avoided
	low, high int32
	made      map[string]int32
	waiting   []productState // created but not yet filled
}

type productState struct {
	count int32      // of characters so far, up to the largest that matters
	at    []progress // one for each of product.all
	sets  []int32    // one for each of product.none
}

// progress is where the match of one expression stands.
type progress struct {
	stage stage
	at    uint32 // the instruction
}

type stage uint8

const (
	before stage = iota // the match may begin here or later
	later               // it does not begin before the next character
	within              // it
	atEnd               // within it, where no further character may follow
	ended               // behind the match, where no further character may follow
	behind              // the match
)

func (s productState) key() string {
	key := binary.AppendUvarint(nil, uint64(s.count))
	for _, p := range s.at {
		key = binary.AppendUvarint(append(key, byte(p.stage)), uint64(p.at))
	}
	for _, set := range s.sets {
		key = binary.AppendUvarint(key, uint64(set))
	}
	return string(key)
}

// with returns the state with another place in one of the expressions.
func (s productState) with(i int, p progress) productState {
	s.at = slices.Clone(s.at)
	s.at[i] = p
	return s
}

// node returns the node of a state, to be filled later.
func (p *product) node(s productState) int32 {
	key := s.key()
	at, ok := p.made[key]
	if !ok {
		at = p.split()
		p.made[key] = at
		p.waiting = append(p.waiting, s)
	}
	return at
}

// follow lists the nodes that may follow a state: first what each expression can
// do without a character, then the characters that all of them can read.
func (p *product) follow(s productState) []int32 {
	for i, at := range s.at {
		if next, moves := p.moves(i, at, s.count); moves {
			var alts []int32
			for _, to := range next {
				alts = append(alts, p.node(s.with(i, to)))
			}
			return alts
		}
	}
	return append(p.characters(s), p.end(s)...)
}

// moves lists where the match of an expression can go without a character. It
// returns false if it has to read one, or is over.
func (p *product) moves(i int, at progress, count int32) (next []progress, moves bool) {
	program := p.all[i]
	switch at.stage {
	case before:
		return []progress{{stage: later}, {within, uint32(program.Start)}}, true
	case later, ended, behind:
		return nil, false
	}
	in := &program.Inst[at.at]
	switch in.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		return []progress{{at.stage, in.Out}, {at.stage, in.Arg}}, true
	case syntax.InstCapture, syntax.InstNop:
		return []progress{{at.stage, in.Out}}, true
	case syntax.InstEmptyWidth:
		empty := syntax.EmptyOp(in.Arg)
		if empty&syntax.EmptyBeginText != 0 && count > 0 {
			return nil, true
		}
		if empty&syntax.EmptyEndText != 0 {
			at.stage = atEnd
		}
		return []progress{{at.stage, in.Out}}, true
	case syntax.InstMatch:
		if at.stage == atEnd {
			return []progress{{stage: ended}}, true
		}
		return []progress{{stage: behind}}, true
	case syntax.InstFail:
		return nil, true
	}
	return nil, at.stage == atEnd
}

// after returns the number of characters after another one; false if there may be
// none.
func (p *product) after(count int32) (int32, bool) {
	if p.high >= 0 {
		return count + 1, count < p.high
	}
	return min(count+1, max(p.low, 1)), true // at 1 it is no longer the beginning
}

// characters lists nodes that read a character which all expressions can read.
func (p *product) characters(s productState) []int32 {
	next := productState{at: slices.Clone(s.at)}
	var more bool
	if next.count, more = p.after(s.count); !more {
		return nil
	}
	set := []rune{0, 0xD7FF, 0xE000, utf8.MaxRune}
	any := len(p.none) == 0
	for i, at := range s.at {
		switch at.stage {
		case ended:
			return nil
		case later:
			next.at[i] = progress{stage: before}
		case within:
			in := &p.all[i].Inst[at.at]
			set = common(set, runesOf(in))
			next.at[i].at = in.Out
			any = false
		}
	}
	if any {
		next.sets = s.sets
		return []int32{p.bytes(p.character(p.node(next))...)}
	}
	var nodes []int32
	for _, part := range p.avoid(s.sets, set) {
		to := next
		to.sets = part.sets
		nodes = append(nodes, p.bytes(p.runes(part.set, p.node(to))...))
	}
	return nodes
}

// end closes the string if it may end in a state.
func (p *product) end(s productState) []int32 {
	if s.count < p.low {
		return nil
	}
	for _, at := range s.at {
		if at.stage != ended && at.stage != behind {
			return nil
		}
	}
	for i, a := range p.none {
		if a.sets[s.sets[i]].atEnd {
			return nil
		}
	}
	return []int32{p.byte('"', p.finish)}
}

// part is a set of characters after which the expressions to avoid stand at the
// same sets of places.
type part struct {
	set  []rune
	sets []int32
}

// avoid splits a set of characters by what they mean for the expressions that
// must not match. It leaves out those with which one would match.
func (p *product) avoid(sets []int32, set []rune) []part {
	parts := []part{{set: set}}
	for i, a := range p.none {
		if (len(a.sets) > maxAvoided || p.effort > maxEffort) && p.err == nil {
			p.err = errTooLarge
		}
		if p.err != nil {
			return nil
		}
		var finer []part
		for _, whole := range parts {
			p.effort += 1 + len(a.sets[sets[i]].reading)*len(whole.set)
			for _, piece := range a.partition(sets[i], whole.set) {
				finer = append(finer, part{piece.set, append(slices.Clone(whole.sets), piece.sets...)})
			}
		}
		parts = finer
	}
	return parts
}

// avoided is an expression that must not match, as a deterministic automaton that
// is made as far as it is needed.
type avoided struct {
	program *syntax.Prog
	sets    []avoidedSet
	setAt   map[string]int32
}

// avoidedSet is a set of places in the expression.
type avoidedSet struct {
	reading []uint32 // instructions that read a character, ascending
	matched bool     // it has matched
	atEnd   bool     // it matches if the text ends here
}

const (
	maxAvoided = 5000      // sets of an expression that must not match
	maxEffort  = 1_000_000 // places compared for all such expressions of a schema
)

func (a *avoided) start() int32 { return a.number([]uint32{uint32(a.program.Start)}, true) }

// number returns the number of the set that is reached from some instructions.
func (a *avoided) number(from []uint32, beginning bool) int32 {
	var set avoidedSet
	seen := map[uint32]bool{}
	var reach func(at uint32, end bool)
	reach = func(at uint32, end bool) {
		mark := at << 1
		if end {
			mark |= 1
		}
		if seen[mark] {
			return
		}
		seen[mark] = true
		in := &a.program.Inst[at]
		switch in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			reach(in.Out, end)
			reach(in.Arg, end)
		case syntax.InstCapture, syntax.InstNop:
			reach(in.Out, end)
		case syntax.InstEmptyWidth:
			empty := syntax.EmptyOp(in.Arg)
			if empty&syntax.EmptyBeginText == 0 || beginning {
				reach(in.Out, end || empty&syntax.EmptyEndText != 0)
			}
		case syntax.InstMatch:
			set.matched = set.matched || !end
			set.atEnd = true
		case syntax.InstFail:
		default:
			if !end {
				set.reading = append(set.reading, at)
			}
		}
	}
	for _, at := range from {
		reach(at, false)
	}
	slices.Sort(set.reading)
	set.reading = slices.Compact(set.reading)

	key := []byte{0}
	if set.matched {
		key[0] = 2
	} else if set.atEnd {
		key[0] = 1
	}
	for _, at := range set.reading {
		key = binary.AppendUvarint(key, uint64(at))
	}
	number, ok := a.setAt[string(key)]
	if !ok {
		number = int32(len(a.sets))
		a.setAt[string(key)] = number
		a.sets = append(a.sets, set)
	}
	return number
}

// partition splits a set of characters by the set of places that follows.
func (a *avoided) partition(from int32, set []rune) []part {
	reading := a.sets[from].reading
	if a.sets[from].matched {
		return nil
	}
	cuts := []rune{} // where another character may mean something else
	ranges := make([][]rune, len(reading))
	for i, at := range reading {
		ranges[i] = wideRunesOf(&a.program.Inst[at])
		for j := 0; j < len(ranges[i]); j += 2 {
			cuts = append(cuts, ranges[i][j], ranges[i][j+1]+1)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)

	var parts []part
	place := map[int32]int{}
	add := func(low, high rune) {
		next := []uint32{uint32(a.program.Start)}
		for i, at := range reading {
			if contains(ranges[i], low) {
				next = append(next, a.program.Inst[at].Out)
			}
		}
		to := a.number(next, false)
		if a.sets[to].matched {
			return
		}
		i, ok := place[to]
		if !ok {
			i = len(parts)
			place[to] = i
			parts = append(parts, part{sets: []int32{to}})
		}
		parts[i].set = append(parts[i].set, low, high)
	}
	for i := 0; i < len(set); i += 2 {
		low := set[i]
		at, _ := slices.BinarySearch(cuts, low+1)
		for ; at < len(cuts) && cuts[at] <= set[i+1]; at++ {
			add(low, cuts[at]-1)
			low = cuts[at]
		}
		add(low, set[i+1])
	}
	return parts
}
