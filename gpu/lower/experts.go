package lower

import "inglenook/engine"

// expertsArgs is ExpertsArgs of experts.metal.
type expertsArgs struct {
	in, out, stride int32
	slots, share    int32
}

// A simdgroup of the kernel experts computes expertColumns columns of a slot.
const (
	expertColumns    = 2
	expertSimdgroups = 4
)

func lowerExperts(l *Lowerer, t *engine.Tensor) {
	x, routes, w := t.Src[0], t.Src[1], t.Src[2]
	slots, out := routes.Cols/2, w.Rows/w.Parts
	share := slots
	if x.Cols != w.Cols {
		share = 1
	}
	bias := l.value(x) // a stand-in
	if t.Src[3] != nil {
		bias = l.floats(t.Src[3])
	}
	launch(l, t, l.kernel("experts", 0, w.DType), expertsArgs{int32(w.Cols), int32(out), int32(w.DType.RowBytes(w.Cols)), int32(slots), int32(share)}).
		constant(fcLinearBias, flag(t.Src[3] != nil)).constant(fcLinearAligned, flag(vectorOf(w.Cols) == quad)).
		bind(1, l.value(x)).bind(2, l.weight(w)).bind(3, bias).bind(4, l.value(routes)).bind(5, l.value(t)).
		over(ceilDiv(out, expertColumns*expertSimdgroups), t.Rows*slots, 1, simdWidth*expertSimdgroups)
}
