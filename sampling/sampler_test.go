package sampling

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

var (
	inf = float32(math.Inf(1))
	nan = float32(math.NaN())
)

func sampler(t testing.TB, o Options) *Sampler {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// with returns the neutral options with a change.
func with(change func(*Options)) Options {
	o := Neutral()
	change(&o)
	return o
}

func TestOptions(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"the temperature is -1;":            func(o *Options) { o.Temperature = -1 },
		"the temperature is NaN;":           func(o *Options) { o.Temperature = math.NaN() },
		"the temperature is +Inf;":          func(o *Options) { o.Temperature = math.Inf(1) },
		"the top-k is -40;":                 func(o *Options) { o.TopK = -40 },
		"the top-p is 1.5;":                 func(o *Options) { o.TopP = 1.5 },
		"the top-p is NaN;":                 func(o *Options) { o.TopP = math.NaN() },
		"the min-p is -0.1;":                func(o *Options) { o.MinP = -0.1 },
		"the typical-p is 2;":               func(o *Options) { o.TypicalP = 2 },
		"the repeat penalty is -1;":         func(o *Options) { o.RepeatPenalty = -1 },
		"the frequency penalty is +Inf;":    func(o *Options) { o.FrequencyPenalty = math.Inf(1) },
		"the presence penalty is NaN;":      func(o *Options) { o.PresencePenalty = math.NaN() },
		"the logit bias names token -1;":    func(o *Options) { o.LogitBias = map[int32]float32{-1: 1} },
		"the logit bias of token 3 is NaN;": func(o *Options) { o.LogitBias = map[int32]float32{3: nan} },
		"the logit bias of token 4 is +Inf": func(o *Options) { o.LogitBias = map[int32]float32{4: inf} },
	} {
		_, err := New(with(change))
		if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "; ") {
			t.Errorf("want %q and what to do, got %v", want, err)
		}
	}
	for _, o := range []Options{{}, Neutral(), Default()} {
		sampler(t, o)
	}
}

func TestGreedy(t *testing.T) {
	down := float32(math.Inf(-1))
	for _, c := range []struct {
		name    string
		logits  []float32
		history []int32
		mask    Mask
		change  func(*Options)
		want    int32
	}{
		{"highest", []float32{1, 5, 3}, nil, nil, nil, 1},
		{"lowest id of equals", []float32{1, 5, 5, 5}, nil, nil, nil, 1},
		{"zeros of both signs are equal", []float32{-1, float32(math.Copysign(0, -1)), 0}, nil, nil, nil, 1},
		{"one token", []float32{-7}, nil, nil, nil, 0},
		{"-Inf beside a number", []float32{down, down, -3e38, down}, nil, nil, nil, 2},
		{"mask", []float32{1, 5, 3}, nil, Mask{0b101}, nil, 2},
		{"mask longer than the vocabulary", []float32{1, 5, 3}, nil, Mask{1<<60 | 1<<2, 5, 5}, nil, 2},
		{"bias", []float32{1, 5, 3}, nil, nil, func(o *Options) { o.LogitBias = map[int32]float32{0: 4.5, 1: -2} }, 0},
		{"ban", []float32{1, 5, 3}, nil, nil, func(o *Options) { o.LogitBias = map[int32]float32{1: down} }, 2},
		{"bias does not undo the mask", []float32{1, 5, 3}, nil, Mask{0b101}, func(o *Options) { o.LogitBias = map[int32]float32{1: 1e30} }, 2},
		{"repeat penalty divides", []float32{2, 5, 3}, []int32{1}, nil, func(o *Options) { o.RepeatPenalty = 2 }, 2},
		{"repeat penalty multiplies", []float32{-3, -2, -5}, []int32{1, 1}, nil, func(o *Options) { o.RepeatPenalty = 2 }, 0},
		{"frequency counts", []float32{4, 5, 3}, []int32{1, 1, 1, 0}, nil, func(o *Options) { o.FrequencyPenalty = 0.9 }, 0},
		{"presence does not", []float32{4, 5, 3}, []int32{1, 1, 1, 0}, nil, func(o *Options) { o.PresencePenalty = 0.9 }, 1},
		{"outside the window", []float32{4, 5, 3}, []int32{1, 0, 2}, nil, func(o *Options) { o.PresencePenalty, o.RepeatWindow = 9, 2 }, 1},
		{"window of everything", []float32{4, 5, 3}, []int32{1, 2}, nil, func(o *Options) { o.PresencePenalty, o.RepeatWindow = 9, -1 }, 0},
		{"no window", []float32{4, 5, 3}, []int32{1}, nil, func(o *Options) { o.PresencePenalty, o.RepeatWindow = 9, 0 }, 1},
		{"strange history", []float32{4, 5, 3}, []int32{-1, 3, math.MaxInt32, 1}, nil, func(o *Options) { o.PresencePenalty = 9 }, 0},
		{"bias before penalties", []float32{1, 5, 3}, []int32{0}, nil, func(o *Options) {
			o.LogitBias, o.RepeatPenalty = map[int32]float32{0: 8}, 2
		}, 1},
	} {
		o := with(func(o *Options) { o.Temperature = 0 })
		if c.change != nil {
			c.change(&o)
		}
		before := slices.Clone(c.logits)
		got, err := sampler(t, o).Next(c.logits, c.history, c.mask)
		if err != nil || got != c.want {
			t.Errorf("%s: %d, %v; want %d", c.name, got, err, c.want)
		}
		if !slices.Equal(before, c.logits) {
			t.Errorf("%s: the caller's logits changed", c.name)
		}
	}
}

