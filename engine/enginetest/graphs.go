package enginetest

import (
	"fmt"
	"math"

	"inglenook/engine"
)

// A Program is a whole graph of several operations, wanted results included.
type Program struct {
	Name      string
	Tolerance float64 // as in a Case
	MaxNMSE   float64
	Record    func(g *engine.Graph) []*engine.Tensor
}

// Programs are graphs that combine operations: shared weights and inputs, mixed
// weight types, long-lived values, several results.
func Programs() []Program {
	programs := []Program{
		{"tied weight", close32, 0, tiedWeight},
		{"encoder of one short text", close32, 0, func(g *engine.Graph) []*engine.Tensor {
			return Encoder{Layers: 2, Hidden: 48, Heads: 4, Inner: 100, Vocab: 50}.Record(g, 3)
		}},
		{"encoder of ragged texts", close32, 0, func(g *engine.Graph) []*engine.Tensor {
			return Encoder{Layers: 3, Hidden: 60, Heads: 3, Inner: 129, Vocab: 70, Buckets: 32, Weights: engine.F16}.Record(g, ragged...)
		}},
		{"encoder like MiniLM", close32, 0, func(g *engine.Graph) []*engine.Tensor {
			return MiniLM(2).Record(g, 1, 17, 40)
		}},
		{"value used at once and at the end", close32, 0, residualStream},
		{"the same value twice", close32, 0, sameValueTwice},
		{"decoder in f32", close32, 0, passes(engine.F32, engine.F32)},
		// a value between two numbers of the cache may round to either
		{"decoder in f16", roundedPasses, 0, passes(engine.F16, engine.F16)},
		{"decoder in q8_0", 0, roundedPasses, passes(engine.Q8_0, engine.Q8_0)},
		{"decoder in q4_k", 0, roundedPasses, passes(engine.Q4_K, engine.F16)},
	}
	for _, cache := range cacheTypes {
		for _, window := range []int{0, 9} {
			name := fmt.Sprintf("the same rows in passes of other lengths, cache %s window %d", cache, window)
			programs = append(programs, Program{name, close32 / 2, 0, chunked(cache, window)})
		}
	}
	return programs
}

// passes records a prompt and some single tokens after it.
func passes(weights, cache engine.DType) func(g *engine.Graph) []*engine.Tensor {
	return func(g *engine.Graph) []*engine.Tensor {
		return decoder(weights, cache).Load().Record(g, 17, 1, 1, 5, 1)
	}
}

// tiedWeight looks ids up in a table and multiplies by the same table.
func tiedWeight(g *engine.Graph) []*engine.Tensor {
	table := RandomWeight("table", engine.F16, 70, 33, 0.3, 1)
	x := g.Embed(table, g.Ints("ids", []int32{0, 69, 7, 7, 12}))
	return []*engine.Tensor{g.Want(g.Linear(x, table, nil, engine.None)), g.Want(x)}
}

func residualStream(g *engine.Graph) []*engine.Tensor {
	first := g.Floats("x", 9, Random(5, 9*40))
	x := first
	for i := range 6 {
		w := RandomWeight("w", weightTypes[i%len(weightTypes)], 40, 40, 0.2, uint64(i))
		x = g.Add(x, g.Linear(x, w, nil, engine.SiLU))
	}
	return []*engine.Tensor{g.Want(g.Add(x, first)), g.Want(g.L2Normalize(first))}
}

func sameValueTwice(g *engine.Graph) []*engine.Tensor {
	x := g.Floats("x", 6, Random(6, 6*32))
	starts := g.Ints("starts", Starts(2, 4))
	w := RandomWeight("norm", engine.F32, 1, 32, 1, 7)
	y := g.Attention(x, x, x, starts, nil, engine.AttentionParams{Heads: 4, Scale: 0.3})
	y = g.LayerNorm(y, y, w, w, 1e-5)
	return []*engine.Tensor{g.Want(g.Pool(g.Add(y, y), starts, engine.PoolMean))}
}

// Encoder is a BERT-like encoder with random weights: embeddings, layers of
// attention and feed-forward with residuals, mean pooling, L2 normalization.
type Encoder struct {
	Layers, Hidden, Heads, Inner, Vocab int
	Buckets                             int // relative position bias, 0 for none
	Weights                             engine.DType
}

// MiniLM is an encoder of all-MiniLM-L6-v2's sizes with a small vocabulary.
func MiniLM(layers int) Encoder {
	return Encoder{Layers: layers, Hidden: 384, Heads: 12, Inner: 1536, Vocab: 200}
}

// Record records the forward pass of texts of the given lengths. The results
// are the vectors [texts, Hidden] and the last hidden state [rows, Hidden].
func (e Encoder) Record(g *engine.Graph, lengths ...int) []*engine.Tensor {
	n, seed := total(lengths), uint64(1)
	weight := func(rows, cols int, deviation float64) *engine.Tensor {
		seed++
		return RandomWeight("w", e.Weights, rows, cols, float32(deviation), seed)
	}
	linear := func(x *engine.Tensor, out int, act engine.Activation) *engine.Tensor {
		return g.Linear(x, weight(out, x.Cols, 1/math.Sqrt(float64(x.Cols))), weight(1, out, 0.1), act)
	}
	norm := func(x, residual *engine.Tensor) *engine.Tensor {
		return g.LayerNorm(x, residual, weight(1, e.Hidden, 1), weight(1, e.Hidden, 0.1), 1e-12)
	}

	ids, positions := make([]int32, 0, n), make([]int32, 0, n)
	for _, length := range lengths {
		for i := range length {
			ids = append(ids, int32((len(ids)*31+7)%e.Vocab))
			positions = append(positions, int32(i))
		}
	}
	starts := g.Ints("starts", Starts(lengths...))
	var bias *engine.Tensor
	if e.Buckets > 0 {
		bias = weight(e.Buckets, e.Heads, 1)
	}

	x := norm( // [n, hidden]
		g.Embed(weight(e.Vocab, e.Hidden, 1), g.Ints("ids", ids)),
		g.Embed(weight(512, e.Hidden, 1), g.Ints("positions", positions)))
	for range e.Layers {
		q, k, v := linear(x, e.Hidden, engine.None), linear(x, e.Hidden, engine.None), linear(x, e.Hidden, engine.None)
		h := g.Attention(q, k, v, starts, bias, engine.AttentionParams{
			Heads: e.Heads, Scale: float32(1 / math.Sqrt(float64(e.Hidden/e.Heads))), MaxDistance: 128,
		})
		x = norm(linear(h, e.Hidden, engine.None), x)
		x = norm(linear(linear(x, e.Inner, engine.GELU), e.Hidden, engine.None), x)
	}
	vectors := g.L2Normalize(g.Pool(x, starts, engine.PoolMean))
	return []*engine.Tensor{g.Want(vectors), g.Want(x)}
}
