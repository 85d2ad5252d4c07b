package documents

import (
	"context"
	"errors"
	"sync"
	"time"

	"inglenook/app/library"
	text "inglenook/documents"
	"inglenook/hub/fault"
	"inglenook/plain"
)

// serverQuestionTime is how long a model of a server may take to open, and then for a
// question or some sentences, where the work can go by words alone.
const serverQuestionTime = 10 * time.Second

// serverMeaningTime is the same for a search that finds nothing without it.
const serverMeaningTime = time.Minute

// silentFor is how long a model of a server that did not answer in time is not asked again where the
// work can go by words alone, so that one question does not wait for it several times.
const silentFor = 30 * time.Second

// silent are models of servers that did not answer in time lately. Its zero value is none.
type silent struct {
	mu   sync.Mutex
	last map[string]silence
}

// silence is that a model did not answer.
type silence struct {
	why   error
	until time.Time // it is not asked
}

// within calls do with a context that ends after a limit, unless the model of a key did not answer in
// time just before: that is the answer then.
func (s *silent) within(ctx context.Context, limit time.Duration, key, model string, do func(ctx context.Context) error) error {
	s.mu.Lock()
	before, there := s.last[key]
	s.mu.Unlock()
	if there && time.Now().Before(before.until) {
		return before.why
	}
	err := within(ctx, limit, model, do)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.last, key)
	if errors.Is(err, errLate) {
		if s.last == nil {
			s.last = map[string]silence{}
		}
		s.last[key] = silence{err, time.Now().Add(silentFor)}
	}
	return err
}

// errLate is the cause of an error about a model that did not answer in time.
var errLate = errors.New("late")

// within calls do with a context that ends after a limit. If that is why do failed, the error
// says that the model did not answer in time, and is one of its server.
func within(ctx context.Context, limit time.Duration, model string, do func(ctx context.Context) error) error {
	limited, end := context.WithTimeout(ctx, limit)
	defer end()
	err := do(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return fault.New(fault.ErrUnreachable, errLate, "%s did not answer within %s; see whether its server still works", model, plain.Duration(limit))
	}
	return err
}

// hurried is an embedder whose questions are asked as for a search.
type hurried struct {
	text.Embedder
	within func(ctx context.Context, do func(ctx context.Context) error) error
}

// EmbedQuery implements documents.Embedder.
func (h hurried) EmbedQuery(ctx context.Context, question string) (v []float32, err error) {
	err = h.within(ctx, func(ctx context.Context) error {
		v, err = h.Embedder.EmbedQuery(ctx, question)
		return err
	})
	return v, err
}

// hurry is how a model is asked for a search: one of a server within a time, patient where nothing can be
// found without it.
func (s *Service) hurry(entry library.Entry, patient bool) func(ctx context.Context, do func(ctx context.Context) error) error {
	return func(ctx context.Context, do func(ctx context.Context) error) error {
		switch {
		case !entry.Elsewhere():
			return do(ctx)
		case patient:
			return within(ctx, serverMeaningTime, entry.ID, do)
		}
		return s.silent.within(ctx, serverQuestionTime, entry.ID+" "+entry.Stamp, entry.ID, do)
	}
}
