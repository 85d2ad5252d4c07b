package models_test

import (
	"slices"
	"strings"
	"testing"

	"inglenook/cpubackend"
	"inglenook/engine"
	"inglenook/models"
)

// TestKeptDistances: what DeBERTa keeps between passes does not show in a result. Texts of changing
// length, one after the other and several at once, get the same bits as each alone in a graph of
// its own.
func TestKeptDistances(t *testing.T) {
	cpu, err := cpubackend.New(cpubackend.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cpu.Close() })
	found := 0
	for _, c := range checkpoints(t) {
		if !strings.HasPrefix(c.name, "heads/deberta") {
			continue
		}
		found++
		t.Run(c.name, func(t *testing.T) {
			text := func(n int) (ids []int32) {
				for i := range n {
					ids = append(ids, int32(3+(7*i+n)%(c.model.Config().Vocab-3)))
				}
				return ids
			}
			most := c.model.Config().MaxTokens
			shared := engine.NewGraph()
			defer shared.Close()
			for _, lengths := range [][]int{{5}, {min(40, most)}, {5}, {1, 3, most}, {2}, {9, most}, {17}} {
				b := models.Batch{Starts: []int32{0}}
				var alone []float32
				for _, n := range lengths {
					b.Tokens = append(b.Tokens, text(n)...)
					b.Starts = append(b.Starts, int32(len(b.Tokens)))
					own := engine.NewGraph()
					alone = append(alone, hidden(t, own, cpu, c.model, models.Batch{Tokens: text(n), Starts: []int32{0, int32(n)}})...)
					own.Close()
				}
				if got := hidden(t, shared, cpu, c.model, b); !slices.Equal(got, alone) {
					t.Errorf("texts of %v tokens differ from each alone", lengths)
				}
			}
		})
	}
	if found < 8 {
		t.Errorf("only %d checkpoints of DeBERTa", found)
	}
}

func hidden(t *testing.T, g *engine.Graph, b engine.Backend, m models.Model, batch models.Batch) []float32 {
	t.Helper()
	g.Reset()
	x := g.Want(m.Forward(g, batch, models.Hidden))
	if _, err := g.Run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	values, err := g.Result(x)
	if err != nil {
		t.Fatal(err)
	}
	return values
}
