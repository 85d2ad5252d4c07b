package nn

import (
	"fmt"

	"inglenook/engine"
	"inglenook/weights"
)

// Experts is a feed-forward part in many copies, of which a router gives each row a
// few (Shazeer et al. 2017, arXiv:1701.06538). Each is gated as GatedMLP is.
type Experts struct {
	Router         Linear         // [experts, hidden]
	Bias           *engine.Tensor // added to the scores by which experts are picked [1, experts], or nil
	Scale          *engine.Tensor // factors of the weights [1, experts], or nil
	Gate, Up, Down Linear         // of each expert: [inner, hidden] twice, [hidden, inner]; biases [experts, ..]
	Route          engine.RouteParams
	Shape          engine.GateParams
}

// Forward implements FeedForward.
func (e Experts) Forward(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
	return e.ForwardBy(g, x, x)
}

// ForwardBy records the experts of the rows x that the router picks by other rows: both
// [n, hidden] to [n, hidden].
func (e Experts) ForwardBy(g *engine.Graph, by, x *engine.Tensor) *engine.Tensor {
	routes := g.Route(e.Router.Forward(g, by), e.Bias, e.Scale, e.Route)
	gate := g.Experts(x, routes, e.Gate.W, e.Gate.B) // [n, topK·inner]
	up := g.Experts(x, routes, e.Up.W, e.Up.B)
	down := g.Experts(g.ShapedGate(gate, up, e.Shape), routes, e.Down.W, e.Down.B) // [n, topK·hidden]
	return g.Mix(down, routes)
}

// SharedExpert is Experts beside a feed-forward part for every row, of which the sigmoid
// of a gate lets a share through.
type SharedExpert struct {
	Experts
	Shared FeedForward
	Share  Linear // [1, hidden]
}

// Forward implements FeedForward. The share of a row is the weight of the only expert
// there is.
func (e SharedExpert) Forward(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
	routed := e.Experts.Forward(g, x) // [n, hidden]
	share := g.Route(e.Share.Forward(g, x), nil, nil, engine.RouteParams{TopK: 1, Sigmoid: true})
	return g.Add(routed, g.Mix(e.Shared.Forward(g, x), share))
}

// Mixture is the sizes of a mixture of experts.
type Mixture struct {
	Count, Inner, Hidden int
	Names                [3]string // of gate, up and down where each expert is stored apart; else gate_proj, up_proj, down_proj
}

// stacked finds the experts of files that store one tensor [experts, rows, cols] a kind:
// those of GGUF, and those of MLX, which has two names of its own.
func stacked(b Builder) (Builder, bool) {
	for _, place := range []string{"experts", "switch_mlp", "experts.switch_glu"} {
		if at := b.In(place); at.Has("gate_proj.weight") {
			return at, true
		}
	}
	return b.In("experts"), false
}

// NewExperts takes the weights of the experts: stacked, as GGUF and MLX have them; gate
// and up of each fused, as newer checkpoints have them; or each expert apart. The
// caller sets the router.
func NewExperts(b Builder, m Mixture) Experts {
	up := weights.Stack{Parts: m.Count, Rows: m.Inner, Cols: m.Hidden}
	down := weights.Stack{Parts: m.Count, Rows: m.Hidden, Cols: m.Inner}
	suffix := ""
	if b.GGUF {
		suffix = ".weight"
	}
	at := b.In("experts")
	if place, is := stacked(b); is || b.GGUF && !at.Has("gate_up_proj.weight") {
		return Experts{
			Gate: Linear{W: place.Stack("gate_proj.weight", up)}, Up: Linear{W: place.Stack("up_proj.weight", up)},
			Down: Linear{W: place.Stack("down_proj.weight", down)},
		}
	}
	switch {
	case at.Has("gate_up_proj" + suffix):
		gate := up
		gate.Of, up.Of, up.From = 2*m.Inner, 2*m.Inner, m.Inner
		return Experts{
			Gate: Linear{W: at.Stack("gate_up_proj"+suffix, gate)}, Up: Linear{W: at.Stack("gate_up_proj"+suffix, up)},
			Down: Linear{W: at.Stack("down_proj"+suffix, down)},
		}
	default:
		apart := func(name string, rows, cols int) Linear {
			names := make([]string, m.Count)
			for i := range names {
				names[i] = fmt.Sprintf("%d.%s.weight", i, name)
			}
			return Linear{W: at.StackOf(names, rows, cols)}
		}
		name := m.Names
		if name[0] == "" {
			name = [3]string{"gate_proj", "up_proj", "down_proj"}
		}
		return Experts{
			Gate: apart(name[0], m.Inner, m.Hidden), Up: apart(name[1], m.Inner, m.Hidden), Down: apart(name[2], m.Hidden, m.Inner),
		}
	}
}
