package texts

import "math"

// Recall is the share of the right texts that are among the first k of an order; right tells
// which texts answer the question. Texts with equal scores may stand in any order, so it is
// the mean over all of these. NaN: no text is right.
func Recall(o Order, right []bool, k int) float64 {
	found, all := 0.0, 0
	o.each(right, func(first, end, n int) {
		found += share(n, first, end) * float64(max(0, min(end, k)-first))
		all += n
	})
	return found / float64(all)
}

// NDCG is the normalized discounted cumulative gain of the first k of an order: 1 where all
// right texts come first, less the lower they stand. A right text at place p, from 1 on, is
// worth 1/log2(p+1); the sum is divided by that of the best order. Texts with equal scores
// count with the mean over all orders of them. NaN: no text is right.
// (K. Järvelin, J. Kekäläinen, "Cumulated Gain-Based Evaluation of IR Techniques", 2002;
// F. McSherry, M. Najork, "Computing Information Retrieval Performance Measures Efficiently in
// the Presence of Tied Scores", 2008.)
func NDCG(o Order, right []bool, k int) float64 {
	gain, best, all := 0.0, 0.0, 0
	o.each(right, func(first, end, n int) {
		for place := first; place < min(end, k); place++ {
			gain += share(n, first, end) * worth(place)
		}
		for range n {
			if all < k {
				best += worth(all)
			}
			all++
		}
	})
	return gain / best
}

// each calls f for each run of texts with equal scores, the best first: its places are first
// to end-1, and n of its texts are right.
func (o Order) each(right []bool, f func(first, end, n int)) {
	for first := 0; first < len(o.Texts); {
		end, n := first, 0
		for end < len(o.Texts) && o.Places[o.Texts[end]] == first {
			if right[o.Texts[end]] {
				n++
			}
			end++
		}
		f(first, end, n)
		first = end
	}
}

// share is the part of a run that is right.
func share(n, first, end int) float64 { return float64(n) / float64(end-first) }

// worth is that of a right text at a place, from 0 on.
func worth(place int) float64 { return 1 / math.Log2(float64(place+2)) }
