package vectors

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"inglenook/documents/store/checks"
	"inglenook/durable"
	"inglenook/regular"
)

const checksEnd = ".checks"

// checked are the checks of the last searches by sketches.
type checked struct {
	later *checks.Later

	mu   sync.Mutex
	last []bool // whether a search found what the check did
}

// Checks say how good searches by sketches are.
type Checks struct {
	Checked int // of the last searches
	Same    int // of these, the ten nearest rows were those of a search through all rows
}

// readChecks reads what was kept of the checks; without it they begin anew.
func readChecks(path string) *checked {
	c := &checked{later: checks.New()}
	if data, err := regular.ReadFile(context.Background(), path+checksEnd, 1<<20); err == nil && json.Unmarshal(data, &c.last) != nil {
		c.last = nil
	}
	c.last = c.last[max(0, len(c.last)-checks.Kept):]
	return c
}

// Checks returns what the checks of the last searches found.
func (s *Set) Checks() (c Checks) {
	s.checks.mu.Lock()
	defer s.checks.mu.Unlock()
	c.Checked, c.Same = checks.Count(s.checks.last)
	return c
}

// checkLater has a search checked, in place of one that still waits.
func (s *Set) checkLater(query []float32, among Bitmap) {
	if s.readOnly {
		return
	}
	query, among = slices.Clone(query), slices.Clone(among)
	s.checks.later.Do(func(ctx context.Context) error {
		same, err := s.same(ctx, query, among)
		if err != nil {
			return err
		}
		return s.checks.add(same, s.path)
	})
}

// same reports whether a search by sketches finds what one through all rows finds.
func (s *Set) same(ctx context.Context, query []float32, among Bitmap) (bool, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	all, err := s.everywhere(ctx, query, checks.Rows, among)
	if err != nil {
		return false, err
	}
	found, err := s.bySketches(ctx, query, checks.Rows, among)
	if err != nil {
		return false, err
	}
	return checks.Same(found, all, func(n Neighbour) float32 { return n.Score }), nil
}

func (c *checked) add(same bool, path string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = checks.Add(c.last, same)
	data, err := json.Marshal(c.last)
	if err != nil {
		return err
	}
	return durable.Write(path+checksEnd, data, 0o600)
}
