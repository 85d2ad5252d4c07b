package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"inglenook/documents/store"
)

const selectFiles = `SELECT f.path, f.size, f.modified, f.hash, f.state, f.reason, f.retries, f.format, f.indexed,
	coalesce(c.title, ''), coalesce(c.pages, 0), coalesce(c.notes, 'null'), coalesce(c.passages, 0), coalesce(c.id, 0),
	coalesce((SELECT g.path FROM files g WHERE g.content = c.id ORDER BY g.path LIMIT 1), '')
	FROM files f LEFT JOIN contents c ON c.id = f.content`

// A fileRow is a record with the content that it has.
type fileRow struct {
	store.File
	content int64
}

func readFiles(rows pgx.Rows, err error) (all []fileRow, _ error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var f fileRow
		var path, shown []byte
		var modified, indexed int64
		var notes string
		if err := rows.Scan(&path, &f.Size, &modified, &f.Hash, &f.State, &f.Reason, &f.Retries, &f.Format, &indexed,
			&f.Title, &f.Pages, &notes, &f.Passages, &f.content, &shown); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(notes), &f.Notes); err != nil {
			return nil, err
		}
		f.Path, f.Modified, f.Indexed = string(path), fromUnix(modified), fromUnix(indexed)
		if f.content != 0 && string(shown) != f.Path {
			f.Duplicate = string(shown)
		}
		all = append(all, f)
	}
	return all, rows.Err()
}

func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func fromUnix(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n)
}

// File implements store.Files.
func (c *Collection) File(ctx context.Context, path string) (store.File, bool, error) {
	found, err := readFiles(c.store.pool.Query(ctx, selectFiles+" WHERE f.collection = $1 AND f.path = $2", c.id, []byte(path)))
	if err != nil || len(found) == 0 {
		return store.File{}, false, explained(err)
	}
	return found[0].File, true, nil
}

// Files implements store.Files.
func (c *Collection) Files(ctx context.Context, filter store.FileFilter) ([]store.File, error) {
	w := c.where()
	if len(filter.States) > 0 {
		w.and("f.state = ANY(?)", filter.States)
	}
	w.below(filter.Folder)
	w.endings(filter.Endings)
	if filter.Hash != "" {
		w.and("f.hash = ?", filter.Hash)
	}
	if filter.After != "" {
		w.and("f.path > ?", []byte(filter.After))
	}
	query := selectFiles + w.String() + " ORDER BY f.path"
	if filter.Limit > 0 {
		query += fmt.Sprintf(" LIMIT %d", filter.Limit)
	}
	found, err := readFiles(c.store.pool.Query(ctx, query, w.args...))
	files := make([]store.File, len(found))
	for i, f := range found {
		files[i] = f.File
	}
	return files, explained(err)
}

// where is the condition of a query about files.
type where struct {
	conditions []string
	args       []any
}

func (c *Collection) where() *where {
	w := &where{}
	w.and("f.collection = ?", c.id)
	return w
}

// and adds a condition with a question mark where its argument stands.
func (w *where) and(condition string, arg any) {
	w.args = append(w.args, arg)
	w.conditions = append(w.conditions, strings.Replace(condition, "?", fmt.Sprintf("$%d", len(w.args)), 1))
}

// below asks for files in a folder and below it.
func (w *where) below(folder string) {
	if folder == "" {
		return
	}
	prefix := strings.TrimSuffix(folder, string(filepath.Separator)) + string(filepath.Separator)
	w.and("f.path >= ?", []byte(prefix))
	w.and("f.path < ?", []byte(prefix[:len(prefix)-1]+string(filepath.Separator+1)))
}

// endings asks for files whose names end in a dot and one of some words.
func (w *where) endings(words []string) {
	var all []string
	for _, word := range words {
		all = append(all, "."+strings.ToLower(clean(strings.TrimPrefix(word, "."))))
	}
	if len(all) > 0 {
		w.and("EXISTS (SELECT 1 FROM unnest(?::text[]) AS e WHERE right(f.name, length(e)) = e)", all)
	}
}

func (w *where) String() string { return " WHERE " + strings.Join(w.conditions, " AND ") }

// Mark implements store.Files. The passages of a file that waits stay until it
// is read again; one that failed or is skipped has none.
func (c *Collection) Mark(ctx context.Context, f store.File) error {
	return c.write(ctx, func(tx pgx.Tx) error {
		content := int64(0)
		if f.State == store.Waiting || f.State == store.Indexed {
			var err error
			if content, err = c.contentOf(ctx, tx, f.Path); err != nil {
				return err
			}
		}
		return c.putFile(ctx, tx, f, content)
	})
}

// Link implements store.Files.
func (c *Collection) Link(ctx context.Context, f store.File) (linked bool, err error) {
	f.State, f.Reason, f.Retries = store.Indexed, "", 0
	err = c.write(ctx, func(tx pgx.Tx) error {
		var content int64
		err := tx.QueryRow(ctx, "SELECT id FROM contents WHERE collection = $1 AND hash = $2 AND format = $3", c.id, f.Hash, f.Format).Scan(&content)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		linked = true
		return c.putFile(ctx, tx, f, content)
	})
	return linked && err == nil, err
}

// Delete implements store.Files.
func (c *Collection) Delete(ctx context.Context, paths ...string) error {
	return c.write(ctx, func(tx pgx.Tx) error {
		for _, path := range paths {
			content, err := c.contentOf(ctx, tx, path)
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "DELETE FROM files WHERE collection = $1 AND path = $2", c.id, []byte(path)); err != nil {
				return err
			}
			if err := dropUnused(ctx, tx, content); err != nil {
				return err
			}
		}
		return nil
	})
}

// contentOf returns the content of a path, 0 if it has none.
func (c *Collection) contentOf(ctx context.Context, tx pgx.Tx, path string) (content int64, err error) {
	err = tx.QueryRow(ctx, "SELECT coalesce(content, 0) FROM files WHERE collection = $1 AND path = $2", c.id, []byte(path)).Scan(&content)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return content, err
}

// putFile writes a file's record with its content, 0 for none. A content that no
// file has any more goes.
func (c *Collection) putFile(ctx context.Context, tx pgx.Tx, f store.File, content int64) error {
	old, err := c.contentOf(ctx, tx, f.Path)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO files VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, nullif($11::bigint, 0), $12)
		ON CONFLICT (collection, path) DO UPDATE SET size = excluded.size, modified = excluded.modified, hash = excluded.hash, state = excluded.state,
		reason = excluded.reason, retries = excluded.retries, format = excluded.format, content = excluded.content, indexed = excluded.indexed`,
		c.id, []byte(f.Path), strings.ToLower(clean(filepath.Base(f.Path))), f.Size, unix(f.Modified), f.Hash, f.State, clean(f.Reason), f.Retries, f.Format, content, time.Now().UnixNano())
	if err != nil || old == content {
		return err
	}
	return dropUnused(ctx, tx, old)
}

// dropUnused deletes a content that no file has, with its passages.
func dropUnused(ctx context.Context, tx pgx.Tx, content int64) error {
	if content == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, "DELETE FROM contents WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM files WHERE content = $1)", content)
	return err
}
