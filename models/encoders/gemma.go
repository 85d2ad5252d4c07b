package encoders

import (
	"fmt"
	"math"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// EmbeddingGemma: Schechter Vera et al. 2025, arXiv:2509.20354. Gemma 3 that reads in both
// directions: five layers in which tokens see those near them to one in which they see all.

func readEmbeddingGemma(f *family.Fields) family.Config {
	c := f.Gemma3()
	c.Positions = c.MaxTokens
	f.Refuse(!f.FlagOr(false, "use_bidirectional_attention"), "use_bidirectional_attention is not set: such a model writes text and needs its output layer")
	f.Refuse(f.FlagOr(false, "attention_bias"), "attention_bias is set, which is not supported in an embedding model")
	for _, key := range []string{"attn_logit_softcapping", "final_logit_softcapping"} {
		f.Refuse(f.Values[key] != nil, key+" is set, which is not supported in an embedding model")
	}
	checkGroups(f, c)
	c.Design = embeddingGemma{}
	return c
}

type gemma struct {
	words     nn.Embedding // [vocab, hidden]
	wordScale float32      // √hidden
	layers    nn.Stack
	norm      nn.RMSNorm // [1, hidden]
}

// Forward implements nn.Network.
func (m *gemma) Forward(p nn.Pass) *engine.Tensor {
	g := p.Graph
	x := g.Scale(m.words.Forward(g, p.Tokens), m.wordScale) // [tokens, hidden]
	return m.norm.Forward(g, m.layers.Forward(p, x))        // [tokens, hidden] or [texts, hidden]
}

// gemmaLayer has a norm before and after each part.
type gemmaLayer struct {
	attentionNorm, attentionEnd nn.RMSNorm // [1, hidden]
	attention                   nn.TextAttention
	mlpNorm, mlpEnd             nn.RMSNorm // [1, hidden]
	mlp                         nn.GatedMLP
}

// Forward implements nn.Layer.
func (l *gemmaLayer) Forward(p nn.Pass, x *engine.Tensor) *engine.Tensor {
	g := p.Graph
	h := l.attention.Forward(p, l.attentionNorm.Forward(g, x)) // [wanted, hidden]
	x = g.Add(p.Leaving(x), l.attentionEnd.Forward(g, h))
	h = l.mlp.Forward(g, l.mlpNorm.Forward(g, x))
	return g.Add(x, l.mlpEnd.Forward(g, h))
}

type embeddingGemma struct{}

// build implements Design.
func (embeddingGemma) build(c family.Config, b nn.Builder) *encoder {
	at := body(b, "embed_tokens", "model")
	m := &gemma{words: nn.NewEmbedding(at, "embed_tokens", c.Vocab, c.Hidden), wordScale: float32(math.Sqrt(float64(c.Hidden)))}
	m.norm = gemmaNorm(c, at, "norm", c.Hidden)
	blocks := newTurning(c)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		l := &gemmaLayer{
			attentionNorm: gemmaNorm(c, at, "input_layernorm", c.Hidden),
			attentionEnd:  gemmaNorm(c, at, "post_attention_layernorm", c.Hidden),
			attention:     blocks.grouped(c, i, at.In("self_attn")),
			mlpNorm:       gemmaNorm(c, at, "pre_feedforward_layernorm", c.Hidden),
			mlpEnd:        gemmaNorm(c, at, "post_feedforward_layernorm", c.Hidden),
			mlp:           newGatedMLP(c, at.In("mlp")),
		}
		query, key := gemmaNorm(c, at, "self_attn.q_norm", c.HeadSize), gemmaNorm(c, at, "self_attn.k_norm", c.HeadSize)
		l.attention.QueryNorm, l.attention.KeyNorm = &query, &key
		m.layers = append(m.layers, l)
	}
	return &encoder{config: c, network: m, positions: fromZero}
}

// gemmaNorm is an RMSNorm whose stored weights are 1 less than the actual factors.
func gemmaNorm(c family.Config, b nn.Builder, name string, n int) nn.RMSNorm {
	norm := nn.NewRMSNorm(b, name, n, c.Epsilon)
	norm.Offset = 1
	return norm
}
