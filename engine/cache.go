package engine

import (
	"fmt"
	"sync"
)

// cache is the state of a tensor with OpCache besides its shape.
type cache struct {
	state  bool // its rows are whole states
	mu     sync.Mutex
	device string // where the memory is; empty while there is none
	memory Buffer
}

// NewCache makes a matrix [rows, cols] that outlives graphs: operations append
// rows to it and read those of earlier passes. Its type is F32, F16 or Q8_0. It
// lives on the device that runs the first operation that uses it, and holds
// memory there from then on until Release. The device's backend chooses the
// layout of its rows. Runs that use the same cache must not overlap.
func NewCache(name string, d DType, rows, cols int) *Tensor {
	return &Tensor{Name: name, Op: OpCache, DType: d, Rows: rows, Cols: cols, cache: &cache{}}
}

// NewState makes a cache of whole states: each row [1, cols] is all that a
// recurrent operation remembers of the tokens so far, in F32 and row-major on
// every device. An operation reads one row and writes another.
func NewState(name string, rows, cols int) *Tensor {
	return &Tensor{Name: name, Op: OpCache, DType: F32, Rows: rows, Cols: cols, cache: &cache{state: true}}
}

// State reports whether the tensor is a cache of whole states.
func (t *Tensor) State() bool { return t != nil && t.cache != nil && t.cache.state }

// Memory returns the cache's memory on the device. The first call allocates it
// with alloc, zeroed. A cache that lives on another device returns an error,
// because its contents are there.
func (t *Tensor) Memory(device string, alloc func(bytes int) (Buffer, error)) (Buffer, error) {
	c := t.cache
	if c == nil {
		return nil, fmt.Errorf("%s is not a cache", t.label())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.memory == nil {
		m, err := alloc(t.Bytes())
		if err != nil {
			return nil, fmt.Errorf("cache %s: %w", t.Name, err)
		}
		c.memory, c.device = m, device
	}
	if c.device != device {
		return nil, fmt.Errorf("cache %s lives on %s, not on %s", t.Name, c.device, device)
	}
	return c.memory, nil
}

// home returns the device on which the cache lives, empty while it has no
// memory.
func (c *cache) home() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.device
}

func (c *cache) release() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.memory
	c.memory, c.device = nil, ""
	if m == nil {
		return nil
	}
	return m.Close()
}

// cacheHome returns the device on which an operation's caches live, empty if
// none has memory yet.
func (t *Tensor) cacheHome() string {
	for _, s := range t.Src {
		if s != nil && s.Op == OpCache {
			if d := s.cache.home(); d != "" {
				return d
			}
		}
	}
	return ""
}
