package measure

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/usage"
	"inglenook/engine"
	"inglenook/engine/probe"
	"inglenook/pipeline/placement"
)

// subject is an open model that is measured.
type subject interface {
	// do does a job once.
	do(ctx context.Context, j job) (run, error)
	// at does what a curve has at a size, and returns how long it took.
	at(ctx context.Context, size int) (time.Duration, error)
	// finish adds to the row what is known once everything is measured.
	finish(row *Row)
	Close() error
}

// run is one repetition of a job.
type run struct {
	outcome   outcome
	took      time.Duration
	first     time.Duration // to the first token of an answer; 0: there is none
	context   int           // tokens of the longest text, or in the context at the end
	device    string
	work      devices.Profile
	fallbacks []engine.Fallback
	notices   []string
	texts     int // that were written at once; 0: one
}

// measure does the work of a plan on each target, one after the other. A target that fails
// ends its row with the reason; the others go on.
func (s *Runner) measure(ctx context.Context, e library.Entry, entry func(devices.Target) library.Entry, r Request, plan plan, report func(Step)) (Result, error) {
	p := s.empty(e, r)
	progress := newMeasuring(&p, plan.steps(), report)
	start := time.Now()
	var did placement.Profile
	defer func() {
		s.devices.Note(devices.Work{Job: "measure", Model: e.ID, Took: time.Since(start), Cancelled: ctx.Err() != nil}, did)
	}()
	var first reference
	for i := range p.Rows {
		row := &p.Rows[i]
		row.Server = entry(row.Target).Elsewhere()
		progress.begin(i)
		before := usage.Now()
		one := &rowRun{Runner: s, entry: entry(row.Target), plan: plan, row: row, progress: progress, reference: &first}
		err := one.measure(ctx)
		if err == nil && plan.norms && p.firstOn(i) {
			err = one.norms(ctx)
		}
		row.Others = othersSince(before)
		if ctx.Err() != nil || errors.Is(err, base.ErrClosing) {
			first.judge(row)
			return s.finished(p, entry, plan, r), base.InContext(ctx, err)
		}
		if row.end(err); row.Failed == "" {
			s.library.Used(one.entry.ID)
		}
		first.judge(row)
		did.Ops = append(did.Ops, row.profile().Ops...)
		s.log.Info("measured", "model", e.ID, "device", row.DeviceID(), "weights", row.Weights, "failed", row.Failed)
	}
	if err := s.predictRows(ctx, entry, plan, r, p.Rows); err != nil {
		return p, err
	}
	progress.end()
	return p, nil
}

// finished is what a cancelled measurement has found: the rows with speeds, the last one perhaps with
// a part of its curve, and those that failed.
func (s *Runner) finished(p Result, entry func(devices.Target) library.Entry, plan plan, r Request) Result {
	var rows []Row
	var targets []devices.Target
	for i, row := range p.Rows {
		if len(row.Measures) == 0 && row.Failed == "" {
			continue
		}
		if n := len(row.Curve); n > 0 && n < len(plan.sizes) && !slices.ContainsFunc(row.Notes, endsEarly) {
			row.Notes = append(row.Notes, fmt.Sprintf(curveEnds+"%d: the measurement was cancelled.", row.Curve[n-1].Size))
		}
		rows, targets = append(rows, row), append(targets, r.Targets[i])
	}
	p.Rows, p.Cancelled, r.Targets = rows, true, targets
	if r.Shown != nil { // new predictions would take time
		_ = s.predictRows(context.Background(), entry, plan, r, p.Rows)
	}
	return p
}

// curveEnds begins the note on a curve that ends early.
const curveEnds = "The curve ends at "

func endsEarly(note string) bool { return strings.HasPrefix(note, curveEnds) }

