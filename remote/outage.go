package remote

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"inglenook/hub/fault"
	"inglenook/plain"
)

// outage is a time in which no replica works. Long work awaits its end: a program that starts
// its engines anew by itself needs half a minute for it.
type outage struct {
	asks  func(why string) (await bool) // nil: nothing is awaited
	since time.Time                     // zero: there is none
	tries int                           // since then
}

// await has all replicas tried again after a pause, if what they failed with may pass by itself;
// false: it is over.
func (w *work) await(now time.Time) bool {
	o := &w.outage
	if o.asks == nil {
		return false
	}
	if o.since.IsZero() {
		o.since, o.tries = now, 0
	}
	left := w.s.t.outage - now.Sub(o.since)
	why := ""
	for _, h := range w.hands {
		if passing := passes(h.err); passing != "" {
			why = passing
		}
	}
	if why == "" || left <= 0 || !o.asks(why) {
		return false
	}
	o.tries++
	for _, h := range w.hands {
		if passes(h.err) == "" {
			continue
		}
		pause := min(max(min(w.s.t.wait<<o.tries, w.s.t.pauses), fault.Wait(h.err)), left)
		h.gone, h.tries, h.resting = false, h.t.tries-1, now.Add(pause)
	}
	return true
}

// over notes that texts were done, and tells how long that was awaited.
func (w *work) over(now time.Time) {
	if o := &w.outage; !o.since.IsZero() {
		w.note(fmt.Sprintf("%s failed, and works again after %s", w.s.name, plain.Duration(now.Sub(o.since))))
		o.since = time.Time{}
	}
}

// passes says how a server fails where that may pass by itself, as the end of a sentence; "": it
// may not.
func passes(err error) string {
	var f *fault.Error
	switch {
	case !errors.As(err, &f) || errors.Is(err, errSilent):
		return ""
	case errors.Is(err, fault.ErrServer) && f.Status != 0:
		return fmt.Sprintf("fails (status %d)", f.Status)
	case errors.Is(err, fault.ErrUnreachable):
		return "cannot be reached"
	}
	return ""
}

// mostDespite is how many tries of a piece may fail although the model answered the probe just
// before, so that its texts are what the server fails with.
const mostDespite = 5

// despite counts such tries, up to the next that does not fail.
type despite struct{ n atomic.Int32 }

func (d *despite) tried(proved bool, err error) {
	switch {
	case err == nil:
		d.n.Store(0)
	case proved:
		d.n.Add(1)
	}
}

// awaits is told why a server fails, and reports whether to try again; asks may be nil.
func (d *despite) awaits(asks func(why string) bool) func(why string) bool {
	if asks == nil {
		return nil
	}
	return func(why string) bool { return d.n.Load() < mostDespite && asks(why) }
}
