package models

import (
	"math"

	"inglenook/models/nn"
)

// maxFactor bounds the factor that stretches positions.
const maxFactor = 1 << 20

// rope reads today's rope_parameters or the older rope_scaling with rope_theta
// beside it. theta and partial are the family's defaults.
func (f *fields) rope(c Config, theta, partial float64) *nn.Rope {
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

// ropeParameters reads one set of parameters. A field beside them that states
// the original positions takes precedence, as in the reference library.
func (f *fields) ropeParameters(c Config, theta, partial float64, original int) *nn.Rope {
	r := &nn.Rope{
		Theta: f.number(theta, 1, 1e12, "rope_theta"),
		Type:  f.text("rope_type"),
	}
	if r.Type == "" {
		r.Type = f.text("type")
	}
	partial = f.number(partial, 0, 1, "partial_rotary_factor")
	r.Dim = int(float64(c.HeadSize) * partial)
	if pairs := r.Pairs(); pairs < 1 || 2*pairs > c.HeadSize {
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
	case "proportional":
		r.Factor = f.number(1, 1e-3, maxFactor, "factor")
		r.Dim, r.Turning = c.HeadSize, r.Dim/2
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

// factor reads the stretch factor, which the type requires.
func (f *fields) factor() float64 {
	x := f.number(0, 1e-3, maxFactor, "factor")
	f.refuse(x == 0, "factor is missing")
	return x
}

// yarn reads the parameters of yarn.
func (f *fields) yarn(r *nn.Rope, positions int) {
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

// longrope reads the parameters of longrope.
func (f *fields) longrope(r *nn.Rope, positions int) {
	r.Short = f.numbers("short_factor", r.Pairs(), 1e-6, 1e6)
	r.Long = f.numbers("long_factor", r.Pairs(), 1e-6, 1e6)
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
