package lower

import "inglenook/engine"

// sumsFor reports whether sum is an Add whose rows norm normalizes, and one dispatch
// may write both: no kernel may read one of its arguments and write another in the
// same memory. The plan of the arena does not see to that, since a value that one
// operation reads for the last time may lie where the next one writes.
func sumsFor(sum, norm *engine.Tensor) bool {
	return sum.Op == engine.OpAdd && norm.Src[0] == sum && apart(sum.Src[0], norm) && apart(sum.Src[1], norm)
}

// apart reports whether two values share no byte.
func apart(a, b *engine.Tensor) bool {
	return a.Offset+a.Bytes() <= b.Offset || b.Offset+b.Bytes() <= a.Offset
}

// Reach is how many later operations may run while one still does: those that one
// dispatch computes together, and those that should not wait for a barrier just
// because memory is reused. See [engine.Reacher].
const Reach = 2
