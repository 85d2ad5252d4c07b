package pool

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// CloseUnused closes the models with which nobody worked since a time, and says which those were and
// how much memory that gives back by compat's count. They open again for their next work.
func (p *Pool) CloseUnused(since time.Time) (names []string, freed int64, err error) {
	s := p.openSet
	var errs []error
	for _, x := range s.resting() {
		if !x.wanted.computes || s.restsSince(x).After(since) || p.library.LastWork(x.key.model).After(since) {
			continue
		}
		if s.kept(x) {
			continue
		}
		names, freed = append(names, x.wanted.name), freed+x.wanted.Bytes
		errs = append(errs, s.shut(x))
	}
	return names, freed, errors.Join(errs...)
}

// restsSince is when the last of those gave a model back that borrowed it, or when it was opened.
func (s *openSet) restsSince(x *slot) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return x.rests
}

// CloseUnusedFor gives the memory of models back with which nobody worked for as long as after says,
// until the context ends; it looks every so often. after is asked each time; 0: models stay open.
func (p *Pool) CloseUnusedFor(ctx context.Context, every time.Duration, after func() time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		unused := after()
		if unused <= 0 {
			continue
		}
		names, freed, err := p.CloseUnused(time.Now().Add(-unused))
		if len(names) > 0 {
			p.log.Info("unloaded, unused", slog.Any("models", names), "bytes", freed, "error", err)
		}
	}
}
