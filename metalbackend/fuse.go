package metalbackend

import "inglenook/engine"

// fused lowers the operations at the front of ops that one dispatch can do
// together, and says how many those are.
func (l *lowering) fused(ops []*engine.Tensor) (int, error) {
	if len(ops) >= 2 && fusesAddRMSNorm(ops[0], ops[1]) {
		return 2, lowerAddRMSNorm(l, ops[0], ops[1])
	}
	if len(ops) >= 2 && fusesAddLayerNorm(ops[0], ops[1]) {
		return 2, lowerAddLayerNorm(l, ops[0], ops[1])
	}
	if len(ops) >= 2 && fusesRoPECache(ops[0], ops[1]) {
		return 2, lowerRoPECausalAttention(l, ops[0], ops[1])
	}
	if len(ops) >= 3 && fusesGatedLinear(ops[0], ops[1], ops[2]) {
		return 3, lowerGatedLinear(l, ops[0], ops[1], ops[2])
	}
	return 0, nil
}

// sumsFor reports whether sum is an Add whose rows norm normalizes, and whether one
// dispatch can write both.
func sumsFor(sum, norm *engine.Tensor) bool {
	return sum.Op == engine.OpAdd && norm.Src[0] == sum && sameOrApart(sum.Src[0], norm) && sameOrApart(sum.Src[1], norm)
}

// sameOrApart reports whether two values of one size lie at the same place or share
// no byte. A dispatch that reads a at each place before it writes b there can
// have both then; in between, some threadgroup would write what another has yet
// to read. The plan of the arena does not know of this: what is read for the last
// time by one operation may lie where the next one writes.
func sameOrApart(a, b *engine.Tensor) bool {
	return a.Offset == b.Offset || a.Offset+a.Bytes() <= b.Offset || b.Offset+b.Bytes() <= a.Offset
}

// reach is over how many operations dispatches may be at work at a time: those
// that one dispatch does together, and those between which no barrier shall come
// just because memory is used again.
const reach = 2

// Reach implements engine.Reacher.
func (b *Backend) Reach() int { return reach }
