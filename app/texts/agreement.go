package texts

import (
	"cmp"
	"math"
	"slices"
)

// Agreement says how far two models put the same texts in the same order. It counts pairs
// of texts: of 10 texts there are 45.
type Agreement struct {
	Same  int     // pairs that both put in the same order
	Other int     // pairs that one puts the other way round
	Tied  int     // pairs to which one of them, or both, give equal scores
	Tau   float64 // Kendall's tau-b, from -1 to 1; NaN where a model gives all texts one score
}

// Agree compares two scores of each text. What is not a number counts as the lowest score.
// It takes time with n·log n (W. R. Knight, "A Computer Method for Calculating Kendall's Tau
// with Ungrouped Data", 1966).
func Agree(a, b []float32) Agreement {
	n := len(a)
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(i, j int) int { return cmp.Or(cmp.Compare(a[i], a[j]), cmp.Compare(b[i], b[j])) })
	first := make([]float32, n)
	second := make([]float32, n)
	for k, i := range at {
		first[k], second[k] = a[i], b[i]
	}
	tiedFirst := pairsWithin(n, func(k int) bool { return cmp.Compare(first[k-1], first[k]) == 0 })
	tiedBoth := pairsWithin(n, func(k int) bool {
		return cmp.Compare(first[k-1], first[k]) == 0 && cmp.Compare(second[k-1], second[k]) == 0
	})
	other := inversions(second, make([]float32, n)) // sorts second
	tiedSecond := pairsWithin(n, func(k int) bool { return cmp.Compare(second[k-1], second[k]) == 0 })

	all := n * (n - 1) / 2
	tied := tiedFirst + tiedSecond - tiedBoth
	r := Agreement{Same: all - tied - other, Other: other, Tied: tied, Tau: math.NaN()}
	if told := float64(all-tiedFirst) * float64(all-tiedSecond); told > 0 {
		r.Tau = float64(r.Same-r.Other) / math.Sqrt(told)
	}
	return r
}

// pairsWithin counts the pairs within runs of equal neighbours; equal compares k with the
// one before it.
func pairsWithin(n int, equal func(k int) bool) (pairs int) {
	run := 0
	for k := 1; k < n; k++ {
		if equal(k) {
			run++
			pairs += run
		} else {
			run = 0
		}
	}
	return pairs
}

// inversions sorts s and returns how many pairs stood in the wrong order. buffer is as
// long as s.
func inversions(s, buffer []float32) int {
	if len(s) < 2 {
		return 0
	}
	middle := len(s) / 2
	count := inversions(s[:middle], buffer) + inversions(s[middle:], buffer)
	left, right := append(buffer[:0], s[:middle]...), s[middle:]
	for k := range s {
		if len(left) > 0 && (len(right) == 0 || cmp.Compare(left[0], right[0]) <= 0) {
			s[k], left = left[0], left[1:]
			continue
		}
		if len(left) == 0 {
			break // the rest stands where it belongs
		}
		count += len(left)
		s[k], right = right[0], right[1:]
	}
	return count
}
