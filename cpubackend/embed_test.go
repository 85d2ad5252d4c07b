package cpubackend

import (
	"bytes"
	"slices"
	"testing"

	"inglenook/engine"
	"inglenook/engine/quant"
)

// Rows of a table in a block type have the values of package quant, to the bit.
func TestEmbedBlockTypes(t *testing.T) {
	const rows, cols = 7, 512
	ids := []int32{6, 0, 3, 3, 1}
	for _, d := range engine.WeightTypes() {
		if !d.Quantized() {
			continue
		}
		data, values := make([]byte, d.RowBytes(rows*cols)), make([]float32, rows*cols)
		quant.Quantize(d, randomFloats(rows*cols), data)
		quant.Dequantize(d, data, values)
		var want []float32
		for _, id := range ids {
			want = append(want, values[int(id)*cols:][:cols]...)
		}
		for _, isa := range ISAs() {
			g := engine.NewGraph()
			table := engine.NewWeight("table", d, rows, cols, bytes.NewReader(data))
			out := g.Want(g.Embed(table, g.Ints("ids", ids)))
			if _, err := g.Run(t.Context(), open(t, Options{ISA: isa, Threads: 2})); err != nil {
				t.Fatal(err)
			}
			if got, _ := g.Result(out); !slices.Equal(got, want) {
				t.Errorf("%s %s: rows of the table are wrong", isa, d)
			}
			g.Close()
			table.Release()
		}
	}
}
