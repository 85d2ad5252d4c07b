package app

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"inglenook/engine"
	"inglenook/pipeline"
)

// RerankRequest asks how well texts answer a query.
type RerankRequest struct {
	Model string
	Target
	Query   string
	Texts   []string
	Pooling string // cosine of vectors pooled so, instead of a classification head
}

// RerankResult lists the texts, the best first.
type RerankResult struct {
	Ranking    []Ranked
	Method     string // "cross-encoder" or "cosine"
	Took       time.Duration
	Load       time.Duration // 0 when the model was open already
	Tokens     int           // of all texts
	TokensEach []int         // of each text, by its index in the request
	Model      Model
	Device     string
	Fallbacks  []engine.Fallback
	Notices    []string // as in EmbedResult
	Notes      []string
	Profile    Profile
}

// Ranked is a text by its index in the request, with its score.
type Ranked struct {
	Index   int
	Score   float32
	Windows int // parts that a long text was read in; the best one counts
}

// Rerank scores texts against a query; equal scores keep their order.
func (t *TextsService) Rerank(ctx context.Context, r RerankRequest, report func(Progress)) (RerankResult, error) {
	if len(r.Texts) == 0 {
		return RerankResult{}, errors.New("there is nothing to score; give at least one document")
	}
	ctx, done, err := t.life.Begin(ctx)
	if err != nil {
		return RerankResult{}, err
	}
	defer done()
	e, err := t.library.encodes(ctx, r.Model)
	if err != nil {
		return RerankResult{}, err
	}
	open, err := t.openReranker(ctx, e, r, report)
	if err != nil {
		return RerankResult{}, err
	}
	defer open.release()
	scoring := newStage(StageScoring, "texts", report)
	scoring.texts(0, len(r.Texts))
	got, err := open.model.Score(ctx, r.Query, r.Texts, pipeline.RerankRequest{Progress: scoring.texts})
	if err != nil {
		return RerankResult{}, inContext(ctx, err)
	}
	notices := append(open.notices, got.Notices...)
	t.devices.LogWork("rerank", e.ID, got.Device, len(r.Texts), got.Took, got.Fallbacks, notices)
	t.devices.Note("rerank", e.ID, got.Profile)
	return RerankResult{
		Ranking: rank(got), Method: got.Method, Took: got.Took, Load: open.load, Tokens: sum(got.Tokens), TokensEach: got.Tokens,
		Model: e.Model, Device: got.Device, Fallbacks: got.Fallbacks, Notices: notices, Notes: got.Notes,
		Profile: profile(got.Profile),
	}, nil
}

func (t *TextsService) openReranker(ctx context.Context, e entry, r RerankRequest, report func(Progress)) (opened[pipeline.Reranker], error) {
	return openModel(ctx, t.pool, "rerank", e, r.Target, r.Pooling+" "+heldAs(r.Weights), func(ctx context.Context, c checkpoint) (pipeline.Reranker, error) {
		o := pipeline.RerankerOptions{
			WeightsFile: c.weightsFile, Weights: r.Weights, Available: availableMemory, Prove: c.prove, Progress: newStage(StageLoading, "bytes", report).at,
		}
		if r.Pooling != "" {
			o.Pooling = []string{r.Pooling}
		}
		return pipeline.OpenReranker(ctx, c.files, c.backends, o)
	})
}

func rank(s pipeline.Scores) []Ranked {
	list := make([]Ranked, len(s.Values))
	for i, v := range s.Values {
		list[i] = Ranked{Index: i, Score: v, Windows: s.Windows[i]}
	}
	slices.SortStableFunc(list, func(a, b Ranked) int { return cmp.Compare(b.Score, a.Score) })
	return list
}
