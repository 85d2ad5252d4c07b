// Package postgres keeps collections in a PostgreSQL database with pgvector, so
// that several people share them. Every process may write; those that write to
// one collection wait for each other.
package postgres

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"inglenook/documents/store"
	"inglenook/documents/store/checks"
	"inglenook/loopback"
)

// Store implements store.Store.
type Store struct {
	pool     *pgxpool.Pool
	readOnly bool
	made     atomic.Bool   // the schema is there
	checks   *checks.Later // of searches by an index

	// Tests use smaller numbers than indexFrom and exactBelow.
	indexFrom, exactBelow int
}

var _ store.Store = (*Store)(nil)

// querier is a connection, a transaction or a pool.
type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// connectTimeout is how long a server may take to answer at first.
const connectTimeout = 10 * time.Second

// Open opens the collections of a database. One that nobody set up holds none, and stays as
// it is until Create sets it up. The address is a postgres:// URL as psql takes it; a password that it
// lacks comes from PGPASSWORD or the password file. A user who may not write
// gets a store that is read-only.
func Open(ctx context.Context, address string) (*Store, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, cannotRead(err)
	}
	config.ConnConfig.RuntimeParams["search_path"] = "inglenook,public"
	config.ConnConfig.RuntimeParams["application_name"] = "inglenook"
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	config.ConnConfig.Tracer, config.PingTimeout = &deadlines{answerTimeout}, connectTimeout
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, explained(err)
	}
	s := &Store{pool: pool, checks: checks.New(), indexFrom: indexFrom, exactBelow: exactBelow}
	if err = s.prepare(ctx); err == nil && s.made.Load() {
		err = pool.QueryRow(ctx, "SELECT NOT has_table_privilege('passages', 'INSERT') OR current_setting('transaction_read_only')::boolean").Scan(&s.readOnly)
	}
	if err != nil {
		pool.Close()
		return nil, explained(err)
	}
	return s, nil
}

// cannotRead says what is wrong with an address, without the address: it may have a
// password in it.
func cannotRead(err error) error {
	var file *fs.PathError
	switch {
	case errors.As(err, &file):
		return fmt.Errorf("the file %q, which the address of the database names, cannot be read; check sslrootcert, sslcert and sslkey", file.Path)
	case strings.Contains(err.Error(), "unable to add CA to cert pool"):
		return errors.New("the file that sslrootcert names holds no certificate; give one in PEM form")
	case strings.Contains(err.Error(), "sslmode is invalid"):
		return errors.New("the sslmode in the address of the database is none; use disable, require, verify-ca or verify-full")
	}
	return errors.New("the address of the database cannot be read; give it as postgres://USER@HOST/DATABASE")
}

// Here reports whether a database is on this computer, by all its addresses.
func Here(address string) bool {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return false
	}
	hosts := []string{config.ConnConfig.Host}
	for _, f := range config.ConnConfig.Fallbacks {
		hosts = append(hosts, f.Host)
	}
	return !slices.ContainsFunc(hosts, func(host string) bool {
		return !strings.HasPrefix(host, "/") && !loopback.Host(strings.ToLower(host)) // a path is a socket here
	})
}

// ReadOnly implements store.Store.
func (s *Store) ReadOnly() bool { return s.readOnly }

// Notes implements store.Store; a server repairs its database itself.
func (s *Store) Notes() []string { return nil }

// Closed implements store.Store; collections of a database open together.
func (s *Store) Closed() []store.Closed { return nil }

// Retry implements store.Store.
func (s *Store) Retry(context.Context) error { return nil }

// Close implements store.Store.
func (s *Store) Close() error {
	s.checks.Stop()
	closed := make(chan struct{})
	go func() {
		s.pool.Close() // says goodbye to the server, and waits for it
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(tidyTimeout): // the server is gone, and its connections end by themselves
	}
	return nil
}

// Collections implements store.Store.
func (s *Store) Collections(ctx context.Context) ([]store.Collection, error) {
	found, err := s.load(ctx, "")
	all := make([]store.Collection, len(found))
	for i, c := range found {
		all[i] = c
	}
	return all, err
}

// Collection implements store.Store.
func (s *Store) Collection(ctx context.Context, id string) (store.Collection, error) {
	found, err := s.load(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, store.ErrNotFound
	}
	return found[0], nil
}

// load reads the collection with an id, or all of them.
func (s *Store) load(ctx context.Context, id string) ([]*Collection, error) {
	if made, err := s.isMade(ctx); err != nil || !made {
		return nil, explained(err)
	}
	rows, err := s.pool.Query(ctx, `SELECT c.id, c.name, s.key, s.value FROM collections c LEFT JOIN settings s ON s.collection = c.id
		WHERE $1 IN ('', c.id) ORDER BY lower(c.name), c.id`, id)
	if err != nil {
		return nil, explained(err)
	}
	defer rows.Close()
	var all []*Collection
	for rows.Next() {
		var id, name string
		var key *string
		var value []byte
		if err := rows.Scan(&id, &name, &key, &value); err != nil {
			return nil, explained(err)
		}
		if len(all) == 0 || all[len(all)-1].id != id {
			all = append(all, &Collection{store: s, id: id, name: name, settings: map[string][]byte{}})
		}
		if key != nil {
			all[len(all)-1].settings[*key] = value
		}
	}
	return all, explained(rows.Err())
}

// Create implements store.Store.
func (s *Store) Create(ctx context.Context, name string) (store.Collection, error) {
	if s.readOnly {
		return nil, store.ErrReadOnly
	}
	name, err := nameOf(name)
	if err != nil {
		return nil, err
	}
	made, err := s.isMade(ctx)
	if err == nil && !made {
		err = s.migrate(ctx)
	}
	if err != nil {
		return nil, explained(err)
	}
	id := make([]byte, 8)
	rand.Read(id)
	c := &Collection{store: s, id: hex.EncodeToString(id), name: name, settings: map[string][]byte{}}
	_, err = s.pool.Exec(ctx, "INSERT INTO collections (id, name) VALUES ($1, $2)", c.id, name)
	if err != nil {
		return nil, explained(err)
	}
	return c, nil
}

func nameOf(name string) (string, error) {
	if name = strings.TrimSpace(clean(name)); name == "" {
		return "", errors.New("a collection needs a name")
	}
	return name, nil
}

// Remove implements store.Store.
func (s *Store) Remove(ctx context.Context, id string) error {
	if s.readOnly {
		return store.ErrReadOnly
	}
	if made, err := s.isMade(ctx); err != nil || !made {
		return cmp.Or(explained(err), store.ErrNotFound)
	}
	return explained(pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := lock(ctx, tx, id); err != nil {
			return err
		}
		// Files point at contents, so they go first.
		if _, err := tx.Exec(ctx, "DELETE FROM files WHERE collection = $1", id); err != nil {
			return err
		}
		done, err := tx.Exec(ctx, "DELETE FROM collections WHERE id = $1", id)
		if err == nil && done.RowsAffected() == 0 {
			return store.ErrNotFound
		}
		return err
	}))
}

// lock has the writers of a collection wait for each other until the
// transaction ends.
func lock(ctx context.Context, tx pgx.Tx, collection string) error {
	_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 25))", collection)
	return err
}

// clean makes a text one that PostgreSQL keeps: it has no place for a zero byte.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", " ")
}
