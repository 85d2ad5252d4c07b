package models

import (
	"math"

	"inglenook/engine"
)

// Rope is rotary position embedding (Su et al. 2021, arXiv:2104.09864) as
// config.json describes it, with what stretches it to longer texts.
type Rope struct {
	Dim   int     // leading columns of a head that turn
	Theta float64 // base of the frequencies
	// Type is "default", "linear" (Chen et al. 2023, arXiv:2306.15595),
	// "dynamic" (NTK by length), "yarn" (Peng et al. 2023, arXiv:2309.00071),
	// "longrope" (Ding et al. 2024, arXiv:2402.13753) or "llama3".
	Type               string
	Factor             float64
	Original           int     // positions that training saw before stretching
	Magnitude          float32 // yarn, longrope: factor of what was turned
	Low, High          float64 // llama3: periods in Original below and above which nothing is, or all is stretched
	BetaFast, BetaSlow float64 // yarn: the same as turns in Original
	Truncate           bool    // yarn: the borders lie on whole frequencies
	Short, Long        []float32
	Divisors           []float32 // of the frequencies, which is how GGUF files store llama3
}

// maxFactor bounds what stretches positions.
const maxFactor = 1 << 20

// rope reads today's rope_parameters or the older rope_scaling with rope_theta
// beside it. theta and partial are the family's defaults.
func (f *fields) rope(c Config, theta, partial float64) *Rope {
	theta = f.number(theta, 1, 1e12, "rope_theta")
	partial = f.number(partial, 0, 1, "partial_rotary_factor")
	name := "rope_parameters"
	if m, ok := f.m["rope_scaling"].(map[string]any); f.m["rope_scaling"] != nil && (!ok || len(m) > 0) {
		name = "rope_scaling"
	}
	in, done := f.in(name)
	defer done()
	return in.ropeParameters(c, theta, partial, f.sizeOr(0, maxPositions, "original_max_position_embeddings"))
}

// ropeParameters reads one set of parameters. A field beside them that names
// the original positions goes first, as in the reference library.
func (f *fields) ropeParameters(c Config, theta, partial float64, original int) *Rope {
	r := &Rope{
		Theta: f.number(theta, 1, 1e12, "rope_theta"),
		Type:  f.text("rope_type"),
	}
	if r.Type == "" {
		r.Type = f.text("type")
	}
	partial = f.number(partial, 0, 1, "partial_rotary_factor")
	r.Dim = int(float64(c.HeadSize) * partial)
	if pairs := r.pairs(); pairs < 1 || 2*pairs > c.HeadSize {
		f.fail("%d of the %d columns of a head cannot turn in pairs", r.Dim, c.HeadSize)
	}
	if r.Original = original; original == 0 {
		r.Original = f.sizeOr(c.MaxTokens, maxPositions, "original_max_position_embeddings")
	}
	f.refuse(r.Original < 1, "original_max_position_embeddings is 0")
	switch r.Type {
	case "", "default", "mrope":
		r.Type = "default"
	case "linear", "dynamic":
		r.Factor = f.factor()
		f.refuse(r.Type == "dynamic" && r.Dim <= 2, "too few columns turn for the type dynamic")
		r.Original = c.MaxTokens
	case "llama3":
		r.Factor = f.factor()
		r.Low, r.High = f.number(0, 1e-6, 1e6, "low_freq_factor"), f.number(0, 1e-6, 1e6, "high_freq_factor")
		f.refuse(r.Low == 0, "low_freq_factor is missing")
		f.refuse(r.High <= r.Low, "high_freq_factor is not above low_freq_factor")
	case "yarn":
		f.yarn(r, c.MaxTokens)
	case "longrope", "su":
		r.Type = "longrope"
		f.longrope(r, c.MaxTokens)
	default:
		f.fail("the rope type %q is not supported", r.Type)
	}
	return r
}

// factor reads the stretch that a type cannot do without.
func (f *fields) factor() float64 {
	x := f.number(0, 1e-3, maxFactor, "factor")
	f.refuse(x == 0, "factor is missing")
	return x
}

// yarn reads the parameters of that type.
func (f *fields) yarn(r *Rope, positions int) {
	r.Factor = f.number(float64(positions)/float64(max(r.Original, 1)), 1e-3, maxFactor, "factor")
	r.BetaFast, r.BetaSlow = f.number(0, 0, 1e6, "beta_fast"), f.number(0, 0, 1e6, "beta_slow")
	if r.BetaFast == 0 {
		r.BetaFast = 32
	}
	if r.BetaSlow == 0 {
		r.BetaSlow = 1
	}
	r.Truncate = f.flagOr(true, "truncate")
	f.refuse(r.Theta <= 1, "rope_theta is 1, which makes no frequencies for the type yarn")
	scale := func(by float64) float64 {
		if r.Factor <= 1 {
			return 1
		}
		return 0.1*by*math.Log(r.Factor) + 1
	}
	m, all := f.number(0, 0, 1e3, "mscale"), f.number(0, 0, 1e3, "mscale_all_dim")
	def := scale(1)
	if m != 0 && all != 0 {
		def = scale(m) / scale(all)
	}
	r.Magnitude = float32(f.number(def, 1e-6, 1e6, "attention_factor"))
}

