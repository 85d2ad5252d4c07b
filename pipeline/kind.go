package pipeline

import (
	"errors"
	"fmt"
	"slices"

	"inglenook/engine"
	"inglenook/engine/selfcheck"
)

// readerOps are the operations of models that read, with their modules and
// heads. notWriterOps are those that no language model uses.
var (
	readerOps = []engine.Op{
		engine.OpEmbed, engine.OpLinear, engine.OpAdd, engine.OpLayerNorm, engine.OpAttention,
		engine.OpRows, engine.OpPool, engine.OpL2Normalize,
	}
	notWriterOps = []engine.Op{engine.OpAttention, engine.OpPool, engine.OpL2Normalize}
)

// KindCoverage returns where the operations of a kind of model ("embedding",
// "reranker", "encoder", "chat", "text") would run. Readers are asked about
// with plain weights, language models with weights of every type.
func KindCoverage(kind string, bs []engine.Backend) (engine.Report, error) {
	g := engine.NewGraph()
	defer g.Close()
	switch kind {
	case "embedding", "reranker", "encoder":
		selfcheck.Shapes(g, readerOps, engine.PlainTypes())
	case "chat", "text":
		notUsed := func(op engine.Op) bool { return slices.Contains(notWriterOps, op) }
		selfcheck.Shapes(g, slices.DeleteFunc(engine.Ops(), notUsed), engine.WeightTypes())
	default:
		return engine.Report{}, fmt.Errorf("there is no kind of model %q; the kinds are embedding, reranker, encoder, chat and text", kind)
	}
	if err := g.Err(); err != nil {
		return engine.Report{}, errors.Join(errors.New("a kind's operations cannot be recorded"), err)
	}
	return g.Coverage(bs...)
}
