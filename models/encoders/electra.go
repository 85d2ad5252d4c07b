package encoders

import (
	"fmt"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// ELECTRA: Clark et al. 2020, arXiv:2003.10555. BERT without pooler, whose vectors of words may
// be narrower than its layers.

func readELECTRA(f *family.Fields) family.Config {
	c := bertSizes(f)
	relativeKeys(f, &c)
	c.Design = electra{width: embeddingSize(f)}
	return c
}

// embeddingSize reads the columns of the vectors of words.
func embeddingSize(f *family.Fields) int {
	n := f.SizeOr(128, family.MaxHidden, "embedding_size")
	f.Refuse(n == 0, "embedding_size is 0")
	return n
}

type electra struct{ width int }

// build implements Design.
func (d electra) build(c family.Config, b nn.Builder) *encoder {
	at := base(b, "electra")
	m := newEmbeddings(c, at, d.width)
	if c.PositionType == "" {
		m.positions = nn.NewEmbedding(at, "embeddings.position_embeddings", c.Positions, d.width)
	}
	if d.width != c.Hidden {
		l := nn.NewLinear(at, "embeddings_project", c.Hidden, d.width)
		m.widen = &l
	}
	for i := range c.Layers {
		m.layers = append(m.layers, newPostNormLayer(c, at.In(fmt.Sprintf("encoder.layer.%d", i)), bertLayer))
	}
	e := &encoder{config: c, network: m, types: c.TypeVocab, positions: fromZero}
	if c.Head == family.Logits {
		e.classifier = newDenseClassifier(c, b)
		e.classifier.activation = engine.GELU
	}
	return e
}
