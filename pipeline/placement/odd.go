package placement

import (
	"fmt"
	"math"
)

// oddNumbers says what is odd about numbers, as the end of a sentence about
// their device.
type oddNumbers struct{ what string }

func (o *oddNumbers) Error() string { return "gave " + o.what }

// Numbers are far too large if they exceed the largest number of the model so far by this
// factor. As long as there is none, they are too large from oddFirst on, which no model
// reaches.
const (
	oddGrowth = 100
	oddFirst  = 1e6
)

// oddity looks for numbers that no working model computes. They are not finite,
// or all the same (memory that was never written reads as zeros), or far larger
// than peak, the largest one before (0 = none). It cannot tell a wrong value of
// an ordinary size from a right one.
func oddity(values []float32, cols int, peak float32) *oddNumbers {
	if !Finite(values) {
		return &oddNumbers{"numbers that are not finite"}
	}
	if same(values) && (cols > 1 || values[0] == 0) {
		return &oddNumbers{fmt.Sprintf("nothing but the number %g", values[0])}
	}
	limit := float32(oddFirst)
	if peak > 0 {
		limit = oddGrowth * peak
	}
	if m := magnitude(values); m > limit {
		return &oddNumbers{fmt.Sprintf("a number as large as %.3g", m)}
	}
	return nil
}

func same(values []float32) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return len(values) > 0
}

func magnitude(values []float32) (m float32) {
	for _, v := range values {
		m = max(m, float32(math.Abs(float64(v))))
	}
	return m
}

// Finite reports whether no value is NaN or an infinity. Those times zero give
// NaN; every other value times zero gives zero.
func Finite(values []float32) bool {
	var a, b, c, d float32
	for len(values) >= 4 {
		a += values[0] * 0
		b += values[1] * 0
		c += values[2] * 0
		d += values[3] * 0
		values = values[4:]
	}
	for _, v := range values {
		a += v * 0
	}
	return a+b+c+d == 0
}
