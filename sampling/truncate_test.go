package sampling

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// refToken is a token in the reference implementation, which computes in plain float64 code
// what each step keeps.
type refToken struct {
	id       int32
	logit, p float64
}

func refSoftmax(tokens []refToken, temperature float64) {
	top, total := math.Inf(-1), 0.0
	for _, t := range tokens {
		top = max(top, t.logit)
	}
	for i := range tokens {
		tokens[i].p = math.Exp((tokens[i].logit - top) / temperature)
		total += tokens[i].p
	}
	for i := range tokens {
		tokens[i].p /= total
	}
}

// refCut sorts by key, then id, and keeps tokens until they have mass p. It returns false
// if p is so near a border that rounding decides.
func refCut(tokens []refToken, p float64, key func(refToken) float64) ([]refToken, bool) {
	slices.SortFunc(tokens, func(a, b refToken) int {
		switch ka, kb := key(a), key(b); {
		case ka < kb:
			return -1
		case ka > kb:
			return 1
		}
		return int(a.id - b.id)
	})
	sum := 0.0
	for i, t := range tokens {
		sum += t.p
		if math.Abs(sum-p) < 1e-9 {
			return nil, false
		}
		if sum >= p {
			sure := i+1 == len(tokens) || key(tokens[i+1]) == key(t) || key(tokens[i+1])-key(t) > 1e-5
			return tokens[:i+1], sure
		}
	}
	return tokens, true
}

// refKept returns the tokens that the options keep, with their probabilities.
func refKept(logits []float32, o Options) (kept []refToken, sure bool) {
	var tokens []refToken
	for id, v := range logits {
		if !math.IsInf(float64(v), -1) {
			tokens = append(tokens, refToken{id: int32(id), logit: float64(v)})
		}
	}
	ok := true
	falling := func(t refToken) float64 { return -t.logit }
	if o.TopK > 0 {
		refSoftmax(tokens, 1)
		tokens, _ = refCut(tokens, 2, falling)
		tokens = tokens[:min(o.TopK, len(tokens))]
	}
	if o.TypicalP < 1 {
		refSoftmax(tokens, 1)
		entropy := 0.0
		for _, t := range tokens {
			if t.p > 0 {
				entropy -= t.p * math.Log(t.p)
			}
		}
		tokens, ok = refCut(tokens, o.TypicalP, func(t refToken) float64 { return math.Abs(-math.Log(t.p) - entropy) })
		if !ok {
			return nil, false
		}
	}
	if o.TopP < 1 {
		refSoftmax(tokens, 1)
		if tokens, ok = refCut(tokens, o.TopP, falling); !ok {
			return nil, false
		}
	}
	if o.MinP > 0 {
		refSoftmax(tokens, 1)
		most := 0.0
		for _, t := range tokens {
			most = max(most, t.p)
		}
		tokens = slices.DeleteFunc(tokens, func(t refToken) bool { return t.p < o.MinP*most*(1-1e-12) })
	}
	refSoftmax(tokens, o.Temperature)
	return tokens, true
}

func ids(tokens []refToken) (all []int32) {
	for _, t := range tokens {
		all = append(all, t.id)
	}
	slices.Sort(all)
	return all
}

