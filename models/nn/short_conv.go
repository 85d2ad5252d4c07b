package nn

import "inglenook/engine"

// ShortConv is a convolution over the last rows between two gates (Amini et al. 2025,
// arXiv:2511.23404): out(after(h)·conv(before(h)·input(h))).
type ShortConv struct {
	Before, After, Input Linear         // [hidden, hidden] each
	Conv                 *engine.Tensor // [hidden, width]
	Out                  Linear         // [hidden, hidden]
	state                int            // in the cache
}

// NewShortConv makes a layer with its own state in the cache: width−1 rows. The caller
// sets its weights.
func NewShortConv(b Builder, hidden, width int) ShortConv {
	return ShortConv{state: b.keepState((width - 1) * hidden)}
}

// Forward records the layer for the normed rows h: [tokens, hidden] to [wanted,
// hidden].
func (c ShortConv) Forward(p Pass, h *engine.Tensor) *engine.Tensor {
	g := p.Graph
	x := g.Gate(c.Before.Forward(g, h), c.Input.Forward(g, h), engine.None) // [tokens, hidden]
	x = p.Leaving(g.CausalConv(x, c.Conv, p.cache.states.of[c.state], p.states, engine.None))
	return c.Out.Forward(g, g.Gate(c.After.Forward(g, p.Leaving(h)), x, engine.None))
}
