package nn

import "math"

// Slopes returns those of ALiBi (Press et al. 2021, arXiv:2108.12409, §3), one a head: for
// a power of two heads, a geometric sequence; for other numbers, continued with every second
// slope of the next power.
func Slopes(heads int) []float32 {
	slopes := make([]float32, heads)
	power := 1
	for 2*power <= heads {
		power *= 2
	}
	base := func(n int) float64 { return float64(float32(math.Exp2(-8 / float64(n)))) }
	for i := range slopes {
		x := math.Pow(base(power), float64(i+1))
		if i >= power {
			x = math.Pow(base(2*power), float64(2*(i-power)+1))
		}
		slopes[i] = float32(x)
	}
	return slopes
}
