package pipeline

import (
	"context"
)

// predictor is a causal language model with its memory of what it has read.
type predictor interface {
	// extend reads ids after the first past tokens that it read before, and
	// forgets what it read beyond those. With scores it gives what the model
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
	ran(profile bool) outcome
	Close() error
}

// transcript is what a predictor has read, so that it reads nothing twice.
type transcript struct {
	model predictor
	ids   []int32
	chunk int // ids that are read in one pass
	one   [1]int32

	progress func(done, total int) // of reading; may be nil
}

// newTranscript has room for as many ids as the context holds.
func newTranscript(model predictor, context, chunk int) *transcript {
	return &transcript{model: model, ids: make([]int32, 0, context), chunk: chunk}
}

// shared is how many of the ids need not be read: those that were, from the
// first on, but for the last one, whose scores are wanted.
func (t *transcript) shared(ids []int32) int {
	n := 0
	for n < min(len(t.ids), len(ids)-1) && t.ids[n] == ids[n] {
		n++
	}
	return n
}

// firstChunk is how many ids of a long prompt are read at first: a person soon
// learns how long the rest will take.
const firstChunk = 64

// read goes back to what is shared and reads the other ids. It gives the scores
// of what may follow. When ctx ends the chunks before stay read.
func (t *transcript) read(ctx context.Context, ids []int32) (scores []float32, err error) {
	t.cut(t.shared(ids))
	rest := ids[len(t.ids):]
	for done := 0; done < len(rest); {
		n := min(len(rest)-done, t.chunk)
		if done == 0 && n < len(rest) {
			n = min(n, firstChunk)
		}
		if scores, err = t.extend(ctx, rest[done:done+n], done+n == len(rest)); err != nil {
			return nil, err
		}
		done += n
		t.report(done, len(rest))
	}
	return scores, nil
}

func (t *transcript) report(done, total int) {
	if t.progress != nil {
		t.progress(done, total)
	}
}

// next reads one more id.
func (t *transcript) next(ctx context.Context, id int32) ([]float32, error) {
	t.one[0] = id
	return t.extend(ctx, t.one[:], true)
}

func (t *transcript) extend(ctx context.Context, ids []int32, scores bool) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	known := t.ids
	s, err := t.model.extend(ctx, len(known), ids, scores)
	for err != nil && t.model.recovers(err) {
		s, err = t.again(ctx, known, ids, scores)
	}
	if err != nil {
		return nil, err
	}
	t.ids = append(t.ids, ids...)
	return s, nil
}

// again reads what was known before, which the model has forgotten, and then
// ids. Where that ends early, what was read by then is known.
func (t *transcript) again(ctx context.Context, known, ids []int32, scores bool) ([]float32, error) {
	t.cut(0)
	for len(t.ids) < len(known) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		done := len(t.ids)
		n := min(len(known)-done, t.chunk)
		if _, err := t.model.extend(ctx, done, known[done:done+n], false); err != nil {
			return nil, err
		}
		t.ids = known[:done+n]
		t.report(done+n, len(known)+len(ids))
	}
	return t.model.extend(ctx, len(t.ids), ids, scores)
}

// cut forgets all but the first n ids.
func (t *transcript) cut(n int) { t.ids = t.ids[:min(n, len(t.ids))] }
