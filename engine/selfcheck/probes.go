package selfcheck

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"sync"

	"inglenook/engine"
	"inglenook/engine/quant"
)

// recorder records probes: each kind of operation with deterministic data.
type recorder struct {
	g      *engine.Graph
	types  []engine.DType // of matrices
	shapes bool           // record without data
	seed   uint64
	wanted []*engine.Tensor

	weights, caches []*engine.Tensor // to be released
}

// Shapes records every form of the operations without data, with matrices of the
// given types: enough for [engine.Graph.Coverage].
func Shapes(g *engine.Graph, ops []engine.Op, types []engine.DType) {
	r := recorder{g: g, types: types, shapes: true}
	for _, op := range ops {
		probes[op](&r)
	}
}

// random returns n values of a normal distribution.
func (r *recorder) random(n int, deviation float32) []float32 {
	v := make([]float32, n)
	if r.shapes {
		return v
	}
	r.seed++
	source := rand.New(rand.NewPCG(r.seed, 7))
	for i := range v {
		v[i] = deviation * float32(source.NormFloat64())
	}
	return v
}

func (r *recorder) x(rows, cols int) *engine.Tensor {
	return r.g.Floats("x", rows, r.random(rows*cols, 1))
}

func (r *recorder) weight(d engine.DType, rows, cols int, deviation float32) *engine.Tensor {
	if r.shapes {
		return engine.NewWeight("w", d, rows, cols, nil)
	}
	data := make([]byte, rows*d.RowBytes(cols))
	if d.Quantized() {
		pool := blocks(d, deviation)
		for n := 0; n < len(data); {
			n += copy(data[n:], pool)
		}
	} else {
		quant.Quantize(d, r.random(rows*cols, deviation), data)
	}
	w := engine.NewWeight("w", d, rows, cols, bytes.NewReader(data))
	r.weights = append(r.weights, w)
	return w
}

// pools keeps the blocks of a type with a deviation. All weights of it repeat the same ones, as finding
// the scales of blocks takes longer than the rest of the check.
var pools sync.Map

// blocks returns a number of blocks that divides no row.
func blocks(d engine.DType, deviation float32) []byte {
	type key struct {
		d         engine.DType
		deviation float32
	}
	if pool, ok := pools.Load(key{d, deviation}); ok {
		return pool.([]byte)
	}
	const some = 61
	pool := make([]byte, d.RowBytes(some*d.Block()))
	quant.Quantize(d, (&recorder{seed: uint64(d)}).random(some*d.Block(), deviation), pool)
	pools.Store(key{d, deviation}, pool)
	return pool
}

func (r *recorder) cache(d engine.DType, rows, cols int) *engine.Tensor {
	c := engine.NewCache("cache", d, rows, cols)
	r.caches = append(r.caches, c)
	return c
}

func (r *recorder) want(t *engine.Tensor) { r.wanted = append(r.wanted, r.g.Want(t)) }

func (r *recorder) release(lists ...[]*engine.Tensor) error {
	var errs []error
	for _, list := range lists {
		for _, t := range list {
			errs = append(errs, t.Release())
		}
	}
	return errors.Join(errs...)
}

// rowCounts select the different kernels of backends: for one row, a few, many.
var rowCounts = []int{1, 4, 35}

// probes record each operation: with odd sizes, which test the edges, and with
// those of real models, which take the fast paths.
var probes = map[engine.Op]func(*recorder){
	engine.OpEmbed: embed, engine.OpLinear: linear, engine.OpAdd: add, engine.OpLayerNorm: layerNorm,
	engine.OpAttention: attention, engine.OpRows: rows, engine.OpPool: pool, engine.OpL2Normalize: l2Normalize,
	engine.OpRMSNorm: rmsNorm, engine.OpRoPE: rope, engine.OpGate: gate, engine.OpScale: scale, engine.OpSoftCap: softCap,
	engine.OpCausalAttention: causalAttention, engine.OpCrossAttention: crossAttention,
	engine.OpRoute: route, engine.OpExperts: experts, engine.OpMix: mix,
	engine.OpCausalConv: causalConv, engine.OpDeltaRule: deltaRule,
	engine.OpDisentangled: disentangled, engine.OpJoin: join,
}

func embed(r *recorder) {
	for _, d := range r.types {
		r.want(r.g.Embed(r.weight(d, 11, 256, 1), r.g.Ints("ids", []int32{10, 0, 3, 3, 7})))
	}
}

