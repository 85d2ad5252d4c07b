package documents

import (
	"context"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/documents/store"
)

// embedStep is how many passages get vectors of a new model at once.
const embedStep = 256

// SetModel makes another model embed a collection. The vectors of the one before serve
// searches until all new ones are there. A call that ends early is continued by the
// next one.
func (s *Service) SetModel(ctx context.Context, collection, model string, t devices.Target, report func(base.Progress)) error {
	ctx, c, done, err := s.enter(ctx, collection)
	if err != nil {
		return err
	}
	defer done()
	ctx, _, err = s.begin(ctx, c)
	if err != nil {
		return err
	}
	defer s.end(c)
	e, err := s.borrow(ctx, model, t, report)
	if err != nil {
		return err
	}
	defer e.Close()
	return s.serveWith(ctx, c, e, report)
}

// reembed makes the vectors of an embedder for passages that have none, and then lets
// it serve.
func (s *Service) reembed(ctx context.Context, c store.Collection, e *embedder, report func(base.Progress)) error {
	if err := c.Begin(ctx, e.ID(), e.Dimension()); err != nil {
		return s.sentence(err)
	}
	sum, err := c.Summary(ctx)
	if err != nil {
		return s.sentence(err)
	}
	stage := base.NewStage(base.StageEmbedding, "passages", report)
	for done := sum.Passages - sum.Missing; ; {
		stage.Texts(done, sum.Passages)
		if err := s.yield(ctx); err != nil {
			return err
		}
		passages, err := c.Missing(ctx, e.ID(), embedStep)
		if err != nil {
			return s.sentence(err)
		}
		if len(passages) == 0 {
			return s.sentence(c.Serve(ctx, e.ID()))
		}
		if err := s.embedMissing(ctx, c, e, passages); err != nil {
			return err
		}
		done += len(passages)
	}
}

func (s *Service) embedMissing(ctx context.Context, c store.Collection, e *embedder, passages []store.Passage) error {
	var ids []int64
	var texts []string
	for _, p := range passages {
		ids, texts = append(ids, p.ID), append(texts, p.Input())
	}
	vectors, err := e.EmbedPassages(ctx, texts)
	if err != nil {
		return err
	}
	return s.sentence(c.Add(ctx, e.ID(), ids, vectors))
}
