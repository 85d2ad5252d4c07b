package documents

import (
	"context"
	"strings"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/documents/index"
	"inglenook/documents/store"
)

// embedStep is how many passages get vectors of a new model at once.
const embedStep = 256

// SetModel makes another model embed a collection. The next run of Index makes the new
// vectors, and a watch begins one at once. Those of the model before serve searches
// until all are there. Naming the current model cancels the change.
func (s *Service) SetModel(ctx context.Context, collection, model string) error {
	ctx, c, done, err := s.enter(ctx, collection)
	if err != nil {
		return err
	}
	defer done()
	entry, err := s.library.Encodes(ctx, model)
	if err != nil {
		return err
	}
	s.Stop(c.ID())
	if err := setModel(c, "", entry.ID); err != nil {
		return s.sentence(err)
	}
	defer s.announce()
	if serves, err := s.serves(ctx, c, entry.ID); err != nil || !serves {
		return err
	}
	return s.sentence(c.Abandon(ctx))
}

// modelOf is the model that is to embed a collection.
func modelOf(c store.Collection) string {
	if model := modelsOf(c)[""]; model != "" {
		return model
	}
	return library.StarterEmbed
}

// setModel notes the model of an embedder id, or with "" the one that is to embed the
// collection.
func setModel(c store.Collection, id, model string) error {
	if modelsOf(c)[id] == model {
		return nil
	}
	return changeJSON(c, modelsKey, func(models map[string]string) map[string]string {
		if models == nil {
			models = map[string]string{}
		}
		models[id] = model
		return models
	})
}

// serves reports whether the vectors of a collection are those of a model with its
// files as they are. A collection without vectors can have any. The model is not opened.
func (s *Service) serves(ctx context.Context, c store.Collection, model string) (bool, error) {
	sets, err := c.Sets(ctx)
	if err != nil || len(sets) == 0 {
		return err == nil, s.sentence(err)
	}
	entry, err := s.library.Encodes(ctx, model)
	if err != nil {
		return false, err
	}
	if modelOf(c) != entry.ID {
		return false, nil
	}
	print, err := entry.Fingerprint(ctx)
	return strings.HasPrefix(sets[0].Embedder, idOf(entry, print)), err
}

// serveWith notes which model an embedder is, before there are vectors of it. Where
// another embedder serves the collection, or the files of the model have changed, the
// new vectors are made first.
func (s *Service) serveWith(ctx context.Context, c store.Collection, x *index.Indexer, e *embedder, report func(base.Progress)) error {
	for _, id := range []string{e.ID(), ""} {
		if err := setModel(c, id, e.entry.ID); err != nil {
			return s.sentence(err)
		}
	}
	sets, err := c.Sets(ctx)
	if err != nil || len(sets) == 0 {
		return s.sentence(err)
	}
	if sets[0].Embedder == e.ID() {
		return s.sentence(c.Abandon(ctx))
	}
	return s.reembed(ctx, c, x, e, report)
}

// reembed makes the vectors of an embedder for passages that have none, and then lets
// it serve.
func (s *Service) reembed(ctx context.Context, c store.Collection, x *index.Indexer, e *embedder, report func(base.Progress)) error {
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
		if err := x.Wait(ctx); err != nil {
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
