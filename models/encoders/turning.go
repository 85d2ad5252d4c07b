package encoders

import (
	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// turning makes the attention of encoders that were made of decoders: rotary positions,
// grouped heads, and windows in both directions. Layers that see alike share their tables.
type turning struct {
	rotary   map[*nn.Rope]*engine.Rotary
	near     map[int]*engine.Tensor // biases by window
	farthest map[int]int            // the distance of the last bucket, by window
}

func newTurning(c family.Config) turning {
	t := turning{rotary: map[*nn.Rope]*engine.Rotary{}, near: map[int]*engine.Tensor{}, farthest: map[int]int{}}
	for _, s := range c.Span {
		if t.rotary[s.Rope] == nil {
			t.rotary[s.Rope] = s.Rope.Rotary(c.HeadSize, c.MaxTokens)
		}
		if reach := s.Window / 2; s.Window > 0 && reach < c.MaxTokens && t.near[s.Window] == nil {
			t.near[s.Window], t.farthest[s.Window] = nn.NewNear(c.Heads, reach)
		}
	}
	return t
}

// attention returns layer i's attention. Its weights have the names of decoders. A window
// of n positions is half before a token and half behind it, as in the reference library.
func (t turning) attention(c family.Config, i int, b nn.Builder) nn.TextAttention {
	s, q := c.Span[i], c.Heads*c.HeadSize
	return nn.TextAttention{
		Query: nn.NewProjection(b, "q_proj", q, c.Hidden, false),
		Key:   nn.NewRepeated(b, "k_proj", c.Heads, c.KVHeads, c.HeadSize, c.Hidden),
		Value: nn.NewRepeated(b, "v_proj", c.Heads, c.KVHeads, c.HeadSize, c.Hidden),
		Out:   nn.NewProjection(b, "o_proj", c.Hidden, q, false),
		Turn:  t.rotary[s.Rope], Relative: t.near[s.Window],
		Params: engine.AttentionParams{Heads: c.Heads, Scale: c.ScoreScale, MaxDistance: t.farthest[s.Window]},
	}
}

// newGatedMLP returns a gated feed-forward part, whose weights have the names of decoders.
func newGatedMLP(c family.Config, b nn.Builder) nn.GatedMLP {
	return nn.GatedMLP{
		Gate:       nn.NewProjection(b, "gate_proj", c.Intermediate, c.Hidden, false),
		Up:         nn.NewProjection(b, "up_proj", c.Intermediate, c.Hidden, false),
		Down:       nn.NewProjection(b, "down_proj", c.Hidden, c.Intermediate, false),
		Activation: c.Activation,
	}
}

// withoutHead is the builder of the body's weights, which have a prefix where a head is
// stored beside them.
func withoutHead(b nn.Builder) nn.Builder {
	if b.Has("model.embed_tokens.weight") {
		return b.In("model")
	}
	return b
}
