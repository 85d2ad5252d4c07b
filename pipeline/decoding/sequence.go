package decoding

import (
	"context"
	"errors"
	"slices"

	"inglenook/pipeline/placement"
)

// Enter says that an answer begins to use the sequence.
func (s *Sequence) Enter() { s.set(true) }

// Leave says that the answer has ended, so that nobody waits for the sequence.
func (s *Sequence) Leave() { s.set(false) }

func (s *Sequence) set(in bool) {
	s.group.mu.Lock()
	s.in, s.awaited = in, false
	s.group.mu.Unlock()
	s.group.changed()
}

// Extend implements Predictor. It returns when ctx ends, also from a pass that goes on for
// the others. The scores are valid until the next call.
func (s *Sequence) Extend(ctx context.Context, past int, ids []int32, scores int) ([]float32, error) {
	g := s.group
	r := &request{read: read{s.number, past, slices.Clone(ids), scores}, ctx: ctx, of: s, done: make(chan error, 1)}
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return nil, errors.New("the model has been closed")
	}
	g.waiting = append(g.waiting, r)
	s.awaited = false
	g.mu.Unlock()
	g.changed()
	select {
	case err := <-r.done:
		if err != nil || scores == 0 {
			return nil, err
		}
		return s.scores, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Recovers implements Predictor: the group has seen to the devices already.
func (s *Sequence) Recovers(err error) bool { return errors.Is(err, errForgotten) }

// Notices implements Predictor.
func (s *Sequence) Notices() []string {
	s.group.mu.Lock()
	defer s.group.mu.Unlock()
	list := s.notices
	s.notices = nil
	return list
}

// Ran implements Predictor.
func (s *Sequence) Ran(profile bool) placement.Outcome {
	s.group.mu.Lock()
	defer s.group.mu.Unlock()
	o := s.outcome
	s.outcome, s.profiles = placement.Outcome{}, profile
	return o
}

func (s *Sequence) profiled() bool {
	s.group.mu.Lock()
	defer s.group.mu.Unlock()
	return s.profiles
}

// Chunk returns how many ids to read in one pass: few while others write, because these
// wait meanwhile.
func (s *Sequence) Chunk() int {
	s.group.mu.Lock()
	defer s.group.mu.Unlock()
	for _, o := range s.group.sequences {
		if o.in && o != s {
			return min(besideOthers, s.group.decoder.Chunk)
		}
	}
	return s.group.decoder.Chunk
}

// besideOthers is how many ids of a prompt are read in one pass while others write.
const besideOthers = 64

// Close implements Predictor. It closes the whole group.
func (s *Sequence) Close() error { return s.group.Close() }
