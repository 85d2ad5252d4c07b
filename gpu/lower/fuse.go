package lower

import "inglenook/engine"

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
func sameOrApart(a, b *engine.Tensor) bool { return a.Offset == b.Offset || apart(a, b) }

// apart reports whether two values share no byte.
func apart(a, b *engine.Tensor) bool {
	return a.Offset+a.Bytes() <= b.Offset || b.Offset+b.Bytes() <= a.Offset
}

// Reach is over how many operations dispatches may be at work at a time: those
// that one dispatch computes together, and those between which no barrier should
// come just because memory is used again. See [engine.Reacher].
const Reach = 2
