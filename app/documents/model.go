package documents

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/documents/index"
	"inglenook/documents/store"
	"inglenook/plain"
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
	if err := setModel(c, entry.ID, ""); err != nil {
		return s.sentence(err)
	}
	if err := s.library.ChooseFor(c.ID(), entry); err != nil {
		return err
	}
	defer s.announce()
	serves, err := s.serves(ctx, c, entry)
	if entry.Elsewhere() { // the next run asks the server whether it still is the same
		sum, e := c.Summary(ctx)
		serves, err = modelsOf(c)[sum.Embedder] == entry.ID, s.sentence(e)
	}
	if err != nil || !serves {
		return err
	}
	return s.sentence(c.Abandon(ctx))
}

// modelOf is the model that is to embed a collection.
func (s *Service) modelOf(ctx context.Context, c store.Collection) string {
	return cmp.Or(s.modelHere(ctx, c, ""), library.StarterEmbed)
}

// modelHere is the model of an embedder id, or with "" the one that is to embed the
// collection, as it is called on this computer.
func (s *Service) modelHere(ctx context.Context, c store.Collection, id string) string {
	model, _ := s.nameHere(ctx, c, id)
	return model
}

// modelToAsk is like modelHere, and an error where that is of a server which a person did not
// choose here for this collection: nothing of it is sent there.
func (s *Service) modelToAsk(ctx context.Context, c store.Collection, id string) (string, error) {
	model, chosen := s.nameHere(ctx, c, id)
	if !chosen {
		return "", s.notChosen(c, model)
	}
	return model, nil
}

// notChosen is the error about a model of a server that was not chosen here for a collection.
func (s *Service) notChosen(c store.Collection, model string) error {
	server, _, _ := strings.Cut(model, "/")
	server = plain.Line(server, 60)
	if !s.library.HasServer(model) {
		return fmt.Errorf("the server %s was removed, or never added on this computer; choose another model with index --model, or add that server again", server)
	}
	return fmt.Errorf("texts of “%s” go to the server %s only if you say so, because it was added after it was last chosen for them, or has another address now; choose %s for this collection, in Documents or with index --model", c.Name(), server, plain.Line(model, 100))
}

// nameHere is the model of an embedder id as it is called here. chosen is false where it is of a
// server that was not chosen here for this collection.
func (s *Service) nameHere(ctx context.Context, c store.Collection, id string) (model string, chosen bool) {
	models, probes := modelsOf(c), probesOf(c)
	model = models[id]
	served := false
	for of, other := range models {
		served = served || other == model && probes.ofServer(of)
	}
	if !served && (model == "" || !s.library.OnServer(ctx, model)) {
		return model, true
	}
	return s.library.NameHere(c.ID(), model)
}

// setModel notes the model of embedder ids, of which "" is the one that is to embed the
// collection, in one step: other computers may do the same.
func setModel(c store.Collection, model string, ids ...string) error {
	known := modelsOf(c)
	if !slices.ContainsFunc(ids, func(id string) bool { return known[id] != model }) {
		return nil
	}
	return changeJSON(c, modelsKey, func(models map[string]string) map[string]string {
		if models == nil {
			models = map[string]string{}
		}
		for _, id := range ids {
			models[id] = model
		}
		return models
	})
}

// serves reports whether the vectors of a collection are those of a model with its
// files as they are. A collection without vectors can have any. The model is not opened,
// so the vectors of a server are not known to be those of its model.
func (s *Service) serves(ctx context.Context, c store.Collection, entry library.Entry) (bool, error) {
	sets, err := c.Sets(ctx)
	if err != nil || len(sets) == 0 {
		return err == nil, s.sentence(err)
	}
	if s.modelOf(ctx, c) != entry.ID || entry.Elsewhere() {
		return false, nil
	}
	print, err := entry.Fingerprint(ctx)
	return strings.HasPrefix(sets[0].Embedder, idOf(entry.Name, print)), err
}

// serveWith notes which model an embedder is, before there are vectors of it. Where
// another embedder serves the collection, or the files of the model have changed, the
// new vectors are made first; note hears of the latter.
func (s *Service) serveWith(ctx context.Context, c store.Collection, x *index.Indexer, e *embedder, report func(base.Progress), note func(string)) (anew int, _ error) {
	if err := setModel(c, e.entry.ID, e.ID(), ""); err != nil {
		return 0, s.sentence(err)
	}
	sets, err := c.Sets(ctx)
	if err != nil || len(sets) == 0 {
		return 0, s.sentence(err)
	}
	if sets[0].Embedder == e.ID() {
		return 0, s.sentence(c.Abandon(ctx))
	}
	if s.modelHere(ctx, c, sets[0].Embedder) == e.entry.ID {
		note(changedModel(c, e))
	}
	return s.reembed(ctx, c, x, e, report)
}

// changedModel says why the vectors of a collection are made anew although its model is
// called as before.
func changedModel(c store.Collection, e *embedder) string {
	if e.entry.Elsewhere() {
		return fmt.Sprintf("The server %s has another model under the name %s than the one that embedded “%s”, so all vectors are made anew.", e.entry.Server, e.entry.Architecture, c.Name())
	}
	return fmt.Sprintf("The files of %s have changed since “%s” was embedded, so all vectors are made anew.", e.entry.Name, c.Name())
}

// reembed makes the vectors of an embedder for passages that have none, and then lets
// it serve. anew counts those that were made.
func (s *Service) reembed(ctx context.Context, c store.Collection, x *index.Indexer, e *embedder, report func(base.Progress)) (anew int, _ error) {
	if err := c.Begin(ctx, e.ID(), e.Dimension()); err != nil {
		return 0, s.sentence(err)
	}
	sum, err := c.Summary(ctx)
	if err != nil {
		return 0, s.sentence(err)
	}
	stage := base.NewStage(base.StageEmbedding, "passages", report)
	for done := sum.Passages - sum.Missing; ; {
		stage.Texts(done, sum.Passages)
		if err := x.Wait(ctx); err != nil {
			return anew, err
		}
		passages, err := c.Missing(ctx, e.ID(), embedStep)
		if err != nil {
			return anew, s.sentence(err)
		}
		if len(passages) == 0 {
			if err := c.Serve(ctx, e.ID()); err != nil {
				return anew, s.sentence(err)
			}
			return anew, s.library.Chosen(c.ID(), e.entry)
		}
		if err := s.embedMissing(ctx, c, e, passages); err != nil {
			return anew, err
		}
		done, anew = done+len(passages), anew+len(passages)
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
