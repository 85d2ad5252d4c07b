package metalbackend

import (
	"encoding/binary"
	"fmt"

	"inglenook/engine"
)

// poolArgs is PoolArgs of kernels/pool.metal.
type poolArgs struct{ columns, modes int32 }

// checkPool: the modes travel inside the command.
func checkPool(_ *Features, t *engine.Tensor) error {
	if n := len(t.Params.(engine.PoolParams).Modes); 4*n > maxTable {
		return fmt.Errorf("%d ways of pooling do not fit into a command: %w", n, engine.ErrNoKernel)
	}
	return nil
}

func lowerPool(l *lowering, t *engine.Tensor) error {
	x, modes := t.Src[0], t.Params.(engine.PoolParams).Modes
	table := make([]byte, 0, 4*len(modes))
	for _, m := range modes {
		table = binary.NativeEndian.AppendUint32(table, uint32(m))
	}
	launch(l, t, "pool", poolArgs{int32(x.Cols), int32(len(modes))}).
		bind(1, l.value(x)).bind(2, l.value(t.Src[1])).bind(3, l.table(table)).bind(4, l.value(t)).
		over(t.Rows, ceilDiv(x.Cols, simdWidth), len(modes), simdWidth)
	return nil
}
