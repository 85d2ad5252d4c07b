package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"inglenook/documents/store"
	"inglenook/documents/store/vectors"
)

// Collection implements store.Collection.
type Collection struct {
	store   *Store
	id, dir string

	cardMu sync.Mutex
	card   card

	writing sync.Mutex // held by the one that writes: vectors first, then the transaction
	writer  *sql.DB    // one connection; nil while another process writes
	reader  *sql.DB

	frequent frequencies

	mu     sync.RWMutex // of what is below; a search holds it while it looks at vectors
	rows   *rows        // nil until they are needed
	sets   [2]*set      // by slot
	closed bool
}

var _ store.Collection = (*Collection)(nil)

// A set is a vector set with its files.
type set struct {
	embedder  string
	dimension int
	serving   bool
	file      string
	vectors   *vectors.Set
}

// ID implements store.Collection.
func (c *Collection) ID() string { return c.id }

// newCollection makes a collection. Its card comes last: a folder without one is not looked at, so
// that no other process opens an index that is not complete yet.
func newCollection(ctx context.Context, s *Store, id, name string) (*Collection, error) {
	dir := filepath.Join(s.dir, id)
	c := &Collection{store: s, id: id, dir: dir, card: card{Name: name, Created: time.Now().UTC()}}
	if err := c.openIndex(ctx); err != nil {
		return nil, err
	}
	if err := c.card.write(dir); err != nil {
		c.closeIndex()
		return nil, err
	}
	return c, nil
}

// openCollection opens a collection. An index that cannot be read is set aside,
// and an empty one takes its place.
func openCollection(ctx context.Context, s *Store, id string) (*Collection, error) {
	dir := filepath.Join(s.dir, id)
	c := &Collection{store: s, id: id, dir: dir}
	var err error
	if c.card, err = readCard(dir); err != nil {
		c.card = card{Name: "Collection " + id, Created: time.Now().UTC()}
		s.note("The name of a collection could not be read, so it is called %q now.", c.card.Name)
		if !s.readOnly {
			if err := c.card.write(dir); err != nil {
				return nil, err
			}
		}
	}
	err = c.openIndex(ctx)
	if err == nil || s.readOnly || ctx.Err() != nil || !unreadable(err) {
		return c, err
	}
	aside, err := c.setAside()
	if err != nil {
		return nil, err
	}
	s.note("The index of %q was damaged. It begins anew, and its documents are read again. The damaged one is kept in %s.", c.card.Name, aside)
	return c, c.openIndex(ctx)
}

// openIndex opens the database and the vectors.
func (c *Collection) openIndex(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			c.closeIndex()
		}
		if full(err) {
			err = errors.Join(store.ErrDiskFull, err)
		}
	}()
	if !c.store.readOnly {
		if c.writer, err = connect(c.dir, 1, ""); err != nil {
			return err
		}
		if err := c.prepare(ctx); err != nil {
			return err
		}
	}
	if c.reader, err = connect(c.dir, 0, "&_pragma=query_only(1)"); err != nil {
		return err
	}
	if v, err := version(ctx, c.reader); err != nil {
		return err
	} else if v == 0 {
		return store.ErrBeginning
	}
	return c.openSets(ctx)
}

// prepare makes the newest schema, and looks for damage where that is quick.
func (c *Collection) prepare(ctx context.Context) error {
	if fileExists(filepath.Join(c.dir, damagedName)) {
		return store.ErrDamaged
	}
	v, err := version(ctx, c.writer)
	switch {
	case err != nil:
		return err
	case v > len(migrations):
		return errNewer
	case v > 0 && v < len(migrations):
		if err := c.backUp(ctx, v); err != nil {
			return err
		}
	}
	if err := migrate(ctx, c.writer, v); err != nil {
		return err
	}
	return c.quickCheck(ctx)
}

// backUp copies the database before its schema changes from version v.
func (c *Collection) backUp(ctx context.Context, v int) error {
	path := filepath.Join(c.dir, fmt.Sprintf("index-version-%d.db", v))
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, err := c.writer.ExecContext(ctx, "VACUUM INTO ?", path)
	return err
}

// quickCheck looks through a database of up to 64 MiB, which takes less than a
// second. Damage of a larger one is noticed when it is touched.
func (c *Collection) quickCheck(ctx context.Context) error {
	info, err := os.Stat(filepath.Join(c.dir, databaseName))
	if err != nil || info.Size() > 64<<20 {
		return err
	}
	var answer string
	if err := c.writer.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&answer); err != nil {
		return err
	}
	if answer != "ok" {
		return fmt.Errorf("%w: %s", store.ErrDamaged, answer)
	}
	return nil
}

// openSets opens the vectors of each set. A set whose files are damaged loses
// them: its passages are embedded again.
func (c *Collection) openSets(ctx context.Context) error {
	found, err := c.readSets(ctx)
	if err != nil {
		return err
	}
	for slot, s := range found {
		if s == nil {
			continue
		}
		if s.vectors, err = c.openVectors(s); errors.Is(err, vectors.ErrDamaged) && !c.store.readOnly {
			err = c.startAnew(ctx, slot, s)
		}
		if err != nil {
			return err
		}
		c.sets[slot] = s
	}
	return nil
}

func (c *Collection) readSets(ctx context.Context) (found [2]*set, err error) {
	rows, err := c.reader.QueryContext(ctx, "SELECT slot, file, embedder, dimension, serving FROM sets")
	if err != nil {
		return found, err
	}
	defer rows.Close()
	for rows.Next() {
		var slot int
		s := &set{}
		if err := rows.Scan(&slot, &s.file, &s.embedder, &s.dimension, &s.serving); err != nil {
			return found, err
		}
		if slot < 0 || slot > 1 || s.file != filepath.Base(s.file) {
			return found, store.ErrDamaged
		}
		found[slot] = s
	}
	return found, rows.Err()
}

func (c *Collection) openVectors(s *set) (*vectors.Set, error) {
	return vectors.Open(filepath.Join(c.dir, s.file), s.embedder, s.dimension, c.store.scanner, c.store.readOnly)
}

// startAnew gives a set empty files.
func (c *Collection) startAnew(ctx context.Context, slot int, s *set) error {
	if _, err := c.writer.ExecContext(ctx, "UPDATE passages SET sets = sets & ~?", 1<<slot); err != nil {
		return err
	}
	if err := vectors.Remove(filepath.Join(c.dir, s.file)); err != nil {
		return err
	}
	c.store.note("The vectors of %q were damaged, so they are computed again.", c.card.Name)
	var err error
	s.vectors, err = c.openVectors(s)
	return err
}

func (c *Collection) close() error {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	return c.closeIndex()
}

func (c *Collection) closeIndex() error {
	var errs []error
	for slot, s := range c.sets {
		if s != nil && s.vectors != nil {
			errs = append(errs, s.vectors.Close())
		}
		c.sets[slot] = nil
	}
	if c.reader != nil {
		errs = append(errs, c.reader.Close())
	}
	if c.writer != nil {
		errs = append(errs, c.writer.Close())
	}
	c.reader, c.writer, c.rows = nil, nil, nil
	return errors.Join(errs...)
}
