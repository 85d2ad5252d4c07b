package postgres

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"inglenook/documents/store"
)

// allowed returns the condition that p.content is one that a filter lets through,
// with its arguments; "" for all.
func (c *Collection) allowed(f store.Filter) (string, []any) {
	w := c.where()
	w.below(f.Folder)
	if len(f.Paths) > 0 {
		var paths [][]byte
		for _, path := range f.Paths {
			paths = append(paths, []byte(path))
		}
		w.and("f.path = ANY(?::bytea[])", paths)
	}
	if len(f.Formats) > 0 {
		w.and("f.format = ANY(?::text[])", f.Formats)
	}
	w.endings(f.Endings)
	if !f.From.IsZero() {
		w.and("f.modified >= ?", unix(f.From))
	}
	if !f.Until.IsZero() {
		w.and("f.modified < ?", unix(f.Until))
	}
	if len(w.conditions) == 1 {
		return "", w.args
	}
	return " AND p.content IN (SELECT f.content FROM files f" + w.String() + ")", w.args
}

// Passages implements store.Finder.
func (c *Collection) Passages(ctx context.Context, ids []int64) ([]store.Passage, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	passages, contents, err := readPassages(c.store.pool.Query(ctx, `SELECT p.id, p.content, p.place, p.first, p.last, p.page, p.line, p.tokens, p.text, p.context, p.headings, p.breaks
		FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted (id, place) JOIN passages p ON p.id = wanted.id WHERE p.collection = $1 ORDER BY wanted.place`, c.id, ids))
	if err != nil {
		return nil, explained(err)
	}
	w := c.where()
	w.and("f.content = ANY(?::bigint[])", contents)
	files, err := readFiles(c.store.pool.Query(ctx, selectFiles+w.String()+" ORDER BY f.path", w.args...))
	if err != nil {
		return nil, explained(err)
	}
	of := map[int64][]store.File{}
	for _, f := range files {
		of[f.content] = append(of[f.content], f.File)
	}
	for i := range passages {
		passages[i].Files = of[contents[i]]
	}
	return passages, nil
}

func readPassages(rows pgx.Rows, err error) (all []store.Passage, contents []int64, _ error) {
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var p store.Passage
		var content int64
		var headings, breaks string
		if err := rows.Scan(&p.ID, &content, &p.Index, &p.Start, &p.End, &p.Page, &p.Line, &p.Tokens, &p.Text, &p.Context, &headings, &breaks); err != nil {
			return nil, nil, err
		}
		if err := json.Unmarshal([]byte(headings), &p.Headings); err != nil {
			return nil, nil, err
		}
		if err := json.Unmarshal([]byte(breaks), &p.Breaks); err != nil {
			return nil, nil, err
		}
		all, contents = append(all, p), append(contents, content)
	}
	return all, contents, rows.Err()
}

// PassagesOf implements store.Finder.
func (c *Collection) PassagesOf(ctx context.Context, path string) ([]int64, error) {
	rows, err := c.store.pool.Query(ctx, "SELECT p.id FROM files f JOIN passages p ON p.content = f.content WHERE f.collection = $1 AND f.path = $2 ORDER BY p.place", c.id, []byte(path))
	if err != nil {
		return nil, explained(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	return ids, explained(err)
}

// Vectors implements store.Finder.
func (c *Collection) Vectors(ctx context.Context, embedder string, ids []int64) ([][]float32, error) {
	set, _, err := c.setOf(ctx, c.store.pool, embedder)
	if err != nil {
		return nil, explained(err)
	}
	rows, err := c.store.pool.Query(ctx, "SELECT passage, vector::real[] FROM vectors WHERE set = $1 AND passage = ANY($2::bigint[])", set, ids)
	if err != nil {
		return nil, explained(err)
	}
	of := map[int64][]float32{}
	var id int64
	var v []float32
	if _, err := pgx.ForEachRow(rows, []any{&id, &v}, func() error { of[id], v = v, nil; return nil }); err != nil {
		return nil, explained(err)
	}
	found := make([][]float32, len(ids))
	for i, id := range ids {
		found[i] = of[id]
	}
	return found, nil
}
