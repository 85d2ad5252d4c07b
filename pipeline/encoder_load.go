package pipeline

import (
	"context"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/memory"
	"inglenook/pipeline/placement"
)

// load brings the weights to the devices, if they fit. With prove the first
// device is compared with the CPU.
func (e *encoder) load(ctx context.Context, record recorder, progress func(done, total int64), prove bool) (err error) {
	if err := e.lock.LockContext(ctx); err != nil {
		return err
	}
	defer e.lock.Unlock()
	longest := min(e.config.MaxTokens, e.passTokens())
	if err := e.divide(record, longest); err != nil {
		return err
	}
	if e.on.Available != nil {
		needs, _, err := e.needs(record, longest)
		if err != nil {
			return err
		}
		if err := needs.Fits(e.on.Available(), 0); err != nil {
			return err
		}
	}
	e.proof, err = e.on.Load(ctx, encoderLoader{e, record}, progress, prove)
	return err
}

// encoderLoader loads an encoder for passes that are recorded in one way.
type encoderLoader struct {
	e      *encoder
	record recorder
}

// Prepare records a smallest pass.
func (l encoderLoader) Prepare(ctx context.Context, progress func(done, total int64), bs []engine.Backend) error {
	if _, err := l.e.record(models.Batch{Tokens: []int32{0, 0}, Starts: []int32{0, 2}}, l.record); err != nil {
		return err
	}
	if len(bs) > 1 {
		bs = l.e.on.Backends // recording may have found that one is gone
	}
	return l.e.graph.Prepare(ctx, progress, bs...)
}

func (l encoderLoader) Forget() { placement.ReleaseWeights(l.e.graph) }

func (l encoderLoader) Quantized() bool { return placement.HasBlocks(l.e.graph) }

func (l encoderLoader) Bytes() int64 { return l.e.weightBytes }

// Golden is the short pass of an encoder: two texts, or one of a language model.
func (l encoderLoader) Golden(ctx context.Context, bs []engine.Backend) ([]float32, error) {
	b := models.Batch{Tokens: placement.GoldenIDs(12, l.e.config.Vocab), Starts: []int32{0, 5, 12}}
	if l.e.reader != nil {
		b.Starts = []int32{0, 12}
	}
	out, err := l.e.record(b, l.record)
	if err != nil {
		return nil, err
	}
	if _, err := l.e.graph.Run(ctx, bs...); err != nil {
		return nil, err
	}
	return l.e.graph.Result(out)
}

// needs returns the memory that the encoder will take with texts of up to
// longest tokens, and where its operations will run. It reads no weights and
// allocates none of that memory.
func (e *encoder) needs(record recorder, longest int) (memory.Needs, engine.Report, error) {
	if err := e.recordLongest(record, longest); err != nil {
		return memory.Needs{}, engine.Report{}, err
	}
	return memory.Weigh(e.graph, e.on.Backends, e.config.Vocab)
}

// recordLongest records the pass that takes the most memory.
func (e *encoder) recordLongest(record recorder, longest int) error {
	tokens := max(e.passTokens(), longest)
	if e.reader != nil {
		tokens = longest
	}
	_, err := e.record(fullBatch(tokens, longest), record)
	return err
}

// divide leaves layers to the CPU for which the first device has no room.
func (e *encoder) divide(record recorder, longest int) error {
	if err := e.recordLongest(record, longest); err != nil {
		return err
	}
	return e.on.Divide(e.graph, 1)
}

// fullBatch has so many tokens, in texts of at most length.
func fullBatch(tokens, length int) models.Batch {
	b := models.Batch{Tokens: make([]int32, tokens), Starts: []int32{0}}
	for at := 0; at < tokens; {
		at = min(at+length, tokens)
		b.Starts = append(b.Starts, int32(at))
	}
	return b
}
