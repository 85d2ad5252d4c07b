package encoders

import (
	"fmt"
	"math"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// EuroBERT: Boizard et al. 2025, arXiv:2503.05500. Llama that reads in both directions.

func readEuroBERT(f *family.Fields) family.Config {
	c := family.DecoderSizes(f, 8192)
	c.Positions = c.MaxTokens
	c.Epsilon = f.Epsilon(1e-5, "rms_norm_eps")
	c.Activation = f.ActivationOr(engine.SiLU, "hidden_act")
	c.Everywhere(0, f.Rope(c, 250000, 1))
	for _, key := range []string{"attention_bias", "mlp_bias"} {
		f.Refuse(f.FlagOr(false, key), key+" is set, which is not supported in EuroBERT")
	}
	c.ScoreScale = float32(1 / math.Sqrt(float64(max(c.HeadSize, 1))))
	checkGroups(f, c)
	d := euroBERT{pooling: f.Text("classifier_pooling")}
	if d.pooling == "" {
		d.pooling = "late"
	}
	if _, known := headPoolings[d.pooling]; !known {
		f.Fail("classifier_pooling %q is not supported (only \"bos\", \"mean\" and \"late\")", d.pooling)
	}
	c.Design = d
	return c
}

// headPoolings are the ways to make one result of a text's tokens, in EuroBERT's words.
var headPoolings = map[string]headPooling{"bos": ofFirst, "mean": meanBefore, "late": meanBehind}

type euroBERT struct{ pooling string }

// llama is the network of encoders that are Llama but for the direction.
type llama struct {
	words  nn.Embedding // [vocab, hidden]
	layers nn.Stack
	norm   nn.RMSNorm // [1, hidden]
}

// Forward implements nn.Network.
func (m *llama) Forward(p nn.Pass) *engine.Tensor {
	x := m.layers.Forward(p, m.words.Forward(p.Graph, p.Tokens)) // [tokens, hidden] or [texts, hidden]
	return m.norm.Forward(p.Graph, x)
}

// build implements Design.
func (d euroBERT) build(c family.Config, b nn.Builder) *encoder {
	at := body(b, "embed_tokens", "model")
	m := &llama{words: nn.NewEmbedding(at, "embed_tokens", c.Vocab, c.Hidden), norm: nn.NewRMSNorm(at, "norm", c.Hidden, c.Epsilon)}
	blocks := newTurning(c)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("layers.%d", i))
		m.layers = append(m.layers, &preNormLayer{
			attentionNorm: nn.NewRMSNorm(at, "input_layernorm", c.Hidden, c.Epsilon),
			attention:     blocks.grouped(c, i, at.In("self_attn")),
			mlpNorm:       nn.NewRMSNorm(at, "post_attention_layernorm", c.Hidden, c.Epsilon),
			mlp:           newGatedMLP(c, at.In("mlp")),
		})
	}
	e := &encoder{config: c, network: m, positions: fromZero}
	if c.Head == family.Logits {
		e.classifier = &classifier{
			in: nn.NewLinear(b, "dense", c.Hidden, c.Hidden), activation: engine.GELU, out: nn.NewLinear(b, "classifier", c.Labels, c.Hidden),
			pooling: headPoolings[d.pooling],
		}
	}
	return e
}
