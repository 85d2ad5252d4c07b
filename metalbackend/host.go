package metalbackend

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

// Weight returns where a weight lies, and loads it if it is not loaded yet.
func (h host) Weight(ctx context.Context, w *engine.Tensor, kind lower.Layout) (gpu.Region, error) {
	bytes := kind.Size(w)
	kept, err := w.Prepared(h.b.keys[kind], func() (io.Closer, error) { return h.b.load(ctx, w, kind, bytes) })
	if err != nil {
		return gpu.Region{}, err
	}
	if m, ok := kept.(*memory); ok {
		return m.region(0, bytes), nil
	}
	in := kept.(*inView)
	return in.view.memory.region(in.offset, bytes), nil
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

// Scratch allocates working memory. Command buffers retain what they use.
func (h host) Scratch(bytes int) (*gpu.Memory, func(), error) {
	m, err := h.b.newMemory("working memory", bytes)
	if err != nil {
		return nil, nil, err
	}
	return &m.Memory, func() { _ = m.Close() }, nil // Close of a memory cannot fail
}

// rehearsal is a host for finding out which weights and kernels operations need:
// it loads weights, but has no memory for results.
type rehearsal struct{ host }

// Cache returns a region of no memory.
func (rehearsal) Cache(c *engine.Tensor) (gpu.Region, error) {
	return gpu.Region{Size: c.Bytes()}, nil
}

// Scratch returns a memory without bytes.
func (rehearsal) Scratch(bytes int) (*gpu.Memory, func(), error) {
	return &gpu.Memory{Size: bytes}, func() {}, nil
}

// Prepare loads the weights of one operation into the GPU's memory, and makes the
// pipeline states of its kernels. An error that wraps engine.ErrNoKernel means that
// Supports refuses the operation from now on.
func (b *Backend) Prepare(ctx context.Context, op *engine.Tensor) error {
	list, err := lower.New(rehearsal{host{b}}).Lower(ctx, nil, []*engine.Tensor{op})
	if err != nil {
		return err
	}
	if err := b.begin(ctx); err != nil {
		return err
	}
	defer b.end()
	defer b.sys.Pool()()
	return b.ready(list)
}
