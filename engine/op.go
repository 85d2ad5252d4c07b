package engine

import "fmt"

// Op is the kind of a tensor: what makes its value.
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
)

var opNames = [...]string{
	"input", "weight", "cache", "embed", "linear", "add", "layer_norm", "attention", "rows", "pool", "l2_normalize",
	"rms_norm", "rope", "gate", "scale", "soft_cap", "causal_attention",
}

// Ops lists the operations that compute something.
func Ops() []Op {
	ops := make([]Op, 0, len(opNames))
	for op := OpEmbed; int(op) < len(opNames); op++ {
		ops = append(ops, op)
	}
	return ops
}

func (o Op) String() string {
	if int(o) >= len(opNames) {
		return fmt.Sprintf("op(%d)", uint8(o))
	}
	return opNames[o]
}
