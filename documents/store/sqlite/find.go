package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"

	"inglenook/documents/store"
	"inglenook/documents/store/vectors"
)

// Nearest implements store.Finder.
func (c *Collection) Nearest(ctx context.Context, embedder string, v []float32, n int, f store.Filter) ([]store.Hit, error) {
	if err := c.current(ctx); err != nil {
		return nil, c.explained(err)
	}
	allowed, err := c.allowed(ctx, f)
	if err != nil {
		return nil, c.explained(err)
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.closed {
		return nil, errClosed
	}
	slot, err := c.slotOf(embedder)
	if err != nil {
		return nil, err
	}
	among := c.rows.embedded[slot]
	if allowed != nil {
		var some vectors.Bitmap
		for id, content := range c.rows.contents {
			if content != 0 && allowed.Has(int(content)) && among.Has(id) {
				some.Add(id)
			}
		}
		among = some
	}
	found, err := c.sets[slot].vectors.Nearest(ctx, v, n, among)
	if err != nil {
		return nil, c.explained(err)
	}
	hits := make([]store.Hit, len(found))
	for i, f := range found {
		score := float64(f.Score)
		hits[i] = store.Hit{ID: f.Row, Score: score, Share: max(0, min(1, score))}
	}
	return hits, nil
}

// allowed returns the contents that a filter lets through, nil for all.
func (c *Collection) allowed(ctx context.Context, f store.Filter) (*vectors.Bitmap, error) {
	w := where{}
	w.below(f.Folder)
	w.among("f.path", f.Paths)
	w.among("f.format", f.Formats)
	w.endings(f.Endings)
	if !f.From.IsZero() {
		w.and("f.modified >= ?", unix(f.From))
	}
	if !f.Until.IsZero() {
		w.and("f.modified < ?", unix(f.Until))
	}
	if len(w.conditions) == 0 {
		return nil, nil
	}
	w.and("f.content IS NOT NULL")
	ids, err := numbers(c.reader.QueryContext(ctx, "SELECT f.content FROM files f"+w.String(), w.args...))
	if err != nil {
		return nil, err
	}
	contents := vectors.Bitmap{}
	for _, id := range ids {
		contents.Add(int(id))
	}
	return &contents, nil
}

// Matching implements store.Finder.
func (c *Collection) Matching(ctx context.Context, w store.Words, n int, f store.Filter) ([]store.Hit, error) {
	if expression(w) == "" || n <= 0 {
		return nil, nil
	}
	if err := c.current(ctx); err != nil {
		return nil, c.explained(err)
	}
	w, err := c.selective(ctx, w)
	if err != nil {
		return nil, c.explained(err)
	}
	most, err := c.mostScore(ctx, w)
	if err != nil {
		return nil, c.explained(err)
	}
	allowed, err := c.allowed(ctx, f)
	if err != nil {
		return nil, c.explained(err)
	}
	query := "SELECT rowid, -bm25(words, " + columnWeights + ") AS score FROM words WHERE words MATCH ? ORDER BY score DESC, rowid"
	if allowed == nil && len(w.Phrases) == 0 {
		query += " LIMIT " + decimal(n)
	}
	found, err := c.reader.QueryContext(ctx, query, expression(w))
	if err != nil {
		return nil, c.explained(err)
	}
	defer found.Close()
	var hits []store.Hit
	for len(hits) < n && found.Next() {
		var hit store.Hit
		if err := found.Scan(&hit.ID, &hit.Score); err != nil {
			return nil, c.explained(err)
		}
		if ok, err := c.passes(ctx, hit.ID, w.Phrases, allowed); err != nil {
			return nil, c.explained(err)
		} else if ok {
			hit.Share = max(0, min(1, hit.Score/most))
			hits = append(hits, hit)
		}
	}
	return hits, c.explained(found.Err())
}

// passes reports whether a passage is there, is allowed, and has the phrases as
// they are written: the index knows stems only.
func (c *Collection) passes(ctx context.Context, id int64, phrases []string, allowed *vectors.Bitmap) (bool, error) {
	c.mu.RLock()
	content := c.rows.content(id)
	c.mu.RUnlock()
	if content == 0 || allowed != nil && !allowed.Has(int(content)) {
		return false, nil
	}
	if len(phrases) == 0 {
		return true, nil
	}
	var title, headings, text string
	err := c.reader.QueryRowContext(ctx, "SELECT c.title, t.headings, t.text FROM texts t JOIN contents c ON c.id = ? WHERE t.id = ?", content, id).Scan(&title, &headings, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var path []string
	if err := json.Unmarshal([]byte(headings), &path); err != nil {
		return false, errors.Join(store.ErrDamaged, err)
	}
	whole := folded(strings.Join(append(path, title, text), "\n"))
	for _, phrase := range phrases {
		if !strings.Contains(whole, folded(phrase)) {
			return false, nil
		}
	}
	return true, nil
}

// Passages implements store.Finder.
func (c *Collection) Passages(ctx context.Context, ids []int64) ([]store.Passage, error) {
	db, err := c.open()
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	passages, contents, err := readPassages(db.QueryContext(ctx, `SELECT p.id, p.content, p.place, p.first, p.last, p.page, p.line, p.tokens, t.text, t.context, t.headings, t.breaks
		FROM json_each(?) AS wanted JOIN passages p ON p.id = wanted.value JOIN texts t ON t.id = p.id ORDER BY wanted.key`, string(list)))
	if err != nil {
		return nil, c.explained(err)
	}
	if list, err = json.Marshal(contents); err != nil {
		return nil, err
	}
	files, err := readFiles(db.QueryContext(ctx, selectFiles+" WHERE f.content IN (SELECT value FROM json_each(?)) ORDER BY f.path", string(list)))
	if err != nil {
		return nil, c.explained(err)
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

func readPassages(rows *sql.Rows, err error) (all []store.Passage, contents []int64, _ error) {
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
			return nil, nil, errors.Join(store.ErrDamaged, err)
		}
		var err error
		if p.Breaks, err = breaksOf(breaks); err != nil {
			return nil, nil, errors.Join(store.ErrDamaged, err)
		}
		all, contents = append(all, p), append(contents, content)
	}
	return all, contents, rows.Err()
}

// PassagesOf implements store.Finder.
func (c *Collection) PassagesOf(ctx context.Context, path string) (ids []int64, _ error) {
	db, err := c.open()
	if err != nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, "SELECT p.id FROM files f JOIN passages p ON p.content = f.content WHERE f.path = ? ORDER BY p.place", path)
	if err != nil {
		return nil, c.explained(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, c.explained(err)
		}
		ids = append(ids, id)
	}
	return ids, c.explained(rows.Err())
}

// Vectors implements store.Finder.
func (c *Collection) Vectors(ctx context.Context, embedder string, ids []int64) ([][]float32, error) {
	if err := c.current(ctx); err != nil {
		return nil, c.explained(err)
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.closed {
		return nil, errClosed
	}
	slot, err := c.slotOf(embedder)
	if err != nil {
		return nil, err
	}
	found := make([][]float32, len(ids))
	for i, id := range ids {
		if !c.rows.embedded[slot].Has(int(id)) {
			continue
		}
		if found[i], err = c.sets[slot].vectors.Row(id); err != nil {
			return nil, c.explained(err)
		}
	}
	return found, nil
}
