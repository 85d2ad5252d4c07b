package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"inglenook/documents/store"
)

// setOf returns the number of an embedder's set and the length of its vectors. An error of
// store.ErrReplaced says that there is none, or not any more.
func (c *Collection) setOf(ctx context.Context, q querier, embedder string) (id int64, dimension int, err error) {
	err = q.QueryRow(ctx, "SELECT id, dimension FROM sets WHERE collection = $1 AND embedder = $2", c.id, embedder).Scan(&id, &dimension)
	if errors.Is(err, pgx.ErrNoRows) {
		err = store.ErrReplaced
	}
	return id, dimension, err
}

// Sets implements store.VectorSets.
func (c *Collection) Sets(ctx context.Context) ([]store.VectorSet, error) {
	rows, err := c.store.pool.Query(ctx, `SELECT embedder, dimension, serving, (SELECT count(*) FROM vectors WHERE set = s.id)
		FROM sets s WHERE collection = $1 ORDER BY serving DESC`, c.id)
	if err != nil {
		return nil, explained(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[store.VectorSet])
	return all, explained(err)
}

// Begin implements store.VectorSets.
func (c *Collection) Begin(ctx context.Context, embedder string, dimension int) error {
	return c.write(ctx, func(tx pgx.Tx) error {
		if _, _, err := c.setOf(ctx, tx, embedder); !errors.Is(err, store.ErrReplaced) {
			return err
		}
		if _, err := tx.Exec(ctx, "DELETE FROM sets WHERE collection = $1 AND NOT serving", c.id); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO sets (collection, embedder, dimension, serving)
			VALUES ($1, $2, $3, NOT EXISTS (SELECT 1 FROM sets WHERE collection = $1))`, c.id, embedder, dimension)
		return err
	})
}

// Abandon implements store.VectorSets.
func (c *Collection) Abandon(ctx context.Context) error {
	return c.write(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM sets WHERE collection = $1 AND NOT serving", c.id)
		return err
	})
}

const withoutVector = " FROM passages p WHERE p.collection = $1 AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.set = $2 AND v.passage = p.id)"

// Missing implements store.VectorSets.
func (c *Collection) Missing(ctx context.Context, embedder string, n int) ([]store.Passage, error) {
	set, _, err := c.setOf(ctx, c.store.pool, embedder)
	if err != nil {
		return nil, explained(err)
	}
	rows, err := c.store.pool.Query(ctx, "SELECT p.id"+withoutVector+" ORDER BY p.id LIMIT $3", c.id, set, n)
	if err != nil {
		return nil, explained(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, explained(err)
	}
	return c.Passages(ctx, ids)
}

// Add implements store.VectorSets.
func (c *Collection) Add(ctx context.Context, embedder string, ids []int64, v [][]float32) error {
	if len(ids) != len(v) {
		return fmt.Errorf("%d vectors for %d passages", len(v), len(ids))
	}
	return c.write(ctx, func(tx pgx.Tx) error {
		set, dimension, err := c.setOf(ctx, tx, embedder)
		if err != nil {
			return err
		}
		return putVectors(ctx, tx, set, dimension, ids, v)
	})
}

// putVectors keeps vectors of those passages that are there.
func putVectors(ctx context.Context, tx pgx.Tx, set int64, dimension int, ids []int64, v [][]float32) error {
	var batch pgx.Batch
	for i, id := range ids {
		if len(v[i]) != dimension {
			return fmt.Errorf("a vector has %d numbers and not %d", len(v[i]), dimension)
		}
		batch.Queue(`INSERT INTO vectors SELECT $1, id, $3::real[]::vector FROM passages WHERE id = $2
			ON CONFLICT (set, passage) DO UPDATE SET vector = excluded.vector`, set, id, v[i])
	}
	return tx.SendBatch(ctx, &batch).Close()
}

// Serve implements store.VectorSets.
func (c *Collection) Serve(ctx context.Context, embedder string) error {
	return c.write(ctx, func(tx pgx.Tx) error {
		set, _, err := c.setOf(ctx, tx, embedder)
		if err != nil {
			return err
		}
		var missing int
		if err := tx.QueryRow(ctx, "SELECT count(*)"+withoutVector, c.id, set).Scan(&missing); err != nil {
			return err
		}
		if missing > 0 {
			return fmt.Errorf("%d passages have no vector of %s yet", missing, embedder)
		}
		if _, err := tx.Exec(ctx, "DELETE FROM sets WHERE collection = $1 AND id <> $2", c.id, set); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE sets SET serving = true WHERE id = $1", set)
		return err
	})
}
