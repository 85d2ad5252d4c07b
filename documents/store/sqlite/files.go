package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"inglenook/documents/store"
)

const selectFiles = `SELECT f.path, f.size, f.modified, f.hash, f.state, f.reason, f.retries, f.format, f.indexed,
	ifnull(c.title, ''), ifnull(c.pages, 0), ifnull(c.notes, 'null'), ifnull(c.passages, 0), ifnull(c.id, 0),
	ifnull((SELECT min(path) FROM files WHERE content = c.id), '')
	FROM files f LEFT JOIN contents c ON c.id = f.content`

// A fileRow is a record with the content that it has.
type fileRow struct {
	store.File
	content int64
}

func readFiles(rows *sql.Rows, err error) (all []fileRow, _ error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var f fileRow
		var modified, indexed int64
		var notes, shown string
		if err := rows.Scan(&f.Path, &f.Size, &modified, &f.Hash, &f.State, &f.Reason, &f.Retries, &f.Format, &indexed,
			&f.Title, &f.Pages, &notes, &f.Passages, &f.content, &shown); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(notes), &f.Notes); err != nil {
			return nil, errors.Join(store.ErrDamaged, err)
		}
		f.Modified, f.Indexed = fromUnix(modified), fromUnix(indexed)
		if shown != f.Path {
			f.Duplicate = shown
		}
		all = append(all, f)
	}
	return all, rows.Err()
}

// open returns the connections that read.
func (c *Collection) open() (*sql.DB, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.closed {
		return nil, errClosed
	}
	return c.reader, nil
}

// File implements store.Files.
func (c *Collection) File(ctx context.Context, path string) (store.File, bool, error) {
	db, err := c.open()
	if err != nil {
		return store.File{}, false, err
	}
	found, err := readFiles(db.QueryContext(ctx, selectFiles+" WHERE f.path = ?", path))
	if err != nil || len(found) == 0 {
		return store.File{}, false, c.explained(err)
	}
	return found[0].File, true, nil
}

// Files implements store.Files.
func (c *Collection) Files(ctx context.Context, filter store.FileFilter) ([]store.File, error) {
	db, err := c.open()
	if err != nil {
		return nil, err
	}
	w := where{}
	w.among("f.state", filter.States)
	w.below(filter.Folder)
	w.endings(filter.Endings)
	if filter.Hash != "" {
		w.and("f.hash = ?", filter.Hash)
	}
	if filter.After != "" {
		w.and("f.path > ?", filter.After)
	}
	query := selectFiles + w.String() + " ORDER BY f.path"
	if filter.Limit > 0 {
		query += " LIMIT ?"
		w.args = append(w.args, filter.Limit)
	}
	found, err := readFiles(db.QueryContext(ctx, query, w.args...))
	if err != nil {
		return nil, c.explained(err)
	}
	files := make([]store.File, len(found))
	for i, f := range found {
		files[i] = f.File
	}
	return files, nil
}

// where is the condition of a query.
type where struct {
	conditions []string
	args       []any
}

func (w *where) and(condition string, args ...any) {
	w.conditions = append(w.conditions, condition)
	w.args = append(w.args, args...)
}

// below asks for files in a folder and below it.
func (w *where) below(folder string) {
	if folder == "" {
		return
	}
	prefix := strings.TrimSuffix(folder, string(filepath.Separator)) + string(filepath.Separator)
	w.and("f.path >= ? AND f.path < ?", prefix, prefix[:len(prefix)-1]+string(filepath.Separator+1))
}

func (w *where) String() string {
	if len(w.conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.conditions, " AND ")
}

// among asks for one of some values; none ask for nothing.
func (w *where) among(column string, values any) {
	list, err := json.Marshal(values)
	if err == nil && string(list) != "null" && string(list) != "[]" {
		w.and(column+" IN (SELECT value FROM json_each(?))", string(list))
	}
}

// endings asks for files whose names end in a dot and one of some words.
func (w *where) endings(words []string) {
	var conditions []string
	var args []any
	for _, word := range words {
		word = "." + strings.TrimPrefix(word, ".")
		conditions = append(conditions, "lower(substr(f.path, -?)) = lower(?)")
		args = append(args, utf8.RuneCountInString(word), word)
	}
	if len(conditions) > 0 {
		w.and("("+strings.Join(conditions, " OR ")+")", args...)
	}
}

// Mark implements store.Files. The passages of a file that waits stay until it
// is read again; one that failed or is skipped has none.
func (c *Collection) Mark(ctx context.Context, f store.File) error {
	return c.write(ctx, nil, func(tx *sql.Tx, ch *change) error {
		content := int64(0)
		if f.State == store.Waiting || f.State == store.Indexed {
			var err error
			if content, err = contentOf(ctx, tx, f.Path); err != nil {
				return err
			}
		}
		return putFile(ctx, tx, f, content, ch)
	})
}

// Link implements store.Files.
func (c *Collection) Link(ctx context.Context, f store.File) (linked bool, err error) {
	f.State, f.Reason, f.Retries = store.Indexed, "", 0
	err = c.write(ctx, nil, func(tx *sql.Tx, ch *change) error {
		var content int64
		err := tx.QueryRowContext(ctx, "SELECT id FROM contents WHERE hash = ? AND format = ?", f.Hash, f.Format).Scan(&content)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		linked = true
		return putFile(ctx, tx, f, content, ch)
	})
	return linked && err == nil, err
}

// Delete implements store.Files.
func (c *Collection) Delete(ctx context.Context, paths ...string) error {
	return c.write(ctx, nil, func(tx *sql.Tx, ch *change) error {
		for _, path := range paths {
			content, err := contentOf(ctx, tx, path)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, "DELETE FROM files WHERE path = ?", path); err != nil {
				return err
			}
			if err := dropUnused(ctx, tx, content, ch); err != nil {
				return err
			}
		}
		return nil
	})
}

// Summary implements store.Collection.
func (c *Collection) Summary(ctx context.Context) (store.Summary, error) {
	s := store.Summary{Files: map[store.State]int{}}
	if err := c.current(ctx); err != nil {
		return s, c.explained(err)
	}
	found, err := c.reader.QueryContext(ctx, "SELECT state, count(*) FROM files GROUP BY state")
	if err != nil {
		return s, c.explained(err)
	}
	defer found.Close()
	for found.Next() {
		var state store.State
		var n int
		if err := found.Scan(&state, &n); err != nil {
			return s, err
		}
		s.Files[state] = n
	}
	if err := found.Err(); err != nil {
		return s, c.explained(err)
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.closed {
		return s, errClosed
	}
	s.Passages = c.rows.count
	for _, set := range c.sets {
		if set != nil && set.serving {
			s.Checks = store.Checks(set.vectors.Checks())
		}
	}
	for slot, set := range c.sets {
		switch {
		case set == nil:
		case set.serving:
			s.Embedder = set.embedder
		default:
			s.Building, s.Missing = set.embedder, c.rows.count-c.rows.embedded[slot].Count()
		}
	}
	s.Bytes, err = folderSize(c.dir)
	return s, err
}

// folderSize adds up the files below a folder. One that vanishes meanwhile does
// not count.
func folderSize(dir string) (size int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		if info, err := e.Info(); err == nil {
			size += info.Size()
		}
		return nil
	})
	return size, err
}
