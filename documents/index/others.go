package index

import (
	"context"
	"sync"
	"time"

	"inglenook/documents/store"
)

// others are the files whose content another process works on. They are looked at again after all
// the rest: mostly they are kept by then.
type others struct {
	claims store.Claims // nil where no other process may write

	mu   sync.Mutex
	left []putOff
}

// putOff is a file that is looked at again.
type putOff struct {
	job
	content string
}

// take claims a content among all processes that fill the collection.
func (o *others) take(ctx context.Context, content string) (bool, error) {
	if o.claims == nil {
		return true, nil
	}
	return o.claims.Take(ctx, content)
}

func (o *others) give(ctx context.Context, content string) {
	if o.claims != nil {
		o.claims.Give(ctx, content)
	}
}

func (o *others) add(j job, content string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.left = append(o.left, putOff{j, content})
}

// all returns what was added, which is forgotten.
func (o *others) all() (left []putOff) {
	o.mu.Lock()
	defer o.mu.Unlock()
	left, o.left = o.left, nil
	return left
}

func (o *others) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.left)
}

// putOff leaves a file, and those that wait for its content, to be looked at again.
func (r *run) putOff(w *work) {
	for _, w := range append([]*work{w}, r.contents.release(w.content())...) {
		r.others.add(w.job, w.content())
	}
}

const (
	lookAgain       = 250 * time.Millisecond
	defaultPatience = time.Minute
)

// await does what other processes gave up and notes what they did, as long as they get on with it.
func (r *run) await(ctx context.Context) {
	patience := orElse(r.Patience, defaultPatience)
	for waited := time.Duration(0); r.others.count() > 0; {
		left := r.others.count()
		if !r.lookAt(ctx) {
			return
		}
		switch now := r.others.count(); {
		case now == 0:
			return
		case now < left:
			waited = 0
		case waited >= patience:
			r.track.leftToOthers(now)
			return
		}
		r.track.note("Another Inglenook is indexing some of the same files; they are waited for.")
		select {
		case <-time.After(lookAgain):
			waited += lookAgain
		case <-ctx.Done():
			return
		}
	}
}

// lookAt tries each file once that was left to other processes, and reports whether the run goes on.
func (r *run) lookAt(ctx context.Context) bool {
	for _, j := range r.others.all() {
		if r.Wait(ctx) != nil {
			return false
		}
		free, err := r.others.take(ctx, j.content)
		switch {
		case err != nil:
			_ = r.broken(err)
			return false
		case !free:
			r.others.add(j.job, j.content)
		default:
			r.others.give(ctx, j.content)
			r.readFile(ctx, j.job)
		}
	}
	return ctx.Err() == nil
}
