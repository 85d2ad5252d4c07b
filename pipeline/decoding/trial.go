package decoding

import "context"

// trial is what the model has read besides a history's ids: drafts, of which it is not
// known yet whether they go on the history.
type trial struct {
	drafts []int32
	scores []float32 // [drafts, vocabulary], after each of them
}

// Tried reports whether the scores after an id are there already.
func (h *History) Tried(id int32) bool { return len(h.trial.drafts) > 0 && h.trial.drafts[0] == id }

// Next reads one more id and returns the scores after it. It costs nothing if the id was
// tried.
func (h *History) Next(ctx context.Context, id int32) ([]float32, error) {
	if !h.Tried(id) {
		return h.Try(ctx, id, nil)
	}
	t := &h.trial
	vocab := len(t.scores) / len(t.drafts)
	scores := t.scores[:vocab]
	h.IDs = append(h.IDs, id)
	t.drafts, t.scores = t.drafts[1:], t.scores[vocab:]
	return scores, nil
}

// Try is Next for an id, and in the same pass it reads drafts: ids that may come next.
// At most Room of them are allowed. Those that do not come are forgotten.
func (h *History) Try(ctx context.Context, id int32, drafts []int32) ([]float32, error) {
	h.trial = trial{}
	kept := h.resume(len(h.IDs))
	h.tries = append(append(append(h.tries[:0], h.IDs[kept:]...), id), drafts...)
	h.IDs = h.IDs[:kept]
	scores, err := h.extend(ctx, h.tries, 1+len(drafts))
	if err != nil {
		return nil, err
	}
	h.IDs = h.IDs[:len(h.IDs)-len(drafts)]
	vocab := len(scores) / (1 + len(drafts))
	h.trial = trial{h.tries[len(h.tries)-len(drafts):], scores[vocab:]}
	return scores[:vocab], nil
}

// Lost returns how many of the ids a pass has to read again first, because the model
// cannot forget drafts one by one.
func (h *History) Lost() int { return len(h.IDs) - h.resume(len(h.IDs)) }

// Steady is a predictor that can tell whether Try gives the scores of Next, bit for bit.
type Steady interface {
	// Steady reports whether that is so as long as it has read n ids at most.
	Steady(n int) bool
}

// Steady reports whether the scores of Try are those of Next, bit for bit, with so many
// drafts.
func (h *History) Steady(drafts int) bool {
	s, ok := h.Model.(Steady)
	return ok && s.Steady(len(h.IDs)+1+drafts)
}

// Room returns how many drafts Try can read.
func (h *History) Room() int {
	lost := h.Lost()
	return max(0, min(h.chunk-lost, cap(h.IDs)-len(h.IDs))-1)
}
