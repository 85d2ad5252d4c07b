package cpubackend

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/engine/quant"
)

// passage is a text that causal attention reads in chunks.
type passage struct {
	p       engine.CausalAttentionParams
	size    int // of a head
	cache   engine.DType
	chunks  []int
	spare   int // rows of the caches that stay empty
	filled  int // of the first rows only keys and values matter: each sees itself alone, which takes no time
	q, k, v []float32
}

func newPassage(p engine.CausalAttentionParams, size int, cache engine.DType, chunks ...int) *passage {
	n := 0
	for _, c := range chunks {
		n += c
	}
	s := &passage{p: p, size: size, cache: cache, chunks: chunks, spare: 3}
	s.p.Scale = float32(1 / math.Sqrt(float64(size)))
	s.q = enginetest.Random(1, n*p.Heads*size)
	s.k, s.v = enginetest.Random(2, n*p.KVHeads*size), enginetest.Random(3, n*p.KVHeads*size)
	return s
}

func (s *passage) String() string {
	return fmt.Sprintf("%d/%d heads of %d, %s, chunks %v, window %d, cap %v, %d slopes, rounded %v",
		s.p.Heads, s.p.KVHeads, s.size, s.cache, s.chunks, s.p.Window, s.p.SoftCap, len(s.p.Slopes), s.p.RoundBias)
}

// run returns the results of all rows.
func (s *passage) run(t testing.TB, b *Backend) []float32 {
	t.Helper()
	total := 0
	for _, n := range s.chunks {
		total += n
	}
	cols := s.p.KVHeads * s.size
	keys := engine.NewCache("keys", s.cache, total+s.spare, cols)
	values := engine.NewCache("values", s.cache, total+s.spare, cols)
	defer keys.Release()
	defer values.Release()
	var out []float32
	past := 0
	for _, n := range s.chunks {
		g := engine.NewGraph()
		r := g.Want(s.record(g, keys, values, past, n))
		if _, err := g.Run(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		v, err := g.Result(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v...)
		past += n
		g.Close()
	}
	return out
}

func (s *passage) record(g *engine.Graph, keys, values *engine.Tensor, past, n int) *engine.Tensor {
	rows := func(name string, v []float32, cols int) *engine.Tensor {
		return g.Floats(name, n, v[past*cols:(past+n)*cols])
	}
	q := rows("q", s.q, s.p.Heads*s.size)
	k, v := rows("k", s.k, keys.Cols), rows("v", s.v, keys.Cols)
	p := s.p
	if past < s.filled {
		p.Window = 1
	}
	return g.CausalAttention(q, k, v, keys, values, g.Ints("past", []int32{int32(past)}), p)
}

// reference computes the definition in float64, from keys and values rounded as the
// cache rounds them.
func (s *passage) reference() []float64 {
	rounded := func(v []float32) []float32 {
		bytes, r := make([]byte, s.cache.RowBytes(len(v))), make([]float32, len(v))
		quant.Quantize(s.cache, v, bytes)
		quant.Dequantize(s.cache, bytes, r)
		return r
	}
	k, v := rounded(s.k), rounded(s.v)
	cols, kvCols, group := s.p.Heads*s.size, s.p.KVHeads*s.size, s.p.Heads/s.p.KVHeads
	out := make([]float64, len(s.q))
	for i := range len(s.q) / cols {
		for h := range s.p.Heads {
			first := 0
			if s.p.Window > 0 {
				first = max(0, i-s.p.Window+1)
			}
			query := s.q[i*cols+h*s.size:][:s.size]
			scores, largest := make([]float64, i+1-first), math.Inf(-1)
			for j := range scores {
				key := k[(first+j)*kvCols+h/group*s.size:][:s.size]
				for c := range key {
					scores[j] += float64(query[c]) * float64(key[c])
				}
				scores[j] *= float64(s.p.Scale)
				if c := float64(s.p.SoftCap); c > 0 {
					scores[j] = c * math.Tanh(scores[j]/c)
				}
				if s.p.Slopes != nil {
					scores[j] += s.bias(h, first+j)
				}
				largest = max(largest, scores[j])
			}
			total := 0.0
			for j, score := range scores {
				weight := math.Exp(score - largest)
				total += weight
				for c := range s.size {
					out[i*cols+h*s.size+c] += weight * float64(v[(first+j)*kvCols+h/group*s.size+c])
				}
			}
			for c := range s.size {
				out[i*cols+h*s.size+c] /= total
			}
		}
	}
	return out
}

func (s *passage) bias(head, position int) float64 {
	b := float64(s.p.Slopes[head]) * float64(position)
	if s.p.RoundBias {
		b = float64(engine.BF16ToF32(engine.F32ToBF16(s.p.Slopes[head] * float32(position))))
	}
	if s.p.BiasScale != 0 {
		b *= float64(s.p.BiasScale)
	}
	return b
}

func heads(q, kv int) engine.CausalAttentionParams {
	return engine.CausalAttentionParams{Heads: q, KVHeads: kv}
}

// slopes returns those of ALiBi, rounded to bfloat16 if the bias is rounded.
func slopes(n int) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = engine.BF16ToF32(engine.F32ToBF16(float32(math.Exp2(-8 * float64(i+1) / float64(n)))))
	}
	return s
}

