package nn

import (
	"bytes"
	"encoding/binary"
	"math"

	"inglenook/engine"
)

// Warming says how the queries of a model grow with the position, so that attention
// stays sharp in long texts (Llama 4; Nakanishi 2025, arXiv:2501.19399): by
// 1 + Rate·ln(1 + ⌊position/Every⌋).
type Warming struct {
	Rate      float64 // 0 = not at all
	Every     int     // positions of a step
	Positions int     // of the longest text
}

// Steps returns how many factors there are.
func (w Warming) Steps() int { return w.Positions/w.Every + 1 }

// Of returns the growth of queries of so many columns, nil if they do not grow.
func (w Warming) Of(cols int) *Growth {
	if w.Rate == 0 {
		return nil
	}
	table := make([]float32, 0, w.Steps()*cols)
	for i := range w.Steps() {
		factor := float32(1 + w.Rate*math.Log(float64(1+i)))
		for range cols {
			table = append(table, factor)
		}
	}
	var data bytes.Buffer
	_ = binary.Write(&data, binary.NativeEndian, table) // a buffer takes all
	return &Growth{
		every: w.Every,
		table: Embedding{engine.NewWeight("the growth of queries", engine.F32, w.Steps(), cols, bytes.NewReader(data.Bytes()))},
	}
}

// Growth has the factor of each step, once for each column [steps, cols].
type Growth struct {
	every int
	table Embedding
}

// Forward records the factors of the tokens, [tokens, cols], nil if there are none. Beyond
// the longest text they stay what they were.
func (w *Growth) Forward(p Pass) *engine.Tensor {
	if w == nil {
		return nil
	}
	steps := make([]int32, len(p.ids))
	for i := range steps {
		steps[i] = int32(min(int(p.at[i])/w.every, w.table.Table.Rows-1))
	}
	return w.table.Forward(p.Graph, p.Graph.Ints("steps of positions", steps))
}
