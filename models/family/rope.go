package family

import (
	"math"

	"inglenook/models/nn"
)

// maxFactor bounds the factor that stretches positions.
const maxFactor = 1 << 20

// Rope reads today's rope_parameters or the older rope_scaling with rope_theta
// beside it. theta and partial are the family's defaults.
func (f *Fields) Rope(c Config, theta, partial float64) *nn.Rope {
	theta = f.Number(theta, 1, 1e12, "rope_theta")
	partial = f.Number(partial, 0, 1, "partial_rotary_factor")
	in, done := f.In(f.RopeName())
	defer done()
	return in.RopeParameters(c, theta, partial, f.SizeOr(0, MaxPositions, "original_max_position_embeddings"))
}

// RopeName returns which of the two spellings holds in a family all layers of which have the same
// parameters. Where both are there it is the older one, as in the reference library, unless they differ.
func (f *Fields) RopeName() string {
	today, _ := f.Values["rope_parameters"].(map[string]any)
	for _, layers := range []string{"full_attention", "sliding_attention"} {
		f.Refuse(today[layers] != nil, "rope_parameters: "+layers+" is set, but in this family all layers have the same parameters")
	}
	m, ok := f.Values["rope_scaling"].(map[string]any)
	if f.Values["rope_scaling"] == nil || ok && len(m) == 0 {
		return "rope_parameters"
	}
	kind := func(m map[string]any) string {
		name, ok := m["rope_type"].(string)
		if !ok {
			name, _ = m["type"].(string)
		}
		return name
	}
	if k := kind(today); ok && k != "" && k != "default" && k != kind(m) {
		f.Fail("rope_parameters names the type %.40q and rope_scaling %.40q; keep one of them", k, kind(m))
	}
	return "rope_scaling"
}

// LayerRopes reads the rope_parameters of the layers with full attention and of those with a
// window. The bases are those where they say nothing.
func (f *Fields) LayerRopes(c Config, theta, localTheta float64) (global, local *nn.Rope) {
	both, done := f.RopesByLayer()
	defer done()
	wide, wideDone := both.In("full_attention")
	near, nearDone := both.In("sliding_attention")
	defer nearDone()
	defer wideDone()
	return wide.RopeParameters(c, theta, 1, 0), near.RopeParameters(c, localTheta, 1, 0)
}

// RopesByLayer returns the rope_parameters of a family that has some for each kind of layer, and
// refuses those that are for all layers alike.
func (f *Fields) RopesByLayer() (both *Fields, done func()) {
	both, done = f.In("rope_parameters")
	for _, key := range []string{"rope_type", "type"} {
		if kind := both.Text(key); kind != "" && kind != "default" {
			both.Fail("%s is %.40q for all layers; in this family, only parameters in full_attention and sliding_attention are supported", key, kind)
		}
	}
	return both, done
}

// RopeParameters reads one set of parameters. A field beside them that states
// the original positions takes precedence, as in the reference library.
func (f *Fields) RopeParameters(c Config, theta, partial float64, original int) *nn.Rope {
	r := &nn.Rope{
		Theta: f.Number(theta, 1, 1e12, "rope_theta"),
		Type:  f.Text("rope_type"),
	}
	if r.Type == "" {
		r.Type = f.Text("type")
	}
	partial = f.Number(partial, 0, 1, "partial_rotary_factor")
	r.Dim = int(float64(c.HeadSize) * partial)
	if pairs := r.Pairs(); pairs < 1 || 2*pairs > c.HeadSize {
		f.Fail("%d of the %d columns of a head cannot turn in pairs", r.Dim, c.HeadSize)
	}
	if r.Original = original; original == 0 {
		r.Original = f.SizeOr(c.MaxTokens, MaxPositions, "original_max_position_embeddings")
	}
	f.Refuse(r.Original < 1, "original_max_position_embeddings is 0")
	switch r.Type {
	case "", "default", "mrope":
		r.Type = "default"
	case "linear", "dynamic":
		r.Factor = f.factor()
		f.Refuse(r.Type == "dynamic" && r.Dim <= 2, "too few columns turn for the type dynamic")
		r.Original = c.MaxTokens
	case "proportional":
		r.Factor = f.Number(1, 1e-3, maxFactor, "factor")
		r.Dim, r.Turning = c.HeadSize, r.Dim/2
	case "llama3":
		r.Factor = f.factor()
		r.Low, r.High = f.Number(0, 1e-6, 1e6, "low_freq_factor"), f.Number(0, 1e-6, 1e6, "high_freq_factor")
		f.Refuse(r.Low == 0, "low_freq_factor is missing")
		f.Refuse(r.High <= r.Low, "high_freq_factor is not above low_freq_factor")
	case "yarn":
		f.yarn(r, c.MaxTokens)
	case "longrope", "su":
		r.Type = "longrope"
		f.longrope(r, c.MaxTokens)
	default:
		f.Fail("the rope type %q is not supported", r.Type)
	}
	return r
}

// factor reads the stretch factor, which the type requires.
func (f *Fields) factor() float64 {
	x := f.Number(0, 1e-3, maxFactor, "factor")
	f.Refuse(x == 0, "factor is missing")
	return x
}

// yarn reads the parameters of yarn.
func (f *Fields) yarn(r *nn.Rope, positions int) {
	r.Factor = f.Number(float64(positions)/float64(max(r.Original, 1)), 1e-3, maxFactor, "factor")
	r.BetaFast, r.BetaSlow = f.Number(0, 0, 1e6, "beta_fast"), f.Number(0, 0, 1e6, "beta_slow")
	if r.BetaFast == 0 {
		r.BetaFast = 32
	}
	if r.BetaSlow == 0 {
		r.BetaSlow = 1
	}
	r.Truncate = f.FlagOr(true, "truncate")
	f.Refuse(r.Theta <= 1, "rope_theta is 1, which makes no frequencies for the type yarn")
	scale := func(by float64) float64 {
		if r.Factor <= 1 {
			return 1
		}
		return 0.1*by*math.Log(r.Factor) + 1
	}
	m, all := f.Number(0, 0, 1e3, "mscale"), f.Number(0, 0, 1e3, "mscale_all_dim")
	def := scale(1)
	if m != 0 && all != 0 {
		def = scale(m) / scale(all)
	}
	r.Magnitude = float32(f.Number(def, 1e-6, 1e6, "attention_factor"))
}

// longrope reads the parameters of longrope.
func (f *Fields) longrope(r *nn.Rope, positions int) {
	r.Short = f.Numbers("short_factor", r.Pairs(), 1e-6, 1e6)
	r.Long = f.Numbers("long_factor", r.Pairs(), 1e-6, 1e6)
	if f.Spelled == nil { // in a GGUF file they are tensors
		f.Refuse(r.Short == nil, "short_factor is missing")
		f.Refuse(r.Long == nil, "long_factor is missing")
	}
	r.Factor = f.Number(float64(positions)/float64(max(r.Original, 1)), 1e-6, maxFactor, "factor")
	f.Refuse(r.Original < 2, "original_max_position_embeddings is too small for the type longrope")
	def := 1.0
	if r.Factor > 1 {
		def = math.Sqrt(1 + math.Log(r.Factor)/math.Log(float64(r.Original)))
	}
	r.Magnitude = float32(f.Number(def, 1e-6, 1e6, "attention_factor"))
}
