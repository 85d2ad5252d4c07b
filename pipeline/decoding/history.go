package decoding

import (
	"context"

	"inglenook/pipeline/placement"
)

// Predictor is a causal language model with its memory of what it has read.
type Predictor interface {
	// Extend reads ids after the first past tokens that it read before, and
	// forgets what it read beyond those. With scores it returns what the model
	// makes of each token of the vocabulary as the next one, valid until the
	// next call. After an error it remembers the past tokens and no more.
	Extend(ctx context.Context, past int, ids []int32, scores bool) ([]float32, error)
	// Recovers reports whether Extend is worth another try after err, by other
	// means. Then nothing is remembered any more.
	Recovers(err error) bool
	// Notices are sentences for a person about what happened since the last call.
	Notices() []string
	// Ran tells where its passes ran since the last call, and whether those that
	// come are to be profiled.
	Ran(profile bool) placement.Outcome
	Close() error
}

// History is what a predictor has read, so that it reads nothing twice.
type History struct {
	Model    Predictor
	IDs      []int32               // what it has read
	Progress func(done, total int) // of reading; may be nil

	chunk int // ids that are read in one pass
	one   [1]int32
}

// NewHistory has room for as many ids as the context holds.
func NewHistory(model Predictor, context, chunk int) *History {
	return &History{Model: model, IDs: make([]int32, 0, context), chunk: chunk}
}

// Shared is how many of the ids need not be read: those that were, from the
// first on, but for the last one, whose scores are wanted.
func (h *History) Shared(ids []int32) int {
	n := 0
	for n < min(len(h.IDs), len(ids)-1) && h.IDs[n] == ids[n] {
		n++
	}
	return n
}

// firstChunk is how many ids of a long prompt are read at first: a person soon
// learns how long the rest will take.
const firstChunk = 64

// Read goes back to what is shared and reads the other ids. It returns the scores
// of what may follow. When ctx ends the chunks before stay read.
func (h *History) Read(ctx context.Context, ids []int32) (scores []float32, err error) {
	h.Cut(h.Shared(ids))
	rest := ids[len(h.IDs):]
	for done := 0; done < len(rest); {
		n := min(len(rest)-done, h.chunk)
		if done == 0 && n < len(rest) {
			n = min(n, firstChunk)
		}
		if scores, err = h.extend(ctx, rest[done:done+n], done+n == len(rest)); err != nil {
			return nil, err
		}
		done += n
		h.report(done, len(rest))
	}
	return scores, nil
}

func (h *History) report(done, total int) {
	if h.Progress != nil {
		h.Progress(done, total)
	}
}

// Next reads one more id.
func (h *History) Next(ctx context.Context, id int32) ([]float32, error) {
	h.one[0] = id
	return h.extend(ctx, h.one[:], true)
}

func (h *History) extend(ctx context.Context, ids []int32, scores bool) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	known := h.IDs
	s, err := h.Model.Extend(ctx, len(known), ids, scores)
	for err != nil && h.Model.Recovers(err) {
		s, err = h.again(ctx, known, ids, scores)
	}
	if err != nil {
		return nil, err
	}
	h.IDs = append(h.IDs, ids...)
	return s, nil
}

// again reads what was known before, which the model has forgotten, and then
// ids. Where that ends early, what was read by then is known.
func (h *History) again(ctx context.Context, known, ids []int32, scores bool) ([]float32, error) {
	h.Cut(0)
	for len(h.IDs) < len(known) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		done := len(h.IDs)
		n := min(len(known)-done, h.chunk)
		if _, err := h.Model.Extend(ctx, done, known[done:done+n], false); err != nil {
			return nil, err
		}
		h.IDs = known[:done+n]
		h.report(done+n, len(known)+len(ids))
	}
	return h.Model.Extend(ctx, len(h.IDs), ids, scores)
}

// Cut forgets all but the first n ids.
func (h *History) Cut(n int) { h.IDs = h.IDs[:min(n, len(h.IDs))] }