func linear(r *recorder) {
	for _, d := range r.types {
		for _, n := range rowCounts {
			r.want(r.g.Linear(r.x(n, 512), r.weight(d, 70, 512, 0.05), r.weight(engine.F32, 1, 70, 1), engine.None))
		}
	}
	for _, act := range engine.Activations() {
		r.want(r.g.Linear(r.x(3, 64), r.weight(engine.F32, 37, 64, 0.2), nil, act))
	}
	for _, d := range engine.PlainTypes() {
		r.want(r.g.Linear(r.x(5, 33), r.weight(d, 17, 33, 0.2), nil, engine.None))
	}
}

func add(r *recorder) {
	r.want(r.g.Add(r.x(3, 33), r.x(3, 33)))
	r.want(r.g.Add(r.x(9, 256), r.x(9, 256)))
}

func layerNorm(r *recorder) {
	for _, d := range engine.PlainTypes() {
		for _, cols := range []int{33, 384} {
			r.want(r.g.LayerNorm(r.x(5, cols), r.x(5, cols), r.weight(d, 1, cols, 1), r.weight(d, 1, cols, 1), 1e-5))
			r.want(r.g.LayerNorm(r.x(5, cols), nil, r.weight(d, 1, cols, 1), nil, 1e-12))
		}
	}
}

func attention(r *recorder) {
	for _, size := range []int{20, 32, 64} {
		p := engine.AttentionParams{Heads: 3, Scale: 0.2, MaxDistance: 64}
		starts := r.g.Ints("starts", []int32{0, 1, 10, 50})
		q := func() *engine.Tensor { return r.x(50, 3*size) }
		r.want(r.g.Attention(q(), q(), q(), starts, nil, p))
		for _, d := range engine.PlainTypes() {
			r.want(r.g.Attention(q(), q(), q(), starts, r.weight(d, 32, 3, 1), p))
		}
		near := engine.AttentionParams{Heads: 3, Scale: 0.2, Reach: 6}
		before := engine.AttentionParams{Heads: 3, Scale: 0.2, Causal: true, Slopes: []float32{0.5, 0.125, 0.03125}}
		r.want(r.g.Attention(q(), q(), q(), starts, nil, near))
		r.want(r.g.Attention(q(), q(), q(), starts, nil, before))
	}
}

func disentangled(r *recorder) {
	distances := make([]int32, 2*40-1)
	for i := range distances {
		distances[i] = int32(i / 2)
	}
	for _, size := range []int{20, 64} {
		starts := r.g.Ints("starts", []int32{0, 1, 10, 50})
		q := func() *engine.Tensor { return r.x(50, 3*size) }
		far := r.g.Ints("distances", distances)
		r.want(r.g.Disentangled(q(), q(), q(), starts, far, r.x(40, 3*size), r.x(40, 3*size), engine.DisentangledParams{Heads: 3, Scale: 0.2}))
	}
}

func rows(r *recorder) {
	r.want(r.g.Rows(r.x(9, 65), r.g.Ints("i", []int32{8, 0, 8, 3})))
}

func join(r *recorder) {
	r.want(r.g.Join(r.x(1, 65), r.x(3, 65)))
	r.want(r.g.Join(r.x(2, 512), r.x(1, 512), r.x(1, 512), r.x(5, 512)))
}

func pool(r *recorder) {
	starts := r.g.Ints("starts", []int32{0, 1, 6, 40})
	r.want(r.g.Pool(r.x(40, 65), starts, engine.PoolModes()...))
}

func l2Normalize(r *recorder) {
	r.want(r.g.L2Normalize(r.x(3, 384)))
	r.want(r.g.L2Normalize(r.x(3, 7)))
}

func rmsNorm(r *recorder) {
	for _, d := range engine.PlainTypes() {
		r.want(r.g.RMSNorm(r.x(5, 2048), r.weight(d, 1, 2048, 1), engine.RMSNormParams{Epsilon: 1e-5}))
		r.want(r.g.RMSNorm(r.x(5, 3*80), r.weight(d, 1, 80, 1), engine.RMSNormParams{Epsilon: 1e-6, Offset: 1})) // of heads
	}
}

func rope(r *recorder) {
	for _, interleaved := range []bool{false, true} {
		for _, s := range []struct{ head, turned int }{{64, 64}, {80, 32}} {
			rotary := &engine.Rotary{HeadSize: s.head, Interleaved: interleaved}
			for i := range s.turned / 2 {
				rotary.Frequencies = append(rotary.Frequencies, 1/float32(1+i))
			}
			r.want(r.g.RoPE(r.x(3, 2*s.head), r.g.Ints("positions", []int32{0, 7, 1000}), rotary))
		}
	}
}