func passages() []*passage {
	var all []*passage
	types := []engine.DType{engine.F16, engine.F32, engine.Q8_0}
	for _, d := range types {
		for _, size := range []int{32, 64, 80, 96, 128, 256} {
			all = append(all, newPassage(heads(4, 2), size, d, 5, 1, 40, 1, 33), newPassage(heads(2, 2), size, d, 70, 1))
		}
		all = append(all,
			newPassage(heads(8, 1), 64, d, 1, 1, 1, 30, 1, 1, 130, 2),
			newPassage(heads(12, 12), 32, d, 1, 90, 1),
			newPassage(heads(71, 1), 32, d, 40, 1),
			newPassage(heads(4, 1), 32, d, 1060, 1, 2, 9), // several ranges of keys
		)
	}
	for _, size := range []int{1, 2, 3, 7, 9, 16, 20, 33, 72, 112} { // a cache in Q8_0 has rows of whole blocks
		all = append(all, newPassage(heads(6, 3), size, engine.F16, 3, 1, 50, 1), newPassage(heads(3, 1), size, engine.F32, 3, 1, 50, 1))
	}
	all = append(all, newPassage(heads(8, 4), 8, engine.Q8_0, 40, 1, 20), newPassage(heads(2, 2), 48, engine.Q8_0, 40, 1, 20))
	for _, window := range []int{1, 2, 31, 32, 33, 100, 5000} {
		p := heads(4, 2)
		p.Window = window
		all = append(all, newPassage(p, 32, engine.F16, 150, 1, 1, 40, 1))
	}
	windowed := heads(2, 1)
	windowed.Window = 1100
	all = append(all, newPassage(windowed, 16, engine.F16, 1090, 1, 100, 1, 8))
	capped := heads(2, 1)
	capped.SoftCap = 2
	all = append(all, newPassage(capped, 32, engine.F16, 300, 1, 3))
	biased := heads(4, 4)
	biased.Slopes = slopes(4)
	all = append(all, newPassage(biased, 16, engine.F32, 700, 1, 3))
	biased = heads(4, 1)
	biased.Slopes, biased.BiasScale = slopes(4), 0.125
	all = append(all, newPassage(biased, 16, engine.F16, 1060, 1, 40))
	biased.RoundBias, biased.Window, biased.SoftCap = true, 300, 5
	return append(all, newPassage(biased, 16, engine.F16, 400, 1, 40))
}

func TestCausalAttention(t *testing.T) {
	for _, s := range passages() {
		want := s.reference()
		for _, isa := range ISAs() {
			got := s.run(t, open(t, Options{Threads: 2, ISA: isa}))
			if d := enginetest.Difference(got, want); !(d <= 1e-4) {
				t.Errorf("%s: %v is off by %.2g", isa, s, d)
			}
		}
	}
}

