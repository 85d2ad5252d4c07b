package sampling

import (
	"fmt"
	"slices"
)

// State is where a reply is in a grammar. Before each token [State.Mask] says
// which may come, afterwards [State.Accept] takes the one that came. Masks are
// remembered, for a reply comes to the same places again and again.
//
// A State is for one goroutine at a time.
type State struct {
	vocabulary *Vocabulary
	machine    *machine
	at         int32
	over       bool // a token that ends the reply came

	path  []int32 // scratch of fill, by depth
	masks []rememberedMask
	tick  int
}

type rememberedMask struct {
	state int32
	used  int // the tick of its last use
	mask  Mask
}

const (
	maxMasks = 64      // remembered, at 19 KB for 150,000 tokens
	maxWork  = 1 << 18 // positions of the grammar looked at for one mask
)

// Start begins a reply.
func (g *Grammar) Start(v *Vocabulary) *State {
	s := &State{vocabulary: v, path: make([]int32, v.depth+1)}
	s.machine, s.at = newMachine(g)
	return s
}

// MayEnd reports whether the text so far is complete.
func (s *State) MayEnd() bool { return s.over || s.machine.ends[s.at] }

// Done reports whether the text is complete and nothing may follow it but a token
// that ends the reply, or that one came.
func (s *State) Done() bool {
	return s.over || s.machine.ends[s.at] && len(s.machine.sets[s.at]) == 0
}

// Mask is the set of tokens that may come next, none after the end of the
// reply. It is valid until the next call, and not to be changed. A grammar that
// is hostile enough to make this slow gets fewer tokens than it allows: long
// ones are left out first.
func (s *State) Mask() Mask {
	if s.over {
		return NewMask(s.vocabulary.size)
	}
	s.tick++
	oldest := 0
	for i := range s.masks {
		if s.masks[i].state == s.at {
			s.masks[i].used = s.tick
			return s.masks[i].mask
		}
		if s.masks[i].used < s.masks[oldest].used {
			oldest = i
		}
	}
	if len(s.machine.sets) > maxStates {
		s.at = s.machine.renew(s.at)
		s.masks, oldest = s.masks[:0], 0
	}
	if len(s.masks) < maxMasks {
		oldest = len(s.masks)
		s.masks = append(s.masks, rememberedMask{mask: NewMask(s.vocabulary.size)})
	}
	m := &s.masks[oldest]
	m.state, m.used = s.at, s.tick
	s.fill(m.mask)
	return m.mask
}

// fill walks the tree of tokens as far as the grammar goes along.
func (s *State) fill(mask Mask) {
	clear(mask)
	if s.machine.ends[s.at] {
		for _, id := range s.vocabulary.ends {
			mask.Add(id)
		}
	}
	v, m := s.vocabulary, s.machine
	budget := m.work + maxWork
	s.path[0] = s.at
	for i := 0; i < len(v.nodes)-1; {
		n := &v.nodes[i]
		from := s.path[n.depth]
		to := m.rows[from][n.byte]
		if to == unknown && (m.work < budget || n.depth == 0) {
			to = m.step(from, n.byte)
		}
		if to <= dead {
			i = int(n.skip)
			continue
		}
		s.path[n.depth+1] = to
		i++
		for _, id := range v.order[n.first:v.nodes[i].first] {
			mask.Add(id)
		}
	}
}

// Accept takes the token that came. An error means that the grammar does not
// allow it here; the state is then as before.
func (s *State) Accept(id int32) error {
	v := s.vocabulary
	switch {
	case s.over:
		return fmt.Errorf("token %d comes after the end of the reply", id)
	case slices.Contains(v.ends, id):
		if !s.machine.ends[s.at] {
			return fmt.Errorf("token %d ends the reply before its text is complete", id)
		}
		s.over = true
		return nil
	case id < 0 || int(id) >= v.size || len(v.tokens[id]) == 0:
		return fmt.Errorf("token %d has no text, which the output format does not allow", id)
	}
	at := s.at
	for _, b := range v.tokens[id] {
		if at = s.machine.step(at, b); at == dead {
			return fmt.Errorf("the output format does not allow token %d (%q) here", id, v.tokens[id])
		}
	}
	s.at = at
	return nil
}
