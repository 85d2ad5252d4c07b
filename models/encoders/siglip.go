package encoders

import (
	"math"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// SigLIP: Zhai et al. 2023, arXiv:2303.15343; SigLIP 2 of one size: Tschannen et al. 2025,
// arXiv:2502.14786. The half that reads pictures is CLIP's without a row for the whole: an
// attention whose only query is learned makes one vector of all squares.

// readSigLIP reads a checkpoint with both halves, of which the one for pictures is used.
func readSigLIP(f *family.Fields) family.Config {
	in, done := f.In("vision_config")
	defer done()
	f.Refuse(in.Values == nil, "vision_config is missing, which describes the half that reads pictures")
	return siglipView(in)
}

// readSigLIPVision reads a checkpoint with the half for pictures alone.
func readSigLIPVision(f *family.Fields) family.Config { return siglipView(f) }

func siglipView(in *family.Fields) family.Config {
	in.Refuse(!in.FlagOr(true, "vision_use_head"), "vision_use_head is off: SigLIP without its head has no vector of a picture")
	return clipSizes(in, clipView{patch: 16, epsilon: 1e-6, activation: engine.GELUTanh, siglip: true}).alone(0)
}

// siglipPool makes one vector of the states of a picture.
type siglipPool struct {
	probe                  nn.Embedding // [1, hidden]: what each picture is asked
	query, key, value, out nn.Linear    // [hidden, hidden] each
	norm                   nn.LayerNorm
	mlp                    nn.MLP
	params                 engine.AttentionParams
}

func newSigLIPPool(c family.Config, b nn.Builder) *siglipPool {
	d := c.Hidden
	part := func(i int) nn.Linear {
		rows := [2]int{i * d, (i + 1) * d}
		return nn.Linear{W: b.Rows("attention.in_proj_weight", 3*d, d, rows), B: b.VectorPart("attention.in_proj_bias", 3*d, rows)}
	}
	return &siglipPool{
		probe: nn.Embedding{Table: b.Vector("probe", d)},
		query: part(0), key: part(1), value: part(2), out: nn.NewLinear(b, "attention.out_proj", d, d),
		norm:   nn.NewLayerNorm(b, "layernorm", d, c.Epsilon),
		mlp:    nn.MLP{Up: nn.NewLinear(b, "mlp.fc1", c.Intermediate, d), Down: nn.NewLinear(b, "mlp.fc2", d, c.Intermediate), Activation: c.Activation},
		params: engine.AttentionParams{Heads: c.Heads, Scale: float32(1 / math.Sqrt(float64(d/max(1, c.Heads))))},
	}
}

// Forward records the vectors [pictures, hidden] of the states x [rows, hidden]; firsts are the
// first rows of the pictures. Every row asks the same, and one answer a picture is read. The
// tokens of the pass are all 0.
func (a *siglipPool) Forward(p nn.Pass, x *engine.Tensor, firsts []int32) *engine.Tensor {
	g := p.Graph
	q := a.query.Forward(g, a.probe.Forward(g, p.Tokens))
	h := g.Attention(q, a.key.Forward(g, x), a.value.Forward(g, x), p.Starts(), nil, a.params)
	h = a.out.Forward(g, g.Rows(h, g.Ints("first squares", firsts))) // [pictures, hidden]
	return g.Add(h, a.mlp.Forward(g, a.norm.Forward(g, h)))
}
