package enginetest

import "inglenook/engine"

func causalConvCases() (cs []Case) {
	for i, cols := range sizes {
		for _, taps := range []int{2, 3, 4, 7} {
			for _, rows := range []int{1, 2, 9} {
				cs = append(cs, Case{
					Op: engine.OpCausalConv, Rows: rows, Cols: cols, Weights: weightTypes[(i+rows)%len(weightTypes)], Activation: []engine.Activation{engine.SiLU, engine.None, engine.GELU}[(i+taps)%3],
					Recurrence: &Recurrence{Taps: taps, Past: []int{0, 1, 5}[(i+rows)%3]}, Tolerance: close32,
				})
			}
		}
	}
	return append(cs,
		Case{Op: engine.OpCausalConv, Rows: 130, Cols: 6144, Activation: engine.SiLU, Recurrence: &Recurrence{Taps: 4, Past: 64}, Tolerance: close32},
		Case{Op: engine.OpCausalConv, Rows: 3, Cols: 65, Activation: engine.SiLU, Deviation: 1e4, Recurrence: &Recurrence{Taps: 4, Past: 2}, Tolerance: close32},
	)
}

func deltaRuleCases() (cs []Case) {
	for i, r := range []Recurrence{
		{Heads: 1, Value: 1, Keys: 1, Size: 1},
		{Heads: 3, Value: 7, Keys: 1, Size: 5},
		{Heads: 6, Value: 12, Keys: 2, Size: 12},
		{Heads: 4, Value: 16, Keys: 2, Size: 16},
		{Heads: 2, Value: 33, Keys: 2, Size: 31},
		{Heads: 4, Value: 64, Keys: 4, Size: 64},
		{Heads: 4, Value: 65, Keys: 2, Size: 96},
		{Heads: 4, Value: 128, Keys: 2, Size: 128},
		{Heads: 2, Value: 96, Keys: 1, Size: 256},
	} {
		for j, rows := range []int{1, 2, 9, 65} {
			r.Past, r.Tiled, r.Decayed = []int{0, 1, 70}[(i+j)%3], j%2 == 1, []float32{0, -4, 3}[(i+j/2)%3]
			x := r
			cs = append(cs, Case{Op: engine.OpDeltaRule, Rows: rows, Weights: weightTypes[(i+j)%len(weightTypes)], Recurrence: &x, Tolerance: close32})
		}
	}
	return append(cs,
		Case{Op: engine.OpDeltaRule, Rows: 5, Deviation: 1e-5, Recurrence: &Recurrence{Heads: 2, Value: 32, Keys: 2, Size: 32, Past: 4}, Tolerance: close32},
		Case{Op: engine.OpDeltaRule, Rows: 5, Deviation: 100, Recurrence: &Recurrence{Heads: 2, Value: 32, Keys: 2, Size: 32, Past: 4, Decayed: 30}, Tolerance: close32},
	)
}
