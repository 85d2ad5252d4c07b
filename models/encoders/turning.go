package encoders

import (
	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// turning makes the attention of encoders that were made of decoders: rotary positions,
// grouped heads, and windows in both directions. Layers that see alike share their tables.
type turning struct {
	rotary map[*nn.Rope]*engine.Rotary
}

// checkGroups refuses heads of queries that do not divide among those of keys and values.
func checkGroups(f *family.Fields, c family.Config) {
	if f.Err == nil && (c.KVHeads < 1 || c.Heads%c.KVHeads != 0) {
		f.Fail("%d attention heads do not divide into %d groups of keys and values", c.Heads, c.KVHeads)
	}
	if f.Err == nil && (c.HeadSize < 1 || c.Heads*c.HeadSize > family.MaxInner) {
		f.Fail("%d attention heads of %d columns are not possible", c.Heads, c.HeadSize)
	}
}

func newTurning(c family.Config) turning {
	t := turning{rotary: map[*nn.Rope]*engine.Rotary{}}
	for _, s := range c.Span {
		if t.rotary[s.Rope] == nil {
			t.rotary[s.Rope] = s.Rope.Rotary(c.HeadSize, c.MaxTokens)
		}
	}
	return t
}

// attention returns layer i's attention without its linear layers. A window of n positions
// is half before a token and half behind it, as in the reference library.
func (t turning) attention(c family.Config, i int) nn.TextAttention {
	s := c.Span[i]
	return nn.TextAttention{
		Turn:   t.rotary[s.Rope],
		Params: engine.AttentionParams{Heads: c.Heads, Scale: c.ScoreScale, Reach: s.Window / 2},
	}
}

// grouped returns layer i's attention, whose weights have the names of decoders.
func (t turning) grouped(c family.Config, i int, b nn.Builder) nn.TextAttention {
	a, q := t.attention(c, i), c.Heads*c.HeadSize
	a.Query = nn.NewProjection(b, "q_proj", q, c.Hidden, false)
	a.Key = nn.NewRepeated(b, "k_proj", c.Heads, c.KVHeads, c.HeadSize, c.Hidden)
	a.Value = nn.NewRepeated(b, "v_proj", c.Heads, c.KVHeads, c.HeadSize, c.Hidden)
	a.Out = nn.NewProjection(b, "o_proj", c.Hidden, q, false)
	return a
}

// stacked returns layer i's attention, whose queries, keys and values are one matrix
// [3·hidden, hidden] under the name qkv.
func (t turning) stacked(c family.Config, i int, b nn.Builder, qkv, out string, bias bool) nn.TextAttention {
	a, rows := t.attention(c, i), nn.Heads{Count: c.Heads, KV: c.Heads, Size: c.HeadSize}.Stacked()
	a.Query, a.Key, a.Value = rows.Split(b, qkv, c.Hidden, bias)
	a.Out = nn.NewProjection(b, out, c.Hidden, c.Heads*c.HeadSize, bias)
	return a
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
