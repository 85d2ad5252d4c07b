package grammar

import (
	"fmt"
	"slices"

	"inglenook/sampling"
)

// State is the position of a reply in a grammar. Before each token [State.Mask]
// returns the allowed tokens; afterwards [State.Accept] advances by the chosen
// one. Masks are cached, because a reply returns to the same positions again and
// again.
//
// A State is not safe for concurrent use.
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
	mask  sampling.Mask
}

const (
	maxMasks = 64      // cached, at 19 KB for 150,000 tokens
	maxWork  = 1 << 18 // positions of the grammar visited for one mask
)

// Start returns the state at the beginning of a reply.
func (g *Grammar) Start(v *Vocabulary) *State {
	s := &State{vocabulary: v, path: make([]int32, v.depth+1)}
	s.machine, s.at = newMachine(g)
	return s
}

// Done reports whether the reply has ended, or the text is complete and only a
// token that ends the reply may follow.
func (s *State) Done() bool {
	return s.over || s.machine.ends[s.at] && len(s.machine.sets[s.at]) == 0
}

// Mask returns the set of tokens that may come next, which is empty after the end
// of the reply. It is valid until the next call and must not be modified. For a
// grammar that is hostile enough to make this slow, it contains fewer tokens than
// are allowed: long ones are omitted first.
func (s *State) Mask() sampling.Mask {
	if s.over {
		return sampling.NewMask(s.vocabulary.size)
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
		s.masks = append(s.masks, rememberedMask{mask: sampling.NewMask(s.vocabulary.size)})
	}
	m := &s.masks[oldest]
	m.state, m.used = s.at, s.tick
	s.fill(m.mask)
	return m.mask
}

// fill walks the tree of tokens as far as the grammar allows.
func (s *State) fill(mask sampling.Mask) {
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

// Accept advances by a token. It returns an error if the grammar does not allow
// the token here; the state is then unchanged.
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
