package postgres

import (
	"context"
	"errors"
	"maps"
	"sync"

	"github.com/jackc/pgx/v5"

	"inglenook/documents/store"
)

// Collection implements store.Collection.
type Collection struct {
	store *Store
	id    string

	mu       sync.Mutex
	name     string
	settings map[string][]byte // as they were when the collection was asked for
}

var _ store.Collection = (*Collection)(nil)

// ID implements store.Collection.
func (c *Collection) ID() string { return c.id }

// Name implements store.Collection.
func (c *Collection) Name() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.name
}

// Rename implements store.Collection.
func (c *Collection) Rename(ctx context.Context, name string) error {
	name, err := nameOf(name)
	if err != nil {
		return err
	}
	err = c.write(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE collections SET name = $2 WHERE id = $1", c.id, name)
		return err
	})
	if err == nil {
		c.mu.Lock()
		c.name = name
		c.mu.Unlock()
	}
	return err
}

// Setting implements store.Collection.
func (c *Collection) Setting(key string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.settings[key]
}

// SetSetting implements store.Collection.
func (c *Collection) SetSetting(key string, value []byte) error {
	return c.ChangeSetting(key, func([]byte) ([]byte, error) { return value, nil })
}

// ChangeSetting implements store.Collection.
func (c *Collection) ChangeSetting(key string, change func(value []byte) ([]byte, error)) error {
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
	defer cancel()
	return c.changeSetting(ctx, key, change)
}

func (c *Collection) changeSetting(ctx context.Context, key string, change func(value []byte) ([]byte, error)) error {
	var value []byte
	err := c.write(ctx, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, "SELECT value FROM settings WHERE collection = $1 AND key = $2", c.id, key).Scan(&value)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		if value, err = change(value); err != nil {
			return err
		}
		if value == nil {
			value = []byte{}
		}
		_, err = tx.Exec(ctx, "INSERT INTO settings VALUES ($1, $2, $3) ON CONFLICT (collection, key) DO UPDATE SET value = excluded.value", c.id, key, value)
		return err
	})
	if err == nil {
		c.mu.Lock()
		c.settings = maps.Clone(c.settings)
		c.settings[key] = value
		c.mu.Unlock()
	}
	return err
}

// write runs do in a transaction, alone among the writers of the collection.
func (c *Collection) write(ctx context.Context, do func(tx pgx.Tx) error) error {
	if c.store.readOnly {
		return store.ErrReadOnly
	}
	err := explained(pgx.BeginFunc(ctx, c.store.pool, func(tx pgx.Tx) error {
		if err := lock(ctx, tx, c.id); err != nil {
			return err
		}
		return do(tx)
	}))
	if errors.Is(err, ErrNoRight) { // it could read so far
		err = store.ErrReadOnly
	}
	return err
}

// Summary implements store.Collection. Bytes are those of texts and vectors,
// without the indexes, which collections of a database share.
func (c *Collection) Summary(ctx context.Context) (store.Summary, error) {
	s := store.Summary{Files: map[store.State]int{}}
	rows, err := c.store.pool.Query(ctx, "SELECT state, count(*) FROM files WHERE collection = $1 GROUP BY state", c.id)
	if err != nil {
		return s, explained(err)
	}
	var state store.State
	var n int
	if _, err = pgx.ForEachRow(rows, []any{&state, &n}, func() error { s.Files[state] = n; return nil }); err != nil {
		return s, explained(err)
	}
	err = c.store.pool.QueryRow(ctx, "SELECT count(*), coalesce(sum(pg_column_size(p.*)), 0) FROM passages p WHERE collection = $1", c.id).Scan(&s.Passages, &s.Bytes)
	if err != nil {
		return s, explained(err)
	}
	sets, err := c.Sets(ctx)
	for _, set := range sets {
		s.Bytes += int64(set.Vectors) * int64(set.Dimension) * 4
		if set.Serving {
			s.Embedder = set.Embedder
			if s.Checks, err = c.checksOfServing(ctx); err != nil {
				return s, explained(err)
			}
		} else {
			s.Building, s.Missing = set.Embedder, s.Passages-set.Vectors
		}
	}
	return s, err
}
