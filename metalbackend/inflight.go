package metalbackend

import (
	"context"
	"fmt"
	"time"

	"inglenook/engine"
	"inglenook/metalbackend/objc"
)

// inFlight is the queue of command buffers that were committed and have not
// completed, at most maxInFlight. A goroutine waits for each in turn, so that a
// waiting caller can be cancelled, and notices a GPU that never answers.
type inFlight struct {
	sys      *system
	patience patience // with one command buffer

	slots     chan struct{} // a token for each command buffer that may still be committed
	committed chan command  // to the goroutine
	timer     *time.Timer   // of the caller with exclusive use of the backend
}

// command is one committed command buffer.
type command struct {
	id    objc.ID
	arena *memory // that it works on
	work  float64
	at    time.Time      // when it was committed
	op    *engine.Tensor // whose time is measured; nil: none
}

// patience is how long to wait for a GPU.
type patience struct {
	timeout time.Duration
	clock   func() time.Duration // how long the GPU could work so far; nil: always
}

// now returns what the GPU's clock shows, 0 without one.
func (p patience) now() time.Duration {
	if p.clock == nil {
		return 0
	}
	return p.clock()
}

// ended reports whether a GPU that was asked when its clock showed that, so many timeouts ago,
// counts as lost.
func (p patience) ended(asked time.Duration, timeouts int) bool {
	return p.clock == nil || timeouts >= mostTimeouts || p.clock()-asked >= p.timeout
}

// maxInFlight lets the GPU work on one command buffer while the next is encoded.
const maxInFlight = 2

// newInFlight starts the goroutine, which calls completed after each command buffer.
func newInFlight(sys *system, patience patience, completed func(c command, took time.Duration, err error)) *inFlight {
	f := &inFlight{
		sys: sys, patience: patience,
		slots: make(chan struct{}, maxInFlight), committed: make(chan command, maxInFlight), timer: time.NewTimer(0),
	}
	for range maxInFlight {
		f.slots <- struct{}{}
	}
	go func() {
		var before time.Time // when the last one completed: they run one after the other
		for c := range f.committed {
			err := f.await(c)
			now := time.Now()
			begin := c.at
			if before.After(begin) {
				begin = before
			}
			before = now
			completed(c, now.Sub(begin), err)
			f.slots <- struct{}{}
		}
	}()
	return f
}

// await returns when a command buffer has completed, with its error.
func (f *inFlight) await(c command) error {
	sys := f.sys
	defer sys.Pool()()
	defer sys.Send(c.id, sys.sel.release)
	sys.Send(c.id, sys.sel.wait)
	status := sys.Send(c.id, sys.sel.status)
	if status == statusCompleted {
		if c.op != nil {
			seconds := sys.SendFloat(c.id, sys.sel.gpuEnd) - sys.SendFloat(c.id, sys.sel.gpuStart)
			c.op.Elapsed += time.Duration(max(0, seconds) * float64(time.Second))
		}
		return nil
	}
	failure := objc.ID(sys.Send(c.id, sys.sel.failure))
	if failure == 0 {
		return &GPUError{Reason: fmt.Sprintf("a command buffer ended with status %d and without a reason", status)}
	}
	return &GPUError{Reason: sys.reason(failure), Code: int(int64(sys.Send(failure, sys.sel.code)))}
}

// commit sends a command buffer to the GPU. The caller has acquired a slot for it.
// The time that it takes is added to its op, if there is one.
func (f *inFlight) commit(c command) {
	f.sys.Send(c.id, f.sys.sel.commit)
	c.at = time.Now()
	f.committed <- c
}

// acquire waits for a slot, for ctx to end or for the timeout, which means that
// the GPU is lost.
func (f *inFlight) acquire(ctx context.Context) error {
	select {
	case <-f.slots:
		return nil
	default:
	}
	asked := f.patience.now()
	defer f.timer.Stop()
	for timeouts := 1; ; timeouts++ {
		f.timer.Reset(f.patience.timeout)
		select {
		case <-f.slots:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-f.timer.C:
			if f.patience.ended(asked, timeouts) {
				return &GPUError{Reason: fmt.Sprintf("the GPU has not answered for %v", f.patience.timeout)}
			}
		}
	}
}

// release returns a slot that no command buffer took.
func (f *inFlight) release() { f.slots <- struct{}{} }

// drain waits until all command buffers have completed.
func (f *inFlight) drain(ctx context.Context) error {
	for n := range maxInFlight {
		if err := f.acquire(ctx); err != nil {
			for range n {
				f.release()
			}
			return err
		}
	}
	for range maxInFlight {
		f.release()
	}
	return nil
}

// close ends the goroutine once all command buffers have completed.
func (f *inFlight) close() { close(f.committed) }

// codeOutOfMemory is MTLCommandBufferErrorOutOfMemory.
const codeOutOfMemory = 8

// GPUError reports that the GPU failed during work. Nothing that it computes
// afterwards can be trusted: the backend refuses further work with this reason.
type GPUError struct {
	Reason string // Metal's own, or what this package noticed
	Code   int    // of MTLCommandBufferError, 0 where Metal gave none
}

func (e *GPUError) Error() string {
	if e.Code != 0 {
		return fmt.Sprintf("the GPU failed: %s (code %d)", e.Reason, e.Code)
	}
	return "the GPU failed: " + e.Reason
}
