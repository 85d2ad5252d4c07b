// Package checks has searches done again later, in the exact way, where they do not
// compare all vectors. So it is known how good they are.
package checks

import (
	"cmp"
	"context"
	"sync"
	"time"
)

const (
	// Rows is how many of the nearest rows are compared.
	Rows = 10
	// Kept is how many checks count, the last ones. Once there are as many, one search in
	// ten is checked.
	Kept  = 100
	oneIn = 10

	after = 300 * time.Millisecond // without a search: somebody who types is not disturbed
)

// A Check does a search again and keeps what came out.
type Check func(ctx context.Context) error

// Later does checks, one at a time, until Stop.
type Later struct {
	ctx   context.Context
	end   context.CancelFunc
	start sync.Once
	task  sync.WaitGroup
	asked chan Check // the next one
}

// New returns a Later without anything to do.
func New() *Later {
	l := &Later{asked: make(chan Check, 1)}
	l.ctx, l.end = context.WithCancel(context.Background())
	return l
}

// Stop ends the check that is under way, and those that wait.
func (l *Later) Stop() {
	l.end()
	l.task.Wait()
}

// Do has a search checked, in place of one that still waits.
func (l *Later) Do(check Check) {
	if l.ctx.Err() != nil {
		return
	}
	l.start.Do(func() { l.task.Go(l.run) })
	select {
	case <-l.asked:
	default:
	}
	select {
	case l.asked <- check:
	default: // another search was quicker
	}
}

func (l *Later) run() {
	for n := 0; ; n++ {
		check, ok := l.next()
		if !ok {
			return
		}
		if n > Kept && n%oneIn > 0 {
			continue
		}
		_ = check(l.ctx) // the search itself met the error, too, and what is not kept is checked again
	}
}

// next waits for a search that no other follows for a while.
func (l *Later) next() (check Check, ok bool) {
	select {
	case check = <-l.asked:
	case <-l.ctx.Done():
		return nil, false
	}
	for {
		select {
		case check = <-l.asked:
		case <-time.After(after):
			return check, true
		case <-l.ctx.Done():
			return nil, false
		}
	}
}

// Same reports whether a search found rows that are as near as those that comparing all finds,
// the best first in both. Of rows that are equally near it may have found others.
func Same[H any, S cmp.Ordered](found, all []H, score func(H) S) bool {
	if len(found) != len(all) {
		return false
	}
	for i := range all {
		if score(found[i]) < score(all[i]) {
			return false
		}
	}
	return true
}

// Add adds a check to those that count.
func Add(last []bool, same bool) []bool {
	last = append(last, same)
	return append([]bool(nil), last[max(0, len(last)-Kept):]...)
}

// Count counts them, and those that found the same.
func Count(last []bool) (checked, same int) {
	for _, s := range last {
		if s {
			same++
		}
	}
	return len(last), same
}
