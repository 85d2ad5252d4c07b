package decoding

import (
	"context"

	"inglenook/pipeline/placement"
)

// Predictor is a causal language model with its memory of what it has read.
type Predictor interface {
	// Extend keeps the first past tokens of what was read, forgets the others,
	// and reads ids behind them. It returns the scores after so many of the last
	// ids: [scores, vocabulary], the score of each token as the next one; they are
	// valid until the next call. After an error the model remembers the past tokens
	// and no more.
	Extend(ctx context.Context, past int, ids []int32, scores int) ([]float32, error)
	// Recovers reports whether another try of Extend may succeed after err, on
	// another device or with another cache. If so, the model has forgotten
	// everything.
	Recovers(err error) bool
	// Notices are sentences for a person about what happened since the last call.
	Notices() []string
	// Ran returns where the passes since the last call ran. profile says
	// whether the passes to come are to be profiled.
	Ran(profile bool) placement.Outcome
	Close() error
}

// Resumer is a predictor that cannot forget any number of tokens.
type Resumer interface {
	// Recurrent reports whether that is so.
	Recurrent() bool
	// Resume returns the most tokens, n at most, that the predictor can keep of
	// what was read, counted from the first.
	Resume(n int) int
}

// History is what a predictor has read, so that it reads nothing twice.
type History struct {
	Model    Predictor
	IDs      []int32               // what it has read
	Progress func(done, total int) // of reading; may be nil

	chunk int     // ids that are read in one pass
	tries []int32 // of the last pass: what was lost, an id, drafts
	trial trial
}

// NewHistory has room for as many ids as the context holds.
func NewHistory(model Predictor, context, chunk int) *History {
	return &History{Model: model, IDs: make([]int32, 0, context), chunk: chunk}
}

// Shared returns how many of the ids need not be read again, counted from the
// first one. The last id is always read, because its scores are wanted.
func (h *History) Shared(ids []int32) int {
	n := 0
	for n < min(len(h.IDs), len(ids)-1) && h.IDs[n] == ids[n] {
		n++
	}
	return h.resume(n)
}

// resume returns how many of the first n ids the model can keep.
func (h *History) resume(n int) int {
	if r, ok := h.Model.(Resumer); ok {
		return r.Resume(n)
	}
	return n
}

// firstChunk is how many ids of a long prompt are read at first. It is small,
// so that a person soon learns how long the rest will take.
const firstChunk = 64

// Read forgets what ids do not share and reads the other ids. It returns the
// scores of the next token. If ctx ends, the chunks that were read before stay
// read.
func (h *History) Read(ctx context.Context, ids []int32) (scores []float32, err error) {
	h.Cut(h.Shared(ids))
	rest := ids[len(h.IDs):]
	for done := 0; done < len(rest); {
		n := min(len(rest)-done, h.most())
		if done == 0 && n < len(rest) {
			n = min(n, firstChunk)
		}
		if left := len(rest) - done; h.Recurrent() && left > lastChunk {
			n = min(n, left-lastChunk)
		}
		wanted := 0
		if done+n == len(rest) {
			wanted = 1
		}
		if scores, err = h.extend(ctx, rest[done:done+n], wanted); err != nil {
			return nil, err
		}
		done += n
		h.report(done, len(rest))
	}
	return scores, nil
}

// Sharer is a predictor that shares its passes with others.
type Sharer interface {
	// Chunk returns how many ids of a prompt to read in one pass now.
	Chunk() int
}

// most is how many ids are read in one pass.
func (h *History) most() int {
	if s, ok := h.Model.(Sharer); ok {
		return min(s.Chunk(), h.chunk)
	}
	return h.chunk
}

// lastChunk is how many ids a recurrent model reads last. Another answer to the
// same prompt, or the next prompt, differs there first, and then goes on from the
// state before.
const lastChunk = 8

// Recurrent reports whether the model cannot forget any number of tokens.
func (h *History) Recurrent() bool {
	r, ok := h.Model.(Resumer)
	return ok && r.Recurrent()
}

func (h *History) report(done, total int) {
	if h.Progress != nil {
		h.Progress(done, total)
	}
}

func (h *History) extend(ctx context.Context, ids []int32, scores int) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	h.trial = trial{}
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

// again reads everything once more after the model has forgotten it: first the known
// ids, then ids. If it ends early, the ids that it has read until then are
// known.
func (h *History) again(ctx context.Context, known, ids []int32, scores int) ([]float32, error) {
	h.Cut(0)
	for len(h.IDs) < len(known) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		done := len(h.IDs)
		n := min(len(known)-done, h.chunk)
		if _, err := h.Model.Extend(ctx, done, known[done:done+n], 0); err != nil {
			return nil, err
		}
		h.IDs = known[:done+n]
		h.report(done+n, len(known)+len(ids))
	}
	return h.Model.Extend(ctx, len(h.IDs), ids, scores)
}

// Cut forgets all but the first n ids, or fewer where the model can keep only
// fewer.
func (h *History) Cut(n int) {
	h.trial = trial{}
	h.IDs = h.IDs[:h.resume(min(n, len(h.IDs)))]
}
