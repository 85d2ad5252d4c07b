package app

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"

	"inglenook/app/base"
	"inglenook/regular"
)

// claim is the hold of one window on a data folder: a lock that the system
// frees when the process ends however it ends, and a socket on which a second
// start hands over its arguments.
type claim struct {
	lock *flock.Flock // nil where the file system has no locks
	desk *desk        // nil where no socket can be made: the window works, and later starts cannot reach it
	wg   sync.WaitGroup
}

// Claim takes the data folder for this window. When another window has it,
// args goes to that one's onFocus, and first is false. When this window is the
// first, onFocus is called from another goroutine for each later start until
// Close. The command line needs no claim.
func (a *App) Claim(args []string, onFocus func(args []string)) (first bool, err error) {
	ctx, done, err := a.life.Begin(a.life.Context())
	if err != nil {
		return false, err
	}
	defer done()
	c, err := claimFolder(ctx, a.paths.Data, args, onFocus)
	if err != nil || c == nil {
		return false, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.life.Ended() { // meanwhile
		c.close()
		return false, base.ErrClosing
	}
	a.claim = c
	return true, nil
}

// claimFolder returns the claim, or nil after another instance took the call.
func claimFolder(ctx context.Context, dir string, args []string, onFocus func([]string)) (*claim, error) {
	folder := filepath.Join(dir, "window")
	lock, taken := lockFolder(filepath.Join(dir, "window.lock"))
	if !taken && lock != nil {
		return newClaim(lock, folder, onFocus), nil
	}
	err := callFirst(ctx, folder, args, taken)
	switch {
	case err == nil:
		return nil, nil
	case !taken: // no locks here, and nobody answers
		return newClaim(nil, folder, onFocus), nil
	}
	return nil, fmt.Errorf("an Inglenook window is open already, but it does not answer (%w); go to that window or close it, or set INGLENOOK_HOME to another folder than %s", base.PlainError(err), base.ShortPath(dir))
}

// lockFolder tries the lock. Without locks (some network and read-only file
// systems) it returns nil, false.
func lockFolder(path string) (lock *flock.Flock, taken bool) {
	l := regular.NewLock(path, 0o600)
	got, err := l.TryLock()
	if err != nil {
		_ = l.Close()
		return nil, false
	}
	if !got {
		_ = l.Close()
		return nil, true
	}
	return l, false
}

func newClaim(lock *flock.Flock, folder string, onFocus func([]string)) *claim {
	c := &claim{lock: lock}
	if desk, err := openDesk(folder); err == nil {
		c.desk = desk
		c.wg.Go(func() { desk.serve(onFocus) })
	}
	return c
}

func (c *claim) close() {
	if c.desk != nil {
		c.desk.close()
		c.wg.Wait()
	}
	if c.lock != nil {
		_ = c.lock.Unlock()
	}
}
