package texts

import (
	"context"
	"fmt"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/held"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/engine"
	"inglenook/pipeline"
)

// EmbedRequest asks for one vector a text. The zero value of an option leaves
// what the checkpoint says.
type EmbedRequest struct {
	Model string
	devices.Target
	AsKept      bool     // weights that the target leaves open are held as was chosen for the model
	Prefix      string   // put before each text; "" is the model's default prompt
	NoPrefix    bool     // not even the model's default prompt
	Pooling     []string // cls, mean, max, last, mean_sqrt_len, weighted_mean, pooler
	NoNormalize bool
	Task        string // one of those that the model has weights for; "": its usual one
	BatchTokens int    // tokens in one forward pass; 0: the default
	Texts       []string
	Pictures    []string // of EmbedPictures: paths of PNG or JPEG files
}

// EmbedResult holds one vector a text, in order.
type EmbedResult struct {
	Vectors   [][]float32 // [texts, dimension]
	Tokens    []int
	Truncated []bool
	Took      time.Duration // tokenizing and embedding
	Load      time.Duration // 0 when the model was open already
	Model     library.Model
	Device    string
	Held      held.Held // how weights are held, as was chosen for the model; zero: as in the request
	Fallbacks []engine.Fallback
	Notices   []string // sentences about a device that failed or was not trusted
	Notes     []string // sentences that belong beside the result
	Profile   devices.Profile
	Match     *pipeline.Match // of pictures, see pipeline.Embeddings
}

// Embed turns texts into vectors.
func (t *Service) Embed(ctx context.Context, r EmbedRequest, report func(base.Progress)) (EmbedResult, error) {
	var h held.Held
	result, err := with(ctx, t, r.Model, t.library.Encodes, t.embedder(r, &h, report), func(ctx context.Context, e library.Entry, open pool.Opened[pipeline.Embedder]) (EmbedResult, error) {
		return t.embed(ctx, e, open, r, report)
	})
	result.Held = h
	return result, err
}

func (t *Service) embed(ctx context.Context, e library.Entry, open pool.Opened[pipeline.Embedder], r EmbedRequest, report func(base.Progress)) (EmbedResult, error) {
	embedding := base.NewStage(base.StageEmbedding, "texts", report)
	embedding.Texts(0, len(r.Texts))
	got, err := open.Model.Embed(ctx, r.Texts, pipeline.EmbedRequest{Prompt: r.Prefix, NoPrompt: r.NoPrefix, Progress: embedding.Texts})
	if err != nil {
		return EmbedResult{}, base.InContext(ctx, err)
	}
	notices := append(open.Notices, got.Notices...)
	t.devices.LogWork("embed", e.ID, got.Device, len(r.Texts), got.Took, got.Fallbacks, notices)
	t.devices.Note(devices.Work{Job: "embed", Model: e.ID, Took: got.Took}, got.Profile)
	return EmbedResult{
		Vectors: got.Vectors, Tokens: got.Tokens, Truncated: got.Truncated, Took: got.Took, Load: open.Load,
		Model: e.Model, Device: got.Device, Fallbacks: got.Fallbacks, Notices: notices,
		Notes: append(embedNotes(e.Model, open.Model.Info(), got.Truncated), got.Notes...), Profile: devices.NewProfile(got.Profile),
	}, nil
}

// embedNotes returns what a reader of the vectors should know.
func embedNotes(m library.Model, info pipeline.EmbedderInfo, truncated []bool) []string {
	var notes []string
	for _, n := range info.Notes {
		notes = append(notes, base.JoinNotes([]string{n}))
	}
	switch {
	case !info.PoolingStated && m.Classifies != "":
		notes = append(notes, "This model was made for "+m.BelongsTo()+", not for comparing texts: the mean of its token vectors was used.")
	case !info.PoolingStated:
		notes = append(notes, "This model does not say how to combine its token vectors, so their mean was used. Another pooling may work better.")
	}
	return append(notes, cutNotes(info.MaxLength, truncated)...)
}

// cutNotes says how many texts were cut.
func cutNotes(longest int, truncated []bool) (notes []string) {
	cut := 0
	for _, t := range truncated {
		if t {
			cut++
		}
	}
	switch {
	case cut == 1:
		notes = append(notes, fmt.Sprintf("One text is longer than the %d tokens that the model reads; its end was left out.", longest))
	case cut > 1:
		notes = append(notes, fmt.Sprintf("%d texts are longer than the %d tokens that the model reads; their ends were left out.", cut, longest))
	}
	return notes
}
