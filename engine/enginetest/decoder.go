package enginetest

import (
	"math"

	"inglenook/engine"
)

// Decoder is a Llama-like decoder with random weights: RMSNorm, grouped-query
// attention with rotary positions, SwiGLU, logits by the embedding table.
type Decoder struct {
	Layers, Hidden, Heads, KVHeads, Inner, Vocab int

	Weights, Cache engine.DType
	Capacity       int  // rows of the caches
	Last           bool // logits of the last token only
	Repeat         bool // weights repeat 64 random rows: large ones are made at once
}

// Loaded is a decoder with its weights and caches.
type Loaded struct {
	Decoder
	table, norm *engine.Tensor
	layers      []decoderLayer
	rotary      *engine.Rotary
}

type decoderLayer struct {
	attentionNorm, q, k, v, o    *engine.Tensor
	feedForwardNorm              *engine.Tensor
	gate, up, down, keys, values *engine.Tensor
}

// Load makes the weights and empty caches.
func (d Decoder) Load() *Loaded {
	seed := uint64(1000)
	weight := func(name string, rows, cols int) *engine.Tensor {
		seed++
		deviation := float32(1 / math.Sqrt(float64(cols)))
		if d.Repeat {
			return engine.NewWeight(name, d.Weights, rows, cols, NewRepeated(d.Weights, cols, deviation))
		}
		return RandomWeight(name, d.Weights, rows, cols, deviation, seed)
	}
	norm := func(name string) *engine.Tensor {
		seed++
		return RandomWeight(name, engine.F32, 1, d.Hidden, 1, seed)
	}
	size := d.Hidden / d.Heads
	kv := d.KVHeads * size
	l := &Loaded{Decoder: d, table: weight("table", d.Vocab, d.Hidden), norm: norm("norm"), rotary: NewRotary(size, size, 10000, false, 0)}
	for range d.Layers {
		l.layers = append(l.layers, decoderLayer{
			attentionNorm: norm("attention norm"), feedForwardNorm: norm("feed-forward norm"),
			q: weight("q", d.Hidden, d.Hidden), k: weight("k", kv, d.Hidden), v: weight("v", kv, d.Hidden), o: weight("o", d.Hidden, d.Hidden),
			gate: weight("gate", d.Inner, d.Hidden), up: weight("up", d.Inner, d.Hidden), down: weight("down", d.Hidden, d.Inner),
			keys: engine.NewCache("keys", d.Cache, d.Capacity, kv), values: engine.NewCache("values", d.Cache, d.Capacity, kv),
		})
	}
	return l
}

// Pass records a pass over ids that continue after past rows in the caches; the
// result is their logits [len(ids), Vocab], or those of the last.
func (l *Loaded) Pass(g *engine.Graph, past int, ids ...int32) *engine.Tensor {
	positions := make([]int32, len(ids))
	for i := range positions {
		positions[i] = int32(past + i)
	}
	at, start := g.Ints("positions", positions), g.Ints("past", []int32{int32(past)})
	norm := engine.RMSNormParams{Epsilon: 1e-6}
	linear := func(x, w *engine.Tensor) *engine.Tensor { return g.Linear(x, w, nil, engine.None) }
	x := g.Scale(g.Embed(l.table, g.Ints("ids", ids)), float32(math.Sqrt(float64(l.Hidden))))
	for _, layer := range l.layers {
		h := g.RMSNorm(x, layer.attentionNorm, norm)
		q, k, v := linear(h, layer.q), linear(h, layer.k), linear(h, layer.v)
		q, k = g.RoPE(q, at, l.rotary), g.RoPE(k, at, l.rotary)
		h = g.CausalAttention(q, k, v, layer.keys, layer.values, start, engine.CausalAttentionParams{
			Heads: l.Heads, KVHeads: l.KVHeads, Scale: float32(1 / math.Sqrt(float64(l.Hidden/l.Heads))),
		})
		x = g.Add(x, linear(h, layer.o))
		h = g.RMSNorm(x, layer.feedForwardNorm, norm)
		h = g.Gate(linear(h, layer.gate), linear(h, layer.up), engine.SiLU)
		x = g.Add(x, linear(h, layer.down))
	}
	if l.Last {
		x = g.Rows(x, g.Ints("last", []int32{int32(len(ids) - 1)}))
	}
	return g.Want(g.SoftCap(linear(g.RMSNorm(x, l.norm, norm), l.table), 30))
}

