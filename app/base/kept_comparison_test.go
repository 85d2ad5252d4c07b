package base

import (
	"math"
	"testing"
)

// What is kept of vectors points where they do; what is no comparison of so many texts does not fit.
func TestKeptComparison(t *testing.T) {
	vectors := [][]float32{{0.6, -0.8, 0}, {0.001, 0.002, -0.003}, {0, 0, 0}}
	var k KeptComparison
	if !k.SetVectors(vectors) || !k.Fits(3) || k.Fits(2) || k.Fits(0) || (KeptComparison{KeptVectors: KeptVectors{Vectors: k.Vectors}}).Fits(3) {
		t.Fatalf("%+v", k)
	}
	for i, got := range k.Directions() {
		var dot, a, b float64
		for j, x := range got {
			dot, a, b = dot+float64(x)*float64(vectors[i][j]), a+float64(x)*float64(x), b+float64(vectors[i][j])*float64(vectors[i][j])
		}
		if cosine := dot / math.Sqrt(a*b); b > 0 && cosine < 0.9999999 || b == 0 && a != 0 {
			t.Errorf("vector %d is %v", i, got)
		}
	}
	if k.SetVectors([][]float32{make([]float32, mostVectors)}) || k.SetVectors(nil) {
		t.Error("more is kept than there is room for")
	}
}
