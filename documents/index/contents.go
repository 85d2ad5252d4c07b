package index

import "sync"

// contents are the texts of a run that are being read. Of files with the same bytes
// one is read; the others wait for it.
type contents struct {
	mu   sync.Mutex
	same map[string][]*work // by hash; the files that wait
}

func newContents() *contents { return &contents{same: map[string][]*work{}} }

// claim reports whether a file is the first with its content. If not, it waits with
// the first.
func (c *contents) claim(hash string, w *work) (first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting, claimed := c.same[hash]
	if !claimed {
		c.same[hash] = nil
		return true
	}
	c.same[hash] = append(waiting, w)
	return false
}

// release ends a claim and returns the files that waited.
func (c *contents) release(hash string) []*work {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting := c.same[hash]
	delete(c.same, hash)
	return waiting
}
