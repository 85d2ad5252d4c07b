package encoders

import (
	"fmt"
	"math"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// SigLIP: Zhai et al. 2023, arXiv:2303.15343; SigLIP 2 of one size: Tschannen et al. 2025,
// arXiv:2502.14786. The half that reads pictures is CLIP's without a row for the whole: an
// attention whose only query is learned makes one vector of all squares. In the half that reads
// texts, tokens see all others, and the last one becomes the text's vector. It was trained with
// texts that padding makes equally long, and padding is seen as well.

// readSigLIP reads a checkpoint with both halves.
func readSigLIP(f *family.Fields) family.Config {
	in, done := f.In("vision_config")
	f.Refuse(in.Values == nil, "vision_config is missing, which describes the half that reads pictures")
	v := siglipView(in)
	done()
	text, done := f.In("text_config")
	defer done()
	f.Refuse(text.Values == nil, "text_config is missing, which describes the half that reads texts")
	c := siglipText(text)
	f.Refuse(f.Err == nil && c.Width != v.hidden, fmt.Sprintf("vectors of texts have %d columns and those of pictures %d, so they cannot be compared", c.Width, v.hidden))
	c.Design, c.Picture = siglip{v}, v.size
	return c
}

// readSigLIPText reads a checkpoint with the half for texts alone.
func readSigLIPText(f *family.Fields) family.Config { return siglipText(f) }

// readSigLIPVision reads a checkpoint with the half for pictures alone.
func readSigLIPVision(f *family.Fields) family.Config {
	v := siglipView(f)
	c := v.alone(0)
	c.Design = siglip{v}
	return c
}

// siglip is what only this family reads.
type siglip struct{ view clipView }

func (d siglip) pictures() (clipView, int) { return d.view, 0 }

func siglipText(f *family.Fields) family.Config {
	c := f.TextTower(family.Config{Vocab: 32000, Hidden: 768, Layers: 12, Heads: 12, Intermediate: 3072, Positions: 64, Epsilon: 1e-6, Activation: engine.GELUTanh})
	c.Width = f.SizeOr(c.Hidden, family.MaxHidden, "projection_size")
	f.Refuse(c.Width == 0, "projection_size is 0")
	c.PadID, c.PadTo = f.SizeOr(1, family.MaxVocab, "pad_token_id"), c.Positions
	c.Design = siglip{}
	return c
}

func siglipView(in *family.Fields) clipView {
	in.Refuse(!in.FlagOr(true, "vision_use_head"), "vision_use_head is off: SigLIP without its head has no vector of a picture")
	return clipSizes(in, clipView{patch: 16, epsilon: 1e-6, activation: engine.GELUTanh, siglip: true})
}

// build implements Design.
func (siglip) build(c family.Config, b nn.Builder) *encoder {
	at := body(b, "embeddings.token_embedding", "text_model")
	vector := nn.NewLinear(at, "head", c.Width, c.Hidden)
	last := func(ids []int32) int { return len(ids) - 1 }
	return &encoder{config: c, network: newTextTower(c, at, false), positions: fromZero, pooler: &pooler{linear: &vector, of: last}}
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
