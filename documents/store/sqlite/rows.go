package sqlite

import (
	"context"
	"math"

	"inglenook/documents/store"
	"inglenook/documents/store/vectors"
)

// rows is what searches need to know of every passage: a row is a passage's id.
type rows struct {
	changes  int64             // the count in the database when they were read
	contents []int32           // by row; 0: no passage
	embedded [2]vectors.Bitmap // rows with a vector, by slot
	count    int               // passages
	free     []int64           // rows below the last that may be written, ascending
}

// add adds a passage.
func (r *rows) add(id int64, content int32, sets int) {
	for int64(len(r.contents)) <= id {
		r.contents = append(r.contents, 0)
	}
	r.contents[id] = content
	r.count++
	for slot := range r.embedded {
		if sets&(1<<slot) != 0 {
			r.embedded[slot].Add(int(id))
		}
	}
}

// remove removes a passage. Its row is not written again before the database
// is opened the next time: until a checkpoint has reached the disk, a loss of
// power could bring the passage back.
func (r *rows) remove(id int64) {
	r.contents[id] = 0
	r.count--
	for slot := range r.embedded {
		r.embedded[slot].Remove(int(id))
	}
}

// unused returns n rows to write to; taken says that they were used.
func (r *rows) unused(n int) []int64 {
	ids := append(make([]int64, 0, n), r.free[:min(n, len(r.free))]...)
	for next := int64(max(1, len(r.contents))); len(ids) < n; next++ {
		ids = append(ids, next)
	}
	return ids
}

func (r *rows) taken(n int) { r.free = r.free[min(n, len(r.free)):] }

// content returns the content of a row, 0 if there is no such passage.
func (r *rows) content(id int64) int32 {
	if id <= 0 || id >= int64(len(r.contents)) {
		return 0
	}
	return r.contents[id]
}

// current makes c.rows those of the database. They are read once; after that
// they change with what is written here, or with what another process wrote.
func (c *Collection) current(ctx context.Context) error {
	c.mu.RLock()
	r, closed := c.rows, c.closed
	c.mu.RUnlock()
	switch {
	case closed:
		return errClosed
	case r != nil && c.writer != nil:
		return nil
	case r != nil:
		n, err := c.changes(ctx)
		if err != nil || n == r.changes {
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return errClosed
	}
	if c.rows != nil && c.writer != nil {
		return nil
	}
	return c.readRows(ctx)
}

func (c *Collection) changes(ctx context.Context) (n int64, err error) {
	err = c.reader.QueryRowContext(ctx, "SELECT count FROM changes").Scan(&n)
	return n, err
}

// readRows reads all rows. c.mu is held.
func (c *Collection) readRows(ctx context.Context) error {
	if c.writer != nil {
		// What is not a passage after this is so for good, and may be written over.
		if _, err := c.writer.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
			return err
		}
	}
	r := &rows{}
	var err error
	if r.changes, err = c.changes(ctx); err != nil {
		return err
	}
	found, err := c.reader.QueryContext(ctx, "SELECT id, content, sets FROM passages ORDER BY id")
	if err != nil {
		return err
	}
	defer found.Close()
	next := int64(1)
	for found.Next() {
		var id, content int64
		var sets int
		if err := found.Scan(&id, &content, &sets); err != nil {
			return err
		}
		if id < next || id > math.MaxInt32 || content <= 0 || content > math.MaxInt32 {
			return store.ErrDamaged
		}
		for ; next < id; next++ {
			r.free = append(r.free, next)
		}
		next = id + 1
		r.add(id, int32(content), sets)
	}
	if err := found.Err(); err != nil {
		return err
	}
	c.rows = r
	return c.matchVectors(ctx)
}

// matchVectors sees that every passage that claims a vector has a row in the
// file. c.mu is held.
func (c *Collection) matchVectors(ctx context.Context) error {
	for slot, s := range c.sets {
		if s == nil {
			continue
		}
		if err := s.vectors.Refresh(); err != nil {
			return err
		}
		lost := false
		for id := s.vectors.Rows(); id < len(c.rows.contents); id++ {
			lost = lost || c.rows.embedded[slot].Has(id)
			c.rows.embedded[slot].Remove(id)
		}
		if c.writer == nil {
			continue
		}
		if lost {
			if _, err := c.writer.ExecContext(ctx, "UPDATE passages SET sets = sets & ~? WHERE id >= ?", 1<<slot, s.vectors.Rows()); err != nil {
				return err
			}
		}
		if err := s.vectors.Truncate(max(1, len(c.rows.contents))); err != nil {
			return err
		}
	}
	return nil
}
