package enginetest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"inglenook/engine"
)

// Mixture is the use of experts in a case. Logits are the values of Route.
type Mixture struct {
	Experts, TopK int
	Sigmoid       bool
	Normalize     bool
	Biased        bool // Route: a bias that decides more than the scores do
	Scaled        bool // Route: a scale for each expert
	Ties          bool // Route: logits of a few values only
	Each          bool // Experts: a row of x for each slot
	Alone         bool // Experts: all rows go to the same experts
}

func (m *Mixture) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d experts", m.TopK, m.Experts)
	for _, w := range []struct {
		set  bool
		word string
	}{{m.Sigmoid, "sigmoid"}, {m.Normalize, "normalized"}, {m.Biased, "biased"}, {m.Scaled, "scaled"}, {m.Ties, "ties"}, {m.Each, "each"}, {m.Alone, "alone"}} {
		if w.set {
			b.WriteString(" " + w.word)
		}
	}
	return b.String()
}

// routes records Route with random logits.
func (c Case) routes(g *engine.Graph, experts int) *engine.Tensor {
	m := c.Mixture
	logits := Random(c.Seed+70, c.Rows*experts)
	for i := range logits {
		if c.Deviation != 0 {
			logits[i] *= c.Deviation
		}
		if m.Ties {
			logits[i] = float32(math.Round(float64(logits[i])))
		}
		if m.Alone {
			logits[i] = float32(i % experts)
		}
	}
	vector := func(name string, set bool, seed uint64) *engine.Tensor {
		if !set {
			return nil
		}
		return RandomWeight(name, engine.F32, 1, experts, 1, c.Seed+seed)
	}
	return g.Route(g.Floats("logits", c.Rows, logits), vector("bias", m.Biased, 80), vector("scale", m.Scaled, 90),
		engine.RouteParams{TopK: m.TopK, Sigmoid: m.Sigmoid, Normalize: m.Normalize, Epsilon: 1e-6, Factor: c.Factor})
}

func (c Case) experts(g *engine.Graph) *engine.Tensor {
	m := c.Mixture
	routes := c.routes(g, m.Experts)
	flat := c.matrix(m.Experts*c.Outputs, c.Cols, 1/math.Sqrt(float64(c.Cols)))
	w := engine.NewStack("w", flat.DType, m.Experts, c.Outputs, c.Cols, flat.Source())
	var bias *engine.Tensor
	if c.Bias {
		bias = RandomWeight("bias", engine.F32, m.Experts, c.Outputs, 1, c.Seed+300)
	}
	if m.Each {
		c.Cols *= m.TopK
	}
	return g.Experts(c.x(g, "x"), routes, w, bias)
}

func routeCases() (cs []Case) {
	for _, size := range []struct{ experts, k int }{{1, 1}, {2, 1}, {4, 2}, {5, 5}, {8, 3}, {31, 4}, {32, 4}, {33, 32}, {128, 8}, {256, 8}, {512, 10}} {
		for _, rows := range []int{1, 3, 65} {
			for i := range 8 {
				m := Mixture{Experts: size.experts, TopK: size.k, Sigmoid: i&1 > 0, Normalize: i&2 > 0, Biased: i&4 > 0, Scaled: (i+rows)%3 == 0}
				cs = append(cs, Case{Op: engine.OpRoute, Rows: rows, Cols: size.experts, Mixture: &m, Tolerance: 1e-6})
			}
			ties := Mixture{Experts: size.experts, TopK: size.k, Normalize: true, Ties: true}
			cs = append(cs, Case{Op: engine.OpRoute, Rows: rows, Cols: size.experts, Mixture: &ties, Tolerance: 1e-6})
		}
	}
	for _, deviation := range []float32{1e-6, 30, 1e4} {
		for _, sigmoid := range []bool{false, true} {
			m := Mixture{Experts: 64, TopK: 6, Sigmoid: sigmoid}
			cs = append(cs, Case{Op: engine.OpRoute, Rows: 9, Cols: 64, Mixture: &m, Deviation: deviation, Factor: 2.5, Tolerance: 1e-6})
		}
	}
	return cs
}

