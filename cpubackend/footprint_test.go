package cpubackend

import (
	"context"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// The footprint of an operation is the memory that its preparation keeps, in every type
// of weight. A table that Linear has in panels serves Embed as well.
func TestFootprint(t *testing.T) {
	b, err := New(Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, d := range engine.WeightTypes() {
		t.Run(d.String(), func(t *testing.T) {
			g := engine.NewGraph()
			defer g.Close()
			w := enginetest.RandomWeight("table", d, 70, 512, 1, 1)
			bias := enginetest.RandomWeight("bias", engine.F16, 1, 70, 1, 1)
			defer w.Release()
			defer bias.Release()
			x := g.Embed(w, g.Ints("ids", []int32{1, 2, 3}))
			g.Want(g.Linear(x, w, bias, engine.None))
			all, report, err := g.Footprints(b)
			if err != nil {
				t.Fatal(err)
			}
			if err := g.Prepare(context.Background(), nil, b); err != nil {
				t.Fatal(err)
			}
			var kept int64
			for _, tensor := range []*engine.Tensor{w, bias} {
				for kind := asPanels; kind <= asFloats; kind++ {
					if tensor.Holds(b.keys[kind]) {
						m, err := tensor.Prepared(b.keys[kind], nil)
						if err != nil {
							t.Fatal(err)
						}
						kept += mapped(len(m.(*memory).HostMemory))
					}
				}
			}
			if all[0].Weights != kept {
				t.Errorf("it says %d bytes of weights and keeps %d", all[0].Weights, kept)
			}
			if _, err := g.Run(context.Background(), b); err != nil {
				t.Fatal(err)
			}
			levels := int64(0)
			for _, m := range b.levels {
				if m != nil {
					levels += mapped(len(m.HostMemory))
				}
			}
			if working := all[0].Working - int64(report.ArenaBytes); d.Quantized() && working > levels {
				t.Errorf("it says %d bytes of levels, there are %d", working, levels)
			}
		})
	}
}
