package vecmath

import (
	"math"
	"testing"
)

func TestCosine(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name string
		a, b []float32
		want float64
	}{
		{"the same direction", []float32{1, 2, 3, 4, 5}, []float32{2, 4, 6, 8, 10}, 1},
		{"opposite", []float32{1, -2}, []float32{-1, 2}, -1},
		{"a right angle", []float32{3, 0, 0, 0, 0}, []float32{0, 0, 0, 0, 2}, 0},
		{"60 degrees", []float32{1, 0}, []float32{1, float32(math.Sqrt(3))}, 0.5},
		{"no direction", []float32{0, 0}, []float32{1, 1}, 0},
		{"nothing", nil, nil, 0},
		{"large values", []float32{math.MaxFloat32, math.MaxFloat32}, []float32{1, 1}, 1},
		{"small values", []float32{1e-45, 0}, []float32{1e-45, 0}, 1},
		{"not a number", []float32{nan, 1}, []float32{1, 1}, math.NaN()},
		{"infinite", []float32{inf, 1}, []float32{1, 1}, math.NaN()},
	} {
		got := Cosine(c.a, c.b)
		if !(math.Abs(got-c.want) < 1e-7 || math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if other := Cosine(c.b, c.a); math.Float64bits(other) != math.Float64bits(got) && !math.IsNaN(got) {
			t.Errorf("%s: %v one way and %v the other", c.name, got, other)
		}
	}
}

// Every length from 0 to 9 goes through the loop of four or the rest of it.
func TestDot(t *testing.T) {
	var a, b []float32
	want := 0.0
	for k := range 10 {
		if got := Dot(a, b); got != want {
			t.Errorf("%d values: %v, want %v", k, got, want)
		}
		if got := Dot(append(a, 7), b); got != want {
			t.Errorf("%d values and %d: %v, want %v", k+1, k, got, want)
		}
		a, b = append(a, float32(k+1)), append(b, float32(2*k-3))
		want += float64(k+1) * float64(2*k-3)
	}
}