func TestRefusals(t *testing.T) {
	down := float32(math.Inf(-1))
	for _, temperature := range []float64{0, 1} {
		for _, c := range []struct {
			logits []float32
			mask   Mask
			bias   map[int32]float32
			kind   error
			want   string
		}{
			{nil, nil, nil, ErrLogits, "no logit at all"},
			{[]float32{1, nan}, nil, nil, ErrLogits, "token 1 is NaN"},
			{[]float32{inf, 1}, nil, nil, ErrLogits, "token 0 is +Inf"},
			{[]float32{1, nan}, Mask{1}, nil, ErrLogits, "token 1 is NaN"},
			{[]float32{down, down}, nil, nil, ErrLogits, "every logit is -Inf"},
			{[]float32{1, 2}, Mask{0}, nil, ErrNothingAllowed, "loosen"},
			{[]float32{1, 2}, Mask{}, nil, ErrNothingAllowed, "loosen"},
			{[]float32{1, down}, Mask{2}, nil, ErrNothingAllowed, "loosen"},
			{[]float32{1, 2}, Mask{2}, map[int32]float32{1: down}, ErrNothingAllowed, "loosen"},
			{[]float32{1, 2}, nil, map[int32]float32{7: 1, 9: 1}, nil, "names token 7, but this model's tokens end at 1"},
		} {
			s := sampler(t, with(func(o *Options) { o.Temperature, o.LogitBias = temperature, c.bias }))
			_, err := s.Next(c.logits, nil, c.mask)
			if err == nil || !strings.Contains(err.Error(), c.want) || c.kind != nil && !errors.Is(err, c.kind) {
				t.Errorf("%v: %v, want %q", c.logits, err, c.want)
			}
		}
	}
}

