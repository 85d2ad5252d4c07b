package cpubackend

import (
	"context"
	"errors"
	"flag"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

func open(t testing.TB, o Options) *Backend {
	t.Helper()
	b, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// Every instruction set that this machine has runs every case. The numbers of threads take turns, a
// case each; make sweeps runs every case with each of them.
func TestConformance(t *testing.T) {
	counts := []int{1, 2, 3, 5}
	if testing.Short() {
		counts = []int{3}
	}
	var groups [][]engine.Backend
	for _, threads := range counts {
		var bs []engine.Backend
		for _, isa := range ISAs() {
			bs = append(bs, open(t, Options{Threads: threads, ISA: isa}))
		}
		groups = append(groups, bs)
	}
	enginetest.RunInTurn(t, groups...)
}

func BenchmarkOps(b *testing.B) {
	for _, isa := range ISAs() {
		b.Run(isa, func(b *testing.B) { enginetest.Bench(b, open(b, Options{ISA: isa, Threads: *benchThreads})) })
	}
}

// embed runs the encoder and returns its vectors, one a text.
func embed(t *testing.T, b *Backend, e *encoder, lengths ...int) [][]float32 {
	t.Helper()
	g := engine.NewGraph()
	defer g.Close()
	out := e.record(g, lengths...)
	if _, err := g.Run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	v, err := g.Result(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range v {
		if math.IsNaN(float64(x)) {
			t.Fatal("the result is not a number")
		}
	}
	return slices.Collect(slices.Chunk(v, e.hidden))
}

// batches are the lengths forwards and backwards, so that each text begins at two rows.
func batches(lengths []int) [][]int {
	back := slices.Clone(lengths)
	slices.Reverse(back)
	return [][]int{lengths, back}
}

func TestThreadsDoNotChangeResults(t *testing.T) {
	lengths := []int{1, 7, 300, 16, 96, 97, 2}
	for _, isa := range ISAs() {
		for _, d := range []engine.DType{engine.F32, engine.F16, engine.BF16, engine.Q8_0, engine.Q4_0} {
			e := newEncoder(d, 2, 96, 192, 3)
			want := embed(t, open(t, Options{Threads: 1, ISA: isa}), e, lengths...)
			for _, threads := range []int{2, 3, 8, 64} {
				got := embed(t, open(t, Options{Threads: threads, ISA: isa}), e, lengths...)
				for i := range want {
					if !slices.Equal(got[i], want[i]) {
						t.Errorf("%s %s: text %d differs with %d threads", isa, d, i, threads)
					}
				}
			}
		}
	}
}

// A text's vector is the same to the bit alone and among others.
func TestAloneEqualsBatched(t *testing.T) {
	lengths := []int{1, 2, 3, 5, 6, 7, 13, 40, 128, 300}
	for _, isa := range ISAs() {
		for _, d := range []engine.DType{engine.F32, engine.F16, engine.Q8_0, engine.Q4_0} {
			b, e := open(t, Options{ISA: isa}), newEncoder(d, 2, 96, 192, 3)
			alone := map[int][]float32{}
			for _, n := range lengths {
				alone[n] = embed(t, b, e, n)[0]
			}
			for _, batch := range batches(lengths) {
				for i, among := range embed(t, b, e, batch...) {
					if n := batch[i]; !slices.Equal(alone[n], among) {
						t.Errorf("%s %s: a text of %d tokens differs at place %d of a batch", isa, d, n, i)
					}
				}
			}
		}
	}
}

// Every operation passes a NaN on, so that it reaches the check of the result.
func TestNaNIsKept(t *testing.T) {
	nan := float32(math.NaN())
	w := randomWeight("w", engine.F32, 40, 40)
	row := randomWeight("row", engine.F32, 1, 40)
	to64, to32 := randomWeight("to 64", engine.F32, 64, 40), randomWeight("to 32", engine.F32, 32, 40)
	type recorder func(g *engine.Graph, x, starts *engine.Tensor) *engine.Tensor
	ops := map[string]recorder{
		"add":          func(g *engine.Graph, x, _ *engine.Tensor) *engine.Tensor { return g.Add(x, x) },
		"layer_norm":   func(g *engine.Graph, x, _ *engine.Tensor) *engine.Tensor { return g.LayerNorm(x, nil, row, nil, 1e-5) },
		"l2_normalize": func(g *engine.Graph, x, _ *engine.Tensor) *engine.Tensor { return g.L2Normalize(x) },
		"attention": func(g *engine.Graph, x, starts *engine.Tensor) *engine.Tensor {
			return g.Attention(x, x, x, starts, nil, engine.AttentionParams{Heads: 2, Scale: 0.2})
		},
		"rms_norm": func(g *engine.Graph, x, _ *engine.Tensor) *engine.Tensor {
			return g.RMSNorm(x, row, engine.RMSNormParams{Epsilon: 1e-5})
		},
		"rope": func(g *engine.Graph, x, _ *engine.Tensor) *engine.Tensor {
			return g.RoPE(x, g.Ints("positions", []int32{0, 1, 2, 3, 4}), &engine.Rotary{HeadSize: 20, Frequencies: []float32{1, 0.5, 0.1}})
		},
		"gate":     func(g *engine.Graph, x, _ *engine.Tensor) *engine.Tensor { return g.Gate(x, x, engine.SiLU) },
		"scale":    func(g *engine.Graph, x, _ *engine.Tensor) *engine.Tensor { return g.Scale(x, 3) },
		"soft_cap": func(g *engine.Graph, x, _ *engine.Tensor) *engine.Tensor { return g.SoftCap(x, 3) },
	}
	for _, d := range []engine.DType{engine.F32, engine.F16, engine.Q8_0} {
		for name, p := range map[string]engine.CausalAttentionParams{
			"plain":  {Heads: 2, KVHeads: 1, Scale: 0.2},
			"shaped": {Heads: 2, KVHeads: 1, Scale: 0.2, SoftCap: 3, Slopes: []float32{1, 0.5}, RoundBias: true, Window: 3},
		} {
			keys, values := engine.NewCache("keys", d, 8, 32), engine.NewCache("values", d, 8, 32)
			defer keys.Release()
			defer values.Release()
			ops["causal_attention "+name+" "+d.String()] = func(g *engine.Graph, x, _ *engine.Tensor) *engine.Tensor {
				q, kv := g.Linear(x, to64, nil, engine.None), g.Linear(x, to32, nil, engine.None)
				return g.CausalAttention(q, kv, kv, keys, values, g.Ints("past", []int32{0}), p)
			}
		}
	}
	for _, a := range engine.Activations() {
		ops["linear "+a.String()] = func(g *engine.Graph, x, _ *engine.Tensor) *engine.Tensor { return g.Linear(x, w, nil, a) }
	}
	for _, m := range []engine.PoolMode{engine.PoolMean, engine.PoolMax, engine.PoolMeanSqrtLen, engine.PoolWeightedMean} {
		ops["pool "+m.String()] = func(g *engine.Graph, x, starts *engine.Tensor) *engine.Tensor { return g.Pool(x, starts, m) }
	}
	for _, isa := range ISAs() {
		b := open(t, Options{ISA: isa})
		for name, record := range ops {
			for _, at := range []int{0, 39, 2*40 + 5, 4*40 + 39} {
				x := randomFloats(5 * 40)
				x[at] = nan
				g := engine.NewGraph()
				out := g.Want(record(g, g.Floats("x", 5, x), g.Ints("starts", []int32{0, 5})))
				if _, err := g.Run(t.Context(), b); err != nil {
					t.Fatal(err)
				}
				v, _ := g.Result(out)
				if !slices.ContainsFunc(v, func(f float32) bool { return f != f }) {
					t.Errorf("%s: %s loses the NaN at %d", isa, name, at)
				}
				g.Close()
			}
		}
	}
}

func TestCancel(t *testing.T) {
	const rows, size = 4096, 1024
	keys, values := engine.NewCache("keys", engine.F16, rows, size/4), engine.NewCache("values", engine.F16, rows, size/4)
	defer keys.Release()
	defer values.Release()
	quarter := randomWeight("quarter", engine.F32, size/4, size)
	wide := randomWeight("wide", engine.F32, 4*size, size)
	square := randomWeight("square", engine.F32, size, size)
	loads := map[string]func(g *engine.Graph, x *engine.Tensor) *engine.Tensor{
		"many operations": func(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
			for range 100 {
				x = g.Linear(x, square, nil, engine.None)
			}
			return x
		},
		"one operation": func(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
			return g.Linear(x, wide, nil, engine.GELU)
		},
		"attention over one long text": func(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
			starts := g.Ints("starts", []int32{0, rows})
			return g.Attention(x, x, x, starts, nil, engine.AttentionParams{Heads: 2, Scale: 0.01})
		},
		"causal attention over one long text": func(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
			kv, past := g.Linear(x, quarter, nil, engine.None), g.Ints("past", []int32{0})
			for range 20 {
				x = g.CausalAttention(x, kv, kv, keys, values, past, engine.CausalAttentionParams{Heads: 8, KVHeads: 2, Scale: 0.01})
			}
			return x
		},
	}
	for _, threads := range []int{1, 2} {
		b := open(t, Options{Threads: threads, ISA: "generic"})
		for name, record := range loads {
			// Other programs can delay this one, so the limit is much more than the 200 ms that we
			// aim for. The whole run would take minutes.
			g := engine.NewGraph()
			g.Want(record(g, g.Floats("x", rows, make([]float32, rows*size))))
			if took := cancelled(t, b, g, name); took > 20*time.Second {
				t.Errorf("%s on %d threads went on for %v", name, threads, took)
			}
			g.Close()
		}
		embed(t, b, newEncoder(engine.F32, 1, 32, 64, 2), 5) // and it still works
	}
}

// cancelled cancels a run soon after its start and returns how long it still took.
func cancelled(t *testing.T, b *Backend, g *engine.Graph, name string) time.Duration {
	t.Helper()
	if err := g.Prepare(t.Context(), nil, b); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var at time.Time
	timer := time.AfterFunc(30*time.Millisecond, func() { at = time.Now(); cancel() })
	_, err := g.Run(ctx, b)
	if timer.Stop() {
		t.Fatalf("%s was done before it could be cancelled", name)
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%s cancelled gives %v", name, err)
	}
	return time.Since(at)
}

// A run that waits for another one's end can be cancelled, too.
func TestCancelWhileWaiting(t *testing.T) {
	b := open(t, Options{Threads: 1})
	b.lock.Lock() // somebody's run
	g := engine.NewGraph()
	defer g.Close()
	newEncoder(engine.F32, 1, 32, 64, 2).record(g, 3)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := g.Run(ctx, b); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a run whose turn does not come gives %v", err)
	}
	b.lock.Unlock()
	if _, err := g.Run(t.Context(), b); err != nil {
		t.Error(err)
	}
}

func TestPeak(t *testing.T) {
	b := open(t, Options{Threads: 2})
	if peak, err := b.Peak(t.Context(), 10*time.Millisecond); err != nil || peak < 1e8 || peak > 1e13 {
		t.Errorf("%v operations a second, %v", peak, err)
	}
}

func TestConcurrentRuns(t *testing.T) {
	b, e := open(t, Options{Threads: 3}), newEncoder(engine.F32, 2, 64, 128, 2)
	lengths := [][]int{{5}, {30, 2}, {17, 17, 17}, {90}}
	want := make([][][]float32, len(lengths))
	for i, l := range lengths {
		want[i] = embed(t, open(t, Options{Threads: 1}), e, l...)
	}
	var wg sync.WaitGroup
	for i, l := range lengths {
		wg.Go(func() {
			for range 20 {
				for j, v := range embed(t, b, e, l...) {
					if !slices.Equal(v, want[i][j]) {
						t.Errorf("run %d: text %d differs when others run, too", i, j)
						return
					}
				}
			}
		})
	}
	wg.Wait()
}

// threads counts this process's threads.
func threads(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Skip("this system does not list a process's threads in /proc")
	}
	return len(entries)
}

func TestCloseEndsThreads(t *testing.T) {
	e := newEncoder(engine.F32, 1, 32, 64, 2)
	// The Go runtime keeps threads of its own and may start one now and then.
	before, goroutines := threads(t), runtime.NumGoroutine()
	for range 10 {
		b := open(t, Options{Threads: 9})
		embed(t, b, e, 50, 3)
		if got := threads(t); got < 9 {
			t.Fatalf("%d threads while 9 should be at work", got)
		}
		for range 2 {
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		}
		g := engine.NewGraph()
		e.record(g, 3)
		if _, err := g.Run(t.Context(), b); !errors.Is(err, errClosed) {
			t.Errorf("a run on a closed backend gives %v", err)
		}
		g.Close()
	}
	if after := threads(t); after > before+4 {
		t.Errorf("%d threads before, %d after ten backends of 9 threads", before, after)
	}
	for polls := 0; runtime.NumGoroutine() > goroutines; polls++ { // one of the runtime's may be ending
		if polls == 1000 {
			t.Fatalf("%d goroutines before, %d after", goroutines, runtime.NumGoroutine())
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Threads without work sleep. The Go runtime may work now and then, so one quiet
// interval of several is enough.
func TestIdleUsesNoTime(t *testing.T) {
	b := open(t, Options{Threads: 4})
	embed(t, b, newEncoder(engine.F32, 1, 32, 64, 2), 500)
	least := time.Hour
	for trial := 0; trial < 10 && least > 50*time.Millisecond; trial++ {
		before := processorTime(t)
		time.Sleep(100 * time.Millisecond)
		least = min(least, processorTime(t)-before)
	}
	if least > 50*time.Millisecond {
		t.Errorf("idle for 100 ms, %v of processor time used", least)
	}
}

// bestISA is the instruction set that scripts/arm64.sh expects on the processor that
// qemu emulates for it.
var bestISA = flag.String("isa", "", "the best instruction set that has to be found here")

func TestOptions(t *testing.T) {
	if best := ISAs()[0]; *bestISA != "" && best != *bestISA {
		t.Errorf("the best instruction set found is %s, not %s", best, *bestISA)
	}
	if isas := ISAs(); len(isas) == 0 || isas[len(isas)-1] != "generic" {
		t.Fatalf("instruction sets: %v", isas)
	}
	for _, o := range []Options{{ISA: "mmx"}, {Threads: -1}, {Threads: maxThreads + 1}} {
		if b, err := New(o); err == nil {
			b.Close()
			t.Errorf("%+v is accepted", o)
		}
	}
	d := open(t, Options{}).Device()
	if d.ID != "cpu" || d.Kind != "cpu" || d.Name == "" || d.Threads < 1 || d.Threads > runtime.NumCPU() || d.MemoryBytes < 1<<26 {
		t.Errorf("device: %+v", d)
	}
	if d.Features[0] != ISAs()[0] {
		t.Errorf("features %v do not start with %s", d.Features, ISAs()[0])
	}
}

func TestSupports(t *testing.T) {
	b := open(t, Options{Threads: 1})
	g := engine.NewGraph()
	defer g.Close()
	newEncoder(engine.BF16, 1, 32, 64, 2).record(g, 3)
	for _, op := range g.Ops() {
		if err := b.Supports(op); err != nil {
			t.Errorf("%s: %v", op.Op, err)
		}
	}
	for _, op := range engine.Ops() {
		if err := b.Supports(&engine.Tensor{Op: op}); err != nil {
			t.Errorf("%s: %v", op, err)
		}
	}
	strange := engine.NewWeight("w", engine.I32, 4, 4, nil)
	for _, op := range []*engine.Tensor{{Op: engine.OpInput}, {Op: 99}, {Op: engine.OpEmbed, Src: []*engine.Tensor{strange, nil}}} {
		if err := b.Supports(op); !errors.Is(err, engine.ErrNoKernel) || !strings.Contains(err.Error(), op.Op.String()) {
			t.Errorf("%s is refused with %v", op.Op, err)
		}
	}
}
