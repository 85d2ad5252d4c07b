package app

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"inglenook/engine"
	"inglenook/pipeline"
)

// What a language model does where a request does not say.
const (
	defaultBenchPrompt   = 512
	defaultBenchGenerate = 64
)

// writingRun is one repetition: how long it took, and which tokens came out.
type writingRun struct {
	took   time.Duration
	device string
	ids    []int32
	work   Profile
	ranWith
}

// benchWriting measures a language model: reading a prompt of random tokens, and
// writing tokens that are always the likeliest, each after Depth tokens that the
// context holds already.
func (a *App) benchWriting(ctx context.Context, e entry, r BenchRequest, report func(Progress)) (BenchResult, error) {
	if r.Texts+r.Pairs > 0 {
		return BenchResult{}, fmt.Errorf("%s is a language model, so there are no texts or pairs to measure; give a number of prompt or generated tokens", e.Name)
	}
	r, err := r.inContext(e)
	if err != nil {
		return BenchResult{}, err
	}
	result := BenchResult{Model: e.ID, Agreement: 1}
	for _, work := range []struct {
		name  string
		count int
		once  func(context.Context, generator, []int32, int) (writingRun, error)
	}{{"prompt", r.Prompt, benchReading}, {"generate", r.Generate, benchGenerating}} {
		if work.count == 0 {
			continue
		}
		var judge []int32
		for _, device := range r.Devices {
			o := r.Held
			o.Device, o.idsOnly = device, true
			open, err := a.openGenerator(ctx, e, o, report)
			if err != nil {
				return BenchResult{}, inContext(ctx, err)
			}
			line, err := measureWriting(ctx, r, device, work.count, func(ctx context.Context, before []int32) (writingRun, error) {
				run, err := work.once(ctx, open.model, before, work.count)
				if judge == nil {
					judge = run.ids
				}
				result.Agreement = min(result.Agreement, sameStart(judge, run.ids))
				return run, err
			}, open.model.Info().Vocab)
			open.release()
			if err != nil {
				return BenchResult{}, inContext(ctx, err)
			}
			line.Work = work.name
			line.asked = device
			result.Results = append(result.Results, line)
		}
	}
	return result, a.foretell(ctx, e, r, result.Results)
}

// inContext is the request with what it leaves open, as far as the context of
// the model allows. Each measurement needs room for one token more.
func (r BenchRequest) inContext(e entry) (BenchRequest, error) {
	most := r.Held.Context
	if most == 0 {
		most = cmp.Or(e.MaxLength, math.MaxInt32)
	}
	if r.work() == 0 {
		room := max(1, most-r.Depth-1)
		r.Prompt, r.Generate = min(defaultBenchPrompt, room), min(defaultBenchGenerate, room)
	}
	need := r.Depth + max(r.Prompt, r.Generate) + 1
	if need > most {
		return r, fmt.Errorf("a depth of %d, then %d, need a context of %d tokens, and it has %d; ask for less", r.Depth, need-r.Depth-1, need, most)
	}
	r.Held.Context = cmp.Or(r.Held.Context, max(2, need))
	return r, nil
}

// measureWriting repeats one kind of work, after one time that is not counted.
func measureWriting(ctx context.Context, r BenchRequest, device string, count int, once func(ctx context.Context, before []int32) (writingRun, error), vocab int) (BenchLine, error) {
	before := benchTokens(r.Depth, vocab)
	var seconds []float64
	var last writingRun
	for i := range r.Repeat + 1 {
		if err := ctx.Err(); err != nil {
			return BenchLine{}, err
		}
		run, err := once(ctx, before)
		if err != nil {
			return BenchLine{}, err
		}
		if last = run; i > 0 {
			seconds = append(seconds, max(run.took.Seconds(), 1e-9))
		}
	}
	if device != "cpu" { // whose operations are timed in any case
		timed, err := once(engine.Timed(ctx), before)
		if err != nil {
			return BenchLine{}, err
		}
		last.work.Ops = timed.work.Ops
	}
	slices.Sort(seconds)
	middle := quantile(seconds, 0.5)
	return BenchLine{
		Device: last.device, Unit: "tokens/s", Context: r.Depth + count,
		Median: float64(count) / middle,
		P10:    float64(count) / quantile(seconds, 0.9),
		P90:    float64(count) / quantile(seconds, 0.1),

		BandwidthBytesPerS: float64(last.work.Bytes) / middle,
		FlopsPerS:          float64(last.work.Flops) / middle,
		PeakMemoryBytes:    peakMemory(),
		Ops:                last.work.Ops,
	}, nil
}

// benchReading reads count tokens after those before, which are read first and
// not counted. The one token that follows shows what was understood.
func benchReading(ctx context.Context, model generator, before []int32, count int) (writingRun, error) {
	if err := readBefore(ctx, model, before); err != nil {
		return writingRun{}, err
	}
	prompt := append(slices.Clone(before), benchTokens(count, model.Info().Vocab)...)
	got, err := Collect(model.CompleteIDs(ctx, prompt, benchReply(1)), nil)
	if err != nil {
		return writingRun{}, err
	}
	return writingRun{got.Started.Took, got.Started.Device, got.IDs, profile(got.Started.Profile), ranWith{got.Started.Fallbacks, got.Finished.Notices}}, nil
}

// benchGenerating writes count tokens after those before and one more.
func benchGenerating(ctx context.Context, model generator, before []int32, count int) (writingRun, error) {
	if err := readBefore(ctx, model, before); err != nil {
		return writingRun{}, err
	}
	prompt := append(slices.Clone(before), benchTokens(1, model.Info().Vocab)...)
	got, err := Collect(model.CompleteIDs(ctx, prompt, benchReply(count)), nil)
	if err != nil {
		return writingRun{}, err
	}
	if got.Finished.Tokens != count {
		return writingRun{}, fmt.Errorf("the model wrote %d tokens of %d; give a larger context", got.Finished.Tokens, count)
	}
	return writingRun{got.Finished.Took, got.Finished.Device, got.IDs, profile(got.Finished.Profile), ranWith{got.Finished.Fallbacks, got.Finished.Notices}}, nil
}

// readBefore leaves just these tokens in the context.
func readBefore(ctx context.Context, model generator, before []int32) error {
	model.Forget()
	if len(before) == 0 {
		return nil
	}
	_, err := Collect(model.CompleteIDs(ctx, before, benchReply(1)), nil)
	return err
}

func benchReply(tokens int) pipeline.ReplyOptions {
	return pipeline.ReplyOptions{MaxTokens: tokens, Sampling: &pipeline.Sampling{TopP: 1, TypicalP: 1, RepeatPenalty: 1}, IgnoreEnd: true, Profile: true}
}

// benchTokens are n token ids, the same each time.
func benchTokens(n, vocab int) []int32 {
	random := rand.New(rand.NewPCG(3, 4))
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = random.Int32N(int32(max(1, vocab)))
	}
	return ids
}

// sameStart is the share of tokens up to the first that differs.
func sameStart(a, b []int32) float64 {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return float64(i) / float64(max(len(a), len(b)))
		}
	}
	return float64(n) / float64(max(1, len(a), len(b)))
}
