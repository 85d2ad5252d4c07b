package documents

import (
	"context"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/documents/store"
	"inglenook/documents/support"
)

// Meaning returns what compares texts by the embedder of a collection, until release is
// called. Indexing waits as long. A server that a search has just given up is not waited for again.
func (s *Service) Meaning(ctx context.Context, collection string) (m support.Vectors, release func(), err error) {
	ctx, c, done, err := s.enter(ctx, collection)
	if err != nil {
		return nil, nil, err
	}
	entry, err := s.toEmbed(ctx, c, "")
	if err != nil {
		done()
		return nil, nil, err
	}
	hurry := s.hurry(entry, false)
	var e *embedder
	err = hurry(ctx, func(ctx context.Context) (err error) {
		e, err = s.borrow(ctx, entry, library.TaskPassages, devices.Target{}, []store.Collection{c}, nil)
		return err
	})
	if err != nil {
		done()
		return nil, nil, err
	}
	s.searches.Add(1)
	vectors := func(ctx context.Context, texts []string) (v [][]float32, err error) {
		err = hurry(ctx, func(ctx context.Context) error {
			v, err = e.EmbedPassages(ctx, texts)
			return err
		})
		return v, err
	}
	return vectors, func() {
		s.searches.Add(-1)
		e.Close()
		done()
	}, nil
}
