package lower

import (
	"encoding/binary"
	"fmt"

	"inglenook/engine"
)

// poolArgs is PoolArgs of pool.metal.
type poolArgs struct{ columns, modes int32 }

// checkPool refuses more modes than fit into a command.
func checkPool(t *engine.Tensor) error {
	if n := len(t.Params.(engine.PoolParams).Modes); 4*n > maxTable {
		return fmt.Errorf("%d ways of pooling do not fit into a command: %w", n, engine.ErrNoKernel)
	}
	return nil
}

func lowerPool(l *Lowerer, t *engine.Tensor) {
	x, modes := t.Src[0], t.Params.(engine.PoolParams).Modes
	table := make([]byte, 0, 4*len(modes))
	for _, m := range modes {
		table = binary.NativeEndian.AppendUint32(table, uint32(m))
	}
	launch(l, t, "pool", poolArgs{int32(x.Cols), int32(len(modes))}).
		bind(1, l.value(x)).bind(2, l.value(t.Src[1])).bind(3, l.inline(table)).bind(4, l.value(t)).
		over(t.Rows, ceilDiv(x.Cols, simdWidth), len(modes), simdWidth)
}
