package app

import (
	"context"
	"fmt"
	"slices"
	"time"

	"inglenook/engine"
)

// performanceWork is what a model has to do in each place.
type performanceWork struct {
	kind     string // WorkEmbed, WorkRerank; WorkGenerate: all that a language model does
	amount   int    // texts, pairs, tokens of the prompt
	generate int    // tokens
	repeat   int
	sizes    []int         // of the curve
	budget   time.Duration // of the curve
}

// patience is how long the repetitions of one kind of work may take: a slow
// device makes fewer of them.
const patience = 6 * time.Second

// Repetitions go on until there are some for the spread, and until there is
// moreFor of them or moreTimes as many as were asked for.
const (
	moreFor   = 2 * time.Second
	moreTimes = 5
)

// Tokens that are written at each size of the context.
const curveTokens = 16

// workFor chooses the work that fits a model.
func workFor(e entry, r PerformanceRequest) (performanceWork, error) {
	w := performanceWork{kind: WorkEmbed, amount: 32, generate: 32, repeat: 5, budget: 30 * time.Second}
	if r.Thorough {
		w.amount, w.generate, w.repeat, w.budget = 256, 128, 9, 4*time.Minute
	}
	switch {
	case e.Writes():
		w.kind, w.amount = WorkGenerate, 4*w.generate
		if e.MaxLength > 0 {
			w.amount = min(w.amount, e.MaxLength/2)
			w.generate = min(w.generate, e.MaxLength/4)
		}
		if w.amount < 1 || w.generate < 1 {
			return w, fmt.Errorf("%s has room for %d tokens, which is too little to measure", e.Name, e.MaxLength)
		}
	case e.Kind == KindReranker:
		w.kind = WorkRerank
	case e.Kind != KindEmbedding && e.Kind != KindEncoder:
		return w, fmt.Errorf("%s cannot be measured: nothing is known about what it is for", e.Name)
	}
	if !r.Curve {
		return w, nil
	}
	if w.kind != WorkGenerate {
		w.sizes = []int{1, 4, 16, 64, 256}
		return w, nil
	}
	for size := 128; size <= 8192 && (e.MaxLength == 0 || size+curveTokens < e.MaxLength); size *= 2 {
		w.sizes = append(w.sizes, size)
	}
	return w, nil
}

// steps is how many times progress is reported in one place.
func (w performanceWork) steps() int {
	if w.kind == WorkGenerate {
		return 1 + 2*writingRounds*(w.half()+1) + len(w.sizes)
	}
	return 1 + w.repeat + 1 + len(w.sizes)
}

// A language model reads and writes in turn in this many rounds: what a machine gives
// changes from one moment to the next, and the spread should show it.
const writingRounds = 2

// half is how often one of the rounds repeats its work.
func (w performanceWork) half() int { return (w.repeat + writingRounds - 1) / writingRounds }

// on does the work in one place.
func (w performanceWork) on(ctx context.Context, a *App, e entry, row *PerformanceRow, run *measuring) error {
	if w.kind == WorkGenerate {
		return w.write(ctx, a, e, row, run)
	}
	once := a.benchEmbed
	if w.kind == WorkRerank {
		once = a.benchRerank
	}
	texts := benchTexts(max(w.amount, slices.Max(append([]int{1}, w.sizes...))))
	if _, err := once(ctx, e, row.Place, texts[:1]); err != nil { // opens the model
		return err
	}
	run.at(w.kind)
	run.step()
	var last benchRun
	seconds, err := repeated(w.repeat, run, func() (time.Duration, error) {
		got, err := once(ctx, e, row.Place, texts[:w.amount])
		if err == nil {
			err = row.ranOn(got.device, got.notices)
		}
		last = got
		return got.took, err
	})
	if err != nil {
		return err
	}
	if row.Device != "cpu" { // whose operations are timed in any case
		timed, err := once(engine.Timed(ctx), e, row.Place, texts[:w.amount])
		if err != nil {
			return err
		}
		last.work.Ops = timed.work.Ops
	}
	row.outcome = outcome{values: last.values}
	row.add(speedOf(w.kind, w.amount, seconds, last.work), last.work, last.fallbacks)
	run.tell()
	return w.curve(row, run, func(size int) (float64, error) {
		took, err := fastest(func() (time.Duration, error) {
			got, err := once(ctx, e, row.Place, texts[:size])
			return got.took, err
		})
		return float64(took.Nanoseconds()) / 1e3 / float64(size), err
	})
}

