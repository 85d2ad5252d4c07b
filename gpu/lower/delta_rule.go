package lower

import (
	"fmt"

	"inglenook/engine"
)

// deltaRuleArgs is DeltaRuleArgs of delta_rule.metal.
type deltaRuleArgs struct {
	rows, heads, keyHeads, size, value int32
	tiled, logRates, fresh             int32
	epsilon                            float32
}

const (
	mostDeltaParts = 8 // of a column in one lane
	deltaColumns   = 4 // of a threadgroup
)

// checkDeltaRule refuses keys that do not fit into the registers of a simdgroup.
func checkDeltaRule(t *engine.Tensor) error {
	if size := t.Params.(engine.DeltaRuleParams).Size; size > 32*mostDeltaParts {
		return fmt.Errorf("%w for delta_rule with keys of %d columns", engine.ErrNoKernel, size)
	}
	return nil
}

func lowerDeltaRule(l *Lowerer, t *engine.Tensor) {
	p, qkv := t.Params.(engine.DeltaRuleParams), t.Src[0]
	from, to, fresh := l.states(qkv, t.Src[5], t.Src[6])
	parts := 1
	for 32*parts < p.Size {
		parts *= 2
	}
	value := t.Cols / p.Heads
	launch(l, t, [...]string{1: "delta_rule_1", 2: "delta_rule_2", 4: "delta_rule_4", 8: "delta_rule_8"}[parts], deltaRuleArgs{
		int32(t.Rows), int32(p.Heads), int32(p.KeyHeads), int32(p.Size), int32(value), flag(p.Tiled), flag(p.LogRates), fresh, p.Epsilon,
	}).
		bind(1, l.value(qkv)).bind(2, l.value(t.Src[1])).bind(3, l.value(t.Src[2])).bind(4, l.floats(t.Src[3])).bind(5, l.floats(t.Src[4])).
		bind(6, from).bind(7, to).bind(8, l.value(t)).
		over(ceilDiv(value, deltaColumns), p.Heads, 1, 32*deltaColumns)
}
