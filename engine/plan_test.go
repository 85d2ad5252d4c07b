package engine

import (
	"testing"

	"pgregory.net/rapid"
)

// randomGraph records inputs and additions of random sizes. An addition takes any two
// values of the same height.
func randomGraph(t *rapid.T, g *Graph) {
	byRows := map[int][]*Tensor{}
	var heights []int
	input := func() {
		rows := rapid.IntRange(1, 70).Draw(t, "rows")
		x := g.Floats("x", rows, make([]float32, 5*rows))
		if len(byRows[rows]) == 0 {
			heights = append(heights, rows)
		}
		byRows[rows] = append(byRows[rows], x)
	}
	input()
	for range rapid.IntRange(1, 60).Draw(t, "steps") {
		if rapid.IntRange(0, 4).Draw(t, "kind") == 0 {
			input()
			continue
		}
		rows := rapid.SampledFrom(heights).Draw(t, "height")
		a := rapid.SampledFrom(byRows[rows]).Draw(t, "a")
		b := rapid.SampledFrom(byRows[rows]).Draw(t, "b")
		y := g.Add(a, b)
		if rapid.IntRange(0, 5).Draw(t, "wanted") == 0 {
			g.Want(y)
		}
		byRows[rows] = append(byRows[rows], y)
	}
}

// lifetime restates the planner's rule plainly. A value lives from its recording, an
// input from the start, to the last operation that reads it; a result lives to the end.
func lifetime(values []*Tensor, t *Tensor) (first, last int) {
	for i, op := range values {
		if op == t {
			first, last = i, max(last, i)
		}
		for _, s := range op.Src {
			if s == t {
				last = i
			}
		}
	}
	if t.Op == OpInput {
		first = 0
	}
	if t.want {
		last = len(values)
	}
	return first, last
}

func checkPlan(t interface{ Errorf(string, ...any) }, values []*Tensor, reach, size int) {
	naive := 0
	for i, a := range values {
		naive += (a.Bytes() + align - 1) / align * align
		if a.Offset%align != 0 || a.Offset < 0 || a.Offset+a.Bytes() > size {
			t.Errorf("value %d has bytes %d to %d in an arena of %d", i, a.Offset, a.Offset+a.Bytes(), size)
		}
		firstA, lastA := lifetime(values, a)
		for j, b := range values[:i] {
			firstB, lastB := lifetime(values, b)
			alive := firstA <= lastB+reach && firstB <= lastA+reach
			shared := a.Offset < b.Offset+b.Bytes() && b.Offset < a.Offset+a.Bytes()
			if alive && shared {
				t.Errorf("values %d and %d are alive together and share bytes", i, j)
			}
		}
	}
	if size > naive {
		t.Errorf("the arena takes %d bytes, one after the other would take %d", size, naive)
	}
}

func TestPlanSharesNoLiveByte(t *testing.T) {
	l := new(layout) // knows the graph before
	rapid.Check(t, func(t *rapid.T) {
		g := NewGraph()
		randomGraph(t, g)
		if err := g.Err(); err != nil {
			t.Fatal(err)
		}
		reach := rapid.IntRange(0, 5).Draw(t, "reach")
		size := l.plan(g.slab.values(), reach)
		checkPlan(t, g.slab.values(), reach, size)
		offsets := make([]int, len(g.slab.values()))
		for i, v := range g.slab.values() {
			offsets[i] = v.Offset
		}
		if again := l.plan(g.slab.values(), reach); again != size {
			t.Errorf("planning again gives %d bytes instead of %d", again, size)
		}
		for i, v := range g.slab.values() {
			if v.Offset != offsets[i] {
				t.Errorf("planning again moves value %d", i)
			}
		}
	})
}

// A chain needs room for only two neighbours, however long it is.
func TestPlanReusesMemory(t *testing.T) {
	g := NewGraph()
	x := g.Floats("x", 16, make([]float32, 16*16))
	for range 100 {
		x = g.Add(x, x)
	}
	g.Want(x)
	if size, want := new(layout).plan(g.slab.values(), 0), 2*16*16*4; size != want {
		t.Errorf("a chain takes %d bytes, want %d", size, want)
	}
	checkPlan(t, g.slab.values(), 0, new(layout).plan(g.slab.values(), 0))
}

// A backend that reaches over two operations can fuse a gated pair of products: their
// operands still exist when the Gate writes, and no other operation reads the two.
func TestGateWithItsProducts(t *testing.T) {
	for _, wanted := range []bool{false, true} {
		g := NewGraph()
		h := g.Scale(g.Floats("x", 1, make([]float32, 8)), 2)
		w := func(name string) *Tensor { return NewWeight(name, F32, 64, 8, nil) }
		gate, up := g.Linear(h, w("gate"), nil, None), g.Linear(h, w("up"), nil, None)
		y := g.Gate(gate, up, SiLU)
		if wanted {
			g.Want(up)
		}
		g.Want(g.Scale(y, 2))
		if err := g.Err(); err != nil {
			t.Fatal(err)
		}
		new(layout).plan(g.slab.values(), 2)
		if y.Offset < h.Offset+h.Bytes() && h.Offset < y.Offset+y.Bytes() {
			t.Errorf("the gate at %d overwrites what its operands were made from, at %d", y.Offset, h.Offset)
		}
		if !gate.Passing() || up.Passing() == wanted || h.Passing() {
			t.Errorf("wanted %v: read once and not wanted are gate %v, up %v, the value before %v", wanted, gate.Passing(), up.Passing(), h.Passing())
		}
	}
}

func TestPlanOfNothing(t *testing.T) {
	if size := new(layout).plan(nil, 0); size != 0 {
		t.Errorf("an empty graph takes %d bytes", size)
	}
}

func BenchmarkPlan(b *testing.B) {
	g := NewGraph()
	x := g.Floats("x", 128, make([]float32, 128*64))
	for range 60 { // about the number of values of a decoder of 22 layers
		h := g.L2Normalize(x)
		for range 4 {
			h = g.Add(h, x)
		}
		x = g.Add(x, h)
	}
	g.Want(x)
	for b.Loop() { // as if it were new each time
		new(layout).plan(g.slab.values(), 0)
	}
	b.ReportMetric(float64(len(g.slab.values())), "values")
}
