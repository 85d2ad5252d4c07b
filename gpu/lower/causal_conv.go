package lower

import (
	"encoding/binary"

	"inglenook/engine"
	"inglenook/gpu"
)

// causalConvArgs is CausalConvArgs of causal_conv.metal.
type causalConvArgs struct{ rows, columns, width, fresh int32 }

const convThreads = 64

func lowerCausalConv(l *Lowerer, t *engine.Tensor) {
	x, w := t.Src[0], t.Src[1]
	from, to, fresh := l.states(x, t.Src[2], t.Src[3])
	launch(l, t, "causal_conv", causalConvArgs{int32(t.Rows), int32(t.Cols), int32(w.Cols), fresh}).
		constant(fcActivation, int32(t.Params.(engine.CausalConvParams).Activation)).
		bind(1, l.value(x)).bind(2, l.floats(w)).bind(3, from).bind(4, to).bind(5, l.value(t)).
		over(ceilDiv(t.Cols, convThreads), t.Rows+w.Cols-1, 1, convThreads)
}

// states returns the states that an operation reads and writes. If it begins with
// zeros, fresh is 1 and it reads none: from is the value x then.
func (l *Lowerer) states(x, states, at *engine.Tensor) (from, to gpu.Region, fresh int32) {
	all, bytes := l.cache(states), states.DType.RowBytes(states.Cols)
	row := func(i int) gpu.Region {
		r, n := all, int(int32(binary.NativeEndian.Uint32(at.InputBytes()[4*i:])))
		r.Offset, r.Size = r.Offset+n*bytes, bytes
		return r
	}
	if int(int32(binary.NativeEndian.Uint32(at.InputBytes()))) == states.Rows {
		return l.value(x), row(1), 1
	}
	return row(0), row(1), 0
}
