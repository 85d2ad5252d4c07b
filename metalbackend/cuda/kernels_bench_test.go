package cuda

import (
	"fmt"
	"testing"
	"time"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/gpu"
	"inglenook/gpu/msl"
	"inglenook/metalbackend"
	"inglenook/metalbackend/fake"
	"inglenook/metalbackend/kernels"
)

// BenchmarkKernels measures every operation at sizes of models that people use, by the
// card's own clock: the time of all its dispatches. scripts/cuda.sh compares two
// versions of the kernels by it.
func BenchmarkKernels(b *testing.B) {
	program, err := msl.Parse(kernels.Source())
	if err != nil {
		b.Fatal(err)
	}
	card, err := Open(program)
	if err != nil {
		b.Skip(err)
	}
	defer card.Close()
	for _, p := range measured() {
		b.Run(p.Name, func(b *testing.B) {
			clock := &summed{timer: card, launches: b.N}
			rt, err := fake.New(fake.Options{Executor: clock})
			if err != nil {
				b.Fatal(err)
			}
			backend, err := metalbackend.New(rt, metalbackend.Options{Timeout: 10 * time.Minute})
			if err != nil {
				b.Fatal(err)
			}
			defer backend.Close()
			g := engine.NewGraph()
			defer g.Close()
			p.Record(g)
			if _, err := g.Run(b.Context(), backend); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(clock.took.Nanoseconds()), "ns/op")
			for _, op := range g.Ops() {
				for _, s := range op.Src {
					if s != nil && (s.Op == engine.OpWeight || s.Op == engine.OpCache) {
						s.Release()
					}
				}
			}
		})
	}
}

// summed runs each launch several times and adds up the times of one of each.
type summed struct {
	timer
	launches int
	took     time.Duration
}

func (s *summed) Run(l *gpu.Launch) error {
	took, err := s.Time(l, s.launches)
	s.took += took
	return err
}

// measured are the operations that are measured.
func measured() (all []enginetest.Program) {
	add := func(name string, record func(g *engine.Graph) *engine.Tensor) {
		all = append(all, enginetest.Program{Name: name, Record: func(g *engine.Graph) []*engine.Tensor {
			return []*engine.Tensor{g.Want(record(g))}
		}})
	}
	floats := func(g *engine.Graph, rows, cols int) *engine.Tensor {
		return g.Floats("x", rows, enginetest.Random(1, rows*cols))
	}
	for _, d := range engine.WeightTypes() {
		for _, s := range []struct{ rows, in, out int }{{1, 4096, 14336}, {1, 2048, 2048}, {4, 4096, 4096}, {8, 2048, 8192}, {512, 2048, 2048}} {
			add(fmt.Sprintf("linear %s %d rows %d to %d", d, s.rows, s.in, s.out), func(g *engine.Graph) *engine.Tensor {
				return g.Linear(floats(g, s.rows, s.in), engine.NewWeight("w", d, s.out, s.in, enginetest.NewRepeated(d, s.in, 0.02)), nil, engine.None)
			})
		}
	}
	for _, cache := range []engine.DType{engine.F32, engine.F16, engine.Q8_0} {
		for _, s := range []struct{ rows, past, heads, kv, size int }{
			{1, 500, 32, 8, 64},
			{1, 4000, 32, 8, 128},
			{1, 32_000, 16, 8, 128},
			{1, 4000, 16, 8, 256},
			{1, 4000, 8, 1, 512},
			{4, 1000, 32, 8, 128},
			{512, 0, 32, 8, 64},
			{512, 2000, 32, 8, 128},
			{512, 2000, 16, 8, 256},
			{512, 2000, 8, 1, 512},
		} {
			add(fmt.Sprintf("attention %s %d rows after %d heads %d of %d", cache, s.rows, s.past, s.heads, s.size), func(g *engine.Graph) *engine.Tensor {
				k := floats(g, s.rows, s.kv*s.size)
				return g.CausalAttention(floats(g, s.rows, s.heads*s.size), k, k,
					engine.NewCache("keys", cache, s.past+s.rows, s.kv*s.size), engine.NewCache("values", cache, s.past+s.rows, s.kv*s.size),
					g.Ints("past", []int32{int32(s.past)}), engine.CausalAttentionParams{Heads: s.heads, KVHeads: s.kv, Scale: 0.1})
			})
		}
	}
	add("attention of a text of 512, heads 12 of 64", func(g *engine.Graph) *engine.Tensor {
		x := floats(g, 512, 768)
		return g.Attention(x, x, x, g.Ints("starts", []int32{0, 512}), nil, engine.AttentionParams{Heads: 12, Scale: 0.125})
	})
	for _, rows := range []int{1, 512} {
		const cols = 4096
		row := func(name string, record func(g *engine.Graph, x *engine.Tensor) *engine.Tensor) {
			add(fmt.Sprintf("%s %d rows of %d", name, rows, cols), func(g *engine.Graph) *engine.Tensor { return record(g, floats(g, rows, cols)) })
		}
		weight := func() *engine.Tensor { return enginetest.RandomWeight("w", engine.F32, 1, cols, 1, 2) }
		row("add", func(g *engine.Graph, x *engine.Tensor) *engine.Tensor { return g.Add(x, x) })
		row("scale", func(g *engine.Graph, x *engine.Tensor) *engine.Tensor { return g.Scale(x, 2) })
		row("soft_cap", func(g *engine.Graph, x *engine.Tensor) *engine.Tensor { return g.SoftCap(x, 30) })
		row("gate", func(g *engine.Graph, x *engine.Tensor) *engine.Tensor { return g.Gate(x, x, engine.SiLU) })
		row("rms_norm", func(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
			return g.RMSNorm(x, weight(), engine.RMSNormParams{Epsilon: 1e-5})
		})
		row("rms_norm of a sum", func(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
			return g.RMSNorm(g.Add(x, x), weight(), engine.RMSNormParams{Epsilon: 1e-5})
		})
		row("layer_norm", func(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
			return g.LayerNorm(x, nil, weight(), weight(), 1e-5)
		})
		row("layer_norm of a sum", func(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
			return g.LayerNorm(x, x, weight(), weight(), 1e-5)
		})
		row("l2_normalize", func(g *engine.Graph, x *engine.Tensor) *engine.Tensor { return g.L2Normalize(x) })
		row("pool", func(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
			return g.Pool(x, g.Ints("starts", []int32{0, int32(rows)}), engine.PoolMean)
		})
		row("rope", func(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
			return g.RoPE(x, g.Ints("positions", make([]int32, rows)), enginetest.NewRotary(128, 128, 10000, false, 0))
		})
		row("rows", func(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
			return g.Rows(x, g.Ints("indexes", make([]int32, rows)))
		})
		row("embed", func(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
			return g.Add(x, g.Embed(engine.NewWeight("w", engine.Q4_K, 1000, cols, enginetest.NewRepeated(engine.Q4_K, cols, 0.02)), g.Ints("ids", make([]int32, rows))))
		})
	}
	return all
}
