package texts

import "math"

// Recall is the share of the right texts that are among the first k of a ranking. order
// lists texts by index, the best first; right tells which of them answer the question. NaN:
// none does.
func Recall(order []int, right []bool, k int) float64 {
	found, all := 0, 0
	for place, i := range order {
		if right[i] {
			all++
			if place < k {
				found++
			}
		}
	}
	return float64(found) / float64(all)
}

// NDCG is the normalized discounted cumulative gain of the first k of a ranking: 1 where all
// right texts come first, less the lower they stand. A right text at place p, from 1 on, is
// worth 1/log2(p+1); the sum is divided by that of the best order. NaN: no text is right.
// (K. Järvelin, J. Kekäläinen, "Cumulated Gain-Based Evaluation of IR Techniques", 2002.)
func NDCG(order []int, right []bool, k int) float64 {
	gain, best, all := 0.0, 0.0, 0
	for place, i := range order {
		if !right[i] {
			continue
		}
		if place < k {
			gain += worth(place)
		}
		if all < k {
			best += worth(all)
		}
		all++
	}
	return gain / best
}

// worth is that of a right text at a place, from 0 on.
func worth(place int) float64 { return 1 / math.Log2(float64(place+2)) }