// write lets a language model read and write.
func (w performanceWork) write(ctx context.Context, a *App, e entry, row *PerformanceRow, run *measuring) error {
	room := max(w.amount, w.generate+1)
	for _, size := range w.sizes {
		room = max(room, size+curveTokens)
	}
	where, err := a.choose(ctx, row.wish(), &e)
	if err != nil {
		return err
	}
	a.foreseeMemory(e, row, where.backends, w.sizes)
	limit, err := a.memoryLimit(ctx, e, row, where.backends[0])
	if err != nil {
		return err
	}
	meter := newPeakMeter()
	o := ChatOptions{Device: row.wish(), Weights: row.Weights, Context: room + 1, idsOnly: true}
	open, err := openAlone(ctx, a.Pool, e, where, o.held(), a.generatorOpener(o, nil))
	if err != nil {
		return err
	}
	defer open.Close()
	notices := where.notices
	run.step()
	prompt := benchTokens(w.amount, open.model.Info().Vocab)

	var read, wrote writingRun
	var reading, firsts, writing []float64
	for range writingRounds {
		run.at(WorkPrompt)
		var began []float64 // of each first token
		seconds, err := repeated(w.half(), run, func() (took time.Duration, err error) {
			var first time.Duration
			if read, first, err = readFresh(ctx, open.model, prompt); err != nil {
				return 0, err
			}
			began = append(began, first.Seconds())
			return read.took, row.ranOn(read.device, slices.Concat(notices, read.notices))
		})
		if err != nil {
			return err
		}
		reading, firsts = append(reading, seconds...), append(firsts, began[len(began)-len(seconds):]...)
		run.at(WorkGenerate)
		if seconds, err = repeated(w.half(), run, func() (took time.Duration, err error) {
			if wrote, err = benchGenerating(ctx, open.model, nil, w.generate); err != nil {
				return 0, err
			}
			return wrote.took, row.ranOn(wrote.device, slices.Concat(notices, wrote.notices))
		}); err != nil {
			return err
		}
		writing = append(writing, seconds...)
	}
	for _, list := range [][]float64{reading, firsts, writing} {
		slices.Sort(list)
	}
	if row.Device != "cpu" {
		timed, _, err := readFresh(engine.Timed(ctx), open.model, prompt)
		if err != nil {
			return err
		}
		read.work.Ops = timed.work.Ops
	}
	row.add(speedOf(WorkPrompt, w.amount, reading, read.work), read.work, read.fallbacks)
	row.add(Measure{
		Work: WorkFirst, Amount: w.amount, Unit: unitMilliseconds, Repeats: len(firsts),
		Median: 1e3 * quantile(firsts, 0.5), P10: 1e3 * quantile(firsts, 0.1), P90: 1e3 * quantile(firsts, 0.9),
		Least: 1e3 * firsts[0], Most: 1e3 * firsts[len(firsts)-1],
	}, Profile{}, nil)
	if row.Device != "cpu" {
		timed, err := benchGenerating(engine.Timed(ctx), open.model, nil, w.generate)
		if err != nil {
			return err
		}
		wrote.work.Ops = timed.work.Ops
	}
	row.outcome = outcome{ids: wrote.ids}
	m := speedOf(WorkGenerate, w.generate, writing, wrote.work)
	if limit > 0 {
		m.MemoryShare = m.BytesPerS / limit
	}
	row.add(m, wrote.work, wrote.fallbacks)
	run.tell()
	return w.contexts(ctx, open.model, row, run, meter)
}

