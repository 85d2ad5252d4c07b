package encoders

import (
	"fmt"
	"math"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// NomicBERT: Nussbaum et al. 2024, arXiv:2402.01613. BERT with rotary positions and gated
// feed-forward parts. Its config.json has GPT-2's names, those of the reference library, or both.

func readNomic(f *family.Fields) family.Config {
	c := family.Config{
		Vocab:        f.Size(family.MaxVocab, "vocab_size"),
		Hidden:       f.Size(family.MaxHidden, "hidden_size", "n_embd"),
		Layers:       f.Size(family.MaxLayers, "num_hidden_layers", "n_layer"),
		Heads:        f.Size(family.MaxHidden, "num_attention_heads", "n_head"),
		Intermediate: f.Size(family.MaxHidden, "intermediate_size", "n_inner"),
		MaxTokens:    f.SizeOr(2048, family.MaxPositions, "max_position_embeddings", "max_trained_positions", "n_positions"),
		TypeVocab:    f.SizeOr(2, family.MaxVocab, "type_vocab_size"),
		Epsilon:      f.Epsilon(1e-12, "layer_norm_eps", "layer_norm_epsilon"),
		Activation:   f.ActivationOr(engine.SiLU, "hidden_act"),
		Design:       nomic{},
	}
	c.Positions = c.MaxTokens
	turnWhole(f, &c)
	f.Refuse(f.Number(1, 0, 1, "rotary_emb_fraction") != 1, "rotary_emb_fraction is below 1, which is not supported in NomicBERT")
	c.Everywhere(0, f.Rope(c, f.Number(1000, 1, 1e12, "rotary_emb_base"), 1))
	if kind := f.Text("activation_function"); kind != "" && kind != "swiglu" {
		f.Fail("activation_function %q is not supported in NomicBERT (only \"swiglu\")", kind)
	}
	for _, key := range []string{
		"prenorm", "parallel_block", "causal", "use_rms_norm", "rotary_emb_interleaved", "qkv_proj_bias", "mlp_fc1_bias", "mlp_fc2_bias",
	} {
		f.Refuse(f.FlagOr(false, key), key+" is set, which is not supported in NomicBERT")
	}
	f.Refuse(f.Values["rotary_emb_scale_base"] != nil, "rotary_emb_scale_base is set, which is not supported in NomicBERT")
	f.Refuse(f.SizeOr(0, family.MaxLayers, "moe_every_n_layers") > 0, "moe_every_n_layers is set: NomicBERT with experts is not supported")
	return c
}

// turnWhole completes the sizes of encoders whose heads divide the hidden columns and turn as a whole.
func turnWhole(f *family.Fields, c *family.Config) {
	c.HeadSize = f.HeadSize(*c)
	c.ScoreScale = float32(1 / math.Sqrt(float64(c.HeadSize)))
}

type nomic struct{}

// build implements Design.
func (nomic) build(c family.Config, b nn.Builder) *encoder {
	at := body(b, "embeddings.word_embeddings", "nomic_bert", "bert")
	m := &bert{
		words: nn.NewEmbedding(at, "embeddings.word_embeddings", c.Vocab, c.Hidden),
		norm:  nn.NewLayerNorm(at, "emb_ln", c.Hidden, c.Epsilon),
	}
	if c.TypeVocab > 0 {
		m.types = nn.NewEmbedding(at, "embeddings.token_type_embeddings", c.TypeVocab, c.Hidden)
	}
	blocks := newTurning(c)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("encoder.layers.%d", i))
		m.layers = append(m.layers, &postNormLayer{
			attention:     blocks.stacked(c, i, at, "attn.Wqkv", "attn.out_proj", false),
			attentionNorm: nn.NewLayerNorm(at, "norm1", c.Hidden, c.Epsilon),
			mlp: nn.GatedMLP{
				Gate:       nn.NewProjection(at, "mlp.fc12", c.Intermediate, c.Hidden, false),
				Up:         nn.NewProjection(at, "mlp.fc11", c.Intermediate, c.Hidden, false),
				Down:       nn.NewProjection(at, "mlp.fc2", c.Hidden, c.Intermediate, false),
				Activation: c.Activation,
			},
			outputNorm: nn.NewLayerNorm(at, "norm2", c.Hidden, c.Epsilon),
		})
	}
	return &encoder{config: c, network: m, types: c.TypeVocab, positions: fromZero}
}
