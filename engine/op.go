package engine

import "fmt"

// Op is the kind of a tensor: the operation that computes it.
type Op uint8

// The operations. Each one's operands and result are documented at the
// Graph method that records it; enginetest holds the float64 definition.
const (
	OpInput Op = iota
	OpWeight
	OpCache
	OpEmbed
	OpLinear
	OpAdd
	OpLayerNorm
	OpAttention
	OpRows
	OpPool
	OpL2Normalize
	OpRMSNorm
	OpRoPE
	OpGate
	OpScale
	OpSoftCap
	OpCausalAttention
	OpRoute
	OpExperts
	OpMix
	OpCausalConv
	OpDeltaRule
	OpDisentangled
	OpCrossAttention
	OpJoin
)

// ops is the table of the operations: what the rest of the program needs to know
// of each, besides its operands and its definition.
var ops = [...]struct {
	name  string
	words string // what it is for people who do not know the name
	class Class
	reads [maxOperands]Read    // the operands that are weights
	cost  func(t *Tensor) Cost // nil: it reads its weights once
}{
	OpInput:           {name: "input", words: "input"},
	OpWeight:          {name: "weight", words: "weight"},
	OpCache:           {name: "cache", words: "cache"},
	OpEmbed:           {name: "embed", words: "lookup of words", reads: [maxOperands]Read{0: ReadRows}, cost: embedCost},
	OpLinear:          {name: "linear", words: "multiplication by weights", class: ClassProduct, reads: [maxOperands]Read{1: ReadMatrix, 2: ReadFloats}, cost: linearCost},
	OpAdd:             {name: "add", words: "addition"},
	OpLayerNorm:       {name: "layer_norm", words: "normalisation", class: ClassNorm, reads: [maxOperands]Read{2: ReadFloats, 3: ReadFloats}},
	OpAttention:       {name: "attention", words: "attention", class: ClassAttention, reads: [maxOperands]Read{4: ReadFloats}, cost: attentionCost},
	OpRows:            {name: "rows", words: "selection of rows"},
	OpPool:            {name: "pool", words: "summary of a text"},
	OpL2Normalize:     {name: "l2_normalize", words: "scaling to length 1", class: ClassNorm},
	OpRMSNorm:         {name: "rms_norm", words: "normalisation", class: ClassNorm, reads: [maxOperands]Read{1: ReadFloats}},
	OpRoPE:            {name: "rope", words: "marking of positions"},
	OpGate:            {name: "gate", words: "activation", class: ClassGate},
	OpScale:           {name: "scale", words: "scaling"},
	OpSoftCap:         {name: "soft_cap", words: "limiting of values"},
	OpCausalAttention: {name: "causal_attention", words: "attention", class: ClassCausalAttention, reads: [maxOperands]Read{6: ReadFloats, 7: ReadFloats}, cost: causalCost},
	OpRoute:           {name: "route", words: "choice of experts", class: ClassNorm, reads: [maxOperands]Read{1: ReadFloats, 2: ReadFloats}},
	OpExperts:         {name: "experts", words: "multiplication by weights of experts", class: ClassProduct, reads: [maxOperands]Read{2: ReadMatrix, 3: ReadFloats}, cost: expertsCost},
	OpMix:             {name: "mix", words: "mixture of experts"},
	OpCausalConv:      {name: "causal_conv", words: "convolution", class: ClassNorm, reads: [maxOperands]Read{1: ReadFloats}, cost: stateCost},
	OpDeltaRule:       {name: "delta_rule", words: "update of a memory", class: ClassCausalAttention, reads: [maxOperands]Read{3: ReadFloats, 4: ReadFloats}, cost: deltaCost},
	OpDisentangled:    {name: "disentangled", words: "attention by distance", class: ClassAttention, cost: disentangledCost},
	OpCrossAttention:  {name: "cross_attention", words: "attention to another text", class: ClassCausalAttention, cost: crossCost},
	OpJoin:            {name: "join", words: "joining"},
}

// InWords is what an operation of a name does, for people who do not know the name; another name
// stays as it is.
func InWords(name string) string {
	for _, op := range ops {
		if op.name == name {
			return op.words
		}
	}
	return name
}

// Class is what the speed of an operation depends on: operations of one class
// reach about the same rate on a device.
type Class uint8

// The classes of operations.
const (
	ClassPass            Class = iota // passes once over the values of its result
	ClassNorm                         // passes over each row several times
	ClassGate                         // computes an activation for each value of its result
	ClassAttention                    // as many products as pairs of rows in a text
	ClassCausalAttention              // products with all rows of a cache, which it reads
	ClassProduct                      // products with a matrix, which it reads
)

// Class returns the class of the operation.
func (o Op) Class() Class { return ops[o].class }

// Read is how an operation reads one of its operands.
type Read uint8

// The ways to read a weight. Backends have a layout for each.
const (
	ReadValue  Read = iota // the operand is not a weight
	ReadRows               // it looks up single rows
	ReadMatrix             // it multiplies with the whole matrix
	ReadFloats             // it takes the values as floats, whatever their type: norms, biases
)

// Reads returns how the operation reads operand i.
func (o Op) Reads(i int) Read { return ops[o].reads[i] }

// Ops lists the operations that compute something.
func Ops() []Op {
	list := make([]Op, 0, len(ops))
	for op := OpEmbed; int(op) < len(ops); op++ {
		list = append(list, op)
	}
	return list
}

func (o Op) String() string {
	if int(o) >= len(ops) {
		return fmt.Sprintf("op(%d)", uint8(o))
	}
	return ops[o].name
}
