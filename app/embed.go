package app

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"inglenook/engine"
	"inglenook/pipeline"
)

// EmbedRequest asks for one vector a text. The zero value of an option leaves
// what the checkpoint says.
type EmbedRequest struct {
	Model string
	Target
	Prefix      string   // put before each text; "" is the model's default prompt
	NoPrefix    bool     // not even the model's default prompt
	Pooling     []string // cls, mean, max, last, mean_sqrt_len, weighted_mean, pooler
	NoNormalize bool
	BatchTokens int // tokens in one forward pass; 0: the default
	Texts       []string
}

// EmbedResult holds one vector a text, in order.
type EmbedResult struct {
	Vectors   [][]float32 // [texts, dimension]
	Tokens    []int
	Truncated []bool
	Took      time.Duration // tokenizing and embedding
	Load      time.Duration // 0 when the model was open already
	Model     Model
	Device    string
	Fallbacks []engine.Fallback
	Notices   []string // sentences about a device that failed or was not trusted
	Notes     []string // sentences that belong beside the result
	Profile   Profile
}

// Embed turns texts into vectors.
func (t *TextsService) Embed(ctx context.Context, r EmbedRequest, report func(Progress)) (EmbedResult, error) {
	ctx, done, err := t.life.Begin(ctx)
	if err != nil {
		return EmbedResult{}, err
	}
	defer done()
	e, err := t.library.encodes(ctx, r.Model)
	if err != nil {
		return EmbedResult{}, err
	}
	open, err := t.openEmbedder(ctx, e, r, report)
	if err != nil {
		return EmbedResult{}, err
	}
	defer open.release()
	embedding := newStage(StageEmbedding, "texts", report)
	embedding.texts(0, len(r.Texts))
	got, err := open.model.Embed(ctx, r.Texts, pipeline.EmbedRequest{Prompt: r.Prefix, NoPrompt: r.NoPrefix, Progress: embedding.texts})
	if err != nil {
		return EmbedResult{}, inContext(ctx, err)
	}
	notices := append(open.notices, got.Notices...)
	t.devices.LogWork("embed", e.ID, got.Device, len(r.Texts), got.Took, got.Fallbacks, notices)
	t.devices.Note("embed", e.ID, got.Profile)
	return EmbedResult{
		Vectors: got.Vectors, Tokens: got.Tokens, Truncated: got.Truncated, Took: got.Took, Load: open.load,
		Model: e.Model, Device: got.Device, Fallbacks: got.Fallbacks, Notices: notices,
		Notes: append(embedNotes(open.model.Info(), got.Truncated), got.Notes...), Profile: profile(got.Profile),
	}, nil
}

func (t *TextsService) openEmbedder(ctx context.Context, e entry, r EmbedRequest, report func(Progress)) (opened[pipeline.Embedder], error) {
	options := fmt.Sprint(r.Pooling, r.NoNormalize, r.BatchTokens, " ", heldAs(r.Weights))
	return openModel(ctx, t.pool, "embed", e, r.Target, options, func(ctx context.Context, c checkpoint) (pipeline.Embedder, error) {
		return t.pool.openers.embedder(ctx, c.files, c.backends, pipeline.EmbedderOptions{
			WeightsFile: c.weightsFile, Weights: r.Weights, Pooling: r.Pooling, NoNormalize: r.NoNormalize, BatchTokens: r.BatchTokens,
			Available: availableMemory, Prove: c.prove, Progress: newStage(StageLoading, "bytes", report).at,
		})
	})
}

// heldAs is one name for each way to hold weights, of which one has two.
func heldAs(weights string) string { return cmp.Or(weights, "auto") }

// embedNotes says what a reader of the vectors should know.
func embedNotes(info pipeline.EmbedderInfo, truncated []bool) []string {
	var notes []string
	for _, n := range info.Notes {
		notes = append(notes, joinNotes([]string{n}))
	}
	if !info.PoolingStated {
		notes = append(notes, "This checkpoint does not say how to make one vector of its tokens, so their mean was taken; another pooling may suit it better.")
	}
	cut := 0
	for _, t := range truncated {
		if t {
			cut++
		}
	}
	switch {
	case cut == 1:
		notes = append(notes, fmt.Sprintf("One text is longer than the %d tokens that the model reads; its end was left out.", info.MaxLength))
	case cut > 1:
		notes = append(notes, fmt.Sprintf("%d texts are longer than the %d tokens that the model reads; their ends were left out.", cut, info.MaxLength))
	}
	return notes
}
