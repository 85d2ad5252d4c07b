package nn

import (
	"math"

	"inglenook/engine"
)

// Rope is rotary position embedding (Su et al. 2021, arXiv:2104.09864), with the
// parameters that stretch it to longer texts.
type Rope struct {
	Dim   int     // leading columns of a head that rotate
	Theta float64 // base of the frequencies
	// Type is "default", "linear" (Chen et al. 2023, arXiv:2306.15595),
	// "dynamic" (NTK by length), "yarn" (Peng et al. 2023, arXiv:2309.00071),
	// "longrope" (Ding et al. 2024, arXiv:2402.13753), "llama3", "ntk" (GTE: NTK
	// by a fixed factor), or "proportional" (Gemma 4): pairs from Turning on stay unchanged.
	Type               string
	Factor             float64
	Original           int     // positions of training before stretching
	Magnitude          float32 // yarn, longrope: factor of the rotated columns
	Low, High          float64 // llama3: periods in Original below and above which nothing is, or all is stretched
	BetaFast, BetaSlow float64 // yarn: the same as turns in Original
	Truncate           bool    // yarn: the borders lie on whole frequencies
	Short, Long        []float32
	Divisors           []float32 // of the frequencies; GGUF files store llama3 and proportional this way
	Turning            int       // proportional: pairs that rotate
}

// Pairs returns the number of frequencies; an odd Dim is rounded up.
func (r *Rope) Pairs() int { return (r.Dim + 1) / 2 }

// Rotary computes the frequencies for texts of up to so many tokens, rounding to
// float32 where the reference library does.
//
// The types dynamic and longrope depend on the length of the text. The reference
// switches while a text grows, and then reads keys that it rotated by the old
// frequencies. Here the size of the cache decides, so that all keys of a text
// are rotated alike.
func (r *Rope) Rotary(headSize, tokens int) *engine.Rotary {
	theta := r.Theta
	if r.Type == "dynamic" {
		d, length := float64(r.Dim), float64(max(tokens, r.Original))
		theta *= math.Pow(r.Factor*length/float64(r.Original)-(r.Factor-1), d/(d-2))
	}
	if r.Type == "ntk" {
		theta *= r.Factor
	}
	powers := make([]float32, r.Pairs()) // theta^(2i/Dim)
	for i := range powers {
		powers[i] = float32(math.Pow(theta, float64(float32(2*i)/float32(r.Dim))))
	}
	turn := &engine.Rotary{HeadSize: headSize, Magnitude: r.Magnitude, Frequencies: make([]float32, len(powers))}
	for i, p := range powers {
		turn.Frequencies[i] = r.frequency(i, p, tokens)
	}
	return turn
}

// frequency returns the angle per position of pair i; p is theta^(2i/Dim).
func (r *Rope) frequency(i int, p float32, tokens int) float32 {
	switch r.Type {
	case "linear":
		return 1 / p / float32(r.Factor)
	case "ntk":
		return 1 / p / float32(math.Pow(r.Factor, 2/float64(r.Dim)))
	case "llama3":
		return r.llama3(1 / p)
	case "yarn":
		return r.yarn(i, p)
	case "longrope":
		if tokens > r.Original {
			return 1 / (r.Long[i] * p)
		}
		return 1 / (r.Short[i] * p)
	case "proportional":
		if i >= r.Turning {
			return 0
		}
		p *= float32(r.Factor)
	}
	if r.Divisors != nil {
		return 1 / p / r.Divisors[i]
	}
	return 1 / p
}

// llama3 keeps fast frequencies, divides slow ones by Factor, and interpolates
// smoothly between them (Llama 3, arXiv:2407.21783, §3.4.3 and its code).
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

// yarn keeps frequencies that rotate more than BetaFast times in Original
// positions, divides by Factor those that rotate less than BetaSlow times, and
// interpolates linearly between them.
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