// Bytes returns the size of the weights that a token reads. The table counts once, as the
// weight of the last product.
func (l *Loaded) Bytes() (n int) {
	n = l.table.Bytes()
	for _, layer := range l.layers {
		for _, w := range []*engine.Tensor{layer.q, layer.k, layer.v, layer.o, layer.gate, layer.up, layer.down} {
			n += w.Bytes()
		}
	}
	return n
}

// Release releases weights and caches.
func (l *Loaded) Release() {
	l.table.Release()
	l.norm.Release()
	for _, layer := range l.layers {
		for _, t := range []*engine.Tensor{
			layer.attentionNorm, layer.q, layer.k, layer.v, layer.o, layer.feedForwardNorm,
			layer.gate, layer.up, layer.down, layer.keys, layer.values,
		} {
			t.Release()
		}
	}
}

// Record records consecutive passes of the given lengths over generated ids, and
// wants the logits of each.
func (l *Loaded) Record(g *engine.Graph, lengths ...int) (results []*engine.Tensor) {
	past := 0
	for _, n := range lengths {
		results = append(results, l.Pass(g, past, l.IDs(past, n)...))
		past += n
	}
	return results
}

// IDs returns n ids for the positions from past on.
func (l *Loaded) IDs(past, n int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32((31*(past+i) + 7) % l.Vocab)
	}
	return ids
}

// decoder is small enough for the reference; its rows are whole blocks.
func decoder(weights, cache engine.DType) Decoder {
	return Decoder{Layers: 2, Hidden: 256, Heads: 8, KVHeads: 2, Inner: 512, Vocab: 96, Weights: weights, Cache: cache, Capacity: 40}
}

// chunked attends to the same rows in one pass and in several shorter ones, each
// on its own caches. A last query over each of the two caches must return the
// same bits: the wanted result is their difference, which is zero.
func chunked(cache engine.DType, window int) func(g *engine.Graph) []*engine.Tensor {
	const heads, kvHeads, size, n = 4, 2, 32, 50
	p := engine.CausalAttentionParams{Heads: heads, KVHeads: kvHeads, Scale: 0.2, Window: window}
	return func(g *engine.Graph) []*engine.Tensor {
		q, k, v := Random(1, (n+1)*heads*size), Random(2, (n+1)*kvHeads*size), Random(3, (n+1)*kvHeads*size)
		var probes, results []*engine.Tensor
		for _, lengths := range [][]int{{n}, {1, 7, 1, 16, 2, 23}, {33, 17}} {
			keys := engine.NewCache("keys", cache, n+5, kvHeads*size)
			values := engine.NewCache("values", cache, n+5, kvHeads*size)
			attend := func(past, rows int) *engine.Tensor {
				part := func(name string, x []float32, cols int) *engine.Tensor {
					return g.Floats(name, rows, x[past*cols:(past+rows)*cols])
				}
				return g.CausalAttention(part("q", q, heads*size), part("k", k, kvHeads*size), part("v", v, kvHeads*size),
					keys, values, g.Ints("past", []int32{int32(past)}), p)
			}
			past := 0
			for _, rows := range lengths {
				results = append(results, g.Want(attend(past, rows)))
				past += rows
			}
			probes = append(probes, attend(n, 1))
		}
		for _, probe := range probes[1:] {
			results = append(results, g.Want(g.Add(probes[0], g.Scale(probe, -1))))
		}
		return results
	}
}
