package texts

import (
	"cmp"
	"slices"
)

// Order is texts in the order of their scores, the best first.
type Order struct {
	Texts  []int // by index; those with equal scores keep their order
	Places []int // of each text, from 0 on; those with equal scores share the first of theirs
}

// NewOrder orders texts by their scores. What is not a number comes last.
func NewOrder(scores []float64) Order {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return sharing(order, func(a, b int) bool { return cmp.Compare(scores[a], scores[b]) == 0 })
}

// OrderOf is the order in which texts have places, which those with equal scores share.
func OrderOf(places []int) Order {
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(places[a], places[b]) })
	return Order{Texts: order, Places: slices.Clone(places)}
}

// sharing has neighbours share a place whose scores are equal.
func sharing(texts []int, equal func(a, b int) bool) Order {
	o := Order{Texts: texts, Places: make([]int, len(texts))}
	for row, i := range texts {
		o.Places[i] = row
		if row > 0 && equal(texts[row-1], i) {
			o.Places[i] = o.Places[texts[row-1]]
		}
	}
	return o
}

// lasts returns for each text the last of the places that its score shares.
func (o Order) lasts() []int {
	last := make([]int, len(o.Texts))
	for row := len(o.Texts) - 1; row >= 0; row-- {
		i := o.Texts[row]
		last[i] = row
		if row+1 < len(o.Texts) && o.Places[o.Texts[row+1]] == o.Places[i] {
			last[i] = last[o.Texts[row+1]]
		}
	}
	return last
}

// Moves returns how many places each text goes down from one order to another, less than 0
// for up. Texts with equal scores may stand in any order, so a text moves no further than its
// score forces it to.
func Moves(from, to Order) []int {
	moves := make([]int, len(from.Texts))
	lastFrom, lastTo := from.lasts(), to.lasts()
	for i := range moves {
		if up := lastTo[i] - from.Places[i]; up < 0 {
			moves[i] = up
		} else if down := to.Places[i] - lastFrom[i]; down > 0 {
			moves[i] = down
		}
	}
	return moves
}

// evened gives texts that are the same the same score, that of the first: a model's scores
// depend on what it reads beside them, by their last bits.
func evened[F float32 | float64](texts []string, scores []F) {
	first := make(map[string]int, len(texts))
	for i, text := range texts {
		if at, ok := first[text]; ok {
			scores[i] = scores[at]
		} else {
			first[text] = i
		}
	}
}
