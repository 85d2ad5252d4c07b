package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"inglenook/app/chat"
	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/pool"
	"inglenook/pipeline"
)

// generator is a writer that continues token ids, so that its work can be measured.
type generator interface {
	pipeline.Writer
	CompleteIDs(ctx context.Context, ids []int32, o pipeline.ReplyOptions) iter.Seq2[pipeline.Token, error]
	Forget()
}

// writerSubject lets a language model read and write on a target. Tokens are random but the
// same each time; the model always writes the likeliest one.
type writerSubject struct {
	open    *pool.OpenCheckpoint[pipeline.Writer]
	model   generator                             // the open model
	notices []string                              // about the device
	before  []int32                               // what is in the context before
	sizes   []int                                 // of the curve
	several int                                   // texts that are written at once
	draft   string                                // how it guesses while it writes
	small   *pool.OpenCheckpoint[pipeline.Writer] // guesses for it; nil: no model does
	drafter *pipeline.Drafter

	memoryRate float64 // bytes that the device reads a second; 0: not measured
	memory     peakMeter

	mu                sync.Mutex // guards the guesses
	drafted, accepted int
	why               string // the last answer had no guesses
}

// OpenWriter opens a language model past the pool, so that nobody else uses it meanwhile.
func (r *rowRun) openWriter(ctx context.Context) (subject, error) {
	where, err := r.pool.Choose(ctx, r.row.Target, &r.entry, nil)
	if err != nil {
		return nil, err
	}
	s := &writerSubject{notices: where.Notices, sizes: r.plan.sizes, several: max(r.row.Sequences, 1)}
	way, small, err := chat.ParseDraft(r.plan.draft)
	if err != nil {
		return nil, err
	}
	s.draft = way
	if r.plan.memory {
		r.predictMemory(ctx, where.Backends)
		if s.memoryRate, err = r.memoryRate(ctx, where.Backends[0]); err != nil {
			return nil, err
		}
		s.memory = newPeakMeter()
	}
	o := pool.WriterOptions{Target: r.row.Target}
	o.Context = cmp.Or(o.Context, r.plan.context())
	open := r.pool.OpenIDs
	if r.plan.answers {
		open = r.pool.OpenAlone
	}
	s.open, err = open(ctx, r.entry, where, o)
	if err != nil {
		return nil, err
	}
	var ok bool
	if s.model, ok = s.open.Model.(generator); !ok {
		return nil, errors.Join(errors.New("this model takes no token ids, so it cannot be measured; choose one that runs on this computer"), s.open.Close())
	}
	s.before = s.tokens(r.plan.depth)
	if n := max(s.model.Info().Sequences, 1); n < s.several {
		return nil, errors.Join(fmt.Errorf("%s writes %d text at once and not %d; leave --sequences out", r.entry.Name, n, s.several), s.open.Close())
	}
	if small != "" {
		if err := s.openSmall(ctx, r, small, where, o); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// openSmall opens the model that guesses. One that cannot is an error here: what is measured is
// what was asked for.
func (s *writerSubject) openSmall(ctx context.Context, r *rowRun, name string, where pool.Choice, o pool.WriterOptions) error {
	e, err := r.library.WithoutTexts(ctx, name)
	if err != nil {
		return err
	}
	large, ok := s.open.Model.(interface {
		NewDrafter(pipeline.Writer) *pipeline.Drafter
	})
	if !e.Writes() || !ok {
		return fmt.Errorf("%s cannot guess for this model; choose a smaller language model of the same family", e.Name)
	}
	if e.MaxLength > 0 {
		o.Context = min(o.Context, e.MaxLength)
	}
	if s.small, err = r.pool.OpenIDs(ctx, e, where, o); err != nil {
		return err
	}
	if s.drafter = large.NewDrafter(s.small.Model); s.drafter.Why != "" {
		return errors.New(s.drafter.Why)
	}
	return nil
}

func (s *writerSubject) Close() error {
	err := s.open.Close()
	if s.small != nil {
		err = errors.Join(err, s.small.Close())
	}
	return err
}

// do reads or writes so many tokens after those before, which are not counted.
func (s *writerSubject) do(ctx context.Context, j job) (run, error) {
	s.model.Forget()
	if len(s.before) > 0 {
		n := s.several
		if j.work == fit.WorkPrompt {
			n = 1
		}
		if _, err := s.together(ctx, n, 1, func(int) []int32 { return s.before }); err != nil {
			return run{}, err
		}
	}
	if j.work == fit.WorkPrompt {
		return s.read(ctx, j.amount)
	}
	return s.write(ctx, j.amount)
}

// read reads a prompt. The one token that follows shows what the model understood.
func (s *writerSubject) read(ctx context.Context, count int) (run, error) {
	var first time.Duration
	prompt := slices.Concat(s.before, s.tokens(count))
	start := time.Now()
	got, err := s.complete(ctx, prompt, 1, func(t chat.Token) {
		if t.ID >= 0 && first == 0 {
			first = time.Since(start)
		}
	})
	if err != nil {
		return run{}, err
	}
	return run{
		outcome: outcome{ids: got.IDs}, took: got.Started.Took, first: first, context: len(prompt),
		device: got.Started.Device, work: devices.NewProfile(got.Started.Profile), fallbacks: got.Started.Fallbacks, notices: s.allNotices(got),
	}, nil
}

// write writes tokens after one more token of a prompt, which differs where several texts are
// written at once.
func (s *writerSubject) write(ctx context.Context, count int) (run, error) {
	firsts := s.tokens(s.several)
	all, err := s.together(ctx, s.several, count, func(i int) []int32 {
		return append(slices.Clone(s.before), firsts[i])
	})
	if err != nil {
		return run{}, err
	}
	out := run{context: len(s.before) + count, device: all[0].Finished.Device, fallbacks: all[0].Finished.Fallbacks, notices: s.notices, texts: s.several}
	out.outcome.ids = all[0].IDs
	for _, got := range all {
		out.took = max(out.took, got.Finished.Took)
		out.notices = append(slices.Clone(out.notices), got.Finished.Notices...)
		out.work = out.work.And(devices.NewProfile(got.Finished.Profile))
	}
	return out, nil
}

// together continues n prompts at once.
func (s *writerSubject) together(ctx context.Context, n, count int, prompt func(i int) []int32) ([]chat.Answer, error) {
	answers, failed := make([]chat.Answer, n), make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { answers[i], failed[i] = s.complete(ctx, prompt(i), count, nil) })
	}
	all.Wait()
	return answers, errors.Join(failed...)
}