// contexts writes at each size of the context. The context grows from size to size,
// so that nothing is read twice.
func (w performanceWork) contexts(ctx context.Context, model generator, row *PerformanceRow, run *measuring, meter peakMeter) error {
	if len(w.sizes) == 0 {
		return nil
	}
	tokens := benchTokens(w.sizes[len(w.sizes)-1], model.Info().Vocab)
	err := w.curve(row, run, func(size int) (float64, error) {
		took, err := fastest(func() (time.Duration, error) {
			got, err := Collect(model.CompleteIDs(ctx, tokens[:size], benchReply(curveTokens)), nil)
			if err == nil && got.Finished.Tokens != curveTokens {
				err = fmt.Errorf("the model wrote %d tokens of %d", got.Finished.Tokens, curveTokens)
			}
			return got.Finished.Took, err
		})
		return curveTokens / max(took.Seconds(), 1e-9), err
	})
	if n := len(row.Memory); n == len(w.sizes) {
		row.Memory[n-1].Peak = meter.rise()
	}
	return err
}

// curve measures at each size. A slow device ends before the sizes that would take
// longer than there is time, and a note says so.
func (w performanceWork) curve(row *PerformanceRow, run *measuring, measure func(size int) (float64, error)) error {
	start := time.Now()
	for i, size := range w.sizes {
		from := time.Now()
		value, err := measure(size)
		if err != nil {
			return err
		}
		row.Curve = append(row.Curve, CurvePoint{size, value})
		run.step()
		if i+1 == len(w.sizes) {
			break
		}
		next := time.Since(from) * time.Duration(w.sizes[i+1]) / time.Duration(size)
		if time.Since(start)+next > w.budget {
			row.Notes = append(row.Notes, fmt.Sprintf("The curve ends at %d: the next size would take longer than the %.0f s that there are for it.", size, w.budget.Seconds()))
			break
		}
	}
	return nil
}

// readFresh reads a prompt of which the cache holds nothing. first is the time to
// the first token of the answer.
func readFresh(ctx context.Context, model generator, prompt []int32) (run writingRun, first time.Duration, err error) {
	model.Forget()
	start := time.Now()
	got, err := Collect(model.CompleteIDs(ctx, prompt, benchReply(1)), func(t Token) {
		if t.ID >= 0 && first == 0 {
			first = time.Since(start)
		}
	})
	if err != nil {
		return writingRun{}, 0, err
	}
	return writingRun{
		took: got.Started.Took, device: got.Finished.Device, ids: got.IDs, work: profile(got.Started.Profile),
		ranWith: ranWith{got.Started.Fallbacks, got.Finished.Notices},
	}, first, nil
}

// repeated does something once without counting it, then at least n times, and more
// where that takes little time; fewer where patience ends. It gives the seconds, the
// shortest first. What takes so long that there is no second time is counted the
// first time.
func repeated(n int, run *measuring, once func() (time.Duration, error)) ([]float64, error) {
	start := time.Now()
	var seconds []float64
	for i := 0; i <= n || i <= moreTimes*n && time.Since(start) < moreFor; i++ {
		took, err := once()
		if err != nil {
			return nil, err
		}
		if i <= n {
			run.step()
		}
		late := time.Since(start) > patience
		if i > 0 || late {
			seconds = append(seconds, max(took.Seconds(), 1e-9))
		}
		if late {
			for range n - i {
				run.step()
			}
			break
		}
	}
	slices.Sort(seconds)
	return seconds, nil
}

// fastest is the shortest of three times, or of those that a second allows.
func fastest(once func() (time.Duration, error)) (best time.Duration, err error) {
	start := time.Now()
	for i := 0; i < 3 && (i == 0 || time.Since(start) < time.Second); i++ {
		took, err := once()
		if err != nil {
			return 0, err
		}
		if i == 0 || took < best {
			best = took
		}
	}
	return best, nil
}

// speedOf sums up repetitions: amount done in each of the sorted seconds.
func speedOf(work string, amount int, seconds []float64, p Profile) Measure {
	middle, n := quantile(seconds, 0.5), float64(amount)
	return Measure{
		Work: work, Amount: amount, Unit: unitOf(work), Repeats: len(seconds),
		Median: n / middle, P10: n / quantile(seconds, 0.9), P90: n / quantile(seconds, 0.1),
		Least: n / seconds[len(seconds)-1], Most: n / seconds[0],
		BytesPerS: float64(p.Bytes) / middle, FlopsPerS: float64(p.Flops) / middle,
	}
}
