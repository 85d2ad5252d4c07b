package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"inglenook/documents"
	"inglenook/documents/store"
)

var errClosed = errors.New("the documents are closed")

// change is what a transaction did to the passages, to be done to c.rows once it
// is committed.
type change struct {
	removed []int64
	ids     []int64
	content int64
	sets    int
}

// write runs do in a transaction, alone, and then lets searches see the change.
// ready runs before the transaction begins.
func (c *Collection) write(ctx context.Context, ready func() error, do func(tx *sql.Tx, ch *change) error) error {
	if c.store.readOnly {
		return store.ErrReadOnly
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	if err := c.current(ctx); err != nil {
		return c.explained(err)
	}
	if ready != nil {
		if err := ready(); err != nil {
			return c.explained(err)
		}
	}
	var ch change
	err := inTx(ctx, c.writer, func(tx *sql.Tx) error {
		if err := do(tx, &ch); err != nil {
			return err
		}
		if len(ch.removed) == 0 && len(ch.ids) == 0 {
			return nil
		}
		_, err := tx.ExecContext(ctx, "UPDATE changes SET count = count + 1")
		return err
	})
	if err != nil {
		return c.explained(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range ch.removed {
		c.rows.remove(id)
	}
	for _, id := range ch.ids {
		c.rows.add(id, int32(ch.content), ch.sets)
	}
	c.rows.taken(len(ch.ids))
	return nil
}

// Put implements store.Collection. The vectors are on the disk before the
// transaction that makes them count: a crash leaves rows that nobody knows.
func (c *Collection) Put(ctx context.Context, f store.File, passages []documents.Chunk, byEmbedder map[string][][]float32) error {
	if f.Hash == "" || f.Path == "" {
		return errors.New("an indexed file needs a path and a hash")
	}
	f.State, f.Reason, f.Retries = store.Indexed, "", 0
	var ids []int64
	sets := 0
	ready := func() (err error) {
		ids = c.rows.unused(len(passages))
		sets, err = c.writeVectors(ids, byEmbedder)
		return err
	}
	return c.write(ctx, ready, func(tx *sql.Tx, ch *change) error {
		content, err := renewContent(ctx, tx, f, len(passages), ch)
		if err != nil {
			return err
		}
		if err := putFile(ctx, tx, f, content, ch); err != nil {
			return err
		}
		ch.ids, ch.content, ch.sets = ids, content, sets
		return putPassages(ctx, tx, f, content, ids, passages, sets)
	})
}

// writeVectors writes the vectors of new passages for all sets that have some,
// and returns the bits of these sets.
func (c *Collection) writeVectors(ids []int64, byEmbedder map[string][][]float32) (sets int, err error) {
	for slot, s := range c.sets {
		if s == nil {
			continue
		}
		v := byEmbedder[s.embedder]
		if len(v) == 0 && !s.serving || len(ids) == 0 {
			continue
		}
		if len(v) != len(ids) {
			return 0, fmt.Errorf("%d vectors of %s for %d passages", len(v), s.embedder, len(ids))
		}
		if err := s.vectors.Write(ids, v); err != nil {
			return 0, fmt.Errorf("keep vectors: %w", err)
		}
		sets |= 1 << slot
	}
	if sets == 0 && len(ids) > 0 {
		return 0, errors.New("the collection has no vector set yet")
	}
	return sets, nil
}

// renewContent returns the content for a file's bytes, without passages.
func renewContent(ctx context.Context, tx *sql.Tx, f store.File, passages int, ch *change) (id int64, err error) {
	notes, err := json.Marshal(f.Notes)
	if err != nil {
		return 0, err
	}
	err = tx.QueryRowContext(ctx, `INSERT INTO contents (hash, format, title, pages, notes, passages) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (hash, format) DO UPDATE SET title = excluded.title, pages = excluded.pages, notes = excluded.notes, passages = excluded.passages
		RETURNING id`, f.Hash, f.Format, f.Title, f.Pages, string(notes), passages).Scan(&id)
	if err != nil {
		return 0, err
	}
	return id, dropPassages(ctx, tx, id, ch)
}

// dropPassages deletes the passages of a content.
func dropPassages(ctx context.Context, tx *sql.Tx, content int64, ch *change) error {
	ids, err := numbers(tx.QueryContext(ctx, "SELECT id FROM passages WHERE content = ?", content))
	if err != nil {
		return err
	}
	for _, id := range ids {
		for _, from := range []string{"words WHERE rowid", "texts WHERE id", "passages WHERE id"} {
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+from+" = ?", id); err != nil {
				return err
			}
		}
	}
	ch.removed = append(ch.removed, ids...)
	return nil
}

// putFile writes a file's record with its content, 0 for none. A content that no
// file has any more goes.
func putFile(ctx context.Context, tx *sql.Tx, f store.File, content int64, ch *change) error {
	old, err := contentOf(ctx, tx, f.Path)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO files
		(path, size, modified, hash, state, reason, retries, format, content, indexed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, nullif(?, 0), ?)`,
		f.Path, f.Size, unix(f.Modified), f.Hash, f.State, f.Reason, f.Retries, f.Format, content, time.Now().UnixNano())
	if err != nil || old == content {
		return err
	}
	return dropUnused(ctx, tx, old, ch)
}

// contentOf returns the content of a path, 0 if it has none.
func contentOf(ctx context.Context, tx *sql.Tx, path string) (content int64, err error) {
	err = tx.QueryRowContext(ctx, "SELECT ifnull(content, 0) FROM files WHERE path = ?", path).Scan(&content)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return content, err
}

// dropUnused deletes a content that no file has.
func dropUnused(ctx context.Context, tx *sql.Tx, content int64, ch *change) error {
	if content == 0 {
		return nil
	}
	var used bool
	if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM files WHERE content = ?)", content).Scan(&used); err != nil || used {
		return err
	}
	if err := dropPassages(ctx, tx, content, ch); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "DELETE FROM contents WHERE id = ?", content)
	return err
}

func putPassages(ctx context.Context, tx *sql.Tx, f store.File, content int64, ids []int64, passages []documents.Chunk, sets int) error {
	var statements [3]*sql.Stmt
	for i, text := range []string{
		"INSERT INTO passages (id, content, place, first, last, page, line, tokens, sets) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		"INSERT INTO texts (id, text, context, headings, breaks) VALUES (?, ?, ?, ?, ?)",
		"INSERT INTO words (rowid, title, headings, text) VALUES (?, ?, ?, ?)",
	} {
		s, err := tx.PrepareContext(ctx, text)
		if err != nil {
			return err
		}
		defer s.Close()
		statements[i] = s
	}
	title := words(f.Title + "\n" + strings.TrimSuffix(filepath.Base(f.Path), filepath.Ext(f.Path)))
	for i, p := range passages {
		headings, err := json.Marshal(p.Headings)
		if err != nil {
			return err
		}
		breaks, err := textOf(p.Breaks)
		if err != nil {
			return err
		}
		if _, err := statements[0].ExecContext(ctx, ids[i], content, i, p.Start, p.End, p.Page, p.Line, p.Tokens, sets); err != nil {
			return err
		}
		if _, err := statements[1].ExecContext(ctx, ids[i], p.Text, p.Context, string(headings), breaks); err != nil {
			return err
		}
		if _, err := statements[2].ExecContext(ctx, ids[i], title, words(strings.Join(p.Headings, "\n")), words(p.Text)); err != nil {
			return err
		}
	}
	return nil
}

// textOf is how page breaks are kept; breaksOf reads them. Most passages have none.
func textOf(breaks []documents.Break) (string, error) {
	if len(breaks) == 0 {
		return "", nil
	}
	text, err := json.Marshal(breaks)
	return string(text), err
}

func breaksOf(text string) (breaks []documents.Break, err error) {
	if text != "" {
		err = json.Unmarshal([]byte(text), &breaks)
	}
	return breaks, err
}

// numbers reads a column of integers.
func numbers(rows *sql.Rows, err error) (all []int64, _ error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, rows.Err()
}
