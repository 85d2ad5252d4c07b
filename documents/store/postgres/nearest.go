package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"inglenook/documents/store"
)

const (
	// exactBelow is how many passages are compared one by one, also where there is an
	// index: that is fast, and misses none.
	exactBelow = 20_000

	// mostNear is how many passages are looked for by the index; pgvector takes no larger
	// number of candidates.
	mostNear = 500
)

// Nearest implements store.Finder. A small set, and what a filter leaves of a large one,
// is compared as a whole. In a large set an index names twice as many candidates as are
// asked for, which are compared exactly: see Improve. Such searches are checked later: see
// checkLater.
func (c *Collection) Nearest(ctx context.Context, embedder string, v []float32, n int, f store.Filter) ([]store.Hit, error) {
	s, err := c.searched(ctx, embedder)
	if err != nil {
		return nil, explained(err)
	}
	if len(v) != s.dimension {
		return nil, fmt.Errorf("a vector has %d numbers and not %d", len(v), s.dimension)
	}
	condition, args := c.allowed(f)
	if s.indexed && n <= mostNear {
		if few, err := c.few(ctx, condition, args); err != nil {
			return nil, explained(err)
		} else if !few {
			hits, err := c.byIndex(ctx, s, v, n, condition, args)
			if err == nil {
				c.checkLater(s, v, condition, args)
			}
			if err != nil || len(hits) == n {
				return hits, explained(err)
			} // else what the filter lets through lies far from the question
		}
	}
	hits, err := c.exactly(ctx, s, v, n, condition, args)
	return hits, explained(err)
}

// searchedSet is a set of vectors as searches see it.
type searchedSet struct {
	id        int64
	dimension int
	indexed   bool
}

func (c *Collection) searched(ctx context.Context, embedder string) (s searchedSet, err error) {
	if s.id, s.dimension, err = c.setOf(ctx, c.store.pool, embedder); err != nil {
		return s, err
	}
	s.indexed, err = hasIndex(ctx, c.store.pool, s.id)
	return s, err
}

// few reports whether a filter lets so few passages through that all are compared.
func (c *Collection) few(ctx context.Context, condition string, args []any) (bool, error) {
	if condition == "" {
		return false, nil
	}
	var n int
	err := c.store.pool.QueryRow(ctx, fmt.Sprintf("SELECT count(*) FROM (SELECT 1 FROM passages p WHERE p.collection = $1%s LIMIT %d) AS allowed", condition, c.store.exactBelow+1), args...).Scan(&n)
	return n <= c.store.exactBelow, err
}

// among is the condition that a vector is of a passage that a filter lets through. Its
// arguments begin at $1; without a filter there are none.
func among(condition string, args []any) (string, []any) {
	if condition == "" {
		return "", nil
	}
	return " AND v.passage IN (SELECT p.id FROM passages p WHERE p.collection = $1" + condition + ")", args
}

// exactly compares all vectors that a filter lets through.
func (c *Collection) exactly(ctx context.Context, s searchedSet, v []float32, n int, condition string, args []any) ([]store.Hit, error) {
	only, args := among(condition, args)
	k := len(args)
	query := fmt.Sprintf(`SELECT v.passage, -(v.vector <#> $%d::real[]::vector) AS score FROM vectors v WHERE v.set = %d%s
		ORDER BY score DESC, v.passage LIMIT $%d`, k+1, s.id, only, k+2)
	rows, err := c.store.pool.Query(ctx, query, append(args, v, n)...)
	return hitsOf(rows, err)
}

// byIndex compares the candidates that the index names.
func (c *Collection) byIndex(ctx context.Context, s searchedSet, v []float32, n int, condition string, args []any) (hits []store.Hit, err error) {
	only, args := among(condition, args)
	k := len(args)
	near := fmt.Sprintf("v.vector::halfvec(%d) <#> $%d::real[]::vector(%[1]d)::halfvec(%[1]d)", s.dimension, k+1)
	query := fmt.Sprintf(`SELECT passage, -(vector <#> $%d::real[]::vector) AS score
		FROM (SELECT v.passage, v.vector FROM vectors v WHERE v.set = %d%s ORDER BY %s LIMIT $%d) AS candidates
		ORDER BY score DESC, passage LIMIT $%d`, k+1, s.id, only, near, k+2, k+3)
	var batch pgx.Batch // one transaction, for which the settings hold
	batch.Queue("SELECT set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'strict_order', true)", fmt.Sprint(max(leastCandidates, 2*n)))
	batch.Queue(query, append(args, v, 2*n, n)...)
	results := c.store.pool.SendBatch(ctx, &batch)
	defer results.Close()
	if _, err := results.Exec(); err != nil {
		return nil, err
	}
	rows, err := results.Query()
	return hitsOf(rows, err)
}

func hitsOf(rows pgx.Rows, err error) (hits []store.Hit, _ error) {
	if err != nil {
		return nil, err
	}
	var h store.Hit
	_, err = pgx.ForEachRow(rows, []any{&h.ID, &h.Score}, func() error {
		h.Share = max(0, min(1, h.Score))
		hits = append(hits, h)
		return nil
	})
	return hits, err
}