// empty is a measurement with a row for each target and nothing in them.
func (s *Runner) empty(e library.Entry, r Request) Result {
	cpu := s.devices.Device("cpu")
	p := Result{
		When: time.Now().UTC().Truncate(time.Second), Version: base.Version().Version, Machine: cpu.Name,
		Model: e.ID, Name: e.Name, Kind: e.Kind, Thorough: r.Thorough,
	}
	for _, t := range r.Targets {
		row := Row{Target: t, Name: s.devices.Device(t.Device).Name, Emulated: strings.HasSuffix(t.Device, "-emulated")}
		if row.Name == "" {
			row.Name = t.Device // a server
		}
		if t.Device == "cpu" && t.Threads == 0 {
			row.Threads = cpu.Threads
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}

// othersSince returns which part of the processors other programs used.
func othersSince(before usage.Reading) float64 {
	if others, known := usage.Now().Others(before); known {
		return others
	}
	return -1
}

// firstOn reports whether no row before this one is on the same device with as many
// threads: what does not depend on the weights need not be done again.
func (p *Result) firstOn(row int) bool {
	return !slices.ContainsFunc(p.Rows[:row], func(r Row) bool { return r.DeviceID() == p.Rows[row].DeviceID() })
}

// rowRun measures one row.
type rowRun struct {
	*Runner
	entry     library.Entry
	plan      plan
	row       *Row
	progress  *measuring
	reference *reference
}

// results are the repetitions of one job.
type results struct {
	seconds, firsts probe.Seconds
	last            run
	agreement       float64
}

// measure does the jobs in turns, then the curve.
func (r *rowRun) measure(ctx context.Context) error {
	if len(r.plan.jobs) == 0 {
		return nil
	}
	model, err := r.open(ctx)
	if err != nil {
		return err
	}
	defer model.Close()
	r.progress.step()
	all := slices.Repeat([]results{{agreement: 1}}, len(r.plan.jobs))
	for range r.plan.rounds {
		for i, j := range r.plan.jobs {
			if err := r.repeat(ctx, model, j, &all[i]); err != nil {
				return err
			}
		}
	}
	for i, j := range r.plan.jobs {
		if r.row.Device != "cpu" && !r.entry.Elsewhere() { // the CPU always times its operations
			timed, err := model.do(engine.Timed(ctx), j)
			if err != nil {
				return err
			}
			all[i].last.work.Ops = timed.work.Ops
		}
		r.row.add(j, all[i])
	}
	r.progress.publish()
	if err := r.curve(ctx, model); err != nil {
		return err
	}
	if m, ok := model.(answerer); ok && r.plan.answers {
		r.reference.plain = r.reference.plain || !m.chats()
		if r.row.answers, err = m.answers(ctx, r.reference.plain); err != nil {
			return err
		}
		r.reference.keep(r.row)
		r.progress.step()
	}
	if m, ok := model.(*writerSubject); ok && r.plan.guesses {
		r.progress.at(fit.WorkGuesses)
		if r.row.Guesses, err = m.guesses(ctx); err != nil {
			return err
		}
		r.progress.step()
		r.progress.publish()
	}
	model.finish(r.row)
	return nil
}

// open opens the model for the jobs of the plan.
func (r *rowRun) open(ctx context.Context) (subject, error) {
	if r.plan.writes() && r.entry.Elsewhere() {
		return r.openElsewhere(ctx)
	}
	if r.plan.writes() {
		return r.openWriter(ctx)
	}
	return r.openTexts(ctx)
}

// repeat repeats a job for one round.
func (r *rowRun) repeat(ctx context.Context, model subject, j job, got *results) error {
	r.progress.at(j.work)
	var firsts []float64
	seconds, err := r.plan.pace.repeated(r.progress.step, func() (time.Duration, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		one, err := model.do(ctx, j)
		if err == nil && !r.plan.elsewhere {
			err = r.row.ranOn(one.device, one.notices)
		}
		if err != nil {
			return 0, err
		}
		got.agreement = min(got.agreement, r.reference.compare(r.row, j.work, one.outcome))
		got.last, firsts = one, append(firsts, one.first.Seconds())
		return one.took, nil
	})
	if err != nil {
		return err
	}
	got.seconds = append(got.seconds, seconds...)
	got.firsts = append(got.firsts, firsts[len(firsts)-len(seconds):]...)
	slices.Sort(got.seconds)
	slices.Sort(got.firsts)
	return nil
}

// curve measures at each size. A slow device stops before a size that would take longer
// than there is time, and a note says so.
func (r *rowRun) curve(ctx context.Context, model subject) error {
	start, row, sizes := time.Now(), r.row, r.plan.sizes
	for i, size := range sizes {
		from := time.Now()
		took, err := fastest(func() (time.Duration, error) { return model.at(ctx, size) })
		if err != nil {
			return err
		}
		value := float64(took.Nanoseconds()) / 1e3 / float64(size)
		if r.plan.writes() {
			value = curveTokens / max(took.Seconds(), 1e-9)
		}
		row.Curve = append(row.Curve, CurvePoint{size, value})
		r.progress.step()
		if i+1 == len(sizes) {
			break
		}
		next := time.Since(from) * time.Duration(sizes[i+1]) / time.Duration(size)
		if time.Since(start)+next > r.plan.budget {
			row.Notes = append(row.Notes, fmt.Sprintf(curveEnds+"%d: the next size would take longer than the %.0f s allowed for the curve.", size, r.plan.budget.Seconds()))
			break
		}
	}
	return nil
}

// ranOn returns an error where the row's device did not do the work: a device that failed
// hands it to the CPU, and the row must not show the CPU's speed. A device that has no
// kernels for a part of the model does the rest; DeviceShare and Notes tell that.
func (r *Row) ranOn(device string, notices []string) error {
	if device == r.Device || len(notices) == 0 && slices.Contains(strings.Split(device, "+"), r.Device) {
		return nil
	}
	if len(notices) > 0 {
		return errors.New(strings.Join(notices, "; "))
	}
	return fmt.Errorf("the work went to %s instead", device)
}

// profile is where the operations of the last job of a row ran.
func (r *Row) profile() (p placement.Profile) {
	for _, m := range r.Measures {
		if len(m.Ops) == 0 {
			continue
		}
		p.Ops = nil
		for _, o := range m.Ops {
			p.Ops = append(p.Ops, placement.OpTime{Device: o.Device, Count: o.Count})
		}
	}
	return p
}

// end notes why a row ended; nil: it is complete.
func (r *Row) end(err error) {
	if err != nil {
		r.err, r.Failed = err, base.JoinNotes([]string{err.Error()})
	}
}

// add adds the measures of a job, with the times of its operations.
func (r *Row) add(j job, got results) {
	m := speedOf(j, got)
	if r.Server {
		m.PeakBytes = 0 // that of the server is not known
	}
	mine, total := 0.0, 0.0
	for _, o := range got.last.work.Ops {
		m.Ops = append(m.Ops, Op{o.Op, o.DType, o.Device, o.Count, o.Took.Seconds()})
		total += o.Took.Seconds()
		if o.Device == r.Device {
			mine += o.Took.Seconds()
		}
	}
	if total > 0 {
		r.DeviceShare = mine / total
	}
	for _, f := range got.last.fallbacks {
		note := fmt.Sprintf("%s ran on %s: %s.", f.Op, f.RunsOn, strings.TrimSuffix(f.Reason, "."))
		if !slices.Contains(r.Notes, note) {
			r.Notes = append(r.Notes, note)
		}
	}
	r.Measures = append(r.Measures, m)
	if j.work == fit.WorkPrompt {
		r.Measures = append(r.Measures, firstTokenOf(j, got))
	}
}

// speedOf sums up the repetitions of a job.
func speedOf(j job, got results) Measure {
	s, n := got.seconds, float64(j.amount*max(got.last.texts, 1))
	return Measure{
		Work: j.work, Amount: j.amount, Unit: fit.UnitOf(j.work), Repeats: len(s),
		Device: got.last.device, Context: got.last.context,
		Median: n / s.Median(), P10: n / s.Quantile(0.9), P90: n / s.Quantile(0.1),
		Least: n / s[len(s)-1], Most: n / s[0],
		BytesPerS: float64(got.last.work.Bytes) / s.Median(), FlopsPerS: float64(got.last.work.Flops) / s.Median(),
		PeakBytes: peakMemory(), Agreement: got.agreement,
	}
}

// firstTokenOf sums up how long the first token of an answer to the prompt took.
func firstTokenOf(j job, got results) Measure {
	s := got.firsts
	return Measure{
		Work: fit.WorkFirst, Amount: j.amount, Unit: fit.UnitMilliseconds, Repeats: len(s),
		Device: got.last.device, Context: got.last.context,
		Median: 1e3 * s.Median(), P10: 1e3 * s.Quantile(0.1), P90: 1e3 * s.Quantile(0.9),
		Least: 1e3 * s[0], Most: 1e3 * s[len(s)-1], Agreement: got.agreement,
	}
}
