// Package models knows the families of neural networks: how their config.json
// spells the sizes, how their checkpoints name the weights, and which operations
// one forward pass records. A family is one file, which arranges the blocks of
// models/nn and shows Forward from top to bottom; families.go is the table of
// all. Configs come from config.json or from the metadata of a GGUF file. The
// package computes nothing and reads no text.
package models

import "inglenook/engine"

// Batch is a ragged batch of token ids: text i is Tokens[Starts[i]:Starts[i+1]],
// so Starts has one entry more than there are texts, and there is no padding.
// Types are the segment ids of each token; nil means all 0.
type Batch struct {
	Tokens, Types, Starts []int32
}

// Output is the result of a forward pass.
type Output uint8

// The outputs. Hidden is the last hidden state [tokens, hidden], First that of
// each text's first token [texts, hidden], Pooled the pooler's vectors
// [texts, hidden], Logits the classification head's scores [texts, labels].
const (
	Hidden Output = iota
	First
	Pooled
	Logits
)

func (o Output) String() string {
	return [...]string{"hidden", "first", "pooled", "logits"}[o]
}

// Model records forward passes of one checkpoint. It is safe for use by
// several goroutines, each with its own graph.
type Model interface {
	Config() Config
	// Has reports whether the checkpoint can compute this output.
	Has(Output) bool
	// Forward records one pass over the batch. Errors (an id outside the
	// vocabulary, a text longer than the positions) are recorded in the graph.
	Forward(g *engine.Graph, b Batch, out Output) *engine.Tensor
}
