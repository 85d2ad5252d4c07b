package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Run executes the recorded graph on the backends, best first; the last one must
// support what the others refuse. Afterwards [Graph.Result] returns the wanted
// tensors, and the report lists what ran where. If a device failed, the error is
// a [DeviceError]. Where a device finds only now that it has no kernel for an
// operation, another one runs that, or the error is a [LateRefusalError]. Work that a
// device dropped is done again, a few times.
func (g *Graph) Run(ctx context.Context, bs ...Backend) (Report, error) {
	for interrupted := 0; ; {
		report, err := g.run(ctx, bs)
		if _, ok := errors.AsType[*InterruptedError](err); ok && interrupted < mostInterruptions && pause(ctx) {
			interrupted++
			continue
		}
		if again, err := g.afterRefusal(err, bs); !again {
			return report, err
		}
	}
}

// How often a pass that was interrupted runs again, and how long it waits before: the
// device may still recover.
const (
	mostInterruptions = 3
	afterInterruption = 100 * time.Millisecond
)

// pause waits before another attempt. It reports whether ctx allows that.
func pause(ctx context.Context) bool {
	select {
	case <-time.After(afterInterruption):
		return true
	case <-ctx.Done():
		return false
	}
}

// run is one attempt of Run.
func (g *Graph) run(ctx context.Context, bs []Backend) (Report, error) {
	g.forgetResults()
	report, err := g.arrange(bs)
	if err != nil {
		return report, err
	}
	if err := g.needData(); err != nil {
		return report, err
	}
	if err := g.arenas.fit(ctx, report.ArenaBytes, bs, g.runs); err != nil {
		return report, err
	}
	g.leaveOut()
	g.kept = g.kept[:0]
	if err := g.execute(ctx, bs); err != nil {
		// After Run returns nothing may write to the arenas. What ends here
		// ended with ctx or with the error that is returned.
		for _, r := range g.runs {
			_ = bs[r.backend].Wait(context.WithoutCancel(ctx), g.arenas.of[r.backend])
		}
		g.forgetResults()
		return report, err
	}
	g.keepAll()
	return report, nil
}

// execute submits the runs in order and collects the wanted results.
func (g *Graph) execute(ctx context.Context, bs []Backend) error {
	host := g.reside(bs)
	for _, r := range g.runs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := host.bring(ctx, r); err != nil {
			return err
		}
		if err := bs[r.backend].Submit(ctx, g.arenas.of[r.backend], r.ops); err != nil {
			return failed(ctx, bs[r.backend], StageSubmit, err)
		}
		host.made(r)
	}
	return host.collect(ctx)
}

// forgetResults drops an earlier run's results, so that they are not taken for
// new ones.
func (g *Graph) forgetResults() {
	for _, t := range g.ops {
		g.spare.give(t)
	}
}

// needData requires weights that can be read.
func (g *Graph) needData() error {
	for _, op := range g.ops {
		for _, s := range op.Src {
			if s != nil && s.Op == OpWeight && s.Source() == nil {
				return fmt.Errorf("%s: the weight %s has no data", op.Op, s.label())
			}
		}
	}
	return nil
}

// Prepare converts all weights of the recorded graph to the layouts of the
// backends that run their operations, and reports its progress in bytes. Its
// errors are those of Run. Done at load, it keeps the first run as fast as the
// others. Tables of Embed come last, so that a backend that holds one for
// another operation can share it.
func (g *Graph) Prepare(ctx context.Context, progress func(done, total int64), bs ...Backend) error {
	for {
		err := g.prepare(ctx, progress, bs)
		if again, err := g.afterRefusal(err, bs); !again {
			return err
		}
	}
}

// prepare is one attempt of Prepare.
func (g *Graph) prepare(ctx context.Context, progress func(done, total int64), bs []Backend) error {
	if g.err != nil {
		return g.err
	}
	if err := g.place(bs); err != nil {
		return err
	}
	if err := g.needData(); err != nil {
		return err
	}
	places := g.inPrepareOrder()
	var done, total int64
	for _, p := range places {
		total += p.op.weightBytes()
	}
	for _, p := range places {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := bs[p.backend].Prepare(ctx, p.op); err != nil {
			return failed(ctx, bs[p.backend], StagePrepare, err)
		}
		done += p.op.weightBytes()
		if progress != nil {
			progress(done, total)
		}
	}
	return nil
}

// inPrepareOrder lists the placements in the order of Prepare.
func (g *Graph) inPrepareOrder() []placed {
	places := slices.Clone(g.places)
	slices.SortStableFunc(places, func(a, b placed) int { return last(a.op) - last(b.op) })
	return places
}

// last sorts Embed after everything else.
func last(op *Tensor) int {
	if op.Op == OpEmbed {
		return 1
	}
	return 0
}

func (t *Tensor) weightBytes() (n int64) {
	for _, s := range t.Src {
		if s != nil && s.Op == OpWeight {
			n += int64(s.Bytes())
		}
	}
	return n
}
