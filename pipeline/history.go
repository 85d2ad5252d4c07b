package pipeline

import (
	"context"
	"inglenook/pipeline/placement"
)

// predictor is a causal language model with its memory of what it has read.
type predictor interface {
	// extend reads ids after the first past tokens that it read before, and
	// forgets what it read beyond those. With scores it returns what the model
	// makes of each token of the vocabulary as the next one, valid until the
	// next call. After an error it remembers the past tokens and no more.
	extend(ctx context.Context, past int, ids []int32, scores bool) ([]float32, error)
	// recovers says after an error of extend whether it is worth another try, by
	// other means. Then nothing is remembered any more.
	recovers(err error) bool
	// notices are sentences for a person about what happened since the last call.
	notices() []string
	// ran tells where its passes ran since the last call, and whether those that
	// come are to be profiled.
	ran(profile bool) placement.Outcome
	Close() error
}

// history is what a predictor has read, so that it reads nothing twice.
type history struct {
	model predictor
	ids   []int32
	chunk int // ids that are read in one pass
	one   [1]int32

	progress func(done, total int) // of reading; may be nil
}

// newHistory has room for as many ids as the context holds.
func newHistory(model predictor, context, chunk int) *history {
	return &history{model: model, ids: make([]int32, 0, context), chunk: chunk}
}

// shared is how many of the ids need not be read: those that were, from the
// first on, but for the last one, whose scores are wanted.
func (h *history) shared(ids []int32) int {
	n := 0
	for n < min(len(h.ids), len(ids)-1) && h.ids[n] == ids[n] {
		n++
	}
	return n
}

// firstChunk is how many ids of a long prompt are read at first: a person soon
// learns how long the rest will take.
const firstChunk = 64

// read goes back to what is shared and reads the other ids. It returns the scores
// of what may follow. When ctx ends the chunks before stay read.
func (h *history) read(ctx context.Context, ids []int32) (scores []float32, err error) {
	h.cut(h.shared(ids))
	rest := ids[len(h.ids):]
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

func (h *history) report(done, total int) {
	if h.progress != nil {
		h.progress(done, total)
	}
}

// next reads one more id.
func (h *history) next(ctx context.Context, id int32) ([]float32, error) {
	h.one[0] = id
	return h.extend(ctx, h.one[:], true)
}

func (h *history) extend(ctx context.Context, ids []int32, scores bool) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	known := h.ids
	s, err := h.model.extend(ctx, len(known), ids, scores)
	for err != nil && h.model.recovers(err) {
		s, err = h.again(ctx, known, ids, scores)
	}
	if err != nil {
		return nil, err
	}
	h.ids = append(h.ids, ids...)
	return s, nil
}

// again reads what was known before, which the model has forgotten, and then
// ids. Where that ends early, what was read by then is known.
func (h *history) again(ctx context.Context, known, ids []int32, scores bool) ([]float32, error) {
	h.cut(0)
	for len(h.ids) < len(known) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		done := len(h.ids)
		n := min(len(known)-done, h.chunk)
		if _, err := h.model.extend(ctx, done, known[done:done+n], false); err != nil {
			return nil, err
		}
		h.ids = known[:done+n]
		h.report(done+n, len(known)+len(ids))
	}
	return h.model.extend(ctx, len(h.ids), ids, scores)
}

// cut forgets all but the first n ids.
func (h *history) cut(n int) { h.ids = h.ids[:min(n, len(h.ids))] }
