//go:build selftest

package app

import (
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"testing"

	"inglenook/app/devices"
	"inglenook/engine"
	"inglenook/engine/probe"
	"inglenook/metalbackend"
	"inglenook/metalbackend/emulated"
)

var (
	emulates = os.Getenv("EMULATED") != ""
	anyGPU   = os.Getenv("INGLENOOK_METAL_ANY") == "1"
)

// printSystem lists what the system says of itself and of its GPUs.
func printSystem() {
	fmt.Printf("%s %s, build %q, pages of %d bytes\n", runtime.GOOS, runtime.GOARCH, devices.SystemBuild(), os.Getpagesize())
	rt, err := metalbackend.System()
	if err != nil {
		fmt.Println(err)
		return
	}
	all, standard := metalbackend.Inspect(rt)
	for i, g := range all {
		fmt.Printf("GPU %q: family %d, %d MB to work with, buffers of up to %d MB, %d bytes of threadgroup memory", g.Name, g.Family, g.Memory>>20, g.LongestBuffer>>20, g.SharedBytes)
		if i == standard {
			fmt.Print(", the default")
		}
		fmt.Println()
	}
	fmt.Printf("%d GPUs in all\n", len(all))
}

// tested is the device under test. It is opened anew after a failure, a few times, so that
// one fault does not hide what else there is.
type tested struct {
	t     *testing.T
	open  func() (*metalbackend.Backend, error)
	inner *metalbackend.Backend
	again int
	seen  []metalbackend.Pipeline // of those that were closed
}

const mostReopened = 20

// openTested opens the device; what its compiler says is printed.
func openTested(t *testing.T) (*tested, error) {
	log := slog.New(slog.NewTextHandler(os.Stdout, nil))
	d := &tested{t: t, open: func() (*metalbackend.Backend, error) {
		if emulates {
			return emulated.Open(emulated.Options{Log: log, Any: anyGPU})
		}
		rt, err := metalbackend.System()
		if err != nil {
			return nil, err
		}
		return metalbackend.New(rt, metalbackend.Options{Log: log, Any: anyGPU})
	}}
	var err error
	if d.inner, err = d.open(); err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = d.inner.Close() })
	return d, nil
}

// backend is the device, opened anew if it failed.
func (d *tested) backend() engine.Backend {
	if d.inner.Failed() != nil && d.again < mostReopened {
		d.again++
		fmt.Printf("the device failed and is opened anew: %v\n", d.inner.Failed())
		if b, err := d.open(); err != nil {
			d.t.Errorf("it cannot be opened anew: %v", err)
		} else {
			d.seen = append(d.seen, d.inner.Pipelines()...)
			_ = d.inner.Close() // a device that failed may not even close
			d.inner = b
		}
	}
	return d.inner
}

// printPipelines lists what Metal says of each pipeline.
func (d *tested) printPipelines() {
	rows := []string{"kernel\tconstants\tthreads at most\tin lockstep\tthreadgroup memory\ttook"}
	for _, p := range append(d.seen, d.inner.Pipelines()...) {
		if p.Refused != nil {
			rows = append(rows, fmt.Sprintf("%s\t%s\tREFUSED: %v", p.Name, p.Values(), p.Refused))
			continue
		}
		rows = append(rows, fmt.Sprintf("%s\t%s\t%d\t%d\t%d\t%v", p.Name, p.Values(), p.Threads, p.Width, p.Shared, p.Took.Round(10_000)))
	}
	fmt.Printf("\n%d pipelines\n", len(rows)-1)
	table(rows...)
}

// printSpeed measures products of two sizes beside the best that the device reaches.
func printSpeed(t *testing.T, d *tested) {
	sizes := []int{2048, 4096}
	if emulates {
		sizes = []int{256, 512}
	}
	rows := []string{"product\tone row\tof the ceiling\tmany rows\tof the ceiling"}
	measure := func(r probe.Rate) float64 {
		v, err := r.Run(t.Context(), d.backend())
		if err != nil {
			t.Errorf("%s: %v", r.Key(), err)
		}
		return v
	}
	type speed struct {
		name      string
		one, many float64
	}
	var all []speed
	limit := measure(probe.Rate{Counts: probe.Limit, Op: engine.OpLinear, DType: engine.F16, Size: sizes[1], Span: max(1, sizes[1]/64)})
	flops := measure(probe.Rate{Counts: probe.Flops, Op: engine.OpLinear, DType: engine.F16, Size: sizes[1]})
	for _, size := range sizes {
		for _, dtype := range []engine.DType{engine.F16, engine.Q8_0, engine.Q4_K} {
			one := measure(probe.Rate{Counts: probe.Memory, Op: engine.OpLinear, DType: dtype, Size: size, Span: max(1, size/64)})
			many := measure(probe.Rate{Counts: probe.Flops, Op: engine.OpLinear, DType: dtype, Size: size})
			all = append(all, speed{fmt.Sprintf("%d × %d in %s", size, size, dtype), one, many})
			limit, flops = max(limit, one), max(flops, many)
		}
	}
	for _, s := range all {
		rows = append(rows, fmt.Sprintf("%s\t%.1f GB/s\t%.0f %%\t%.1f GFLOP/s\t%.0f %%", s.name, s.one/1e9, 100*s.one/limit, s.many/1e9, 100*s.many/flops))
	}
	fmt.Printf("\nSpeed. The ceilings are the best of these and of many products in F16: %.1f GB/s of weights, %.1f GFLOP/s\n", limit/1e9, flops/1e9)
	table(rows...)
}
