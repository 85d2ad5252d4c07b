package pipeline

import (
	"errors"
	"fmt"
	"slices"

	"inglenook/engine"
	"inglenook/engine/selfcheck"
)

// The operations that models which read consist of, with their modules and heads,
// and those that language models have no use for.
var (
	readerOps = []engine.Op{
		engine.OpEmbed, engine.OpLinear, engine.OpAdd, engine.OpLayerNorm, engine.OpAttention,
		engine.OpRows, engine.OpPool, engine.OpL2Normalize,
	}
	notWriterOps = []engine.Op{engine.OpAttention, engine.OpPool, engine.OpL2Normalize}
)

// KindCoverage says where the operations that models of a kind consist of
// ("embedding", "reranker", "encoder", "chat", "text") would run, in the usual
// types of weights: language models have them in every type.
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
