package metalbackend

import (
	"context"
	"fmt"
	"time"

	"inglenook/engine"
	"inglenook/metalbackend/objc"
)

// flights are the command buffers that were committed and are not known to be
// done: at most maxFlights. A goroutine waits for each in turn, so that whoever
// waits here can be called off, and notices a GPU that never answers.
type flights struct {
	sys     *system
	patient time.Duration // how long a command buffer may take

	free    chan struct{} // a token for every flight that may start
	started chan flight   // to the goroutine
	timer   *time.Timer   // of whoever has the backend's turn
}

// flight is one command buffer under way.
type flight struct {
	command   objc.ID
	work      float64
	committed time.Time
	op        *engine.Tensor // to be timed; nil: none
}

// maxFlights lets the GPU work on one command buffer while the next is encoded.
const maxFlights = 2

// newFlights starts the goroutine, which calls landed after each command buffer.
func newFlights(sys *system, patient time.Duration, landed func(f flight, took time.Duration, err error)) *flights {
	f := &flights{
		sys: sys, patient: patient,
		free: make(chan struct{}, maxFlights), started: make(chan flight, maxFlights), timer: time.NewTimer(0),
	}
	for range maxFlights {
		f.free <- struct{}{}
	}
	go func() {
		var before time.Time // when the last one landed: they run one after the other
		for one := range f.started {
			err := f.await(one)
			now := time.Now()
			begin := one.committed
			if before.After(begin) {
				begin = before
			}
			before = now
			landed(one, now.Sub(begin), err)
			f.free <- struct{}{}
		}
	}()
	return f
}

// await returns when a command buffer is done, with its error.
func (f *flights) await(one flight) error {
	sys := f.sys
	defer sys.Pool()()
	defer sys.Send(one.command, sys.sel.release)
	sys.Send(one.command, sys.sel.wait)
	status := sys.Send(one.command, sys.sel.status)
	if status == statusCompleted {
		if one.op != nil {
			seconds := sys.SendFloat(one.command, sys.sel.gpuEnd) - sys.SendFloat(one.command, sys.sel.gpuStart)
			one.op.Elapsed += time.Duration(max(0, seconds) * float64(time.Second))
		}
		return nil
	}
	failure := objc.ID(sys.Send(one.command, sys.sel.failure))
	if failure == 0 {
		return &SickError{Reason: fmt.Sprintf("a command buffer ended with status %d and without a reason", status)}
	}
	return &SickError{Reason: sys.reason(failure), Code: int(int64(sys.Send(failure, sys.sel.code)))}
}

// start commits a command buffer. The caller has taken a token for it.
func (f *flights) start(command objc.ID, work float64) { f.startTimed(command, work, nil) }

// startTimed is start for the work of one operation, whose time is measured.
func (f *flights) startTimed(command objc.ID, work float64, op *engine.Tensor) {
	f.sys.Send(command, f.sys.sel.commit)
	f.started <- flight{command, work, time.Now(), op}
}

// take waits for a token. errLate says that none came in time.
func (f *flights) take(ctx context.Context) error {
	select {
	case <-f.free:
		return nil
	default:
	}
	f.timer.Reset(f.patient)
	defer f.timer.Stop()
	select {
	case <-f.free:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-f.timer.C:
		return &SickError{Reason: fmt.Sprintf("the GPU has not answered for %v", f.patient)}
	}
}

// give returns a token that no flight took.
func (f *flights) give() { f.free <- struct{}{} }

// land waits until nothing is under way.
func (f *flights) land(ctx context.Context) error {
	for n := range maxFlights {
		if err := f.take(ctx); err != nil {
			for range n {
				f.give()
			}
			return err
		}
	}
	for range maxFlights {
		f.give()
	}
	return nil
}

// close ends the goroutine once nothing is under way.
func (f *flights) close() { close(f.started) }

// SickError says that the GPU failed in mid-work. Nothing that it computes
// afterwards can be trusted: the backend refuses further work with this reason.
type SickError struct {
	Reason string // Metal's own, or what was noticed
	Code   int    // of MTLCommandBufferError, 0 where Metal gave none
}

func (e *SickError) Error() string {
	if e.Code != 0 {
		return fmt.Sprintf("the GPU failed: %s (code %d)", e.Reason, e.Code)
	}
	return "the GPU failed: " + e.Reason
}
