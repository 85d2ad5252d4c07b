package nn

import (
	"fmt"
	"slices"

	"inglenook/engine"
)

// states are what recurrent layers remember: for each layer a cache whose rows
// are states after different numbers of tokens. A state cannot be cut back, so
// some are kept, and a pass goes on from one of them. A pass writes a row that
// nobody needs. So a pass that fails spoils nothing.
type states struct {
	of    []*engine.Tensor // [rows, columns], as the layers asked for them
	rows  int
	marks []mark // the states that are kept, by rising number of tokens
	from  int    // tokens before the pass that was recorded last
	next  mark   // what that pass writes
}

// mark is a state that is kept: that after so many tokens.
type mark struct {
	tokens, row int
	alone       bool // a pass of one token wrote it
}

const (
	stateBytes = 256 << 20 // that states should take at most, unless these are too few:
	fewestRows = 4
	mostRows   = 16
	wideApart  = 256 // tokens between states of an answer that is being written
)

// keepState adds a state of so many columns to those of the network and returns
// its number.
func (b Builder) keepState(cols int) int {
	b.log.kept = append(b.log.kept, cols)
	return len(b.log.kept) - 1
}

func (b Builder) newStates() states {
	bytes := 0
	for _, cols := range b.log.kept {
		bytes += engine.F32.RowBytes(cols)
	}
	if bytes == 0 {
		return states{}
	}
	s := states{rows: min(max(stateBytes/bytes, fewestRows), mostRows)}
	for i, cols := range b.log.kept {
		s.of = append(s.of, engine.NewState(fmt.Sprintf("state %d", i), s.rows, cols))
	}
	return s
}

// reach returns the most tokens, n at most, after which there is a state; there
// is always one before the first.
func (s *states) reach(n int) int {
	for _, m := range slices.Backward(s.marks) {
		if m.tokens <= n {
			return m.tokens
		}
	}
	return 0
}

// record plans a pass of n tokens after past and returns the rows that it reads
// and writes.
func (s *states) record(past, n int) (rows [2]int32, err error) {
	s.from, s.next = past, mark{tokens: past + n, alone: n == 1}
	if len(s.of) == 0 {
		return rows, nil
	}
	from := s.rows // zeros
	used := make([]bool, s.rows)
	for _, m := range s.marks {
		used[m.row] = true
		if m.tokens == past {
			from = m.row
		}
	}
	if from == s.rows && past > 0 {
		return rows, fmt.Errorf("the state of this model after %d tokens is not kept", past)
	}
	s.next.row = slices.Index(used, false)
	return [2]int32{int32(from), int32(s.next.row)}, nil
}

// advance keeps the state that the pass wrote, and gives up those of tokens that
// it replaced. One row stays free for the next pass.
func (s *states) advance() {
	s.marks = slices.DeleteFunc(s.marks, func(m mark) bool { return m.tokens > s.from })
	s.marks = append(s.marks, s.next)
	if len(s.marks) < s.rows {
		return
	}
	s.marks = slices.Delete(s.marks, s.leastUseful(), s.leastUseful()+1)
}

// leastUseful returns the mark whose loss costs least: one of single tokens close
// to the one before, else the one that leaves the smallest gap, compared with
// how far back it is. The last one is needed, and so is that before a pass of several
// tokens: some of these may be guesses that do not come.
func (s *states) leastUseful() int {
	needed := 1
	if last := len(s.marks) - 2; !s.next.alone && last > 0 && s.marks[last].tokens == s.from {
		needed = 2
	}
	least, cost := 0, 0.0
	for i, m := range s.marks[:len(s.marks)-needed] {
		before := 0
		if i > 0 {
			before = s.marks[i-1].tokens
		}
		if m.alone && m.tokens-before < wideApart {
			return i
		}
		after := s.marks[i+1].tokens
		if c := float64(after-before) / float64(s.next.tokens-before+wideApart); i == 0 || c < cost {
			least, cost = i, c
		}
	}
	return least
}

// Kept returns after how many tokens states are kept, by rising numbers. Those of single
// tokens are marked: they are closer together than others.
func (c *Cache) Kept() (tokens []int, alone []bool) {
	for _, m := range c.states.marks {
		tokens, alone = append(tokens, m.tokens), append(alone, m.alone)
	}
	return tokens, alone
}

// StateRow returns the row of the state after so many tokens, -1 if none is kept.
func (c *Cache) StateRow(tokens int) int {
	for _, m := range c.states.marks {
		if m.tokens == tokens {
			return m.row
		}
	}
	return -1
}

// Forget gives up the states after more than n tokens.
func (c *Cache) Forget(n int) {
	c.states.marks = slices.DeleteFunc(c.states.marks, func(m mark) bool { return m.tokens > n })
}

// PutState keeps a state after so many tokens, more than there is one of, that fill writes
// to a row.
func (c *Cache) PutState(tokens int, fill func(row int) error) error {
	c.Forget(tokens - 1)
	s := &c.states
	if _, err := s.record(0, tokens); err != nil {
		return err
	}
	if err := fill(s.next.row); err != nil {
		return err
	}
	s.from = tokens - 1
	s.advance()
	return nil
}
