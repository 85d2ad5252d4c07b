package encoders

import (
	"inglenook/engine"
	"inglenook/models/family"
)

// Model records forward passes of one checkpoint. It is safe for use by
// several goroutines, each with its own graph.
type Model interface {
	Config() family.Config
	// Has reports whether the checkpoint can compute this output.
	Has(family.Output) bool
	// Forward records one pass over the batch. Errors (an id outside the
	// vocabulary, a text longer than the positions) are recorded in the graph.
	Forward(g *engine.Graph, b family.Batch, out family.Output) *engine.Tensor
}
