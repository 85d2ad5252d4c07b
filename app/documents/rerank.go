package documents

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/held"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/documents/search"
	"inglenook/engine"
	"inglenook/pipeline"
	"inglenook/pipeline/placement"
	"inglenook/remote"
)

// RerankBudget is how long a model may read the passages of one search. Opening the
// model does not count.
const RerankBudget = time.Second

// MostRead is how many passages of one search a model may read.
const MostRead = search.MostRead

// RerankRequest says which model is to read the passages.
type RerankRequest struct {
	Model string // a reranker, or an embedder, which compares vectors
	devices.Target
}

// Reranked is how a model that read the passages ordered them.
type Reranked struct {
	Model     library.Model
	Method    string // "cross-encoder" or "cosine"
	Untrusted string // why its scores are not to be relied on, as a clause; "": they are
	Read, Of  int    // passages, of those that it was given
	Took      time.Duration
	Load      time.Duration // 0 when the model was open already
	Device    string
	Notices   []string // sentences about a device that failed or was not trusted
}

// Rerank has a model read the best passages of a search beside the question, within
// RerankBudget, and returns the result in the new order. found is that of a search with
// ToRerank; it stays as it is. A passage that was not shown may come into the list. Where a
// server fails, or takes longer than a search waits for it, the passages stay in their order, and a note says why.
func (s *Service) Rerank(ctx context.Context, found SearchResult, r RerankRequest, report func(base.Progress)) (SearchResult, error) {
	if len(found.candidates) == 0 {
		return found, nil
	}
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return SearchResult{}, err
	}
	defer done()
	s.searches.Add(1)
	defer s.searches.Add(-1)
	if strings.TrimSpace(r.Model) == "" {
		return SearchResult{}, errors.New("no model is named that could read the passages; choose a reranker")
	}
	entry, err := s.library.Encodes(ctx, r.Model)
	if err != nil {
		return SearchResult{}, base.InContext(ctx, err)
	}
	if !entry.Elsewhere() {
		return s.rerank(ctx, found, entry, r, report)
	}
	var out SearchResult
	err = s.hurry(entry, false)(ctx, func(ctx context.Context) (err error) {
		out, err = s.rerank(ctx, found, entry, r, report)
		return err
	})
	if err == nil || ctx.Err() != nil || !remote.OfServer(err) {
		return out, err
	}
	out = found
	out.Notes = append(slices.Clone(found.Notes), fmt.Sprintf("The passages stand in the order of the search, because no model read them: %v.", err))
	return out, nil
}

func (s *Service) rerank(ctx context.Context, found SearchResult, entry library.Entry, r RerankRequest, report func(base.Progress)) (SearchResult, error) {
	judge, err := s.borrowJudge(ctx, found, entry, r, report)
	if err != nil {
		return SearchResult{}, base.InContext(ctx, err)
	}
	defer judge.open.Release()
	start := time.Now()
	ranked, read, err := search.Rerank(ctx, judge, found.question, found.candidates, RerankBudget)
	if err != nil {
		return SearchResult{}, base.InContext(ctx, err)
	}
	did := &Reranked{
		Model: judge.entry.Model, Method: judge.open.Model.Info().Method, Untrusted: judge.open.Model.Info().Untrusted,
		Read: read, Of: len(found.candidates), Took: time.Since(start), Load: judge.open.Load, Device: judge.device, Notices: judge.notices,
	}
	s.devices.LogWork("rerank", judge.entry.ID, judge.device, read, did.Took, judge.fallbacks, judge.notices)
	s.devices.Note(devices.Work{Job: "rerank", Model: judge.entry.ID, Took: did.Took}, judge.profile)
	out := found
	out.candidates, out.Reranked = ranked, did
	out.Files = search.Grouped(ranked[:min(found.limit, len(ranked))])
	return out, nil
}

// judge is a model of the pool as search.Reranker. It is borrowed until it is released.
type judge struct {
	entry     library.Entry
	open      pool.Opened[pipeline.Reranker]
	device    string            // of the last call
	profile   placement.Profile // of the last call
	fallbacks []engine.Fallback
	notices   []string
}

func (s *Service) borrowJudge(ctx context.Context, found SearchResult, entry library.Entry, r RerankRequest, report func(base.Progress)) (*judge, error) {
	var err error
	if r.Weights == "" {
		if r.Weights, err = s.judgeHeld(ctx, entry, found, r.Target, report); err != nil {
			return nil, err
		}
	}
	open, err := s.pool.OpenReranker(ctx, entry, r.Target, pipeline.RerankerOptions{Weights: r.Weights}, report)
	if err != nil {
		return nil, err
	}
	return &judge{entry: entry, open: open, notices: slices.Clone(open.Notices)}, nil
}

// judgeHeld returns how the weights of a judge are held. On the processor the first search
// decides it, on its own passages, and it is kept with the model. Where both ways do not
// fit into memory, or the passages are too few, the model reads as it is in its file.
func (s *Service) judgeHeld(ctx context.Context, e library.Entry, found SearchResult, t devices.Target, report func(base.Progress)) (string, error) {
	h, decide, err := s.held.Weights(ctx, s.pool, e, t, held.Rerank, report)
	if err != nil || !decide || len(found.candidates) < held.FewestScores {
		return h.Weights, err
	}
	var passages []string
	for _, c := range found.candidates {
		passages = append(passages, c.Input())
	}
	h, err = held.CheckReranker(ctx, s.pool, e, t, pipeline.RerankerOptions{}, found.question, passages, report)
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		s.log.Warn("8 bits are not checked", "model", e.ID, "error", err)
		return "", nil
	}
	if err := s.held.Keep(ctx, e, held.Rerank, h); err != nil {
		s.log.Warn("the choice of 8 bits is not kept", "model", e.ID, "error", err)
	}
	return h.Weights, nil
}

// Cosines implements search.Reranker.
func (j *judge) Cosines() bool { return j.open.Model.Info().Method == pipeline.Cosine }

// Rerank implements search.Reranker.
func (j *judge) Rerank(ctx context.Context, question string, passages []string) ([]float64, error) {
	got, err := j.open.Model.Score(ctx, question, passages, pipeline.RerankRequest{})
	if err != nil {
		return nil, err
	}
	j.profile = got.Profile
	j.device, j.fallbacks, j.notices = got.Device, got.Fallbacks, append(j.notices, got.Notices...)
	scores := make([]float64, len(got.Values))
	for i, v := range got.Values {
		scores[i] = float64(v)
	}
	return scores, nil
}