func (s *writerSubject) allNotices(a chat.Answer) []string {
	return slices.Concat(s.notices, a.Finished.Notices)
}

// at writes behind a context of some size. The context grows from size to size, so that
// nothing is read twice.
func (s *writerSubject) at(ctx context.Context, size int) (time.Duration, error) {
	got, err := s.complete(ctx, s.tokens(slices.Max(s.sizes))[:size], curveTokens, nil)
	return got.Finished.Took, err
}

// finish adds how much of the memory's speed and size the model took.
func (s *writerSubject) finish(row *Row) {
	for i := range row.Measures {
		if m := &row.Measures[i]; m.Work == fit.WorkGenerate && s.memoryRate > 0 {
			m.MemoryShare = m.BytesPerS / s.memoryRate
		}
	}
	if s.drafted > 0 {
		row.Notes = append(row.Notes, fmt.Sprintf("%d of %d guesses were right.", s.accepted, s.drafted))
	} else if s.draft != "" && s.draft != pipeline.DraftOff {
		row.Notes = append(row.Notes, s.unguessed())
	}
	if n := len(row.Memory); n > 0 && n == len(s.sizes) {
		row.Memory[n-1].Peak = s.memory.rise()
	}
}

// unguessed says that nothing was guessed, and why where that is known.
func (s *writerSubject) unguessed() string {
	why := s.why
	if m, ok := s.model.(interface{ Head() string }); ok && s.draft == pipeline.DraftMTP {
		why = cmp.Or(m.Head(), why)
	}
	if why == "" {
		return "Nothing was guessed."
	}
	return "Nothing was guessed: " + why + "."
}

// complete continues a prompt by so many of the likeliest tokens. each may be nil.
func (s *writerSubject) complete(ctx context.Context, prompt []int32, count int, each func(chat.Token)) (chat.Answer, error) {
	got, err := chat.Collect(s.model.CompleteIDs(ctx, prompt, pipeline.ReplyOptions{
		MaxTokens: count, Sampling: &pipeline.Sampling{TopP: 1, TypicalP: 1, RepeatPenalty: 1}, IgnoreEnd: true, Profile: true, Draft: s.draft, Drafter: s.drafter,
	}), each)
	s.mu.Lock()
	s.drafted, s.accepted = s.drafted+got.Finished.Drafted, s.accepted+got.Finished.Accepted
	if u := got.Finished.Unguessed; len(u) > 0 {
		s.why = u[0]
	}
	s.mu.Unlock()
	if err == nil && got.Finished.Tokens != count {
		err = fmt.Errorf("the model wrote %d of %d tokens; give it a larger context", got.Finished.Tokens, count)
	}
	return got, err
}

// tokens returns n token ids, the same each time.
func (s *writerSubject) tokens(n int) []int32 {
	random := rand.New(rand.NewPCG(3, 4))
	vocab := int32(1)
	if local := s.model.Info().Local; local != nil {
		vocab = int32(max(1, local.Vocab))
	}
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = random.Int32N(vocab)
	}
	return ids
}
