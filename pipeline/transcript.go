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
	// ran tells where its passes ran since the last call, and whether those that
	// come are to be profiled.
	ran(profile bool) outcome
	Close() error
}

// transcript is what a predictor has read, so that it reads nothing twice.
type transcript struct {
	model   predictor
	ids     []int32
	context int // most ids
	chunk   int // ids that are read in one pass
	one     [1]int32
}

func newTranscript(model predictor, context, chunk int) *transcript {
	return &transcript{model: model, ids: make([]int32, 0, context), context: context, chunk: chunk}
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

// read goes back to what is shared and reads the other ids. It gives the scores
// of what may follow. When ctx ends the chunks before stay read.
func (t *transcript) read(ctx context.Context, ids []int32, progress func(done, total int)) (scores []float32, err error) {
	t.cut(t.shared(ids))
	rest := ids[len(t.ids):]
	for done := 0; done < len(rest); {
		n := min(len(rest)-done, t.chunk)
		if scores, err = t.extend(ctx, rest[done:done+n], done+n == len(rest)); err != nil {
			return nil, err
		}
		if done += n; progress != nil {
			progress(done, len(rest))
		}
	}
	return scores, nil
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
	s, err := t.model.extend(ctx, len(t.ids), ids, scores)
	if err != nil {
		return nil, err
	}
	t.ids = append(t.ids, ids...)
	return s, nil
}

// full says that no further id fits.
func (t *transcript) full() bool { return len(t.ids) >= t.context }

// cut forgets all but the first n ids.
func (t *transcript) cut(n int) { t.ids = t.ids[:min(n, len(t.ids))] }
