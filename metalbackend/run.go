package metalbackend

import (
	"context"
	"math"

	"inglenook/gpu"
)

// firstDispatches are what the first command buffer of much work has at most: the
// GPU begins with them while the rest is encoded.
const firstDispatches = 32

// encode sends the dispatches to the GPU, in two command buffers or, where those
// would take long, in more; few dispatches go out in one.
func (b *Backend) encode(ctx context.Context, list *gpu.List) (err error) {
	drain := b.sys.Pool()
	defer drain()
	e, piece := &b.encoder, b.pace.piece()
	for next := 0; next < len(list.Dispatches); {
		if err := b.flights.take(ctx); err != nil {
			return b.noteSick(err)
		}
		last := len(list.Dispatches)
		if next == 0 && last > 2*firstDispatches {
			last = firstDispatches
		}
		done, work, err := b.command(ctx, list, next, last, piece)
		if err != nil {
			if e.id != 0 {
				b.sys.Send(e.end(), b.sys.sel.release)
			}
			b.flights.give()
			return err
		}
		b.flights.start(e.end(), work)
		next = done
	}
	return nil
}

// encodeTimed sends the dispatches of one operation at a time and waits for them, so
// that the GPU's own clock tells what each operation takes. Operations that are done
// together have one time, at one of them.
func (b *Backend) encodeTimed(ctx context.Context, list *gpu.List) error {
	drain := b.sys.Pool()
	defer drain()
	for first := 0; first < len(list.Dispatches); {
		op, end := list.Dispatches[first].Op, first+1
		for end < len(list.Dispatches) && list.Dispatches[end].Op == op {
			end++
		}
		if err := b.flights.take(ctx); err != nil {
			return b.noteSick(err)
		}
		_, work, err := b.command(ctx, list, first, end, math.Inf(1))
		if err != nil {
			if b.encoder.id != 0 {
				b.sys.Send(b.encoder.end(), b.sys.sel.release)
			}
			b.flights.give()
			return err
		}
		b.flights.startTimed(b.encoder.end(), work, op)
		if err := b.land(ctx); err != nil {
			return err
		}
		first = end
	}
	return nil
}

// command encodes dispatches [first, last) into a new command buffer until that
// has enough work; it gives the first dispatch that has no place in it.
func (b *Backend) command(ctx context.Context, list *gpu.List, first, last int, enough float64) (next int, sum float64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, 0, err
	}
	if err := b.usable(); err != nil {
		return 0, 0, err
	}
	if err := b.encoder.begin(b.queue); err != nil {
		return 0, 0, err
	}
	for next = first; next < last && sum < enough; next++ {
		d := &list.Dispatches[next]
		sum += d.Work
		p, err := b.library.pipeline(&d.Kernel)
		if err != nil {
			return 0, 0, err
		}
		if err := b.encoder.dispatch(d, p, list.Inline); err != nil {
			return 0, 0, err
		}
	}
	return next, sum, nil
}
