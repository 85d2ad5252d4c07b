package vectors

import (
	"context"
	"flag"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	cpuscan "inglenook/cpubackend/scan"
)

var benchRows = flag.Int("rows", 20_000, "rows of the benchmark's set")

// BenchmarkNearest searches rows of 384 values in 500 clusters for the 10 and the 100
// nearest. TestNearestIsExact checks that the results are exact.
func BenchmarkNearest(b *testing.B) {
	const dimension = 384
	kernels, err := cpuscan.New("")
	must(b, err)
	r := rand.New(rand.NewPCG(1, 2))
	centres := make([][]float32, 500)
	for i := range centres {
		centres[i] = unit(r, dimension, nil, 1)
	}
	set, err := Open(filepath.Join(b.TempDir(), "v"), "model", dimension, kernels, false)
	must(b, err)
	defer set.Close()
	var among Bitmap
	start := time.Now()
	for first := 0; first < *benchRows; first += 1000 {
		var rows []int64
		var v [][]float32
		for i := first; i < first+1000; i++ {
			among.Add(i)
			rows, v = append(rows, int64(i)), append(v, unit(r, dimension, centres[r.IntN(len(centres))], 0.8))
		}
		must(b, set.Write(rows, v))
	}
	b.Logf("%d rows made and written in %v, %d bytes each", set.Rows(), time.Since(start).Round(time.Second), set.Size()/int64(set.Rows()))
	for _, n := range []int{10, 100} {
		b.Run(map[int]string{10: "10", 100: "100"}[n], func(b *testing.B) {
			var times []time.Duration
			before := processor()
			for b.Loop() {
				query := unit(r, dimension, centres[r.IntN(len(centres))], 0.8)
				start := time.Now()
				_, err := set.Nearest(context.Background(), query, n, among)
				must(b, err)
				times = append(times, time.Since(start))
			}
			b.ReportMetric(float64((processor()-before).Microseconds())/1000/float64(len(times)), "cpu-ms")
			slices.Sort(times)
			b.ReportMetric(float64(times[0].Microseconds())/1000, "best-ms")
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}

// processor returns the processor time of this process.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
