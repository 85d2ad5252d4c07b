package encoders

import (
	"fmt"
	"strings"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
	"inglenook/weights"
)

// jina-embeddings-v3: Sturua et al. 2024, arXiv:2409.10173. XLM-RoBERTa with rotary positions. Its
// checkpoint has small matrices for each of five tasks (LoRA, Hu et al. 2021, arXiv:2106.09685),
// which are added to those of the model when it is opened.

// plainTask is the task that a checkpoint is opened for unless another is asked for: it compares
// any two texts, where those for search have one for questions and one for passages.
const plainTask = "text-matching"

func readJina3(f *family.Fields) family.Config {
	c := bertSizes(f)
	c.TypeVocab = f.SizeOr(1, family.MaxVocab, "type_vocab_size")
	if kind := f.Text("position_embedding_type"); kind != "" && kind != "absolute" { // which the reference library ignores
		c.PositionType = "rotary"
	}
	turnWhole(f, &c)
	theta := f.Number(20000, 1, 1e12, "rotary_emb_base")
	c.Everywhere(0, f.Rope(c, theta, 1))
	c.Tasks = f.Texts("lora_adaptations")
	if len(c.Tasks) > 0 {
		rank := f.SizeOr(4, family.MaxHidden, "lora_rank")
		f.Refuse(rank == 0, "lora_rank is 0")
		scale := f.Number(1, -1e6, 1e6, "lora_alpha") / float64(max(1, rank))
		c.Instructions = f.TextsFor("task_instructions", c.Tasks)
		c.Adapter = &weights.Adapter{Rank: rank, Of: len(c.Tasks), Scale: float32(scale)}
		for i, task := range c.Tasks {
			if task == plainTask {
				c.Adapter.Index = i
			}
		}
	}
	c.Architecture = strings.Replace(f.Architecture(), "XLMRoberta", "JinaEmbeddingsV3", 1)
	c.Design = jina3{}
	return c
}

type jina3 struct{}

// build implements Design.
func (jina3) build(c family.Config, b nn.Builder) *encoder {
	at := base(b, "roberta")
	m := &bert{words: nn.NewEmbedding(at, "embeddings.word_embeddings", c.Vocab, c.Hidden), norm: nn.NewLayerNorm(at, "emb_ln", c.Hidden, c.Epsilon)}
	if c.TypeVocab > 0 {
		m.types = nn.NewEmbedding(at, "embeddings.token_type_embeddings", c.TypeVocab, c.Hidden)
	}
	blocks := newTurning(c)
	for i := range c.Layers {
		at := at.In(fmt.Sprintf("encoder.layers.%d", i))
		m.layers = append(m.layers, &postNormLayer{
			attention:     blocks.stacked(c, i, at, "mixer.Wqkv", "mixer.out_proj", true),
			attentionNorm: nn.NewLayerNorm(at, "norm1", c.Hidden, c.Epsilon),
			mlp: nn.MLP{
				Up: nn.NewLinear(at, "mlp.fc1", c.Intermediate, c.Hidden), Down: nn.NewLinear(at, "mlp.fc2", c.Hidden, c.Intermediate),
				Activation: c.Activation,
			},
			outputNorm: nn.NewLayerNorm(at, "norm2", c.Hidden, c.Epsilon),
		})
	}
	e := &encoder{config: c, network: m, types: c.TypeVocab, positions: fromZero, pooler: newPooler(c, at, "pooler.dense")}
	if c.Head == family.Logits {
		e.classifier = newDenseClassifier(c, b)
	}
	return e
}

func (jina3) headActivation() engine.Activation { return engine.GELU }
