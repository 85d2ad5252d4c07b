package cpubackend

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// benchThreads lets the benchmarks run on one core of a busy machine.
var benchThreads = flag.Int("threads", 0, "threads of the benchmarks, 0 for one a core")

// randomWeight makes a weight with values around zero, the same at every call.
func randomWeight(name string, d engine.DType, rows, cols int) *engine.Tensor {
	if d.Quantized() {
		return enginetest.RandomBits(name, d, rows, cols, uint64(len(name)))
	}
	r := rand.New(rand.NewPCG(1, uint64(len(name))))
	data := make([]byte, rows*cols*d.BlockBytes())
	for i := range rows * cols {
		bits := math.Float32bits(float32(r.NormFloat64()) / 16)
		switch d {
		case engine.BF16:
			binary.LittleEndian.PutUint16(data[2*i:], uint16(bits>>16))
		case engine.F16: // sign, exponent 2^-4 to 2^-1, random mantissa
			binary.LittleEndian.PutUint16(data[2*i:], uint16(bits>>16&0x8000|(11+bits>>8&3)<<10|bits&0x3ff))
		default:
			binary.LittleEndian.PutUint32(data[4*i:], bits)
		}
	}
	return engine.NewWeight(name, d, rows, cols, bytes.NewReader(data))
}

func randomFloats(n int) []float32 {
	r := rand.New(rand.NewPCG(2, 3))
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// encoder has the shape of a small BERT; all its layers share one set of shapes.
type encoder struct {
	hidden, inner, heads int
	words                *engine.Tensor
	layers               []encoderLayer
}

type encoderLayer struct {
	q, k, v, o, up, down                    *engine.Tensor
	bq, bk, bv, bo, bup, bdown, norm, shift *engine.Tensor
}

// miniLM is the shape of all-MiniLM-L6-v2 with a small vocabulary.
func miniLM(d engine.DType) *encoder { return newEncoder(d, 6, 384, 1536, 12) }

func newEncoder(d engine.DType, layers, hidden, inner, heads int) *encoder {
	e := &encoder{hidden: hidden, inner: inner, heads: heads, words: randomWeight("words", d, 1000, hidden)}
	for i := range layers {
		w := func(name string, rows, cols int) *engine.Tensor {
			if rows == 1 && d.Quantized() {
				return randomWeight(name, engine.F32, rows, cols)
			}
			return randomWeight(fmt.Sprintf("%d.%s", i, name), d, rows, cols)
		}
		e.layers = append(e.layers, encoderLayer{
			q: w("q", hidden, hidden), k: w("k", hidden, hidden), v: w("v", hidden, hidden), o: w("o", hidden, hidden),
			up: w("up", inner, hidden), down: w("down", hidden, inner),
			bq: w("bq", 1, hidden), bk: w("bk", 1, hidden), bv: w("bv", 1, hidden), bo: w("bo", 1, hidden),
			bup: w("bup", 1, inner), bdown: w("bdown", 1, hidden), norm: w("norm", 1, hidden), shift: w("shift", 1, hidden),
		})
	}
	return e
}

// record records a pass over texts of the given lengths, of which a shorter one is the beginning of a
// longer one; result [texts, hidden].
func (e *encoder) record(g *engine.Graph, lengths ...int) *engine.Tensor {
	starts, ids := []int32{0}, []int32(nil)
	for _, n := range lengths {
		for i := range n {
			ids = append(ids, int32(i*7%1000))
		}
		starts = append(starts, int32(len(ids)))
	}
	at := g.Ints("starts", starts)
	x := g.Embed(e.words, g.Ints("ids", ids))
	for _, l := range e.layers {
		p := engine.AttentionParams{Heads: e.heads, Scale: float32(1 / math.Sqrt(float64(e.hidden/e.heads)))}
		a := g.Attention(g.Linear(x, l.q, l.bq, engine.None), g.Linear(x, l.k, l.bk, engine.None), g.Linear(x, l.v, l.bv, engine.None), at, nil, p)
		x = g.LayerNorm(g.Linear(a, l.o, l.bo, engine.None), x, l.norm, l.shift, 1e-12)
		x = g.LayerNorm(g.Linear(g.Linear(x, l.up, l.bup, engine.GELU), l.down, l.bdown, engine.None), x, l.norm, l.shift, 1e-12)
	}
	return g.Want(g.L2Normalize(g.Pool(x, at, engine.PoolMean)))
}

// flop counts the multiplications and additions of the matrix products of a graph.
func flop(g *engine.Graph, lengths []int) (total float64) {
	for _, op := range g.Ops() {
		switch op.Op {
		case engine.OpLinear:
			total += 2 * float64(op.Len()) * float64(op.Src[0].Cols)
		case engine.OpAttention:
			for _, n := range lengths {
				total += 4 * float64(n*n) * float64(op.Cols)
			}
		}
	}
	return total
}

// mixed returns n lengths from 8 to 128.
func mixed(n int) []int {
	lengths := make([]int, n)
	for i := range lengths {
		lengths[i] = 8 + i*37%121
	}
	return lengths
}

// BenchmarkEncoder measures whole passes: mean and best time, the share of the peak
// rate, and the share of each operation.
func BenchmarkEncoder(b *testing.B) {
	loads := []struct {
		name    string
		lengths []int
	}{
		{"sentence", []int{16}}, {"text", []int{128}}, {"mixed32", mixed(32)}, {"long16", repeat(256, 16)}, {"mixed256", mixed(256)},
	}
	for _, d := range []engine.DType{engine.F32, engine.F16, engine.BF16, engine.Q8_0} {
		e := miniLM(d)
		for _, l := range loads {
			for _, isa := range ISAs() {
				b.Run(fmt.Sprintf("%s/%s/%s", l.name, d, isa), func(b *testing.B) {
					backend := open(b, Options{ISA: isa, Threads: *benchThreads})
					g := engine.NewGraph()
					defer g.Close()
					e.record(g, l.lengths...)
					measure(b, backend, g, flop(g, l.lengths))
				})
			}
		}
	}
}

func repeat(v, n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = v
	}
	return s
}

