package measure

import (
	"context"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/metalbackend/emulated"
	"inglenook/pipeline"
)

// predictRows puts predictions beside what was measured: those that a person saw before, or
// else new ones. It comes after the measuring, which it would disturb and whose memory it would
// add to. The error is that of ctx.
func (s *Runner) predictRows(ctx context.Context, entry func(devices.Target) library.Entry, p plan, r Request, rows []Row) error {
	for i := range rows {
		row := &rows[i]
		e := entry(row.Target)
		if len(row.Measures) == 0 || row.Failed != "" || e.Elsewhere() {
			continue
		}
		list := r.Shown[r.Targets[i]] // a row's own target says how many threads are usual
		if r.Shown == nil {
			var err error
			if list, err = s.predictOn(ctx, e, p, row.Target); err != nil {
				return err
			}
		}
		for _, guess := range list {
			for k := range row.Measures {
				if row.Measures[k].Work == guess.Work && !guess.Busy {
					row.Measures[k].Predicted = guess.Value
				}
			}
		}
	}
	return ctx.Err()
}

// predictOn predicts the jobs of a plan on one target. What fails is only logged; the error
// is that of ctx.
func (s *Runner) predictOn(ctx context.Context, e library.Entry, p plan, t devices.Target) ([]fit.Prediction, error) {
	if t.Device == emulated.ID || t.Sequences > 1 { // predictions are of one text
		return nil, ctx.Err()
	}
	var list []fit.Prediction
	err := e.Outlined(ctx, pipeline.OutlineOptions{Hold: t.Hold}, func(x *pipeline.Outline) error {
		for _, j := range p.jobs {
			guess, err := s.predictJob(ctx, e, x, p, t, j)
			if err != nil {
				return err
			}
			list = append(list, guess)
			if j.work == fit.WorkPrompt && guess.Value > 0 {
				list = append(list, fit.Prediction{Work: fit.WorkFirst, Amount: j.amount, Unit: fit.UnitOf(fit.WorkFirst), Value: 1e3 * float64(j.amount) / guess.Value, Busy: guess.Busy})
			}
		}
		return nil
	})
	if err != nil && ctx.Err() == nil {
		s.log.Warn("no prediction", "model", e.ID, "device", t.DeviceID(), "error", err)
	}
	return list, ctx.Err()
}

func (s *Runner) predictJob(ctx context.Context, e library.Entry, x *pipeline.Outline, p plan, t devices.Target, j job) (fit.Prediction, error) {
	guess := fit.Prediction{Work: j.work, Amount: j.amount, Unit: fit.UnitOf(j.work)}
	bs, err := s.backends(t)
	if err != nil {
		return guess, err
	}
	switch j.work {
	case fit.WorkPrompt:
		guess.Value, guess.Busy, err = s.predictor.Reading(ctx, x, bs, j.amount, p.depth)
	case fit.WorkGenerate:
		guess.Value, guess.Busy, err = s.predictor.Writing(ctx, x, bs, j.amount, p.depth+1)
	default:
		var lengths []int
		if lengths, err = s.lengths(ctx, e, j); err == nil {
			guess.Value, guess.Busy, err = s.predictor.Texts(ctx, x, bs, lengths)
		}
	}
	return guess, err
}

// lengths counts the tokens of the texts of a job, or of what a reranker reads: their pairs
// with the query.
func (s *Runner) lengths(ctx context.Context, e library.Entry, j job) ([]int, error) {
	folder, closer, err := e.Location.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	t, err := pipeline.OpenTokenizer(folder, e.Location.WeightsFile)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	count := func(text string) (int, error) {
		got, err := t.Encode(text, pipeline.TokenizeOptions{})
		return len(got.IDs), err
	}
	query := 0
	if e.Kind == library.KindReranker && j.work == fit.WorkRerank {
		if query, err = count(benchQuery); err != nil {
			return nil, err
		}
	}
	var lengths []int
	for _, text := range benchTexts(j.amount) {
		n, err := count(text)
		if err != nil {
			return nil, err
		}
		lengths = append(lengths, query+n)
	}
	return lengths, nil
}
