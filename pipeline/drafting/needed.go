package drafting

import "math"

// Needed returns how many of the guesses have to come true, 0.6 for 60 of 100, so that a pass that checks
// some of them is as fast as passes of one token. The pass reads tokens tokens, one of them known, and takes as
// long as cost passes of one. More than 1: it never pays.
func Needed(tokens int, cost float64) float64 {
	gives := func(right float64) (n float64) {
		all := 1.0
		for range tokens {
			n += all
			all *= right
		}
		return n
	}
	switch {
	case cost <= 1:
		return 0
	case !(cost <= float64(tokens)):
		return math.Inf(1)
	}
	low, high := 0.0, 1.0
	for range 40 {
		if middle := (low + high) / 2; gives(middle) < cost {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
