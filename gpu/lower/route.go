package lower

import "inglenook/engine"

// routeArgs is RouteArgs of route.metal.
type routeArgs struct {
	experts, topK                      int32
	sigmoid, normalize, biased, scaled int32
	epsilon, factor                    float32
}

func lowerRoute(l *Lowerer, t *engine.Tensor) {
	p, logits := t.Params.(engine.RouteParams), l.value(t.Src[0])
	bias, scale := logits, logits // stand-ins where there are none
	if t.Src[1] != nil {
		bias = l.floats(t.Src[1])
	}
	if t.Src[2] != nil {
		scale = l.floats(t.Src[2])
	}
	factor := p.Factor
	if factor == 0 {
		factor = 1
	}
	launch(l, t, "route", routeArgs{
		int32(t.Src[0].Cols), int32(p.TopK), flag(p.Sigmoid), flag(p.Normalize), flag(t.Src[1] != nil), flag(t.Src[2] != nil), p.Epsilon, factor,
	}).bind(1, logits).bind(2, bias).bind(3, scale).bind(4, l.value(t)).over(t.Rows, 1, 1, simdWidth)
}
