package engine_test

import (
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// A table that is used twice counts once. An operation that falls back counts on the
// device that it falls back to. Both devices need an arena.
func TestFootprints(t *testing.T) {
	g := engine.NewGraph()
	defer g.Close()
	table, norm := engine.NewWeight("table", engine.F16, 100, 64, nil), engine.NewWeight("norm", engine.F32, 1, 64, nil)
	x := g.Embed(table, g.Ints("ids", []int32{1, 2}))
	x = g.RMSNorm(x, norm, engine.RMSNormParams{Epsilon: 1e-5})
	g.Want(g.Linear(x, table, nil, engine.None))
	first, last := &enginetest.ReferenceBackend{ID: "first", Refuses: []engine.Op{engine.OpRMSNorm}}, &enginetest.ReferenceBackend{}
	all, report, err := g.Footprints(engine.NewGuard(first), last)
	if err != nil {
		t.Fatal(err)
	}
	arena := int64(report.ArenaBytes)
	if arena == 0 || all[0] != (engine.Footprint{Weights: 100 * 64 * 2, Working: arena}) || all[1] != (engine.Footprint{Weights: 4 * 64, Working: arena}) {
		t.Errorf("they are %+v with an arena of %d bytes", all, arena)
	}
	if all[0].Total() != 100*64*2+arena {
		t.Errorf("together %d bytes", all[0].Total())
	}
}