// longrope reads the parameters of that type.
func (f *fields) longrope(r *Rope, positions int) {
	r.Short = f.numbers("short_factor", r.pairs(), 1e-6, 1e6)
	r.Long = f.numbers("long_factor", r.pairs(), 1e-6, 1e6)
	if f.spelled == nil { // in a GGUF file they are tensors
		f.refuse(r.Short == nil, "short_factor is missing")
		f.refuse(r.Long == nil, "long_factor is missing")
	}
	r.Factor = f.number(float64(positions)/float64(max(r.Original, 1)), 1e-6, maxFactor, "factor")
	f.refuse(r.Original < 2, "original_max_position_embeddings is too small for the type longrope")
	def := 1.0
	if r.Factor > 1 {
		def = math.Sqrt(1 + math.Log(r.Factor)/math.Log(float64(r.Original)))
	}
	r.Magnitude = float32(f.number(def, 1e-6, 1e6, "attention_factor"))
}

// pairs is the number of frequencies; an odd Dim is rounded up.
func (r *Rope) pairs() int { return (r.Dim + 1) / 2 }

// rotary computes the frequencies for texts of up to so many tokens, with the
// roundings to float32 of the reference library.
//
// The types dynamic and longrope depend on the length of the text. The
// reference switches while a text grows, and then reads keys that it turned the
// old way; the size of the cache decides here, so that all keys of a text are
// turned alike.
func (r *Rope) rotary(headSize, tokens int) *engine.Rotary {
	theta := r.Theta
	if r.Type == "dynamic" {
		d, length := float64(r.Dim), float64(max(tokens, r.Original))
		theta *= math.Pow(r.Factor*length/float64(r.Original)-(r.Factor-1), d/(d-2))
	}
	powers := make([]float32, r.pairs()) // theta^(2i/Dim)
	for i := range powers {
		powers[i] = float32(math.Pow(theta, float64(float32(2*i)/float32(r.Dim))))
	}
	turn := &engine.Rotary{HeadSize: headSize, Magnitude: r.Magnitude, Frequencies: make([]float32, len(powers))}
	for i, p := range powers {
		turn.Frequencies[i] = r.frequency(i, p, tokens)
	}
	return turn
}

// frequency is the angle a position of pair i, p being theta^(2i/Dim).
func (r *Rope) frequency(i int, p float32, tokens int) float32 {
	switch r.Type {
	case "linear":
		return 1 / p / float32(r.Factor)
	case "llama3":
		return r.llama3(1 / p)
	case "yarn":
		return r.yarn(i, p)
	case "longrope":
		if tokens > r.Original {
			return 1 / (r.Long[i] * p)
		}
		return 1 / (r.Short[i] * p)
	}
	if r.Divisors != nil {
		return 1 / p / r.Divisors[i]
	}
	return 1 / p
}

// llama3 leaves fast frequencies alone, divides slow ones by Factor, and goes
// over smoothly between them (Llama 3, arXiv:2407.21783, §3.4.3 and its code).
func (r *Rope) llama3(frequency float32) float32 {
	factor, original := float32(r.Factor), float32(r.Original)
	period := float32(2*math.Pi) / frequency
	switch {
	case period > float32(float64(r.Original)/r.Low):
		return frequency / factor
	case period < float32(float64(r.Original)/r.High):
		return frequency
	}
	smooth := (original/period - float32(r.Low)) / float32(r.High-r.Low)
	return (1-smooth)*frequency/factor + smooth*frequency
}

// yarn leaves frequencies alone that turn more than BetaFast times in Original
// positions, divides those by Factor that turn less than BetaSlow times, and
// goes over linearly between them.
func (r *Rope) yarn(i int, p float32) float32 {
	d := float64(r.Dim)
	border := func(turns float64) float64 {
		return d * math.Log(float64(r.Original)/(turns*2*math.Pi)) / (2 * math.Log(r.Theta))
	}
	low, high := border(r.BetaFast), border(r.BetaSlow)
	if r.Truncate {
		low, high = math.Floor(low), math.Ceil(high)
	}
	low, high = max(low, 0), min(high, d-1)
	if low == high {
		high += 0.001
	}
	ramp := min(max((float32(i)-float32(low))/float32(high-low), 0), 1)
	return 1/(float32(r.Factor)*p)*ramp + 1/p*(1-ramp)
}
