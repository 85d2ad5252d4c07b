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
	routes := g.Route(e.Router.Forward(g, x), e.Bias, e.Scale, e.Route)
	gate := g.Experts(x, routes, e.Gate.W, e.Gate.B) // [n, topK·inner]
	up := g.Experts(x, routes, e.Up.W, e.Up.B)
	down := g.Experts(g.ShapedGate(gate, up, e.Shape), routes, e.Down.W, e.Down.B) // [n, topK·hidden]
	return g.Mix(down, routes)
}

// Mixture is the sizes of a mixture of experts.
type Mixture struct {
	Count, Inner, Hidden int
}

// NewExperts takes the weights of the experts: stacked, as GGUF files have them; gate
// and up of each fused, as newer checkpoints have them; or each expert apart. The
// caller sets the router.
func NewExperts(b Builder, m Mixture) Experts {
	up := weights.Stack{Parts: m.Count, Rows: m.Inner, Cols: m.Hidden}
	down := weights.Stack{Parts: m.Count, Rows: m.Hidden, Cols: m.Inner}
	switch at := b.In("experts"); {
	case b.GGUF:
		return Experts{
			Gate: Linear{W: at.Stack("gate_proj.weight", up)}, Up: Linear{W: at.Stack("up_proj.weight", up)},
			Down: Linear{W: at.Stack("down_proj.weight", down)},
		}
	case at.Has("gate_up_proj"):
		gate := up
		gate.Of, up.Of, up.From = 2*m.Inner, 2*m.Inner, m.Inner
		return Experts{
			Gate: Linear{W: at.Stack("gate_up_proj", gate)}, Up: Linear{W: at.Stack("gate_up_proj", up)},
			Down: Linear{W: at.Stack("down_proj", down)},
		}
	default:
		apart := func(name string, rows, cols int) Linear {
			names := make([]string, m.Count)
			for i := range names {
				names[i] = fmt.Sprintf("%d.%s.weight", i, name)
			}
			return Linear{W: at.StackOf(names, rows, cols)}
		}
		return Experts{
			Gate: apart("gate_proj", m.Inner, m.Hidden), Up: apart("up_proj", m.Inner, m.Hidden),
			Down: apart("down_proj", m.Hidden, m.Inner),
		}
	}
}
