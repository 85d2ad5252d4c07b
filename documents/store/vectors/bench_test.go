package vectors

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	cpuscan "inglenook/cpubackend/scan"
	"inglenook/documents/store/storetest"
)

var benchRows = flag.Int("rows", 20_000, "rows of the benchmark's set")

// BenchmarkNearest searches rows of 384 values around 500 centres, the same as
// BenchmarkNearest of package postgres, for the 10 and the 100 nearest, and for the 100
// nearest without sketches. It reports how many of the nearest ten and hundred it found.
func BenchmarkNearest(b *testing.B) {
	const dimension, centres, asked = 384, 500, 100
	ctx := context.Background()
	kernels, err := cpuscan.New("")
	must(b, err)
	set, err := Open(filepath.Join(b.TempDir(), "v"), "model", dimension, kernels, false)
	must(b, err)
	defer set.Close()
	clusters := storetest.NewClusters(dimension, centres, 1)
	var among Bitmap
	start := time.Now()
	for first := 0; first < *benchRows; first += 1000 {
		var rows []int64
		for i := first; i < first+1000; i++ {
			among.Add(i)
			rows = append(rows, int64(i))
		}
		must(b, set.Write(rows, clusters.Vectors(len(rows))))
	}
	b.Logf("%d rows made and written in %v, %d bytes each", set.Rows(), time.Since(start).Round(time.Second), set.Size()/int64(set.Rows()))
	queries := storetest.NewClusters(dimension, centres, 5).Vectors(asked)
	exact := make([][]int64, asked)
	b.Run("exact", func(b *testing.B) {
		storetest.Timed(b, func(i int) {
			found, err := set.everywhere(ctx, queries[i%asked], 100, among)
			must(b, err)
			exact[i%asked] = rowsOf(found)
		})
	})
	for _, n := range []int{10, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var recall storetest.Recall
			storetest.Timed(b, func(i int) {
				found, err := set.Nearest(ctx, queries[i%asked], n, among)
				must(b, err)
				if want := exact[i%asked]; want != nil {
					recall.Add(rowsOf(found), want)
				}
			})
			recall.Report(b)
		})
	}
}

func rowsOf(found []Neighbour) []int64 {
	rows := make([]int64, len(found))
	for i, f := range found {
		rows[i] = f.Row
	}
	return rows
}
