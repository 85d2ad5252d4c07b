package cuda

import (
	"fmt"
	"testing"
	"time"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/gpu"
	"inglenook/gpu/msl"
	"inglenook/metalbackend"
	"inglenook/metalbackend/fake"
	"inglenook/metalbackend/kernels"
)

// BenchmarkLinear measures single products on the card, by its own clock: GB/s of
// weights for a few rows, GFLOP/s for many. Weights of the first two sizes may stay in
// the card's cache from one launch to the next; those of the last size do not fit.
func BenchmarkLinear(b *testing.B) {
	program, err := msl.Parse(kernels.Source())
	if err != nil {
		b.Fatal(err)
	}
	card, err := Open(program)
	if err != nil {
		b.Skip(err)
	}
	defer card.Close()
	for _, d := range []engine.DType{engine.Q4_0, engine.Q8_0, engine.Q4_K, engine.Q5_K, engine.Q6_K, engine.Q3_K, engine.F16, engine.BF16, engine.F32} {
		for _, size := range []struct{ in, out int }{{4096, 14336}, {14336, 4096}, {4096, 131072}} {
			for _, rows := range []int{1, 2, 4, 8, 512} {
				if rows > 8 && size.out > 14336 {
					continue
				}
				b.Run(fmt.Sprintf("%s %dx%d to %d", d, rows, size.in, size.out), func(b *testing.B) {
					benchLinear(b, card, d, rows, size.in, size.out)
				})
			}
		}
	}
}

func benchLinear(b *testing.B, e timer, d engine.DType, rows, in, out int) {
	clock := &clocked{timer: e, launches: b.N}
	rt, err := fake.New(fake.Options{Executor: clock})
	if err != nil {
		b.Fatal(err)
	}
	backend, err := metalbackend.New(rt, metalbackend.Options{Timeout: 10 * time.Minute})
	if err != nil {
		b.Fatal(err)
	}
	defer backend.Close()
	w := engine.NewWeight("w", d, out, in, enginetest.NewRepeated(d, in, 0.02))
	defer w.Release()
	g := engine.NewGraph()
	defer g.Close()
	g.Want(g.Linear(g.Floats("x", rows, enginetest.Random(1, rows*in)), w, nil, engine.None))
	if _, err := g.Run(b.Context(), backend); err != nil {
		b.Fatal(err)
	}
	seconds := clock.took.Seconds()
	b.ReportMetric(seconds*1e9, "ns/op")
	b.ReportMetric(float64(w.Bytes())/seconds/1e9, "GB/s")
	b.ReportMetric(2*float64(rows)*float64(w.Len())/seconds/1e9, "GFLOP/s")
}

// timer is an executor with its own clock.
type timer interface {
	fake.Executor
	Time(l *gpu.Launch, launches int) (time.Duration, error)
}

// clocked runs each launch several times and records the time of one.
type clocked struct {
	timer
	launches int
	took     time.Duration
}

func (c *clocked) Run(l *gpu.Launch) (err error) {
	c.took, err = c.Time(l, c.launches)
	return err
}
