// Package vecmath compares vectors of embedding models, in float64 and in a fixed order of
// addition, so that equal vectors give equal bits.
package vecmath

import "math"

// Dot returns the dot product of a and b, [dimension] each. What one has beyond the
// length of the other counts as 0.
func Dot(a, b []float32) float64 {
	n := min(len(a), len(b))
	a, b = a[:n], b[:n]
	var s0, s1, s2, s3 float64 // four sums do not wait for each other
	k := 0
	for ; k+4 <= n; k += 4 {
		s0 += float64(a[k]) * float64(b[k])
		s1 += float64(a[k+1]) * float64(b[k+1])
		s2 += float64(a[k+2]) * float64(b[k+2])
		s3 += float64(a[k+3]) * float64(b[k+3])
	}
	for ; k < n; k++ {
		s0 += float64(a[k]) * float64(b[k])
	}
	return s0 + s1 + s2 + s3
}

// Length returns the Euclidean length of v.
func Length(v []float32) float64 {
	return math.Sqrt(Dot(v, v))
}

// Cosine returns the cosine of the angle between a and b, from -1 to 1. It is 0 if one of
// them has no direction, because all its values are 0, and NaN if a value is not a number.
func Cosine(a, b []float32) float64 {
	lengths := Length(a) * Length(b)
	if lengths == 0 {
		return 0
	}
	return max(-1, min(1, Dot(a, b)/lengths))
}
