package remote

import (
	"context"
	"errors"
	"fmt"
	"time"

	"inglenook/hub/fault"
)

// shareTexts does texts on all replicas side by side, in pieces. A piece that failed with a
// replica is done by another one, or by the same after a while. do returns how many tokens
// the server counted in a piece; they are spread over counts, one for each text. progress
// may be nil, and awaits as well, which is told why all replicas fail and reports whether to go on
// trying for a while. It returns notices about replicas that failed. An error means that some
// texts are not done.
func (s *Server) shareTexts(ctx context.Context, texts []string, counts []int, progress func(done, total int), awaits func(why string) bool, do func(ctx context.Context, r *replica, p piece) (int, error)) (notices []string, err error) {
	w := &work{s: s, texts: texts, left: len(texts), progress: progress, outage: outage{asks: awaits}, do: func(ctx context.Context, r *replica, p piece) error {
		tokens, err := do(ctx, r, p)
		if err == nil {
			spreadTokens(counts[p.from:p.to], texts[p.from:p.to], tokens)
		}
		return err
	}}
	err = w.run(ctx)
	return w.notes, err
}

// waitFor is how long to wait before another try.
func waitFor(err error, t tuning, tries int) time.Duration {
	if wait := fault.Wait(err); wait > 0 {
		return min(wait, t.most)
	}
	return min(t.wait<<(tries-1), t.most)
}

// pause waits, and reports whether the context still holds.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// once does one piece of work with the least busy replica, or with another one where
// that fails before it has begun to answer; begun says so, and others that there is another
// one. waits is told before a pause that a server asked for, and reports whether to go on.
func (s *Server) once(ctx context.Context, waits func(sentence string) bool, do func(r *replica, others bool) (begun bool, err error)) error {
	var errs []error
	for tries := 0; tries < s.t.tries; tries++ {
		var wait time.Duration
		again := false
		able := s.able()
		for i, r := range able {
			r.begin()
			begun, err := do(r, i+1 < len(able))
			r.end(err)
			if err == nil || begun || ctx.Err() != nil || !atFault(err) {
				return err
			}
			errs, again = append(errs, err), again || temporary(err)
			wait = waitFor(err, s.t, tries+1)
		}
		last := errs[len(errs)-1]
		if !again || fault.Wait(last) > s.t.most || errors.Is(last, fault.ErrUnreachable) && tries > 0 || errors.Is(last, errSilent) {
			break // a person sees to it sooner
		}
		if tries+1 == s.t.tries {
			break
		}
		if fault.Wait(last) > 0 && !waits(fmt.Sprintf("%v, and is asked again then", last)) {
			return errLeft
		}
		if !pause(ctx, wait) {
			return context.Cause(ctx)
		}
	}
	return s.down(errs)
}
