package engine

import (
	"fmt"
	"sync"
)

// cache is what a tensor with OpCache carries besides its shape.
type cache struct {
	mu     sync.Mutex
	device string // where the memory is; empty while there is none
	memory Buffer
}

// NewCache makes a matrix [rows, cols] that outlives graphs: operations append
// rows to it and read those of earlier passes. Its type is F32, F16 or Q8_0. It
// lives on one device, the one on which the first operation that uses it runs,
// and takes memory from then on until Release. Its rows are in whatever layout
// that device's backend likes. Runs that use one cache follow one another.
func NewCache(name string, d DType, rows, cols int) *Tensor {
	return &Tensor{Name: name, Op: OpCache, DType: d, Rows: rows, Cols: cols, cache: &cache{}}
}

// Memory is the cache's zeroed memory on the device, made by alloc the first
// time. A cache that lives on another device is refused: what it holds is there.
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

// home is the device on which the cache lives, empty while it takes no memory.
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

// cacheHome is the device to which the caches of an operation bind it, empty
// where nothing does.
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