func gate(r *recorder) {
	for _, act := range engine.Activations() {
		r.want(r.g.Gate(r.x(3, 129), r.x(3, 129), act))
		r.want(r.g.Gate(r.x(3, 129), nil, act))
	}
	r.want(r.g.ShapedGate(r.x(3, 129), r.x(3, 129), engine.GateParams{Activation: engine.QuickGELU, Limit: 0.5, Shift: 1}))
}

func route(r *recorder) {
	for _, sigmoid := range []bool{false, true} {
		for _, experts := range []int{5, 128} {
			r.want(r.g.Route(r.x(3, experts), r.weight(engine.F32, 1, experts, 1), r.weight(engine.F32, 1, experts, 1), engine.RouteParams{TopK: 4, Sigmoid: sigmoid, Normalize: true}))
			r.want(r.g.Route(r.x(3, experts), nil, nil, engine.RouteParams{TopK: 2, Sigmoid: sigmoid, Factor: 2}))
		}
	}
}

func experts(r *recorder) {
	const count, k, out = 6, 2, 38
	stack := func(d engine.DType, cols int) *engine.Tensor {
		w := engine.NewStack("w", d, count, out, cols, r.weight(d, count*out, cols, 0.05).Source())
		r.weights = append(r.weights, w)
		return w
	}
	for _, d := range r.types {
		for _, n := range rowCounts {
			routes := r.g.Route(r.x(n, count), nil, nil, engine.RouteParams{TopK: k})
			r.want(r.g.Experts(r.x(n, 512), routes, stack(d, 512), r.weight(engine.F32, count, out, 1)))
			r.want(r.g.Experts(r.x(n, k*256), routes, stack(d, 256), nil))
		}
	}
}

func mix(r *recorder) {
	routes := r.g.Route(r.x(3, 9), nil, nil, engine.RouteParams{TopK: 4})
	r.want(r.g.Mix(r.x(3, 4*65), routes))
}

func scale(r *recorder) { r.want(r.g.Scale(r.x(3, 129), 2.5)) }

func softCap(r *recorder) { r.want(r.g.SoftCap(r.x(3, 129), 0.5)) }

func causalAttention(r *recorder) {
	for _, d := range engine.CacheTypes() {
		for _, p := range []engine.CausalAttentionParams{
			{Heads: 4, KVHeads: 2, Scale: 0.125},
			{Heads: 2, KVHeads: 2, Scale: 0.125, Window: 9, SoftCap: 3},
			{Heads: 4, KVHeads: 1, Scale: 0.125, Slopes: []float32{0.5, 0.25, 0.125, 0.0625}},
			{Heads: 4, KVHeads: 4, Scale: 0.125, MaxDistance: 20},
		} {
			const size = 64
			keys, values := r.cache(d, 45, p.KVHeads*size), r.cache(d, 45, p.KVHeads*size)
			past := 0
			for _, n := range []int{35, 4, 1} { // each continues where the previous one ended
				q, k, v := r.x(n, p.Heads*size), r.x(n, p.KVHeads*size), r.x(n, p.KVHeads*size)
				at := r.g.Ints("past", []int32{int32(past)})
				switch {
				case p.MaxDistance > 0:
					r.want(r.g.RelativeAttention(q, k, v, keys, values, at, r.weight(engine.F32, 16, p.Heads, 1), p))
				case p.Window > 0:
					r.want(r.g.SinkAttention(q, k, v, keys, values, at, r.weight(engine.F32, 1, p.Heads, 1), p))
				default:
					r.want(r.g.CausalAttention(q, k, v, keys, values, at, p))
				}
				past += n
			}
		}
	}
}

func crossAttention(r *recorder) {
	const heads, size, held = 4, 64, 35
	for _, d := range engine.CacheTypes() {
		keys, values := r.cache(d, held, heads*size), r.cache(d, held, heads*size)
		k, v := r.x(held, heads*size), r.x(held, heads*size)
		past := 0
		for _, n := range rowCounts {
			r.want(r.g.CrossAttention(r.x(n, heads*size), k, v, keys, values, r.g.Ints("past", []int32{int32(past)}), engine.CrossAttentionParams{Heads: heads, Scale: 0.125}))
			k, v, past = nil, nil, held
		}
	}
}
