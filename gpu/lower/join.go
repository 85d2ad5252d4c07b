package lower

import "inglenook/engine"

// joinArgs is JoinArgs of join.metal.
type joinArgs struct{ n uint32 }

const joinThreads = 64

// lowerJoin has a dispatch for each operand, which copies it to its place.
func lowerJoin(l *Lowerer, t *engine.Tensor) {
	v := vectorOf(t.Cols)
	at := l.value(t)
	for _, x := range t.Src {
		at.Size = x.Bytes()
		n := x.Len() / int(v)
		launch(l, t, v.of("join_1", "join_4"), joinArgs{uint32(n)}).
			bind(1, l.value(x)).bind(2, at).
			over(ceilDiv(n, joinThreads), 1, 1, joinThreads)
		at.Offset += at.Size
	}
}
