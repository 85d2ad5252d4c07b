package lower

import (
	"fmt"

	"inglenook/engine"
)

// ropeArgs is RoPEArgs of rope.metal.
type ropeArgs struct {
	columns, head, pairs int32
	magnitude            float32
}

const fcRoPEInterleaved = 53

// checkRoPE refuses more frequencies than fit into a command.
func checkRoPE(t *engine.Tensor) error {
	if n := len(t.Params.(*engine.Rotary).Frequencies); 4*n > maxTable {
		return fmt.Errorf("%d frequencies of a rotation do not fit into a command: %w", n, engine.ErrNoKernel)
	}
	return nil
}

func lowerRoPE(l *Lowerer, t *engine.Tensor) {
	r := t.Params.(*engine.Rotary)
	launch(l, t, "rope", newRoPEArgs(t)).
		constant(fcRoPEInterleaved, flag(r.Interleaved)).
		bind(1, l.value(t.Src[0])).bind(2, l.value(t.Src[1])).bind(3, l.inline(engine.BytesOf(r.Frequencies))).bind(4, l.value(t)).
		over(t.Rows, ceilDiv(t.Cols, simdWidth), 1, simdWidth)
}

func newRoPEArgs(t *engine.Tensor) ropeArgs {
	r := t.Params.(*engine.Rotary)
	magnitude := r.Magnitude
	if magnitude == 0 {
		magnitude = 1
	}
	return ropeArgs{int32(t.Cols), int32(r.HeadSize), int32(len(r.Frequencies)), magnitude}
}
