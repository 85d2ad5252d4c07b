package vectors

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"inglenook/durable"
	"inglenook/regular"
)

// Searches by sketches are checked: each is done again through all rows, and once
// there are enough checks, one in ten is.
const (
	checkedRows = 10
	keptChecks  = 100
	oneIn       = 10
	checkAfter  = 300 * time.Millisecond // without a search: somebody who types is not disturbed
	checksEnd   = ".checks"
)

// checks are those of the last searches.
type checks struct {
	ctx   context.Context // ends with the set
	end   context.CancelFunc
	start sync.Once
	task  sync.WaitGroup
	asked chan question // the search to be checked next

	mu   sync.Mutex
	last []bool // whether a search found what the check did
}

type question struct {
	query []float32
	among Bitmap
}

// Checks say how good searches by sketches are.
type Checks struct {
	Checked int // of the last searches
	Same    int // of these, the ten nearest rows were those of a search through all rows
}

// readChecks reads what was kept of the checks; without it they begin anew.
func readChecks(path string) *checks {
	c := &checks{asked: make(chan question, 1)}
	c.ctx, c.end = context.WithCancel(context.Background())
	if data, err := regular.ReadFile(context.Background(), path+checksEnd, 1<<20); err == nil && json.Unmarshal(data, &c.last) != nil {
		c.last = nil
	}
	c.last = c.last[max(0, len(c.last)-keptChecks):]
	return c
}

// Checks returns what the checks of the last searches found.
func (s *Set) Checks() Checks {
	s.checks.mu.Lock()
	defer s.checks.mu.Unlock()
	out := Checks{Checked: len(s.checks.last)}
	for _, same := range s.checks.last {
		if same {
			out.Same++
		}
	}
	return out
}

// stop ends the checks.
func (c *checks) stop() {
	c.end()
	c.task.Wait()
}

// checkLater has a search checked, in place of one that still waits.
func (s *Set) checkLater(query []float32, among Bitmap) {
	c := s.checks
	if s.readOnly || c.ctx.Err() != nil {
		return
	}
	c.start.Do(func() { c.task.Go(s.checkSearches) })
	select {
	case <-c.asked:
	default:
	}
	select {
	case c.asked <- question{slices.Clone(query), slices.Clone(among)}:
	default: // another search was quicker
	}
}

// checkSearches checks searches until the set is closed.
func (s *Set) checkSearches() {
	for n := 0; ; n++ {
		q, ok := s.checks.next()
		if !ok {
			return
		}
		if n > keptChecks && n%oneIn > 0 {
			continue
		}
		same, err := s.same(s.checks.ctx, q)
		if err != nil {
			continue // the search itself met the error, too
		}
		_ = s.checks.add(same, s.path) // what is not kept is checked again
	}
}

// next waits for a search that no other follows for a while.
func (c *checks) next() (q question, ok bool) {
	select {
	case q = <-c.asked:
	case <-c.ctx.Done():
		return q, false
	}
	for {
		select {
		case q = <-c.asked:
		case <-time.After(checkAfter):
			return q, true
		case <-c.ctx.Done():
			return q, false
		}
	}
}

// same reports whether a search by sketches finds what one through all rows finds.
func (s *Set) same(ctx context.Context, q question) (bool, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	all, err := s.everywhere(ctx, q.query, checkedRows, q.among)
	if err != nil {
		return false, err
	}
	found, err := s.bySketches(ctx, q.query, checkedRows, q.among)
	if err != nil || len(found) != len(all) {
		return false, err
	}
	for i := range all {
		if found[i].Score < all[i].Score { // rows may be equally near
			return false, nil
		}
	}
	return true, nil
}

func (c *checks) add(same bool, path string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = append(c.last, same)
	c.last = slices.Clone(c.last[max(0, len(c.last)-keptChecks):])
	data, err := json.Marshal(c.last)
	if err != nil {
		return err
	}
	return durable.Write(path+checksEnd, data, 0o600)
}
