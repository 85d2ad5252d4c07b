package encoders

import (
	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// RoBERTa: Liu et al. 2019, arXiv:1907.11692; XLM-RoBERTa: Conneau et al.
// 2019, arXiv:1911.02116; CamemBERT. BERT's network and names, positions that
// start after the padding id, and a two-layer classification head.

func readRoBERTa(f *family.Fields) family.Config {
	if f.Text("position_embedding_type") == "rotary" { // jina-embeddings-v3 has XLM-RoBERTa's name
		return readJina3(f)
	}
	c := bertSizes(f)
	relativeKeys(f, &c)
	c.PadID = f.SizeOr(1, family.MaxVocab, "pad_token_id")
	c.MaxTokens = c.Positions - c.PadID - 1
	c.Design = robertaDesign{}
	return c
}

type robertaDesign struct{}

// build implements Design.
func (robertaDesign) build(c family.Config, b nn.Builder) *encoder {
	e := newBERT(c, base(b, "roberta"), afterPad(c.PadID))
	if c.Head == family.Logits {
		e.classifier = newDenseClassifier(c, b)
	}
	return e
}

// newDenseClassifier returns RoBERTa's classification head, which MPNet shares.
func newDenseClassifier(c family.Config, b nn.Builder) *classifier {
	return &classifier{
		in: nn.NewLinear(b, "classifier.dense", c.Hidden, c.Hidden), activation: engine.Tanh,
		out: nn.NewLinear(b, "classifier.out_proj", c.Labels, c.Hidden),
	}
}
