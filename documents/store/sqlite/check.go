package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"inglenook/documents/store"
)

// Check looks through all that is kept, which takes a second for each gigabyte
// or so: the database, its index of words, and whether every passage has its
// text, its words and a vector of about unit length in the serving set.
func (c *Collection) Check(ctx context.Context) error {
	if err := c.current(ctx); err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if c.writer != nil {
		if _, err := c.writer.ExecContext(ctx, "INSERT INTO words (words) VALUES ('integrity-check')"); err != nil {
			return errors.Join(store.ErrDamaged, err)
		}
	}
	for _, check := range []struct{ query, want string }{
		{"PRAGMA integrity_check(1)", "ok"},
		{"SELECT count(*) FROM pragma_foreign_key_check", "0"},
		{"SELECT count(*) FROM passages WHERE id NOT IN (SELECT id FROM texts)", "0"},
		{"SELECT count(*) FROM texts WHERE id NOT IN (SELECT id FROM passages)", "0"},
		{"SELECT count(*) FROM passages WHERE id NOT IN (SELECT id FROM words_docsize)", "0"},
		{"SELECT count(*) FROM words_docsize WHERE id NOT IN (SELECT id FROM passages)", "0"},
		{"SELECT count(*) FROM contents WHERE id NOT IN (SELECT content FROM files WHERE content IS NOT NULL)", "0"},
		{"SELECT count(*) FROM contents c WHERE passages != (SELECT count(*) FROM passages WHERE content = c.id)", "0"},
		{"SELECT count(*) FROM files WHERE state = 'indexed' AND content IS NULL", "0"},
	} {
		var got string
		if err := c.reader.QueryRowContext(ctx, check.query).Scan(&got); err != nil {
			return fmt.Errorf("%s: %w", check.query, err)
		}
		if got != check.want {
			return fmt.Errorf("%w: %s gives %s", store.ErrDamaged, strings.Join(strings.Fields(check.query), " "), got)
		}
	}
	return c.checkVectors(ctx)
}

func (c *Collection) checkVectors(ctx context.Context) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for slot, s := range c.sets {
		if s == nil {
			continue
		}
		for id, content := range c.rows.contents {
			switch has := c.rows.embedded[slot].Has(id); {
			case has && content == 0:
				return fmt.Errorf("%w: a vector of passage %d, which is not there", store.ErrDamaged, id)
			case content != 0 && !has && s.serving:
				return fmt.Errorf("%w: passage %d has no vector", store.ErrDamaged, id)
			case !has:
				continue
			}
			if id%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			v, err := s.vectors.Row(int64(id))
			if err != nil {
				return fmt.Errorf("vector %d: %w", id, err)
			}
			var sum float64
			for _, x := range v {
				sum += float64(x) * float64(x)
			}
			if sum < 0.98 || sum > 1.02 {
				return fmt.Errorf("%w: vector %d has the square %v", store.ErrDamaged, id, sum)
			}
		}
	}
	return nil
}