// TestKept: every truncation, alone and combined, keeps the same tokens as the reference, in
// small and large vocabularies.
func TestKept(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	compared := 0
	for round := range 4000 {
		n := 1 + r.IntN(40)
		if round%20 == 0 {
			n = 200 + r.IntN(4000)
		}
		logits := normal(r, n)
		if round%3 == 0 { // ties
			for i := range logits {
				logits[i] = float32(math.Round(float64(logits[i])))
			}
		}
		if round%5 == 0 {
			logits[r.IntN(n)] = -inf
			logits[r.IntN(n)] = 3
		}
		o := Neutral()
		which := r.IntN(6)
		if which == 0 || which > 3 {
			o.TopK = 1 + r.IntN(n+n/2)
		}
		if which == 1 || which > 3 {
			o.TypicalP = r.Float64()
		}
		if which == 2 || which > 3 {
			o.TopP = r.Float64()
		}
		if which == 3 || which == 5 {
			o.MinP = r.Float64() * r.Float64()
		}
		want, sure := refKept(logits, o)
		if !sure {
			continue
		}
		compared++
		s := sampler(t, o)
		s.truncate(logits)
		var got []int32
		for _, c := range s.candidates {
			got = append(got, c.id())
			if c.logit() != logits[c.id()] {
				t.Fatalf("token %d has logit %v, not %v", c.id(), c.logit(), logits[c.id()])
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, ids(want)) {
			t.Fatalf("round %d, options %+v\nlogits %v\n got %v\nwant %v", round, o, logits, got, ids(want))
		}
	}
	if compared < 3500 {
		t.Errorf("only %d comparisons", compared)
	}
}

// TestDistribution: tokens are drawn as often as computed, by a chi-square test with a
// tolerance of five deviations.
func TestDistribution(t *testing.T) {
	logits := []float32{2, 1.5, 1.5, 1, 0.5, 0, 0, -0.5, -1, -2, -3, -inf}
	for name, change := range map[string]func(*Options){
		"model's own": func(*Options) {},
		"cold":        func(o *Options) { o.Temperature = 0.5 },
		"hot":         func(o *Options) { o.Temperature = 3 },
		"top-k":       func(o *Options) { o.TopK = 4 },
		"typical":     func(o *Options) { o.TypicalP = 0.7 },
		"top-p":       func(o *Options) { o.TopP = 0.8 },
		"min-p":       func(o *Options) { o.MinP = 0.2 },
		"default":     func(o *Options) { *o = Default() },
		"all": func(o *Options) {
			o.TopK, o.TypicalP, o.TopP, o.MinP, o.Temperature = 9, 0.95, 0.9, 0.1, 1.7
		},
	} {
		o := with(change)
		o.Seed = 42
		want, sure := refKept(logits, o)
		if !sure {
			t.Fatalf("%s: choose settings further from a border", name)
		}
		const draws = 50_000
		drawn := make([]float64, len(logits))
		s := sampler(t, o)
		for range draws {
			id, err := s.Next(logits, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			drawn[id]++
		}
		chi, all := 0.0, 0.0
		for _, w := range want {
			d := drawn[w.id] - w.p*draws
			chi += d * d / (w.p * draws)
			all += drawn[w.id]
		}
		if all != draws {
			t.Errorf("%s: %v of %d draws were of tokens that are cut off", name, draws-all, draws)
		}
		freedom := float64(len(want) - 1)
		if limit := freedom + 5*math.Sqrt(2*freedom); chi > limit {
			t.Errorf("%s: chi-square %.1f with %v degrees of freedom: %v", name, chi, freedom, drawn)
		}
	}
}

// TestPenalizedDistribution: bias and penalties are applied to logits before anything is
// cut off.
func TestPenalizedDistribution(t *testing.T) {
	o := Neutral()
	o.LogitBias = map[int32]float32{0: 1, 3: -1}
	o.RepeatPenalty, o.FrequencyPenalty, o.PresencePenalty, o.RepeatWindow = 1.5, 0.25, 0.5, 4
	logits := []float32{1, 2, -1, 3}
	s := sampler(t, o)
	if _, err := s.Next(logits, []int32{3, 1, 1, 2, 0}, nil); err != nil { // the 3 is outside the window
		t.Fatal(err)
	}
	want := []float32{(1+1)/1.5 - 0.75, 2/1.5 - 1, -1*1.5 - 0.75, 3 - 1}
	for i := range want {
		if math.Abs(float64(want[i]-s.logits[i])) > 1e-6 {
			t.Errorf("logit %d is %v, want %v", i, s.logits[i], want[i])
		}
	}
}

// TestCandidates: packing keeps every logit, and packed values order like the logits.
func TestCandidates(t *testing.T) {
	rising := []float32{-math.MaxFloat32, -1e30, -1, -1e-30, -math.SmallestNonzeroFloat32, 0, math.SmallestNonzeroFloat32, 1, 1.5, math.MaxFloat32}
	for i, v := range rising {
		c := pack(7, v)
		if c.id() != 7 || c.logit() != v {
			t.Errorf("%v comes back as %v", v, c.logit())
		}
		if i > 0 && c >= pack(0, rising[i-1]) {
			t.Errorf("%v does not come before %v", v, rising[i-1])
		}
	}
	if pack(1, 0) < pack(0, float32(math.Copysign(0, -1))) {
		t.Error("zeros of different signs are not equal")
	}
}
