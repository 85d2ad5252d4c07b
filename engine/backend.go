package engine

import "context"

// Backend runs operations on one device. Implementations are safe for use by
// several goroutines; runs are executed one after the other.
type Backend interface {
	Device() Device
	// Supports reports whether there is a kernel for this operation with these
	// types and shapes: nil, or an error that wraps [ErrNoKernel] and states
	// the reason. It never looks at data.
	Supports(op *Tensor) error
	// Alloc returns zeroed memory for an arena.
	Alloc(bytes int) (Buffer, error)
	// Prepare converts the weights of one operation to the layout that its
	// kernel needs (repack, upload), once; see [Tensor.Prepared].
	Prepare(ctx context.Context, op *Tensor) error
	// Submit executes operations in order on an arena that this backend
	// allocated; operand and result bytes are at each tensor's Offset. It may
	// return before they are done. It prepares weights that are not prepared
	// yet. The work ends within 200 ms of ctx's end, and then Submit or Wait
	// returns ctx's error. An error of Prepare or Submit that wraps ErrNoKernel
	// means that Supports refuses an operation from now on, which another backend
	// then runs.
	Submit(ctx context.Context, arena Buffer, ops []*Tensor) error
	// Wait returns when everything submitted on the arena is done, or with ctx's
	// error. An error of that work is returned once.
	Wait(ctx context.Context, arena Buffer) error
	Close() error
}

// Reacher is a [Backend] that works on several operations at a time. Reach is how
// many later operations may start before an operation has finished with its operands
// and result; the planner delays reuse of their memory by that much.
type Reacher interface{ Reach() int }

// reach returns the largest Reach of the backends.
func reach(bs []Backend) (most int) {
	for _, b := range bs {
		if r, ok := b.(Reacher); ok {
			most = max(most, r.Reach())
		}
	}
	return most
}

// Batcher is a [Backend] that is far from busy with a pass of a thousand rows. BatchRows is
// how many rows a pass should have where there is a choice.
type Batcher interface{ BatchRows() int }

// BatchRows returns the rows that a pass on these backends, best first, should have where
// there is a choice: usual, unless the first says more.
func BatchRows(bs []Backend, usual int) int {
	if len(bs) == 0 {
		return usual
	}
	if b, ok := bs[0].(Batcher); ok {
		return max(usual, b.BatchRows())
	}
	return usual
}

// Steady is a [Backend] that can tell where results do not depend on how many rows a pass
// has.
type Steady interface {
	// Steady reports whether an operation gives a row the same numbers, bit for bit, in
	// passes of 1 to 16 rows, as long as its caches hold at most so many tokens.
	Steady(op *Tensor, tokens int) bool
}

// Buffer is a piece of a backend's memory.
type Buffer interface {
	// Bytes returns the buffer as host memory, nil if the host cannot see it.
	// Two backends on unified memory may return the same bytes.
	Bytes() []byte
	ReadAt(p []byte, off int64) (int, error)
	WriteAt(p []byte, off int64) (int, error)
	Close() error
}

// Device describes where a backend computes.
type Device struct {
	ID          string   // "cpu", as in --device
	Kind        string   // "cpu", "metal", "cuda"
	Name        string   // as the system calls it
	MemoryBytes uint64   // total
	Threads     int      // CPU threads in use; 0 elsewhere
	Features    []string // instruction sets, GPU families
	NotUsed     []string // other devices of the kind, with their free memory
	OwnProducts bool     // a library was to make the products of matrices, and this program does: Products says why
	Products    string   // of the processor: "by" the library that multiplies matrices, or why one does not; "": there is none
}

type timedKey struct{}

// Timed asks backends that run several operations concurrently to run them one
// after the other and to measure each, in [Tensor.Elapsed]. That is slower:
// measure the speed of a graph in another run.
func Timed(ctx context.Context) context.Context { return context.WithValue(ctx, timedKey{}, true) }

// IsTimed reports whether [Timed] was asked for.
func IsTimed(ctx context.Context) bool { return ctx.Value(timedKey{}) != nil }
