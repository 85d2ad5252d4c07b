package enginetest

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"inglenook/engine"
	"inglenook/engine/quant"
)

// ReferenceBackend runs operations by [Reference], in float64 with float32
// results, on host memory. An operation's result depends only on the operands,
// so a graph split over two of them computes the same bits as on one. Set the
// fields before the first use; ctx is checked between operations.
type ReferenceBackend struct {
	ID       string      // the device's id, "reference" where empty
	Refuses  []engine.Op // operations without a kernel
	Discrete bool        // the host cannot see its memory, as with a graphics card
	Async    bool        // Submit returns before the work is done

	mu   sync.Mutex
	last *submission // the newest one, done or not
}

// submission is a run of operations in progress.
type submission struct {
	done chan struct{}
	err  error // valid once done is closed
}

var _ engine.Backend = (*ReferenceBackend)(nil)

// Device describes the backend.
func (b *ReferenceBackend) Device() engine.Device {
	id := b.ID
	if id == "" {
		id = "reference"
	}
	return engine.Device{ID: id, Kind: "cpu", Name: "float64 reference", Threads: 1}
}

// Supports refuses the operations in Refuses.
func (b *ReferenceBackend) Supports(op *engine.Tensor) error {
	if slices.Contains(b.Refuses, op.Op) || references[op.Op] == nil {
		return fmt.Errorf("%s is refused: %w", op.Op, engine.ErrNoKernel)
	}
	return nil
}

// Prepare reads the operation's weights.
func (b *ReferenceBackend) Prepare(ctx context.Context, op *engine.Tensor) error {
	for _, s := range op.Src {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s != nil && s.Op == engine.OpWeight {
			if _, err := b.prepared(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// preparedWeight is a weight in float64.
type preparedWeight struct{ Matrix }

// Close has nothing to free.
func (preparedWeight) Close() error { return nil }

func (b *ReferenceBackend) prepared(w *engine.Tensor) (Matrix, error) {
	p, err := w.Prepared(b, func() (io.Closer, error) {
		m, err := weightValues(w)
		return preparedWeight{m}, err
	})
	if err != nil {
		return Matrix{}, err
	}
	return p.(preparedWeight).Matrix, nil
}

// Submit runs the operations after those submitted before.
func (b *ReferenceBackend) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	memory, ok := arena.(*hostBuffer)
	if !ok || memory.owner != b {
		return errors.New("the arena belongs to another backend")
	}
	b.mu.Lock()
	before, s := b.last, &submission{done: make(chan struct{})}
	b.last = s
	b.mu.Unlock()
	ops = slices.Clone(ops)
	work := func() {
		defer close(s.done)
		if before != nil {
			<-before.done
			s.err = before.err
		}
		if s.err == nil {
			s.err = b.compute(ctx, memory.data, ops)
		}
	}
	if b.Async {
		go work()
		return nil
	}
	work()
	return b.finished(s)
}

// Wait returns when everything submitted is done, on whatever arena, with its error.
func (b *ReferenceBackend) Wait(ctx context.Context, _ engine.Buffer) error {
	b.mu.Lock()
	s := b.last
	b.mu.Unlock()
	if s == nil {
		return nil
	}
	select {
	case <-s.done:
		return b.finished(s)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// finished returns a submission's error once; later work starts without it.
func (b *ReferenceBackend) finished(s *submission) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.last == s {
		b.last = nil
	}
	return s.err
}

func (b *ReferenceBackend) compute(ctx context.Context, arena []byte, ops []*engine.Tensor) error {
	for _, op := range ops {
		if err := ctx.Err(); err != nil {
			return err
		}
		in := make([]Matrix, len(op.Src))
		for i, s := range op.Src {
			var err error
			if in[i], err = b.operand(s, arena); err != nil {
				return err
			}
		}
		for i, v := range Reference(op, in).Values {
			binary.NativeEndian.PutUint32(arena[op.Offset+4*i:], math.Float32bits(float32(v)))
		}
		for i, s := range op.Src {
			if s != nil && s.Op == engine.OpCache {
				if err := b.keep(s, in[i]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// operand reads one operand of an operation.
func (b *ReferenceBackend) operand(s *engine.Tensor, arena []byte) (Matrix, error) {
	switch {
	case s == nil:
		return Matrix{}, nil
	case s.Op == engine.OpWeight:
		return b.prepared(s)
	case s.Op == engine.OpCache:
		data, err := b.cached(s)
		if err != nil {
			return Matrix{}, err
		}
		return storedValues(s, data), nil
	}
	return activationValues(s, arena[s.Offset:s.Offset+s.Bytes()]), nil
}

// keep writes values, already rounded to the cache's type, into its memory.
func (b *ReferenceBackend) keep(s *engine.Tensor, m Matrix) error {
	data, err := b.cached(s)
	if err != nil {
		return err
	}
	values := make([]float32, len(m.Values))
	for i, v := range m.Values {
		values[i] = float32(v)
	}
	quant.Quantize(s.DType, values, data)
	return nil
}

// cached returns the memory of a cache, in the layout of its type.
func (b *ReferenceBackend) cached(s *engine.Tensor) ([]byte, error) {
	memory, err := s.Memory(b.Device().ID, b.Alloc)
	if err != nil {
		return nil, err
	}
	buffer, ok := memory.(*hostBuffer)
	if !ok {
		return nil, fmt.Errorf("cache %s is in another backend's memory", s.Name)
	}
	return buffer.data, nil
}

// Close waits for work in progress.
func (b *ReferenceBackend) Close() error { return b.Wait(context.Background(), nil) }

// Alloc returns zeroed host memory.
func (b *ReferenceBackend) Alloc(bytes int) (engine.Buffer, error) {
	return &hostBuffer{owner: b, data: make([]byte, bytes)}, nil
}

// hostBuffer is memory that only its owner uses.
type hostBuffer struct {
	owner *ReferenceBackend
	data  []byte
}

func (h *hostBuffer) Bytes() []byte {
	if h.owner.Discrete {
		return nil
	}
	return h.data
}

func (h *hostBuffer) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off+int64(len(p)) > int64(len(h.data)) {
		return 0, fmt.Errorf("read of %d bytes at %d in a buffer of %d", len(p), off, len(h.data))
	}
	return copy(p, h.data[off:]), nil
}

func (h *hostBuffer) WriteAt(p []byte, off int64) (int, error) {
	if off < 0 || off+int64(len(p)) > int64(len(h.data)) {
		return 0, fmt.Errorf("write of %d bytes at %d in a buffer of %d", len(p), off, len(h.data))
	}
	return copy(h.data[off:], p), nil
}

func (h *hostBuffer) Close() error {
	h.data = nil
	return nil
}
