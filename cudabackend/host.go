package cudabackend

import (
	"context"
	"fmt"
	"io"

	"inglenook/engine"
	"inglenook/gpu"
	"inglenook/gpu/lower"
)

// host is the backend as a [lower.Host].
type host struct{ b *Backend }

// Weight returns where a weight lies, and copies it to the card if it is not there yet.
func (h host) Weight(ctx context.Context, w *engine.Tensor, kind lower.Layout) (gpu.Region, error) {
	kept, err := w.Prepared(h.b.keys[kind], func() (io.Closer, error) { return h.b.load(ctx, w, kind) })
	if err != nil {
		return gpu.Region{}, err
	}
	return kept.(*memory).region(0, kind.Size(w)), nil
}

// Cache returns where the rows of a cache lie, and allocates them if necessary.
func (h host) Cache(c *engine.Tensor) (gpu.Region, error) {
	kept, err := h.b.CacheMemory(c)
	if err != nil {
		return gpu.Region{}, err
	}
	m, ok := kept.(*memory)
	if !ok || m.b != h.b {
		return gpu.Region{}, fmt.Errorf("the cache %s is a %T of another backend", c.Name, kept)
	}
	return m.region(0, c.Bytes()), nil
}

// Scratch allocates working memory. Freeing waits for the work that uses it.
func (h host) Scratch(bytes int) (*gpu.Memory, func(), error) {
	m, err := h.b.newMemory("working memory", bytes)
	if err != nil {
		return nil, nil, err
	}
	return &m.Memory, func() { _ = m.Close() }, nil // a failure of the card is kept
}

// rehearsal is a host for finding out which weights and kernels operations need: it
// loads weights, but has no memory for results.
type rehearsal struct{ host }

// Cache returns a region of no memory.
func (rehearsal) Cache(c *engine.Tensor) (gpu.Region, error) {
	return gpu.Region{Size: c.Bytes()}, nil
}

// Scratch returns a memory without bytes.
func (rehearsal) Scratch(bytes int) (*gpu.Memory, func(), error) {
	return &gpu.Memory{Size: bytes}, func() {}, nil
}

// Prepare copies the weights of one operation to the card, and has its kernels
// compiled in the background: Submit waits for them.
func (b *Backend) Prepare(ctx context.Context, op *engine.Tensor) error {
	list, err := b.newLowerer(rehearsal{host{b}}).Lower(ctx, nil, []*engine.Tensor{op})
	if err != nil {
		return err
	}
	if b.library.owns {
		list = b.library.shaper().Shape(list, gpu.Region{})
	}
	for i := range list.Dispatches {
		b.library.start(&list.Dispatches[i].Kernel)
	}
	return nil
}
