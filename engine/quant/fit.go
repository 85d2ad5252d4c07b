package quant

import "math"

// The fits below find the scale of a group of values. For given levels the best
// scale follows from linear least squares. The levels are found by trial: the
// values are rounded with several step sizes near the one that makes the levels
// just reach the range of the values.

// fitFloored finds scale ≥ 0 and low ≤ 0 such that low + scale·level, with
// levels from 0 to top, comes close to x.
func fitFloored(x []float32, top int32) (scale, low float32) {
	least, most := bounds(x)
	least = min(least, 0)
	span := most - least
	if !(span > 0) || inverse(span) == 0 {
		return 0, least
	}
	var sumX, sumXX float64
	for _, v := range x {
		sumX += float64(v)
		sumXX += float64(v) * float64(v)
	}
	scale, low = span/float32(top), least
	n, best := float64(len(x)), math.Inf(1)
	for try := range 10 {
		inv := (float32(top) - 1 + 0.3*float32(try)) / span
		var sumL, sumLL int32
		var sumLX float64
		for _, v := range x {
			l := min(int32(float32((v-least)*inv)+0.5), top)
			sumL += l
			sumLL += l * l
			sumLX += float64(v * float32(l))
		}
		// minimize Σ(x − low − scale·level)²
		det := n*float64(sumLL) - float64(sumL)*float64(sumL)
		if det <= 0 {
			continue
		}
		s := (n*sumLX - sumX*float64(sumL)) / det
		m := (sumX - s*float64(sumL)) / n
		if m > 0 {
			s, m = sumLX/float64(sumLL), 0
		}
		rest := sumXX + s*s*float64(sumLL) + n*m*m + 2*(s*m*float64(sumL)-s*sumLX-m*sumX)
		if rest < best {
			best, scale, low = rest, float32(s), float32(m)
		}
	}
	return scale, low
}

// fitSigned finds a scale of either sign such that scale·level, with levels
// from −top to top−1, comes close to x.
func fitSigned(x []float32, top int32) (scale float32) {
	most := extreme(x)
	if inverse(most) == 0 {
		return 0
	}
	best := float64(0)
	for try := range 19 {
		inv := -(float32(top) + 0.1*float32(try-9)) / most
		var sumLX float64
		sumLL := int32(0)
		for _, v := range x {
			l := nearest(v*inv, top)
			sumLX += float64(v) * float64(l)
			sumLL += l * l
		}
		// minimize Σ(x − scale·level)²: what the levels explain is sumLX²/sumLL
		if sumLL > 0 && sumLX*sumLX > best*float64(sumLL) {
			best, scale = sumLX*sumLX/float64(sumLL), float32(sumLX/float64(sumLL))
		}
	}
	return scale
}

// nearest rounds v to a whole number from −top to top−1, ties to even.
func nearest(v float32, top int32) int32 {
	const shift = 3 << 22 // at this size a float's unit is 1: the addition rounds
	l := int32(math.Float32bits(float32(v)+shift)) - int32(math.Float32bits(shift))
	return max(-top, min(l, top-1))
}
