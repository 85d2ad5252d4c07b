package storetest

import (
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"
)

// Timed runs the loop of a benchmark and reports what is usual of its times: the median, and
// what 95 % are below.
func Timed(b *testing.B, run func(i int)) {
	b.Helper()
	var times []time.Duration
	before := processor(b)
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		run(i)
		times = append(times, time.Since(start))
	}
	b.ReportMetric(milliseconds(processor(b)-before)/float64(len(times)), "cpu-ms")
	slices.Sort(times)
	b.ReportMetric(milliseconds(times[0]), "best-ms")
	b.ReportMetric(milliseconds(times[len(times)/2]), "p50-ms")
	b.ReportMetric(milliseconds(times[len(times)*95/100]), "p95-ms")
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// processor returns the processor time of this process.
func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Recall counts how many of the nearest a search finds, of what comparing all finds.
type Recall struct {
	found, asked map[int]int // by how many of the nearest are looked at
}

// Add compares the ids that a search found with those of comparing all, the nearest first in
// both: the first ten, and the first hundred if there are as many.
func (r *Recall) Add(found, want []int64) {
	if r.found == nil {
		r.found, r.asked = map[int]int{}, map[int]int{}
	}
	for _, n := range []int{10, 100} {
		if n <= len(found) {
			r.found[n] += Shared(found[:n], want[:n])
			r.asked[n] += n
		}
	}
}

// Report adds the shares to what a benchmark says.
func (r *Recall) Report(b *testing.B) {
	for n, asked := range r.asked {
		b.ReportMetric(float64(r.found[n])/float64(asked), fmt.Sprintf("recall@%d", n))
	}
}

// Shared returns how many ids two lists have in common.
func Shared(a, b []int64) (n int) {
	in := make(map[int64]bool, len(b))
	for _, id := range b {
		in[id] = true
	}
	for _, id := range a {
		if in[id] {
			n++
		}
	}
	return n
}