// TestSeed: the same seed leads to the same tokens and another seed to others, whatever the
// order of the map of biases.
func TestSeed(t *testing.T) {
	draw := func(seed uint64) (ids []int32) {
		o := Default()
		o.Seed, o.RepeatPenalty = seed, 1.1
		o.LogitBias = map[int32]float32{}
		for id := range int32(50) {
			o.LogitBias[id*7] = float32(id) / 40
		}
		s := sampler(t, o)
		r := rand.New(rand.NewPCG(3, 4))
		for range 200 {
			id, err := s.Next(normal(r, 1000), ids, nil)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		return ids
	}
	if a, b := draw(1), draw(1); !slices.Equal(a, b) {
		t.Error("the same seed gives different tokens")
	}
	if slices.Equal(draw(1), draw(2)) {
		t.Error("different seeds give the same tokens")
	}
}

// normal makes logits like a model's: normally distributed with deviation 3.
func normal(r *rand.Rand, n int) []float32 {
	logits := make([]float32, n)
	for i := range logits {
		logits[i] = float32(r.NormFloat64() * 3)
	}
	return logits
}

// hostile makes logits of the kinds that other samplers failed on.
func hostile(r *rand.Rand) []float32 {
	special := []float32{0, 1, -1, inf, -inf, nan, math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, 1e-30, 88, -104, 1e30, 5, 5}
	logits := normal(r, r.IntN(40))
	switch kind := r.IntN(6); kind {
	case 0: // one of each
		for i := range logits {
			logits[i] = special[r.IntN(len(special))]
		}
	case 1: // all equal
		v := special[r.IntN(len(special))]
		for i := range logits {
			logits[i] = v
		}
	case 2, 3: // a few among ordinary ones
		for range 3 {
			if len(logits) > 0 {
				logits[r.IntN(len(logits))] = special[r.IntN(len(special))]
			}
		}
	case 4: // many orders of magnitude
		for i := range logits {
			logits[i] = float32(r.NormFloat64() * math.Pow(10, float64(r.IntN(80)-40)))
		}
	}
	return logits
}

func hostileOptions(r *rand.Rand) Options {
	one := func(values ...float64) float64 { return values[r.IntN(len(values))] }
	o := Options{
		Temperature: one(0, 5e-324, 1e-9, 0.01, 0.8, 1, 100, 1e9, math.MaxFloat64), TopK: r.IntN(4) * r.IntN(15),
		TypicalP: one(0, 1e-9, 0.5, 0.99, 1, 1), TopP: one(0, 1e-9, 0.5, 0.95, 1, 1), MinP: one(0, 0, 1e-9, 0.05, 1),
		RepeatPenalty:    one(0, 1, 1, 5e-324, 1.1, 1e-30, 1e30, math.MaxFloat64),
		FrequencyPenalty: one(0, 0, 1, -1, 1e30, -math.MaxFloat64, math.MaxFloat64),
		PresencePenalty:  one(0, 0, 1, -1, -1e30, -math.MaxFloat64, math.MaxFloat64),
		RepeatWindow:     r.IntN(40) - 2, Seed: r.Uint64(),
	}
	if r.IntN(3) == 0 {
		o.LogitBias = map[int32]float32{int32(r.IntN(12)): float32(one(-1e38, -100, 100, 3e38, math.Inf(-1)))}
	}
	return o
}

// TestHostile: whatever the logits and settings, the result is an allowed token or an error
// of one sentence, and probabilities add up.
func TestHostile(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	chosen, refused := 0, 0
	for round := range 100_000 {
		logits, o := hostile(r), hostileOptions(r)
		var mask Mask
		if r.IntN(3) == 0 {
			mask = Mask{r.Uint64() & r.Uint64()}
		}
		history := make([]int32, r.IntN(30))
		for i := range history {
			history[i] = int32(r.IntN(44) - 2)
		}
		s := sampler(t, o)
		id, err := s.Next(logits, history, mask)
		if err != nil {
			refused++
			if strings.Contains(err.Error(), "%!") || len(err.Error()) < 20 {
				t.Fatalf("not a sentence: %v", err)
			}
			continue
		}
		chosen++
		if id < 0 || int(id) >= len(logits) || logits[id] != logits[id] || logits[id] == -inf || mask != nil && !mask.Has(id) {
			t.Fatalf("round %d: token %d of %v, mask %b, options %+v", round, id, logits, mask, o)
		}
		if o.Temperature == 0 {
			continue
		}
		sum, total := 0.0, s.weigh(1/o.Temperature)
		for _, w := range s.weights {
			sum += w / total
		}
		if !(math.Abs(sum-1) <= 1e-5) {
			t.Fatalf("round %d: probabilities add up to %v: %v, options %+v", round, sum, logits, o)
		}
	}
	if chosen < 30_000 || refused < 10_000 {
		t.Errorf("%d chosen, %d refused: the test looks at one side only", chosen, refused)
	}
}

// vocabulary is that of Qwen 2.5 and 3, among the largest in use.
const vocabulary = 151_936

// TestAllocations: after the first tokens nothing is allocated.
func TestAllocations(t *testing.T) {
	logits := normal(rand.New(rand.NewPCG(1, 2)), 20_000)
	history := []int32{5, 6, 7, 5}
	mask := NewMask(len(logits))
	for id := range int32(len(logits)) {
		mask.Add(id)
	}
	for name, o := range settings() {
		s := sampler(t, o)
		next := func() {
			if _, err := s.Next(logits, history, mask); err != nil {
				t.Fatal(err)
			}
		}
		for range 5 {
			next()
		}
		if n := testing.AllocsPerRun(10, next); n != 0 {
			t.Errorf("%s: %v allocations a token", name, n)
		}
	}
}

// settings are the options to measure.
func settings() map[string]Options {
	return map[string]Options{
		"greedy":  {},
		"default": Default(),
		"neutral": Neutral(),
		"penalties": func() Options {
			o := Default()
			o.RepeatPenalty, o.LogitBias = 1.1, map[int32]float32{9: 1}
			return o
		}(),
		"top-k 5000":   with(func(o *Options) { o.TopK = 5000 }),
		"only top-p":   with(func(o *Options) { o.TopP = 0.95 }),
		"only min-p":   with(func(o *Options) { o.MinP = 0.05 }),
		"only typical": with(func(o *Options) { o.TypicalP = 0.9 }),
		"flat top-p":   with(func(o *Options) { o.TopP, o.LogitBias = 0.95, map[int32]float32{0: 1} }),
	}
}

func BenchmarkNext(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, o := range settings() {
		logits := normal(r, vocabulary)
		for i := range 20 {
			logits[i*7000] = 14 + float32(i)/3 // what a model favours
		}
		if strings.HasPrefix(name, "flat") {
			clear(logits)
		}
		for _, masked := range []bool{false, true} {
			var mask Mask
			if masked {
				mask = NewMask(vocabulary)
				for id := range int32(vocabulary) {
					if id%3 > 0 {
						mask.Add(id)
					}
				}
			}
			b.Run(fmt.Sprintf("%s/mask=%v", name, masked), func(b *testing.B) {
				s := sampler(b, o)
				b.ReportAllocs()
				begin := cpuTime(b)
				defer func() { b.ReportMetric(float64(cpuTime(b)-begin)/float64(b.N), "cpu-ns/op") }()
				for b.Loop() {
					if _, err := s.Next(logits, []int32{1, 2, 3}, mask); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// cpuTime is what the process has used: unlike time, not that of others.
func cpuTime(t testing.TB) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
