package enginetest

import "inglenook/engine"

// blockTypes returns the weight types that store values in blocks.
func blockTypes() (ds []engine.DType) {
	for _, d := range engine.WeightTypes() {
		if d.Quantized() {
			ds = append(ds, d)
		}
	}
	return ds
}

// quantizedLinearCases combine each type with every count of rows and every
// count of outputs, and with inputs of one block, of several and of many.
func quantizedLinearCases() (cs []Case) {
	rows := []int{1, 2, 3, 4, 5, 7, 8, 16, 17, 33, 64, 130}
	outputs := []int{1, 3, 7, 31, 64, 331}
	blocks := []int{1, 2, 3, 5, 8, 4, 7}
	for i, d := range blockTypes() {
		linear := func(rows, in, out int) Case {
			return Case{Op: engine.OpLinear, Rows: rows, Cols: in, Outputs: out, Weights: d, MaxNMSE: rounded8}
		}
		for n, r := range rows {
			in := blocks[(n+i)%len(blocks)] * d.Block()
			for _, out := range []int{outputs[(n+i)%len(outputs)], outputs[(n+i+3)%len(outputs)]} {
				c := linear(r, in, out)
				c.Bias, c.Bits = n%2 == 0, n%3 == 2
				c.Activation = engine.Activation((n + i) % len(engine.Activations()))
				if n%2 == 1 {
					c.Activation = engine.None
				}
				cs = append(cs, c)
			}
		}
		for n, in := range []int{1024, 2048, 5632} {
			c := linear([]int{1, 3, 9}[(n+i)%3], in, 67)
			cs = append(cs, c)
			c.Rows, c.Outputs, c.Bits = 18, 40, true
			cs = append(cs, c)
		}
		for _, rows := range []int{1, 6, 40} {
			c := linear(rows, 512, 96)
			c.Outlier = 1000 // affects only the scales of its block
			cs = append(cs, c)
			c.Outlier, c.ZeroWeight, c.Bias = 0, true, true
			cs = append(cs, c)
			c.ZeroRow, c.ZeroWeight, c.Bias = true, false, false
			cs = append(cs, c)
			c.ZeroRow, c.Deviation = false, 1e-5
			cs = append(cs, c)
			c.Deviation = 1e5
			cs = append(cs, c)
		}
	}
	return cs
}

// outlierCases have the outlier in each eight rows of a tile of 32.
func outlierCases() (cs []Case) {
	for _, d := range blockTypes() {
		for _, after := range []int{4, 12, 20, 28} {
			cs = append(cs, Case{Op: engine.OpLinear, Rows: 32, Cols: 512, Outputs: 96, Weights: d, Outlier: 1000, After: after, MaxNMSE: rounded8})
		}
	}
	return cs
}

func quantizedEmbedCases() (cs []Case) {
	for _, d := range blockTypes() {
		for _, blocks := range []int{1, 3, 8} {
			c := Case{Op: engine.OpEmbed, Rows: 37, Cols: blocks * d.Block(), Outputs: 11, Weights: d, Tolerance: 1e-6}
			cs = append(cs, c)
			c.Bits, c.Outputs = true, 1
			cs = append(cs, c)
		}
	}
	return cs
}