func expertsCases() (cs []Case) {
	mixtures := []Mixture{{Experts: 1, TopK: 1}, {Experts: 4, TopK: 2}, {Experts: 8, TopK: 3}, {Experts: 5, TopK: 5}, {Experts: 32, TopK: 4}}
	rows := []int{1, 2, 7, 40}
	n := 0
	add := func(d engine.DType, in, out int, tolerance, nmse float64) {
		for _, m := range mixtures {
			c := Case{Op: engine.OpExperts, Rows: rows[n%len(rows)], Cols: in, Outputs: out, Weights: d, Bias: n%2 == 0, Mixture: &m, Tolerance: tolerance, MaxNMSE: nmse}
			m.Each, m.Alone = n%3 == 1, n%5 == 2
			c.Bits = d.Quantized() && n%4 == 3
			cs = append(cs, c)
			n++
		}
	}
	for _, d := range engine.WeightTypes() {
		if d.Quantized() {
			add(d, 2*d.Block(), 40, 0, rounded8)
			add(d, 3*d.Block(), 7, 0, rounded8)
			add(d, 512, 96, 0, rounded8)
			continue
		}
		add(d, 33, 17, close32, 0)
		add(d, 64, 64, close32, 0)
		add(d, 7, 1, close32, 0)
		add(d, 260, 131, close32, 0)
	}
	for _, rows := range []int{1, 150} { // sizes of real layers, and an expert with many rows
		for _, d := range []engine.DType{engine.Q4_K, engine.MXFP4, engine.BF16} {
			m := Mixture{Experts: 16, TopK: 4, Alone: rows > 1}
			c := Case{Op: engine.OpExperts, Rows: rows, Cols: 768, Outputs: 320, Weights: d, Mixture: &m, Tolerance: close32}
			if d.Quantized() {
				c.MaxNMSE = rounded8
			}
			cs = append(cs, c)
		}
	}
	return cs
}

func mixCases() (cs []Case) {
	for _, cols := range sizes {
		for _, k := range []int{1, 3, 8} {
			cs = append(cs, Case{Op: engine.OpMix, Rows: 1 + cols%5, Cols: cols, Mixture: &Mixture{Experts: 8, TopK: k, Normalize: true}, Tolerance: close32})
		}
	}
	return cs
}

// route picks and weighs experts. Without a bias the logits order them, so that no
// rounding of scores makes two equal.
func route(op *engine.Tensor, in []Matrix, out Matrix) {
	p := op.Params.(engine.RouteParams)
	for i := range out.Rows {
		logits := in[0].Row(i)
		scores := append([]float64(nil), logits...)
		if p.Sigmoid {
			for e, x := range scores {
				scores[e] = sigmoid(x)
			}
		} else {
			softmax(scores)
		}
		keys, ordered := append([]float64(nil), logits...), true
		for e := range keys {
			if !in[1].absent() {
				keys[e] = scores[e] + in[1].Values[e]
			}
			ordered = ordered && !math.IsNaN(keys[e])
		}
		picks, weights, total := out.Row(i)[:p.TopK], out.Row(i)[p.TopK:], 0.0
		taken := make([]bool, len(keys))
		for k := range picks {
			best := k
			if ordered {
				best = -1
				for e, key := range keys {
					if !taken[e] && (best < 0 || key > keys[best]) {
						best = e
					}
				}
				taken[best] = true
			}
			picks[k], weights[k] = float64(best), scores[best]
			if !ordered {
				weights[k] = math.NaN()
			}
			total += weights[k]
		}
		for k := range weights {
			if p.Normalize {
				weights[k] /= total + float64(p.Epsilon)
			}
			if p.Factor != 0 {
				weights[k] *= float64(p.Factor)
			}
			if !in[2].absent() {
				weights[k] *= in[2].Values[int(picks[k])]
			}
		}
	}
}

func experts(op *engine.Tensor, in []Matrix, out Matrix) {
	x, routes, w, bias := in[0], in[1], in[2], in[3]
	slots := routes.Cols / 2
	each := out.Cols / slots
	for i := range out.Rows {
		for s := range slots {
			row := x.Row(i)
			if x.Cols != w.Cols {
				row = row[s*w.Cols : (s+1)*w.Cols]
			}
			expert := int(routes.Row(i)[s])
			for j := range each {
				sum := dot(row, w.Row(expert*each+j))
				if !bias.absent() {
					sum += bias.Row(expert)[j]
				}
				out.Row(i)[s*each+j] = sum
			}
		}
	}
}

func mix(_ *engine.Tensor, in []Matrix, out Matrix) {
	y, routes := in[0], in[1]
	slots := routes.Cols / 2
	for i := range out.Rows {
		for s := range slots {
			for j := range out.Cols {
				out.Row(i)[j] += routes.Row(i)[slots+s] * y.Row(i)[s*out.Cols+j]
			}
		}
	}
}

// unordered checks that a row of logits with a NaN gets the first experts with weights
// of NaN, and that the other rows do not notice.
func unordered(t *testing.T, b engine.Backend) {
	const rows, experts, k = 3, 40, 4
	for _, at := range []int{0, 1, 39} {
		logits := Random(1, rows*experts)
		logits[experts+at] = float32(math.NaN())
		g := engine.NewGraph()
		r := g.Want(g.Route(g.Floats("logits", rows, logits), nil, nil, engine.RouteParams{TopK: k, Normalize: true}))
		want, err := Evaluate(g)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Run(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		got, err := g.Result(r)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got {
			if w := want[r].Values[i]; math.IsNaN(w) != math.IsNaN(float64(v)) || math.Abs(w-float64(v)) > 1e-6 {
				t.Errorf("NaN at %d: value %d is %v, want %v", at, i, v, w)
			}
		}
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
