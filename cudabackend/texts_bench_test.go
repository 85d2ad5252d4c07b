package cudabackend

import (
	"fmt"
	"math"
	"testing"
	"time"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// encoder has random weights in the shape of all-MiniLM-L6-v2.
type encoder struct {
	table, norm, normBias *engine.Tensor
	layers                []encoderLayer
}

type encoderLayer struct {
	w, bias  [6]*engine.Tensor // q, k, v, o, up, down
	norms    [2]*engine.Tensor
	normBias [2]*engine.Tensor
}

const encoderHidden, encoderHeads, encoderVocab = 384, 12, 30522

func newEncoder(d engine.DType) *encoder {
	weight := func(d engine.DType, rows, cols int) *engine.Tensor {
		return engine.NewWeight("w", d, rows, cols, enginetest.NewRepeated(d, cols, float32(1/math.Sqrt(float64(cols)))))
	}
	vector := func(cols int) *engine.Tensor { return weight(engine.F32, 1, cols) }
	e := &encoder{table: weight(d, encoderVocab, encoderHidden), norm: vector(encoderHidden), normBias: vector(encoderHidden)}
	for range 6 {
		var l encoderLayer
		for i, shape := range [6][2]int{{384, 384}, {384, 384}, {384, 384}, {384, 384}, {1536, 384}, {384, 1536}} {
			l.w[i], l.bias[i] = weight(d, shape[0], shape[1]), vector(shape[0])
		}
		for i := range l.norms {
			l.norms[i], l.normBias[i] = vector(encoderHidden), vector(encoderHidden)
		}
		e.layers = append(e.layers, l)
	}
	return e
}

// texts returns the ids of texts of equal length, and where each begins.
func texts(texts, length int) (ids, starts []int32) {
	ids, starts = make([]int32, texts*length), make([]int32, texts+1)
	for i := range ids {
		ids[i] = int32((31*i + 7) % encoderVocab)
	}
	for i := range starts {
		starts[i] = int32(i * length)
	}
	return ids, starts
}

// pass records a pass over texts, to their vectors.
func (e *encoder) pass(g *engine.Graph, ids, starts []int32) *engine.Tensor {
	at := g.Ints("starts", starts)
	x := g.LayerNorm(g.Embed(e.table, g.Ints("ids", ids)), nil, e.norm, e.normBias, 1e-12)
	for _, l := range e.layers {
		linear := func(x *engine.Tensor, i int, act engine.Activation) *engine.Tensor {
			return g.Linear(x, l.w[i], l.bias[i], act)
		}
		q, k, v := linear(x, 0, engine.None), linear(x, 1, engine.None), linear(x, 2, engine.None)
		h := g.Attention(q, k, v, at, nil, engine.AttentionParams{Heads: encoderHeads, Scale: float32(1 / math.Sqrt(encoderHidden/encoderHeads))})
		x = g.LayerNorm(linear(h, 3, engine.None), x, l.norms[0], l.normBias[0], 1e-12)
		x = g.LayerNorm(linear(linear(x, 4, engine.GELU), 5, engine.None), x, l.norms[1], l.normBias[1], 1e-12)
	}
	return g.Want(g.L2Normalize(g.Pool(x, at, engine.PoolMean)))
}

// BenchmarkTexts measures passes of an encoder from ids to vectors on the host: 256 texts of
// 128 tokens, in passes as the program makes them, and one.
func BenchmarkTexts(b *testing.B) {
	backend := card(b)
	for _, d := range []engine.DType{engine.F32, engine.F16} {
		e := newEncoder(d)
		for _, count := range []int{256, 1} {
			b.Run(fmt.Sprintf("%s/%d", d, count), func(b *testing.B) {
				g := engine.NewGraph()
				defer g.Close()
				g.Rounds = true // as the program's own passes of encoders do
				each := min(count, backend.BatchRows()/128)
				ids, starts := texts(each, 128)
				submitted, recorded := &submits{Backend: backend}, time.Duration(0)
				run := func() {
					for first := 0; first < count; first += each {
						n := min(each, count-first)
						begin := time.Now()
						g.Reset()
						y := e.pass(g, ids[:128*n], starts[:n+1])
						recorded += time.Since(begin)
						if _, err := g.Run(b.Context(), submitted); err != nil {
							b.Fatal(err)
						}
						if _, err := g.Result(y); err != nil {
							b.Fatal(err)
						}
					}
				}
				run()
				run()
				submitted.took, recorded = 0, 0
				for b.Loop() {
					run()
				}
				b.ReportMetric(float64(count*b.N)/b.Elapsed().Seconds(), "texts/s")
				b.ReportMetric(recorded.Seconds()*1e6/float64(b.N), "record-us")
				b.ReportMetric(submitted.took.Seconds()*1e6/float64(b.N), "submit-us")
				b.Log(byOperation(b, backend, func(g *engine.Graph) { e.pass(g, ids, starts) }, g))
			})
		}
	}
}
