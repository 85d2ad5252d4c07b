package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"inglenook/documents/store"
	"inglenook/documents/store/vectors"
)

var errNoSet = errors.New("the collection has no vectors of this embedder")

// slotOf returns the slot of an embedder's set. c.mu or c.writing is held.
func (c *Collection) slotOf(embedder string) (int, error) {
	slot := slices.IndexFunc(c.sets[:], func(s *set) bool { return s != nil && s.embedder == embedder })
	if slot < 0 {
		return 0, fmt.Errorf("%w: %s", errNoSet, embedder)
	}
	return slot, nil
}

// Sets implements store.VectorSets.
func (c *Collection) Sets(ctx context.Context) ([]store.VectorSet, error) {
	if err := c.current(ctx); err != nil {
		return nil, c.explained(err)
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	var all []store.VectorSet
	for slot, s := range c.sets {
		if s != nil && c.rows != nil {
			all = append(all, store.VectorSet{Embedder: s.embedder, Dimension: s.dimension, Serving: s.serving, Vectors: c.rows.embedded[slot].Count()})
		}
	}
	slices.SortFunc(all, func(a, b store.VectorSet) int {
		if a.Serving == b.Serving {
			return 0
		} else if a.Serving {
			return -1
		}
		return 1
	})
	return all, nil
}

// Begin implements store.VectorSets.
func (c *Collection) Begin(ctx context.Context, embedder string, dimension int) error {
	if c.store.readOnly {
		return store.ErrReadOnly
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if err := c.current(ctx); err != nil {
		return c.explained(err)
	}
	if _, err := c.slotOf(embedder); err == nil {
		return nil
	}
	slot, first := 0, true
	for i, s := range c.sets {
		if s == nil {
			continue
		}
		if first = false; s.serving {
			slot = 1 - i
			continue
		}
		if err := c.drop(ctx, i); err != nil {
			return c.explained(err)
		}
	}
	s := &set{embedder: embedder, dimension: dimension, serving: first, file: "vectors-" + newID()}
	var err error
	if s.vectors, err = c.openVectors(s); err != nil {
		return c.explained(err)
	}
	// In a transaction: a statement alone may be done although its context ended.
	err = inTx(ctx, c.writer, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO sets (slot, file, embedder, dimension, serving) VALUES (?, ?, ?, ?, ?)", slot, s.file, embedder, dimension, first)
		return err
	})
	if err != nil {
		return c.explained(errors.Join(err, s.vectors.Close(), vectors.Remove(filepath.Join(c.dir, s.file))))
	}
	c.mu.Lock()
	c.sets[slot] = s
	c.mu.Unlock()
	return nil
}

// drop deletes a set. c.writing is held.
func (c *Collection) drop(ctx context.Context, slot int) error {
	s := c.sets[slot]
	err := inTx(ctx, c.writer, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "UPDATE passages SET sets = sets & ~? WHERE sets & ?", 1<<slot, 1<<slot); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM sets WHERE slot = ?", slot)
		return err
	})
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sets[slot], c.rows.embedded[slot] = nil, nil
	return errors.Join(s.vectors.Close(), vectors.Remove(filepath.Join(c.dir, s.file)))
}

// Abandon implements store.VectorSets.
func (c *Collection) Abandon(ctx context.Context) error {
	if c.store.readOnly {
		return store.ErrReadOnly
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if err := c.current(ctx); err != nil {
		return c.explained(err)
	}
	for slot, s := range c.sets {
		if s != nil && !s.serving {
			return c.explained(c.drop(ctx, slot))
		}
	}
	return nil
}

// Missing implements store.VectorSets.
func (c *Collection) Missing(ctx context.Context, embedder string, n int) ([]store.Passage, error) {
	if err := c.current(ctx); err != nil {
		return nil, c.explained(err)
	}
	c.mu.RLock()
	slot, err := c.slotOf(embedder)
	var ids []int64
	for id := int64(1); err == nil && id < int64(len(c.rows.contents)) && len(ids) < n; id++ {
		if c.rows.contents[id] != 0 && !c.rows.embedded[slot].Has(int(id)) {
			ids = append(ids, id)
		}
	}
	c.mu.RUnlock()
	if err != nil {
		return nil, err
	}
	return c.Passages(ctx, ids)
}

// Add implements store.VectorSets.
func (c *Collection) Add(ctx context.Context, embedder string, ids []int64, v [][]float32) error {
	if len(ids) != len(v) {
		return fmt.Errorf("%d vectors for %d passages", len(v), len(ids))
	}
	slot := 0
	var known []int64
	ready := func() (err error) {
		if slot, err = c.slotOf(embedder); err != nil {
			return err
		}
		var of [][]float32
		for i, id := range ids {
			if c.rows.content(id) != 0 {
				known, of = append(known, id), append(of, v[i])
			}
		}
		return c.sets[slot].vectors.Write(known, of)
	}
	err := c.write(ctx, ready, func(tx *sql.Tx, _ *change) error {
		for _, id := range known {
			if _, err := tx.ExecContext(ctx, "UPDATE passages SET sets = sets | ? WHERE id = ?", 1<<slot, id); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, "UPDATE changes SET count = count + 1")
		return err
	})
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range known {
		if c.rows.content(id) != 0 {
			c.rows.embedded[slot].Add(int(id))
		}
	}
	return nil
}

// Serve implements store.VectorSets.
func (c *Collection) Serve(ctx context.Context, embedder string) error {
	if c.store.readOnly {
		return store.ErrReadOnly
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if err := c.current(ctx); err != nil {
		return c.explained(err)
	}
	slot, err := c.slotOf(embedder)
	if err != nil {
		return err
	}
	if missing := c.rows.count - c.rows.embedded[slot].Count(); missing > 0 {
		return fmt.Errorf("%d passages have no vector of %s yet", missing, embedder)
	}
	if _, err := c.writer.ExecContext(ctx, "UPDATE sets SET serving = (slot = ?)", slot); err != nil {
		return c.explained(err)
	}
	c.mu.Lock()
	for i, s := range c.sets {
		if s != nil {
			s.serving = i == slot
		}
	}
	c.mu.Unlock()
	if c.sets[1-slot] == nil {
		return nil
	}
	return c.explained(c.drop(ctx, 1-slot))
}
