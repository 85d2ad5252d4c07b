package metalbackend

import (
	"context"
	"math"
)

// firstDispatches are what the first command buffer of much work has at most: the
// GPU begins with them while the rest is encoded.
const firstDispatches = 32

// encode sends the dispatches to the GPU, in two command buffers or, where those
// would take long, in more; few dispatches go out in one.
func (b *Backend) encode(ctx context.Context, l *lowering) (err error) {
	drain := b.sys.Pool()
	defer drain()
	e, piece := &b.encoder, b.pace.piece()
	for next := 0; next < len(l.dispatches); {
		if err := b.flights.take(ctx); err != nil {
			return b.noteSick(err)
		}
		last := len(l.dispatches)
		if next == 0 && last > 2*firstDispatches {
			last = firstDispatches
		}
		done, work, err := b.command(ctx, l, next, last, piece)
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
func (b *Backend) encodeTimed(ctx context.Context, l *lowering) error {
	drain := b.sys.Pool()
	defer drain()
	for first := 0; first < len(l.dispatches); {
		op, end := l.dispatches[first].op, first+1
		for end < len(l.dispatches) && l.dispatches[end].op == op {
			end++
		}
		if err := b.flights.take(ctx); err != nil {
			return b.noteSick(err)
		}
		_, work, err := b.command(ctx, l, first, end, math.Inf(1))
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
func (b *Backend) command(ctx context.Context, l *lowering, first, last int, enough float64) (next int, sum float64, err error) {
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
		d := &l.dispatches[next]
		sum += d.work
		p, err := b.library.pipeline(&d.kernel)
		if err != nil {
			return 0, 0, err
		}
		if err := b.encoder.dispatch(d, p, l.inline); err != nil {
			return 0, 0, err
		}
	}
	return next, sum, nil
}
