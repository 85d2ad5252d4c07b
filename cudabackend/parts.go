package cudabackend

import (
	"context"
	"slices"
	"weak"

	"inglenook/engine"
)

// The host needs a tenth of the time of a token to lower its operations. So that the card
// need not wait for all of them, it gets them in parts: it computes a part while the host
// lowers the next, which is larger.
var partEnds = [mostParts]int{1, 4, 16} // in sixteenths of the operations

const (
	mostParts   = 3
	leastParted = 32 // operations of a list that is parted
)

// part is a part of a list. From one token to the next its launches are mostly the same.
type part struct {
	calls []call // of the part
	last  []call // of the same part of the short list before
}

// known says of a list what shows that it comes again: how long it is, and a weight.
type known struct {
	count  int
	weight weak.Pointer[engine.Tensor]
}

const mostKnown = 4 // a model, its draft, and both with another number of rows

// knownOf returns what shows that a list comes again.
func knownOf(ops []*engine.Tensor) known {
	for i := len(ops) - 1; i >= 0; i-- {
		for _, s := range ops[i].Src {
			if s != nil && s.Op == engine.OpWeight {
				return known{len(ops), weak.Make(s)}
			}
		}
	}
	return known{count: len(ops)}
}

// remember notes whether a list was short.
func (l *launcher) remember(ops []*engine.Tensor, short bool) {
	list := knownOf(ops)
	l.short = slices.DeleteFunc(l.short, func(k known) bool { return k == list })
	if !short {
		return
	}
	if len(l.short) == mostKnown {
		l.short = slices.Delete(l.short, 0, 1)
	}
	l.short = append(l.short, list)
}

// partsOf returns where the parts of a list end. More than one has only a list that was
// short the last time, so that its weights and kernels are on the card and none of its parts
// is likely to fail, and that can begin anew where one fails: it has no states that are updated.
func (l *launcher) partsOf(ctx context.Context, ops []*engine.Tensor) []int {
	ends := l.ends[:0]
	if len(ops) < leastParted || engine.IsTimed(ctx) || !slices.Contains(l.short, knownOf(ops)) {
		return append(ends, len(ops))
	}
	for i, op := range ops {
		switch op.Op {
		case engine.OpDeltaRule, engine.OpCausalConv:
			return append(l.ends[:0], len(ops))
		case engine.OpCausalAttention, engine.OpAttention: // nothing is computed together with what follows it
			if n := i + 1; n < len(ops) && len(ends) < mostParts-1 && n >= partEnds[len(ends)]*len(ops)/16 {
				ends = append(ends, n)
			}
		}
	}
	return append(ends, len(ops))
}
