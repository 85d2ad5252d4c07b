package nn

import "inglenook/engine"

// FeedForward is the part of a layer that works on each row alone: [n, hidden]
// to [n, hidden].
type FeedForward interface {
	Forward(g *engine.Graph, x *engine.Tensor) *engine.Tensor
}

// MLP is down(act(up(x))).
type MLP struct {
	Up, Down   Linear // [inner, hidden], [hidden, inner]
	Activation engine.Activation
}

// Forward implements FeedForward.
func (m MLP) Forward(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
	return m.Down.Forward(g, m.Up.Activate(g, x, m.Activation))
}

// GatedMLP is down(act(gate(x))·up(x)): SwiGLU and its like (Shazeer 2020,
// arXiv:2002.05202).
type GatedMLP struct {
	Gate, Up, Down Linear // [inner, hidden] twice, [hidden, inner]
	Activation     engine.Activation
}

// Forward implements FeedForward.
func (m GatedMLP) Forward(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
	gate, up := m.Gate.Forward(g, x), m.Up.Forward(g, x) // [n, inner]
	return m.Down.Forward(g, g.Gate(gate, up, m.Activation))
}
