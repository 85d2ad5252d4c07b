package documents

import (
	"context"
	"errors"
	"fmt"

	"inglenook/app/base"
	"inglenook/documents/store"
	"inglenook/documents/store/postgres"
)

// UseDatabase keeps and searches collections in a PostgreSQL database from now on,
// and no longer those on this computer. The address is as psql takes it. The
// database is opened when it is needed first.
func (s *Service) UseDatabase(address string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.database = address
	return s.closeStores()
}

// TryDatabase opens a database and closes it again.
func (s *Service) TryDatabase(ctx context.Context, address string) error {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return err
	}
	defer done()
	opened, err := s.openDatabase(ctx, address)
	if err != nil {
		return base.InContext(ctx, err)
	}
	return opened.Close()
}

// SwitchDatabase is UseDatabase while collections are in use: runs of the indexer end, and
// a watch goes on with the collections that are there now. "" is this computer.
func (s *Service) SwitchDatabase(ctx context.Context, address string) error {
	if all, err := s.all(ctx); err == nil {
		for _, c := range all {
			s.Stop(c.ID())
		}
	}
	defer s.announce()
	return s.UseDatabase(address)
}

// inDatabase returns the database's collections, opened now if need be. The caller
// holds the lock.
func (s *Service) inDatabase(ctx context.Context) (store.Store, error) {
	if s.store == nil {
		opened, err := s.openDatabase(ctx, s.database)
		if err != nil {
			return nil, base.InContext(ctx, err)
		}
		s.store = opened
	}
	return s.store, nil
}

// openDatabase opens a database, unless that is forbidden.
func (s *Service) openDatabase(ctx context.Context, address string) (*postgres.Store, error) {
	if s.offline != nil && s.offline() && !postgres.Here(address) {
		return nil, errors.New("Inglenook works offline, and the database is not on this computer; allow connections in Settings, or leave out --offline")
	}
	opened, err := postgres.Open(ctx, address)
	if err != nil {
		return nil, databaseSentence(err)
	}
	return opened, nil
}

// databaseSentence turns an error of a database into a sentence that says what to do.
func databaseSentence(err error) error {
	switch {
	case errors.Is(err, store.ErrReplaced):
		return store.ErrReplaced
	case errors.Is(err, store.ErrReadOnly):
		return errors.New("your user may only read the database, so it can be searched and not changed; ask who runs it for the right to write")
	case errors.Is(err, store.ErrDiskFull):
		return errors.New("the disk of the database is full; have space freed and try again: what was indexed before is kept")
	}
	return fmt.Errorf("the collections in the database cannot be used: %w", err)
}
