package selfcheck

import "inglenook/engine"

func (r *recorder) states(cols int) *engine.Tensor {
	c := engine.NewState("states", 3, cols)
	r.caches = append(r.caches, c)
	return c
}

// recurrentPasses records passes that each continue where the previous one ended.
func (r *recorder) recurrentPasses(record func(rows int, at *engine.Tensor)) {
	from := int32(3) // zeros
	for to, n := range rowCounts {
		record(n, r.g.Ints("at", []int32{from, int32(to)}))
		from = int32(to)
	}
}

func causalConv(r *recorder) {
	for _, d := range engine.PlainTypes() {
		for _, act := range []engine.Activation{engine.SiLU, engine.None} {
			w, states := r.weight(d, 300, 4, 0.5), r.states(3*300)
			r.recurrentPasses(func(rows int, at *engine.Tensor) { r.want(r.g.CausalConv(r.x(rows, 300), w, states, at, act)) })
		}
	}
}

func deltaRule(r *recorder) {
	for _, d := range engine.PlainTypes() {
		for _, p := range []engine.DeltaRuleParams{
			{Heads: 4, KeyHeads: 2, Size: 64, LogRates: true, Epsilon: 1e-6},
			{Heads: 4, KeyHeads: 2, Size: 12, Tiled: true, LogRates: true, Epsilon: 1e-6},
		} {
			rates, shifts, states := r.weight(d, 1, p.Heads, 0.5), r.weight(d, 1, p.Heads, 0.5), r.states(p.Heads*p.Size*p.Size)
			r.recurrentPasses(func(rows int, at *engine.Tensor) {
				qkv := r.x(rows, 2*p.KeyHeads*p.Size+p.Heads*p.Size)
				r.want(r.g.DeltaRule(qkv, r.x(rows, p.Heads), r.x(rows, p.Heads), rates, shifts, states, at, p))
			})
		}
	}
}
