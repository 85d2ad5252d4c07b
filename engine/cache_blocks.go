package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// CacheBlock is the number of rows of a cache that are copied together.
const CacheBlock = 32

// CacheHost is a [Backend] whose caches the host can copy out and back in. The
// cache is stored as consecutive blocks of CacheBlock rows, each of as many
// bytes as its rows have; the backend chooses the layout within a block.
type CacheHost interface {
	// CacheMemory returns the memory of a cache on this device; see
	// [Tensor.Memory].
	CacheMemory(t *Tensor) (Buffer, error)
	// CacheLayout returns a name for the layout of blocks, which changes
	// whenever the layout does.
	CacheLayout() string
}

// ErrCacheStays is the error for caches that cannot be copied, because their
// device does not give access to them.
var ErrCacheStays = errors.New("this device's caches cannot be copied")

// CacheBlocks are the caches of a graph, cut into blocks of CacheBlock rows, and its
// states. They are valid until the graph runs on other backends or a cache is released; no run
// may be under way while a block is copied.
type CacheBlocks struct {
	Form  string // names devices, types, sizes and layouts: blocks of one form fit no other
	Bytes int    // of one block of all caches together
	Count int    // whole blocks of the caches
	parts []cachePart

	StateBytes int // of one state: a row of each cache of states; 0 = the graph has none
	states     []cachePart
}

// cachePart is one cache.
type cachePart struct {
	host  CacheHost
	cache *Tensor
	bytes int // of a block, or of a row of states
}

// CacheBlocks returns the caches that the recorded operations use, for the
// devices on which these backends, best first, would run them.
func (g *Graph) CacheBlocks(bs ...Backend) (CacheBlocks, error) {
	if _, err := g.arrange(bs); err != nil {
		return CacheBlocks{}, err
	}
	var c CacheBlocks
	var form strings.Builder
	for _, p := range g.places {
		for _, s := range p.op.Src {
			same := func(have cachePart) bool { return have.cache == s }
			if s == nil || s.Op != OpCache || slices.ContainsFunc(c.parts, same) || slices.ContainsFunc(c.states, same) {
				continue
			}
			host := cacheHost(bs[p.backend])
			if host == nil {
				return CacheBlocks{}, fmt.Errorf("%s: %w", p.Device, ErrCacheStays)
			}
			d := bs[p.backend].Device()
			fmt.Fprintln(&form, d.ID, d.Name, d.Features, host.CacheLayout(), s.DType, s.Cols, s.State())
			if s.State() {
				part := cachePart{host, s, s.DType.RowBytes(s.Cols)}
				c.StateBytes += part.bytes
				c.states = append(c.states, part)
				continue
			}
			part := cachePart{host, s, CacheBlock * s.DType.RowBytes(s.Cols)}
			if n := s.Rows / CacheBlock; len(c.parts) == 0 || n < c.Count {
				c.Count = n
			}
			c.Bytes += part.bytes
			c.parts = append(c.parts, part)
		}
	}
	if len(c.parts) == 0 && len(c.states) > 0 { // nothing counts the tokens
		return CacheBlocks{}, ErrCacheStays
	}
	c.Form = form.String()
	return c, nil
}

// cacheHost returns a backend, guarded or not, as a CacheHost, nil if it is
// none.
func cacheHost(b Backend) CacheHost {
	if g, ok := b.(*Guard); ok {
		b = g.Backend
	}
	h, _ := b.(CacheHost)
	return h
}

// Read copies block i out into c.Bytes bytes.
func (c CacheBlocks) Read(i int, to []byte) error { return c.block(i, to, readAt) }

// Write copies c.Bytes bytes in as block i.
func (c CacheBlocks) Write(i int, from []byte) error { return c.block(i, from, writeAt) }

// ReadState copies the state in a row out into c.StateBytes bytes.
func (c CacheBlocks) ReadState(row int, to []byte) error { return c.state(row, to, readAt) }

// WriteState copies c.StateBytes bytes in as the state of a row.
func (c CacheBlocks) WriteState(row int, from []byte) error { return c.state(row, from, writeAt) }

func readAt(b Buffer, p []byte, off int64) error {
	_, err := b.ReadAt(p, off)
	return err
}

func writeAt(b Buffer, p []byte, off int64) error {
	_, err := b.WriteAt(p, off)
	return err
}

func (c CacheBlocks) block(i int, data []byte, one func(Buffer, []byte, int64) error) error {
	if i < 0 || i >= c.Count || len(data) != c.Bytes {
		return fmt.Errorf("block %d of %d with %d bytes of %d cannot be copied", i, c.Count, len(data), c.Bytes)
	}
	return copyParts(c.parts, i, data, one)
}

func (c CacheBlocks) state(row int, data []byte, one func(Buffer, []byte, int64) error) error {
	if len(c.states) == 0 || row < 0 || row >= c.states[0].cache.Rows || len(data) != c.StateBytes {
		return fmt.Errorf("state %d with %d bytes of %d cannot be copied", row, len(data), c.StateBytes)
	}
	return copyParts(c.states, row, data, one)
}

// copyParts copies piece i of each part, one after the other.
func copyParts(parts []cachePart, i int, data []byte, one func(Buffer, []byte, int64) error) error {
	for _, p := range parts {
		memory, err := p.host.CacheMemory(p.cache)
		if err != nil {
			return err
		}
		if err := one(memory, data[:p.bytes], int64(i)*int64(p.bytes)); err != nil {
			return fmt.Errorf("cache %s: %w", p.cache.Name, err)
		}
		data = data[p.bytes:]
	}
	return nil
}
