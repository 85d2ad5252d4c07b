package nn

import "inglenook/engine"

// DeltaNet is the gated delta network (Yang et al. 2024, arXiv:2412.06464): a
// layer that remembers a matrix a head instead of keys and values.
type DeltaNet struct {
	Input      Linear         // queries, keys and values side by side: [mixed, hidden]
	Conv       *engine.Tensor // [mixed, width]
	Gate       Linear         // [heads·value, hidden]
	Decay      Linear         // [heads, hidden]
	Correction Linear         // [heads, hidden]
	Rates      *engine.Tensor // of the decay [1, heads]
	Shifts     *engine.Tensor // of the decay [1, heads]
	Norm       RMSNorm        // [1, value]
	Out        Linear         // [hidden, heads·value]
	Params     engine.DeltaRuleParams

	Activation  engine.Activation
	conv, state int // its states in the cache
}

// NewDeltaNet makes a layer with its own states in the cache: width−1 rows before
// a convolution of mixed columns, and heads of p.Size·value numbers. The caller
// sets its weights.
func NewDeltaNet(b Builder, p engine.DeltaRuleParams, value, mixed, width int, act engine.Activation) DeltaNet {
	return DeltaNet{
		Params: p, Activation: act,
		conv:  b.keepState((width - 1) * mixed),
		state: b.keepState(p.Heads * p.Size * value),
	}
}

// Forward records the layer for the normed rows h: [tokens, hidden] to [wanted,
// hidden].
func (d DeltaNet) Forward(p Pass, h *engine.Tensor) *engine.Tensor {
	g, kept := p.Graph, p.cache.states.of
	x := g.CausalConv(d.Input.Forward(g, h), d.Conv, kept[d.conv], p.states, d.Activation) // [tokens, mixed]
	a, b := d.Decay.Forward(g, h), d.Correction.Forward(g, h)
	x = g.DeltaRule(x, a, b, d.Rates, d.Shifts, kept[d.state], p.states, d.Params) // [tokens, heads·value]
	x, z := p.Leaving(x), d.Gate.Forward(g, p.Leaving(h))
	return d.Out.Forward(g, g.Gate(z, d.Norm.Forward(g, x), engine.SiLU))
}