// TestSteady: where Steady says so, rows have the same bits in passes of one row and of up
// to 16. It does not say so everywhere: not of caches of Q8_0, where they have not.
func TestSteady(t *testing.T) {
	windowed := heads(8, 2)
	windowed.Window = 300
	differ := false
	for _, c := range []struct {
		p      engine.CausalAttentionParams
		cache  engine.DType
		before int
	}{
		{heads(8, 2), engine.F16, 100},
		{heads(32, 4), engine.F16, 1000},
		{heads(4, 4), engine.F32, 1007},
		{heads(71, 1), engine.F16, 500},
		{windowed, engine.F16, 200},
		{windowed, engine.F16, 500},
		{heads(8, 2), engine.F16, 2030},
		{heads(32, 4), engine.Q8_0, 100},
	} {
		ones := slices.Repeat([]int{1}, 16)
		alone := newPassage(c.p, 64, c.cache, append([]int{c.before}, ones...)...)
		alone.filled = c.before
		for _, isa := range ISAs() {
			b := open(t, Options{Threads: 2, ISA: isa})
			want, same := alone.run(t, b), true
			for _, rows := range [][]int{{2, 3, 11}, {4, 5, 7}, {8, 8}, {16}} {
				together := *alone
				together.chunks = append([]int{c.before}, rows...)
				same = same && slices.Equal(together.run(t, b), want)
			}
			op := &engine.Tensor{Op: engine.OpCausalAttention, Params: c.p, Src: []*engine.Tensor{nil, nil, nil, {DType: c.cache}}}
			switch says := b.Steady(op, c.before+16); {
			case says && !same:
				t.Errorf("%s: %v: rows differ", isa, alone)
			case !says && c.cache == engine.Q8_0:
				differ = differ || !same
			}
		}
	}
	if !differ {
		t.Error("rows are the same with caches of Q8_0, too")
	}
}

// Where queries see many keys, a piece has few queries. A run then ends soon after it
// is cancelled, and the scratch of a thread does not grow with the cache.
func TestCausalAttentionPieces(t *testing.T) {
	for _, past := range []int{0, 100, 5000, 40_000, 130_000} {
		for _, rows := range []int{1, 2, 7, 100, 512, 4096} {
			for _, h := range []struct{ heads, kvHeads, size int }{{32, 4, 64}, {32, 32, 128}, {71, 1, 64}, {8, 1, 256}} {
				c := cutCausal(rows, past+rows, h.heads, h.kvHeads, h.size)
				group := h.heads / h.kvHeads
				if c.ranges*c.keys < past+rows || (c.ranges-1)*c.keys >= past+rows || c.keys%cacheBlock != 0 {
					t.Errorf("%d rows after %d: %d ranges of %d keys", rows, past, c.ranges, c.keys)
				}
				if work := c.queries * group * min(c.keys, past+rows) * 2 * h.size; c.queries > 1 && work > 1<<28 {
					t.Errorf("%d rows after %d, %v: a piece of %d multiply-adds", rows, past, h, work)
				}
				if need := c.scratch(group, h.size); need > 1<<18 {
					t.Errorf("%d rows after %d, %v: %d floats of scratch", rows, past, h, need)
				}
				if parts := c.ranges * rows * h.heads * h.size; c.ranges > 1 && parts > 1<<23 {
					t.Errorf("%d rows after %d, %v: parts of %d floats", rows, past, h, parts)
				}
			}
		}
	}
}

func TestThreadsDoNotChangeCausalAttention(t *testing.T) {
	for _, s := range []*passage{
		newPassage(heads(8, 2), 64, engine.F16, 1100, 1, 2, 300, 1),
		newPassage(heads(4, 4), 40, engine.F32, 300, 1, 600, 1),
	} {
		for _, isa := range ISAs() {
			want := s.run(t, open(t, Options{Threads: 1, ISA: isa}))
			for _, threads := range []int{2, 3, 16} {
				if !slices.Equal(s.run(t, open(t, Options{Threads: threads, ISA: isa})), want) {
					t.Errorf("%s: %v differs with %d threads", isa, s, threads)
				}
			}
		}
	}
}
