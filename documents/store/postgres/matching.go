package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"inglenook/documents/store"
)

// mostMatches is about how many passages a search by words scores. Words that
// are in more passages say little.
const mostMatches = 5000

// Matching implements store.Finder. The index finds the passages, and BM25 orders
// them with k1 = 1.2 and b = 0.75.
func (c *Collection) Matching(ctx context.Context, w store.Words, n int, f store.Filter) ([]store.Hit, error) {
	if queryOf(w) == "" || n <= 0 {
		return nil, nil
	}
	hits, err := c.matching(ctx, w, n, f)
	return hits, explained(err)
}

func (c *Collection) matching(ctx context.Context, w store.Words, n int, f store.Filter) (hits []store.Hit, err error) {
	var total, size int64
	err = c.store.pool.QueryRow(ctx, "SELECT coalesce(sum(passages), 0), coalesce(sum(size), 0) FROM contents WHERE collection = $1", c.id).Scan(&total, &size)
	if err != nil || total == 0 {
		return nil, err
	}
	weights, kept, err := c.weigh(ctx, w, total)
	if err != nil {
		return nil, err
	}
	var stems []string
	var rare []float64
	most := 0.0
	for stem, weight := range weights {
		stems, rare = append(stems, stem), append(rare, weight)
		most += 2.2 * weight
	}
	condition, args := c.allowed(f)
	k := len(args)
	query := fmt.Sprintf(`SELECT p.id, sum(w.rare * 2.2 * cardinality(u.positions) / (cardinality(u.positions) + 1.2 * (0.25 + 0.75 * p.size / $%d::float8))) AS score,
			c.title, p.headings, p.text
		FROM passages p JOIN contents c ON c.id = p.content CROSS JOIN LATERAL unnest(p.words) u JOIN unnest($%d::text[], $%d::float8[]) AS w (stem, rare) ON w.stem = u.lexeme
		WHERE p.collection = $1 AND p.words @@ $%d::text::tsquery%s
		GROUP BY p.id, c.title ORDER BY score DESC, p.id`, k+1, k+2, k+3, k+4, condition)
	if len(w.Phrases) == 0 {
		query += fmt.Sprintf(" LIMIT %d", n)
	}
	rows, err := c.store.pool.Query(ctx, query, append(args, float64(max(size, 1))/float64(total), stems, rare, queryOf(kept))...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for len(hits) < n && rows.Next() {
		var h store.Hit
		var title, headings, text string
		if err := rows.Scan(&h.ID, &h.Score, &title, &headings, &text); err != nil {
			return nil, err
		}
		if ok, err := hasPhrases(w.Phrases, title, headings, text); err != nil {
			return nil, err
		} else if ok {
			h.Share = max(0, min(1, h.Score/most))
			hits = append(hits, h)
		}
	}
	rows.Close()
	return hits, rows.Err()
}

// hasPhrases reports whether a passage has phrases as they are written: the index
// knows stems only.
func hasPhrases(phrases []string, title, headings, text string) (bool, error) {
	if len(phrases) == 0 {
		return true, nil
	}
	var path []string
	if err := json.Unmarshal([]byte(headings), &path); err != nil {
		return false, err
	}
	whole := folded(strings.Join(append(path, title, text), "\n"))
	return !slices.ContainsFunc(phrases, func(phrase string) bool { return !strings.Contains(whole, folded(phrase)) }), nil
}

// weigh returns how rare the stems of a search are. Of many words it keeps the
// rarest, as far as they are in enough passages.
func (c *Collection) weigh(ctx context.Context, w store.Words, total int64) (map[string]float64, store.Words, error) {
	asked := w.Any
	if len(phrasesOf(w.Phrases)) > 0 {
		asked = w.Phrases
	}
	type counted struct {
		word string
		n    int64
	}
	var words []counted
	for _, word := range asked {
		query := queryOf(store.Words{Any: []string{word}})
		if query == "" {
			continue
		}
		var n int64
		err := c.store.pool.QueryRow(ctx, "SELECT count(*) FROM (SELECT 1 FROM passages WHERE collection = $1 AND words @@ $2::text::tsquery LIMIT $3) AS found", c.id, query, mostMatches+1).Scan(&n)
		if err != nil {
			return nil, w, err
		}
		words = append(words, counted{word, n})
	}
	slices.SortStableFunc(words, func(a, b counted) int { return cmp.Compare(a.n, b.n) })
	kept := store.Words{Phrases: w.Phrases}
	weights := map[string]float64{}
	matches := int64(0)
	for _, word := range words {
		matches += word.n
		if len(w.Phrases) == 0 && total > mostMatches && matches > mostMatches && matches > word.n {
			break
		}
		kept.Any = append(kept.Any, word.word)
		for _, stem := range stemsOf(word.word) {
			weights[stem] = max(1e-6, math.Log((float64(total-word.n)+0.5)/(float64(word.n)+0.5)))
		}
	}
	return weights, kept, nil
}
