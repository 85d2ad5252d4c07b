package app

import (
	"context"
	"log/slog"

	"inglenook/engine"
)

// MeasureService measures models and predicts their speed. It is the one program that does
// so: the window and the command line are two views of what it finds.
type MeasureService struct {
	life      *Lifetime
	log       *slog.Logger
	devices   *DevicesService
	library   *LibraryService
	predictor *Predictor
	pool      *Pool
	texts     *TextsService
	history   *history
	predicted string // path of the history of predictions
}

// NewMeasureService measures nothing yet.
func NewMeasureService(life *Lifetime, log *slog.Logger, paths Paths, devices *DevicesService, library *LibraryService, predictor *Predictor, pool *Pool, texts *TextsService) *MeasureService {
	return &MeasureService{
		life: life, log: log, devices: devices, library: library, predictor: predictor, pool: pool, texts: texts,
		history: &history{path: historyPath(paths)}, predicted: predictionsPath(paths),
	}
}

// Measure lets a model do the same work on each target, one after the other. A target
// that fails ends its row with the reason; the others go on.
func (s *MeasureService) Measure(ctx context.Context, r PerformanceRequest, report func(PerformanceStep)) (Performance, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return Performance{}, err
	}
	defer done()
	e, p, err := s.plan(ctx, r)
	if err != nil {
		return Performance{}, err
	}
	return s.measure(ctx, e, r, p, report)
}

// Predict predicts, for each target of a request, what Measure would find there: nothing for
// devices that are for checking, not for speed, and where there is no telling. The first
// time, the devices are measured for it, which takes seconds.
func (s *MeasureService) Predict(ctx context.Context, r PerformanceRequest) ([][]Prediction, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	e, p, err := s.plan(ctx, r)
	if err != nil {
		return nil, err
	}
	list := make([][]Prediction, len(r.Targets))
	for i, t := range r.Targets {
		if list[i], err = s.predictOn(ctx, e, p, t); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// plan finds the model of a request and the work for it.
func (s *MeasureService) plan(ctx context.Context, r PerformanceRequest) (entry, plan, error) {
	e, err := s.library.usable(ctx, r.Model)
	if err != nil {
		return e, plan{}, err
	}
	p, err := planFor(e, r)
	return e, p, err
}

// backends returns the backends on which a model on a target runs, best first.
func (s *MeasureService) backends(t Target) ([]engine.Backend, error) {
	if !t.ownThreads() {
		return s.devices.Backends(t.Device)
	}
	cpu, err := s.devices.cpu(t.Threads)
	return []engine.Backend{cpu}, err
}
