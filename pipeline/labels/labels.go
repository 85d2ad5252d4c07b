// Package labels makes what a person reads of a classifier's numbers: labels with
// probabilities, entities marked in a text, and words for its gaps.
package labels

import (
	"math"
	"slices"
)

// Label is a label with its number.
type Label struct {
	Name  string
	Value float32
}

// What the numbers of labels are.
const (
	Softmax = "softmax" // probabilities of which one label has the rest of the others
	Sigmoid = "sigmoid" // probabilities that do not depend on each other
	Values  = "values"  // no probabilities, but what the model was trained to predict
)

// Of returns the labels of the outputs of one text, the largest first.
func Of(row []float32, names []string, kind string) []Label {
	values := Numbers(row, kind)
	all := make([]Label, len(row))
	for i, v := range values {
		all[i] = Label{names[i], float32(v)}
	}
	slices.SortStableFunc(all, func(a, b Label) int {
		switch {
		case a.Value > b.Value:
			return -1
		case a.Value < b.Value:
			return 1
		}
		return 0
	})
	return all
}

// Numbers turns outputs into the numbers of a kind.
func Numbers(row []float32, kind string) []float64 {
	values := make([]float64, len(row))
	most, sum := float64(slices.Max(row)), 0.0
	for i, x := range row {
		switch kind {
		case Softmax:
			values[i] = math.Exp(float64(x) - most)
		case Sigmoid:
			values[i] = 1 / (1 + math.Exp(-float64(x)))
		default:
			values[i] = float64(x)
		}
		sum += values[i]
	}
	if kind == Softmax {
		for i := range values {
			values[i] /= sum
		}
	}
	return values
}

// Likeliest returns the indexes of the n largest outputs, the largest first.
func Likeliest(row []float32, n int) []int {
	best := make([]int, 0, n+1)
	for i, x := range row {
		if len(best) == n && x <= row[best[n-1]] {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, x, func(k int, x float32) int {
			if row[k] >= x {
				return -1
			}
			return 1
		})
		best = slices.Insert(best, at, i)
		best = best[:min(len(best), n)]
	}
	return best
}
