package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"inglenook/documents/store"
)

const (
	// indexFrom is how many vectors a set has before it gets an index.
	indexFrom = 50_000

	// mostIndexed is how many numbers a vector may have to be part of an index.
	mostIndexed = 4000

	// leastCandidates is how many vectors the index looks at, at least. More of them find
	// more of the nearest, and take longer.
	leastCandidates = 200

	// buildMemory is how much memory the server takes for each vector of an index while
	// it makes one, besides two bytes for each number.
	buildMemory     = 500
	mostBuildMemory = 2 << 30
)

// nearIndex is the beginning of the names of indexes of vectors; the number of the set follows.
const nearIndex = "vectors_near_"

var _ store.Improver = (*Collection)(nil)

// hasIndex reports whether the vectors of a set have an index that is complete.
func hasIndex(ctx context.Context, q querier, set int64) (has bool, err error) {
	err = q.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pg_index i JOIN pg_class k ON k.oid = i.indexrelid JOIN pg_namespace n ON n.oid = k.relnamespace
		WHERE n.nspname = 'inglenook' AND k.relname = $1 AND i.indisvalid)`, nearIndex+strconv.FormatInt(set, 10)).Scan(&has)
	return has, err
}

// Improve implements store.Improver: a large set of vectors gets an HNSW index, and the
// indexes of sets that are gone are removed. Others may read and write meanwhile. Only an
// owner of the tables may make indexes, and only pgvector 0.8 and later can search one
// with a filter; otherwise searches go on comparing everything.
func (c *Collection) Improve(ctx context.Context, begins func()) error {
	return explained(c.improve(ctx, begins))
}

func (c *Collection) improve(ctx context.Context, begins func()) error {
	if c.store.readOnly {
		return nil
	}
	able, err := c.store.canIndex(ctx)
	if err != nil || !able {
		return err
	}
	conn, err := c.store.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	var mine bool // indexes are made by one process at a time
	if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", int64(indexLock)).Scan(&mine); err != nil || !mine {
		return err
	}
	defer func() {
		ctx, cancel := tidying(ctx)
		defer cancel()
		_, _ = conn.Exec(ctx, "SELECT pg_advisory_unlock($1)", int64(indexLock)) // where it fails, the connection ends, and the lock with it
	}()
	if err := dropIndexes(ctx, conn); err != nil {
		return err
	}
	rows, err := conn.Query(ctx, `SELECT s.id, s.dimension, (SELECT count(*) FROM vectors WHERE set = s.id) FROM sets s WHERE s.collection = $1 AND s.serving AND s.dimension <= $2`, c.id, mostIndexed)
	if err != nil {
		return err
	}
	type large struct {
		ID        int64
		Dimension int
		Vectors   int
	}
	sets, err := pgx.CollectRows(rows, pgx.RowToStructByPos[large])
	if err != nil {
		return err
	}
	for _, s := range sets {
		if s.Vectors < c.store.indexFrom {
			continue
		}
		if has, err := hasIndex(ctx, conn, s.ID); err != nil || has {
			return err
		}
		begins()
		if err := makeIndex(ctx, conn, s.ID, s.Dimension, s.Vectors); err != nil {
			return err
		}
	}
	return nil
}

// indexLock is the key of the lock under which one process makes indexes.
const indexLock = schemaLock + 1

// canIndex reports whether the user may make indexes, and the server search them.
func (s *Store) canIndex(ctx context.Context) (able bool, err error) {
	if owner, err := s.owns(ctx); err != nil || !owner {
		return false, err
	}
	var version string
	if err := s.pool.QueryRow(ctx, "SELECT extversion FROM pg_extension WHERE extname = 'vector'").Scan(&version); err != nil {
		return false, err
	}
	first, rest, _ := strings.Cut(version, ".")
	second, _, _ := strings.Cut(rest, ".")
	major, err := strconv.Atoi(first)
	if err != nil {
		return false, fmt.Errorf("the version of the extension vector cannot be read: %w", err)
	}
	minor, _ := strconv.Atoi(second)
	return major > 0 || minor >= 8, nil
}

// dropIndexes removes indexes that were not completed, and those of sets that are gone.
func dropIndexes(ctx context.Context, q querier) error {
	rows, err := q.Query(ctx, `SELECT k.relname FROM pg_index i JOIN pg_class k ON k.oid = i.indexrelid JOIN pg_namespace n ON n.oid = k.relnamespace
		WHERE n.nspname = 'inglenook' AND starts_with(k.relname, $1)
		AND (NOT i.indisvalid OR NOT EXISTS (SELECT 1 FROM sets s WHERE k.relname = $1 || s.id))`, nearIndex)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, err := q.Exec(ctx, "DROP INDEX CONCURRENTLY IF EXISTS inglenook."+pgx.Identifier{name}.Sanitize()); err != nil {
			return err
		}
	}
	return nil
}

// makeIndex makes the index of a set. It stays in the memory of the server meanwhile, as far
// as that is allowed; where its processes cannot share so much, one of them makes it alone.
func makeIndex(ctx context.Context, q querier, set int64, dimension, vectors int) error {
	memory := min(mostBuildMemory, vectors*(2*dimension+buildMemory))
	attempt := func(workers string) error {
		_, err := q.Exec(ctx, "SELECT set_config('maintenance_work_mem', $1, false), set_config('max_parallel_maintenance_workers', coalesce($2, current_setting('max_parallel_maintenance_workers')), false)",
			fmt.Sprintf("%dkB", max(64<<10, memory>>10)), nullable(workers))
		if err != nil {
			return err
		}
		_, err = q.Exec(ctx, fmt.Sprintf("CREATE INDEX CONCURRENTLY %s%d ON inglenook.vectors USING hnsw ((vector::halfvec(%d)) halfvec_ip_ops) WITH (m = 16, ef_construction = 100) WHERE set = %[2]d", nearIndex, set, dimension))
		return err
	}
	defer func() {
		ctx, cancel := tidying(ctx)
		defer cancel()
		_, _ = q.Exec(ctx, "RESET maintenance_work_mem; RESET max_parallel_maintenance_workers")
	}()
	err := attempt("")
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.Code != "53100" && refused.Code != "53200" {
		return err
	}
	if err := dropIndexes(ctx, q); err != nil {
		return err
	}
	return attempt("0")
}

func nullable(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