// BenchmarkLinear measures the matrix products of MiniLM for several numbers of rows.
func BenchmarkLinear(b *testing.B) {
	shapes := []struct{ in, out int }{{384, 384}, {384, 1536}, {1536, 384}}
	for _, d := range []engine.DType{engine.F32, engine.F16, engine.BF16, engine.Q8_0} {
		for _, s := range shapes {
			w, bias := randomWeight("w", d, s.out, s.in), randomWeight("bias", engine.F32, 1, s.out)
			for _, rows := range []int{1, 4, 8, 16, 64, 256, 2048} {
				for _, isa := range ISAs() {
					b.Run(fmt.Sprintf("%dx%d_to_%d/%s/%s", rows, s.in, s.out, d, isa), func(b *testing.B) {
						backend := open(b, Options{ISA: isa, Threads: *benchThreads})
						g := engine.NewGraph()
						defer g.Close()
						g.Want(g.Linear(g.Floats("x", rows, randomFloats(rows*s.in)), w, bias, engine.None))
						measure(b, backend, g, flop(g, nil))
					})
				}
			}
		}
	}
}

// measure runs g and reports two rates and the share of each operation. One rate is
// per second of processor time, which other programs change less than time on the
// clock; the other is that of the best run on the clock. Each is compared with the
// peak of as many threads. It returns the processor time of a run.
func measure(b *testing.B, backend *Backend, g *engine.Graph, flop float64) time.Duration {
	b.Helper()
	once := func() {
		if _, err := g.Run(context.Background(), backend); err != nil {
			b.Fatal(err)
		}
	}
	once()
	best := time.Duration(math.MaxInt64)
	share := map[engine.Op]time.Duration{}
	before := processorTime(b)
	for b.Loop() {
		once()
		var total time.Duration
		for _, op := range g.Ops() {
			share[op.Op] += op.Elapsed
			total += op.Elapsed
		}
		best = min(best, total)
	}
	used := (processorTime(b) - before) / time.Duration(b.N)
	peak, err := backend.Peak(context.Background(), 100*time.Millisecond)
	if err != nil {
		b.Fatal(err)
	}
	threads := float64(backend.Device().Threads)
	b.ReportMetric(best.Seconds()*1e3, "best-ms")
	b.ReportMetric(used.Seconds()*1e3, "cpu-ms")
	b.ReportMetric(100*flop/best.Seconds()/peak, "%peak-best")
	b.ReportMetric(100*flop/used.Seconds()/peak*threads, "%peak-cpu")
	var total time.Duration
	for _, d := range share {
		total += d
	}
	for op, d := range share {
		if len(share) > 1 && d*50 > total {
			b.ReportMetric(100*d.Seconds()/total.Seconds(), "%"+op.String())
		}
	}
	return used
}

