package measure

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/app/texts"
	"inglenook/engine"
)

// Runner measures models and predicts their speed. It is the one program that does
// so: the window and the command line are two views of what it finds.
type Runner struct {
	life      *base.Lifetime
	log       *slog.Logger
	devices   *devices.Service
	library   *library.Service
	predictor *fit.Predictor
	pool      *pool.Pool
	texts     *texts.Service
	history   *history
	predicted string // path of the history of predictions
}

// New measures nothing yet.
func New(life *base.Lifetime, log *slog.Logger, paths base.Paths, devices *devices.Service, library *library.Service, predictor *fit.Predictor, pool *pool.Pool, texts *texts.Service) *Runner {
	return &Runner{
		life: life, log: log, devices: devices, library: library, predictor: predictor, pool: pool, texts: texts,
		history: &history{Path: historyPath(paths)}, predicted: predictionsPath(paths),
	}
}

// Measure lets a model do the same work on each target, one after the other. A target
// that fails ends its row with the reason; the others go on.
func (s *Runner) Measure(ctx context.Context, r Request, report func(Step)) (Result, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return Result{}, err
	}
	defer done()
	defer s.devices.Awake()()
	e, p, err := s.plan(ctx, r)
	if err != nil {
		return Result{}, err
	}
	defer s.closing(e.ID)()
	r, entry := s.beside(ctx, e, r)
	if here := entry(r.Targets[0]); e.Elsewhere() && e.Writes() && len(r.Targets) > 1 {
		p.answers = here.MaxLength == 0 || here.MaxLength >= answerContext
	}
	return s.measure(ctx, e, entry, r, p, report)
}

// closing returns what takes a model out of memory again that is not there yet: whoever measures many
// models shall not fill the memory with them. One that somebody uses by then stays.
func (s *Runner) closing(model string) func() {
	if slices.ContainsFunc(s.pool.OpenModels(), func(o pool.OpenModel) bool { return o.Model == model }) {
		return func() {}
	}
	return func() {
		if _, err := s.pool.CloseModel(model); err != nil {
			s.log.Info("a measured model stays in memory", "model", model, "error", err)
		}
	}
}

// Predict predicts, for each target of a request, what Measure would find there: nothing for
// devices that are for checking, not for speed, and where there is no telling. The first
// time, the devices are measured for it, which takes seconds.
func (s *Runner) Predict(ctx context.Context, r Request) ([][]fit.Prediction, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	e, p, err := s.plan(ctx, r)
	if err != nil {
		return nil, err
	}
	list := make([][]fit.Prediction, len(r.Targets))
	if e.Elsewhere() {
		return list, nil
	}
	for i, t := range r.Targets {
		if list[i], err = s.predictOn(ctx, e, p, t); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// plan finds the model of a request and the work for it.
func (s *Runner) plan(ctx context.Context, r Request) (library.Entry, plan, error) {
	e, err := s.library.WithoutTexts(ctx, r.Model)
	if err != nil {
		return e, plan{}, err
	}
	if err := onlySpeed(e, r); err != nil {
		return e, plan{}, err
	}
	p, err := planFor(e, r)
	return e, p, err
}

// backends returns the backends on which a model on a target runs, best first.
func (s *Runner) backends(t devices.Target) ([]engine.Backend, error) {
	if !t.OwnThreads() {
		return s.devices.Backends(t.Device)
	}
	cpu, err := s.devices.CPU(t.Threads)
	return []engine.Backend{cpu}, err
}

// KeepPerformance puts a measurement into the history.
func (s *Runner) KeepPerformance(p Result) error {
	h := s.history
	if err := h.add(p); err != nil {
		return fmt.Errorf("the measurement is not kept in %s: %w; free some space or check the folder's rights", base.ShortPath(h.Path), base.PlainError(err))
	}
	return nil
}

// DropPerformance takes a measurement out of the history.
func (s *Runner) DropPerformance(p Result) error {
	h := s.history
	if err := h.remove(p.Model, p.When); err != nil {
		return fmt.Errorf("the measurement is not deleted from %s: %w; check the rights of that file", base.ShortPath(h.Path), base.PlainError(err))
	}
	return nil
}

// PerformanceHistory returns the measurements of a model on this computer, the
// newest first; an empty id: those of all models.
func (s *Runner) PerformanceHistory(model string) ([]Result, error) {
	h := s.history
	list, err := h.list()
	if err != nil {
		return nil, fmt.Errorf("the earlier measurements in %s cannot be read: %w; check the rights of that file", base.ShortPath(h.Path), base.PlainError(err))
	}
	return slices.DeleteFunc(list, func(p Result) bool { return model != "" && p.Model != model }), nil
}

func predictionsPath(p base.Paths) string { return filepath.Join(p.Data, "predictions.jsonl") }
