package server

import (
	"context"
	"slices"
	"sync"
)

// maxWaiting is how many requests may wait for one model.
const maxWaiting = 64

// queues let so many requests at a time work with a model. The others wait in the
// order in which they came.
type queues struct {
	mu  sync.Mutex
	all map[string]*queue // by model; one that nobody uses is not there
}

type queue struct {
	inside  int
	waiting []chan struct{}
}

// enter waits for the turn with a model that serves so many requests at once. leave has to
// be called at its end.
func (q *queues) enter(ctx context.Context, model string, atOnce int) (leave func(), err error) {
	q.mu.Lock()
	if q.all == nil {
		q.all = map[string]*queue{}
	}
	line := q.all[model]
	if line == nil {
		line = &queue{}
		q.all[model] = line
	}
	if line.inside < max(atOnce, 1) {
		line.inside++
		q.mu.Unlock()
		return func() { q.leave(model) }, nil
	}
	if len(line.waiting) >= maxWaiting {
		q.mu.Unlock()
		return nil, busy("%d requests wait for this model already", maxWaiting)
	}
	turn := make(chan struct{})
	line.waiting = append(line.waiting, turn)
	q.mu.Unlock()
	select {
	case <-turn:
		return func() { q.leave(model) }, nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	i := slices.Index(line.waiting, turn)
	if i >= 0 {
		line.waiting = slices.Delete(line.waiting, i, i+1)
	}
	q.mu.Unlock()
	if i < 0 { // the turn came at the same moment
		q.leave(model)
	}
	return nil, context.Cause(ctx)
}

// leave hands the turn to the next one.
func (q *queues) leave(model string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	line := q.all[model]
	if len(line.waiting) == 0 {
		if line.inside--; line.inside == 0 {
			delete(q.all, model)
		}
		return
	}
	close(line.waiting[0])
	line.waiting = line.waiting[1:]
}

// waiting returns how many requests wait, for all models.
func (q *queues) waiting() (n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, line := range q.all {
		n += len(line.waiting)
	}
	return n
}
