package index

import (
	"cmp"
	"context"
	"errors"
	"time"

	"inglenook/documents"
	"inglenook/documents/extract/format"
)

// A batch is as large as the embedder does in about [Indexer.BatchTime], or a second: large
// enough to fill its passes, small enough that a chat need not wait for it.
const (
	firstBatch = 4 << 10 // tokens
	leastBatch = 2 << 10
	mostBatch  = 128 << 10

	defaultBatchTime = time.Second
)

// passage is one passage that waits for its vector.
type passage struct {
	*work
	place int
}

func (p passage) chunk() documents.Chunk { return p.passages[p.place] }

// embed computes the vectors of all files' passages, in batches across files.
func (r *run) embed(ctx context.Context) {
	defer close(r.ready)
	var queue []passage
	tokens := firstBatch
	for open := true; open || len(queue) > 0; {
		queue, open = r.fill(ctx, queue, tokens, open)
		if ctx.Err() != nil {
			return
		}
		if len(queue) == 0 {
			continue
		}
		rest := time.Now()
		if r.Wait(ctx) != nil {
			return
		}
		r.track.rested(time.Since(rest))
		n, size := batchOf(queue, tokens)
		start := time.Now()
		if !r.embedBatch(ctx, queue[:n]) {
			return
		}
		r.track.embedded(n, size)
		queue = queue[n:]
		tokens = suited(size, time.Since(start), cmp.Or(r.BatchTime, defaultBatchTime))
	}
}

// fill waits for passages where there are none, and then takes those that are there
// until a batch is full. open is false when no more will come.
func (r *run) fill(ctx context.Context, queue []passage, tokens int, open bool) ([]passage, bool) {
	_, have := batchOf(queue, tokens)
	for open && have < int64(tokens) {
		var w *work
		if len(queue) == 0 {
			select {
			case w, open = <-r.read:
			case <-ctx.Done():
				return queue, open
			}
		} else {
			select {
			case w, open = <-r.read:
			default:
				return queue, open
			}
		}
		if w == nil {
			continue
		}
		for i := range w.passages {
			queue = append(queue, passage{w, i})
		}
		have += w.tokens()
	}
	return queue, open
}

// batchOf is how many passages at the front make a batch, and their tokens.
func batchOf(queue []passage, tokens int) (n int, size int64) {
	for n < len(queue) && size < int64(tokens) {
		size += int64(queue[n].chunk().Tokens)
		n++
	}
	return n, size
}

// suited is how large a batch should be that takes about as long as wanted, after one of a size
// took a time.
func suited(size int64, took, wanted time.Duration) int {
	if took <= 0 {
		return mostBatch
	}
	return int(min(mostBatch, max(leastBatch, float64(size)*wanted.Seconds()/took.Seconds())))
}

// mostLeft is how many files in a row the model may fail with before the run ends.
const mostLeft = 3

// embedBatch computes the vectors of passages and reports whether the run continues. If that
// fails although the model works, it tries the files one by one, so that one odd text does
// not stop the others. Files that the model failed with through no fault of theirs stay
// unread, and the run ends with its error.
func (r *run) embedBatch(ctx context.Context, batch []passage) bool {
	e, err := r.embedder()
	if err != nil {
		return false
	}
	if err = r.vectors(ctx, e, batch); err == nil {
		return true
	}
	if _, broken := e.EmbedPassages(ctx, []string{"A plain sentence."}); broken != nil {
		r.fail(modelError(err))
		return false
	}
	for _, part := range byFile(batch) {
		err := r.vectors(ctx, e, part)
		var fault *ModelError
		switch {
		case ctx.Err() != nil:
			return false
		case err == nil:
			r.failing = 0
		case errors.As(err, &fault):
			r.leave(ctx, part[0].work, fault)
			if r.failing++; r.failing >= mostLeft {
				r.fail(fault)
				return false
			}
		default:
			r.drop(ctx, part[0].work, err)
		}
	}
	return true
}

// leave leaves a file to the next run.
func (r *run) leave(ctx context.Context, w *work, err *ModelError) {
	if w.vectors == nil {
		return
	}
	w.vectors, r.left = nil, err
	r.memory.give(w.memory)
	r.release(ctx, w)
}

// modelError is an error as one of the model.
func modelError(err error) *ModelError {
	if fault, ok := errors.AsType[*ModelError](err); ok {
		return fault
	}
	return &ModelError{err}
}

// ModelError is an error of the model that embeds, for which no file is to blame.
type ModelError struct{ Err error }

func (e *ModelError) Error() string { return "the embedding model gives no vectors: " + e.Err.Error() }

// Unwrap returns what the model said.
func (e *ModelError) Unwrap() error { return e.Err }

// byFile splits a batch where another file begins.
func byFile(batch []passage) (parts [][]passage) {
	for len(batch) > 0 {
		n := 1
		for n < len(batch) && batch[n].work == batch[0].work {
			n++
		}
		parts, batch = append(parts, batch[:n]), batch[n:]
	}
	return parts
}

// vectors embeds passages and hands on the files that have all their vectors.
func (r *run) vectors(ctx context.Context, e documents.Embedder, batch []passage) error {
	var texts []string
	var wanted []passage
	for _, p := range batch {
		if p.vectors != nil && p.vectors[p.place] == nil {
			texts, wanted = append(texts, p.chunk().Input()), append(wanted, p)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	vectors, err := e.EmbedPassages(ctx, texts)
	if err != nil {
		return err
	}
	for i, p := range wanted {
		p.vectors[p.place] = vectors[i]
		p.missing--
		if p.missing > 0 {
			continue
		}
		select {
		case r.ready <- p.work:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// drop settles a file that the embedder cannot do.
func (r *run) drop(ctx context.Context, w *work, err error) {
	w.vectors = nil // its other passages are passed over
	r.memory.give(w.memory)
	r.settle(ctx, w, &format.Error{Reason: format.NoVectors, Text: "the embedding model gives no vector for a passage of it: " + err.Error(), Err: err})
}
