package lower

import "inglenook/engine"

// sumsFor reports whether sum is an Add whose rows norm normalizes, and one dispatch
// may write both.
func sumsFor(sum, norm *engine.Tensor) bool {
	return sum.Op == engine.OpAdd && norm.Src[0] == sum && sameOrApart(sum.Src[0], norm) && sameOrApart(sum.Src[1], norm)
}

// sameOrApart reports whether two values of one size lie at the same place or share
// no byte. Then one dispatch may read a and write b, if it reads each place before it
// writes there. With a partial overlap, a threadgroup could write what another has
// yet to read. The plan of the arena does not prevent that: a value that one
// operation reads for the last time may lie where the next one writes.
func sameOrApart(a, b *engine.Tensor) bool { return a.Offset == b.Offset || apart(a, b) }

// apart reports whether two values share no byte.
func apart(a, b *engine.Tensor) bool {
	return a.Offset+a.Bytes() <= b.Offset || b.Offset+b.Bytes() <= a.Offset
}

// Reach is how many later operations may run while one still does: those that one
// dispatch computes together, and those that should not wait for a barrier just
// because memory is reused. See [engine.Reacher].
const Reach = 2