// processorTime is what this process has used of all cores.
func processorTime(b testing.TB) time.Duration {
	b.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// decoderAttention is causal attention in several layers of a decoder, each with its
// own caches of `past` rows.
type decoderAttention struct {
	p             engine.CausalAttentionParams
	size          int
	keys, values  []*engine.Tensor
	past, queries int
}

func newDecoderAttention(b *testing.B, d engine.DType, layers, heads, kvHeads, size, past, queries int) *decoderAttention {
	a := &decoderAttention{size: size, past: past, queries: queries}
	a.p = engine.CausalAttentionParams{Heads: heads, KVHeads: kvHeads, Scale: float32(1 / math.Sqrt(float64(size)))}
	for range layers {
		a.keys = append(a.keys, engine.NewCache("keys", d, past+queries, kvHeads*size))
		a.values = append(a.values, engine.NewCache("values", d, past+queries, kvHeads*size))
	}
	b.Cleanup(func() {
		for i := range a.keys {
			a.keys[i].Release()
			a.values[i].Release()
		}
	})
	return a
}

// record records all layers for n rows after the first `past`.
func (a *decoderAttention) record(g *engine.Graph, past, n int) {
	kv := a.p.KVHeads * a.size
	q := g.Floats("q", n, randomFloats(n*a.p.Heads*a.size))
	k, v := g.Floats("k", n, randomFloats(n*kv)), g.Floats("v", n, randomFloats(n*kv))
	at := g.Ints("past", []int32{int32(past)})
	for i := range a.keys {
		g.Want(g.CausalAttention(q, k, v, a.keys[i], a.values[i], at, a.p))
	}
}

// BenchmarkCausalAttention measures decoding (bytes of the caches a second) and
// prompts (share of the peak) on more cache than the processor's own caches hold.
func BenchmarkCausalAttention(b *testing.B) {
	shapes := []struct{ heads, kvHeads, size int }{{32, 4, 64}, {32, 8, 128}, {16, 16, 64}}
	loads := []struct{ past, queries, layers int }{{0, 512, 4}, {2048, 512, 2}, {2048, 1, 24}, {8192, 1, 8}, {2048, 4, 24}}
	for _, s := range shapes {
		for _, d := range []engine.DType{engine.F16, engine.F32, engine.Q8_0} {
			for _, l := range loads {
				for _, isa := range ISAs() {
					b.Run(fmt.Sprintf("%d_after_%d/%d_of_%d_heads_of_%d/%s/%s", l.queries, l.past, s.kvHeads, s.heads, s.size, d, isa), func(b *testing.B) {
						backend := open(b, Options{ISA: isa, Threads: *benchThreads})
						a := newDecoderAttention(b, d, l.layers, s.heads, s.kvHeads, s.size, l.past, l.queries)
						if l.past > 0 {
							g := engine.NewGraph()
							a.record(g, 0, l.past)
							if _, err := g.Run(b.Context(), backend); err != nil {
								b.Fatal(err)
							}
							g.Close()
						}
						g := engine.NewGraph()
						defer g.Close()
						a.record(g, l.past, l.queries)
						seen := float64(l.queries) * (float64(l.past) + float64(l.queries+1)/2)
						used := measure(b, backend, g, 4*float64(l.layers)*seen*float64(s.heads*s.size))
						bytes := 2 * float64(l.layers) * float64(a.keys[0].Bytes())
						b.ReportMetric(bytes/1e9/used.Seconds(), "GB/cpu-s") // of each core
					})
				}
			}
		}
	}
}
