package postgres

import (
	"context"
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"inglenook/documents/store"
	"inglenook/documents/store/postgres/postgrestest"
	"inglenook/documents/store/storetest"
)

var (
	benchRows = flag.Int("rows", 20_000, "vectors of the benchmark's collection")
	benchKeep = flag.String("keep", "", "a database of the server that keeps the benchmark's collection; \"\" for none")
)

const (
	benchDimension = 384
	benchCentres   = 500
)

// BenchmarkNearest searches vectors around 500 centres, as BenchmarkNearest of package
// vectors does, for the 100 nearest: all of them are compared, then by the index. It reports
// how many of the nearest ten and hundred the index found.
func BenchmarkNearest(b *testing.B) {
	ctx := context.Background()
	s, err := Open(ctx, benchDatabase(b))
	must(b, err)
	defer s.Close()
	c := benchCollection(b, s)
	s.indexFrom = *benchRows
	start := time.Now()
	must(b, c.Improve(ctx, func() {}))
	var size string
	must(b, s.pool.QueryRow(ctx, "SELECT string_agg(pg_size_pretty(pg_relation_size(i.indexrelid)), ', ') FROM pg_index i JOIN pg_class k ON k.oid = i.indexrelid WHERE starts_with(k.relname, $1)", nearIndex).Scan(&size))
	b.Logf("index made or found in %v: %s", time.Since(start).Round(time.Second), size)
	set, err := c.searched(ctx, "a")
	must(b, err)
	const asked = 100
	queries := storetest.NewClusters(benchDimension, benchCentres, 5).Vectors(asked)
	exact := make([][]int64, asked)
	for _, way := range []struct {
		name string
		run  func(v []float32, n int) ([]store.Hit, error)
	}{
		{"exact", func(v []float32, n int) ([]store.Hit, error) { return c.exactly(ctx, set, v, n, "", nil) }},
		{"index", func(v []float32, n int) ([]store.Hit, error) { return c.byIndex(ctx, set, v, n, "", nil) }},
	} {
		b.Run(way.name, func(b *testing.B) {
			var recall storetest.Recall
			storetest.Timed(b, func(i int) {
				hits, err := way.run(queries[i%asked], 100)
				must(b, err)
				if exact[i%asked] == nil {
					exact[i%asked] = idsOf(hits)
				}
				recall.Add(idsOf(hits), exact[i%asked])
			})
			recall.Report(b)
		})
	}
}

func idsOf(hits []store.Hit) []int64 {
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	return ids
}

// benchDatabase returns the address of the database that is kept, or of one that is not.
func benchDatabase(b *testing.B) string {
	if *benchKeep == "" {
		return postgrestest.Database(b)
	}
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, postgrestest.Server(b))
	must(b, err)
	defer conn.Close(ctx)
	var there bool
	must(b, conn.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)", *benchKeep).Scan(&there))
	if !there {
		_, err := conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{*benchKeep}.Sanitize())
		must(b, err)
	}
	return postgrestest.Named(b, *benchKeep)
}

// benchCollection fills a collection, unless it is full already. The rows go into the tables
// as they are, without words.
func benchCollection(b *testing.B, s *Store) *Collection {
	b.Helper()
	ctx := context.Background()
	all, err := s.Collections(ctx)
	must(b, err)
	if len(all) == 1 {
		return all[0].(*Collection)
	}
	made, err := s.Create(ctx, "x")
	must(b, err)
	c := made.(*Collection)
	must(b, c.Begin(ctx, "a", benchDimension))
	set, _, err := c.setOf(ctx, s.pool, "a")
	must(b, err)
	clusters := storetest.NewClusters(benchDimension, benchCentres, 1)
	start := time.Now()
	const each = 10_000
	for from := 0; from < *benchRows; from += each {
		must(b, pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			var content int64
			err := tx.QueryRow(ctx, `INSERT INTO contents (collection, hash, format, title, pages, notes, passages, size) VALUES ($1, $2, 'text', '', 0, 'null', $3, 0) RETURNING id`, c.id, fmt.Sprint(from), each).Scan(&content)
			if err != nil {
				return err
			}
			rows, err := tx.Query(ctx, `INSERT INTO passages (collection, content, place, first, last, page, line, tokens, text, context, headings, breaks, words, size)
				SELECT $1, $2, i, 0, 0, 0, 0, 0, '', '', 'null', 'null', '', 0 FROM generate_series(1, $3::int) i RETURNING id`, c.id, content, each)
			if err != nil {
				return err
			}
			ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
			if err != nil {
				return err
			}
			return benchVectors(ctx, tx, clusters, set, ids)
		}))
	}
	_, err = s.pool.Exec(ctx, "VACUUM ANALYZE inglenook.vectors")
	must(b, err)
	b.Logf("%d vectors written in %v", *benchRows, time.Since(start).Round(time.Second))
	return c
}

func benchVectors(ctx context.Context, tx pgx.Tx, clusters *storetest.Clusters, set int64, ids []int64) error {
	if _, err := tx.Exec(ctx, "CREATE TEMPORARY TABLE IF NOT EXISTS fresh (passage bigint, vector real[]) ON COMMIT DELETE ROWS"); err != nil {
		return err
	}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"fresh"}, []string{"passage", "vector"}, pgx.CopyFromSlice(len(ids), func(i int) ([]any, error) {
		return []any{ids[i], clusters.Vector()}, nil
	}))
	if err == nil {
		_, err = tx.Exec(ctx, fmt.Sprintf("INSERT INTO vectors SELECT %d, passage, vector::vector FROM fresh", set))
	}
	return err
}
