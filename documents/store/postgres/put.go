package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"

	"inglenook/documents"
	"inglenook/documents/store"
)

// Put implements store.Files: one transaction, so all of it is kept or nothing.
func (c *Collection) Put(ctx context.Context, f store.File, passages []documents.Chunk, vectors map[string][][]float32) error {
	if f.Hash == "" || f.Path == "" {
		return errors.New("an indexed file needs a path and a hash")
	}
	f.State, f.Reason, f.Retries = store.Indexed, "", 0
	title := f.Title + "\n" + strings.TrimSuffix(filepath.Base(f.Path), filepath.Ext(f.Path))
	kept := make([]passage, len(passages))
	size := 0
	for i, p := range passages {
		var err error
		if kept[i], err = newPassage(p, title); err != nil {
			return err
		}
		size += kept[i].size
	}
	return c.write(ctx, func(tx pgx.Tx) error {
		content, err := c.renewContent(ctx, tx, f, len(passages), size)
		if err != nil {
			return err
		}
		if err := c.putFile(ctx, tx, f, content); err != nil {
			return err
		}
		ids := make([]int64, len(kept))
		for i, p := range kept {
			if ids[i], err = c.putPassage(ctx, tx, content, i, p); err != nil {
				return err
			}
		}
		return c.putAllVectors(ctx, tx, ids, vectors)
	})
}

// renewContent returns the content for a file's bytes, without passages.
func (c *Collection) renewContent(ctx context.Context, tx pgx.Tx, f store.File, passages, size int) (id int64, err error) {
	notes, err := json.Marshal(f.Notes)
	if err != nil {
		return 0, err
	}
	err = tx.QueryRow(ctx, `INSERT INTO contents (collection, hash, format, title, pages, notes, passages, size) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (collection, hash, format) DO UPDATE SET title = excluded.title, pages = excluded.pages, notes = excluded.notes, passages = excluded.passages, size = excluded.size
		RETURNING id`, c.id, f.Hash, f.Format, clean(f.Title), f.Pages, string(notes), passages, size).Scan(&id)
	if err != nil {
		return 0, err
	}
	_, err = tx.Exec(ctx, "DELETE FROM passages WHERE content = $1", id)
	return id, err
}

// passage is a passage with what is kept beside it.
type passage struct {
	documents.Chunk
	headings, breaks, words string
	size                    int // words
}

func newPassage(p documents.Chunk, title string) (passage, error) {
	headings, err := json.Marshal(p.Headings)
	if err != nil {
		return passage{}, err
	}
	breaks, err := json.Marshal(p.Breaks)
	if err != nil {
		return passage{}, err
	}
	stems := stemsOf(title + "\n" + strings.Join(p.Headings, "\n") + "\n" + p.Text)
	return passage{p, string(headings), string(breaks), vectorOf(stems), len(stems)}, nil
}

func (c *Collection) putPassage(ctx context.Context, tx pgx.Tx, content int64, place int, p passage) (id int64, err error) {
	err = tx.QueryRow(ctx, `INSERT INTO passages (collection, content, place, first, last, page, line, tokens, text, context, headings, breaks, words, size)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::text::tsvector, $14) RETURNING id`,
		c.id, content, place, p.Start, p.End, p.Page, p.Line, p.Tokens, clean(p.Text), clean(p.Context), p.headings, p.breaks, p.words, p.size).Scan(&id)
	return id, err
}

// putAllVectors keeps the vectors of new passages for all sets that have some.
func (c *Collection) putAllVectors(ctx context.Context, tx pgx.Tx, ids []int64, byEmbedder map[string][][]float32) error {
	if len(ids) == 0 {
		return nil
	}
	rows, err := tx.Query(ctx, "SELECT id, embedder, dimension, serving FROM sets WHERE collection = $1", c.id)
	if err != nil {
		return err
	}
	type set struct {
		ID        int64
		Embedder  string
		Dimension int
		Serving   bool
	}
	sets, err := pgx.CollectRows(rows, pgx.RowToStructByPos[set])
	if err != nil {
		return err
	}
	if len(sets) == 0 {
		return errors.New("the collection has no vector set yet")
	}
	for _, s := range sets {
		v := byEmbedder[s.Embedder]
		if len(v) == 0 && !s.Serving {
			continue
		}
		if len(v) == 0 {
			return store.ErrReplaced
		}
		if len(v) != len(ids) {
			return fmt.Errorf("%d vectors of %s for %d passages", len(v), s.Embedder, len(ids))
		}
		if err := putVectors(ctx, tx, s.ID, s.Dimension, ids, v); err != nil {
			return err
		}
	}
	return nil
}
