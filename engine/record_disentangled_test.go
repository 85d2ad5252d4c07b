package engine_test

import (
	"strings"
	"testing"

	"inglenook/engine"
)

// TestDisentangledRefusals: what cannot be computed is refused in words while recording.
func TestDisentangledRefusals(t *testing.T) {
	type call struct {
		distances            []int32
		keys, queries        int // rows of the tables, 0 for none
		heads, cols, starts2 int
		scale                float32
	}
	good := call{distances: []int32{0, 1, 2, 2, 3}, keys: 4, queries: 4, heads: 2, cols: 6, starts2: 3, scale: 1}
	record := func(c call) error {
		g := engine.NewGraph()
		defer g.Close()
		x := func(name string) *engine.Tensor { return g.Floats(name, 3, make([]float32, 18)) }
		table := func(name string, rows int) *engine.Tensor {
			if rows == 0 {
				return nil
			}
			return g.Floats(name, rows, make([]float32, rows*c.cols))
		}
		g.Disentangled(x("q"), x("k"), x("v"), g.Ints("starts", []int32{0, int32(c.starts2)}), g.Ints("distances", c.distances), table("keys", c.keys), table("queries", c.queries),
			engine.DisentangledParams{Heads: c.heads, Scale: c.scale})
		return g.Err()
	}
	if err := record(good); err != nil {
		t.Fatal(err)
	}
	for say, change := range map[string]func(*call){
		"4 heads":                         func(c *call) { c.heads = 4 },
		"starts reach from 0 to 2":        func(c *call) { c.starts2 = 2 },
		"do not reach through a text":     func(c *call) { c.distances = []int32{0, 1, 2} },
		"4 distances do not reach":        func(c *call) { c.distances = []int32{0, 1, 2, 3} },
		"there is no table":               func(c *call) { c.keys, c.queries = 0, 0 },
		"rows 0 to 3 of the table [3":     func(c *call) { c.keys, c.queries = 3, 3 },
		"rows -1 to 3 of the table":       func(c *call) { c.distances = []int32{-1, 1, 2, 2, 3} },
		"less than the one before it":     func(c *call) { c.distances = []int32{0, 3, 2, 2, 3} },
		"the tables [4 6] and [5 6] diff": func(c *call) { c.queries = 5 },
		"does not fit 6 columns":          func(c *call) { c.cols = 4 },
		"scale 0 is no positive number":   func(c *call) { c.scale = 0 },
	} {
		c := good
		change(&c)
		if err := record(c); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%q: %v", say, err)
		}
	}
}
