package documents

import (
	"context"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/documents/store"
	"inglenook/documents/support"
)

// Meaning returns what compares texts by the embedder of a collection, until release is
// called. Indexing waits as long.
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
	e, err := s.borrow(ctx, entry, library.TaskPassages, devices.Target{}, []store.Collection{c}, nil)
	if err != nil {
		done()
		return nil, nil, err
	}
	s.searches.Add(1)
	return e.EmbedPassages, func() {
		s.searches.Add(-1)
		e.Close()
		done()
	}, nil
}
