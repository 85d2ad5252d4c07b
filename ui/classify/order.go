package classify

import (
	"cmp"
	"slices"

	"inglenook/app/texts"
)

// The orders of the rows.
const (
	orderListed = iota
	orderUnsure
	orderSure
	orderLabel
)

var orderNames = []string{"As listed", "Least sure first", "Surest first", "By label"}

// sureness is how sure the model is of text i: one that needs to be looked at counts less than any that does not, and
// a label that a person gave more than any of the model's.
func (f *found) sureness(i int) float64 {
	if f.byHand(i) {
		return 3
	}
	_, sure := f.best(i)
	if f.Entities != nil { // as sure as of the name that it is least sure of
		sure.value = 1
		for _, l := range f.in(i) {
			sure.value = min(sure.value, l.value)
		}
	}
	if len(f.in(i)) == 0 || f.Labels != nil && f.verdict(i) == texts.Outside {
		return sure.value - 2
	}
	if f.Labels != nil && f.verdict(i) != texts.Sure {
		return sure.value - 1
	}
	return sure.value
}

// ordered puts some texts in an order; those that are equal stay as they are listed.
func (f *found) ordered(some []int, by int) []int {
	if by == orderListed {
		return some
	}
	some = slices.Clone(some)
	sure, label := map[int]float64{}, map[int]string{}
	for _, i := range some {
		sure[i] = f.sureness(i)
		if label[i], _ = f.best(i); f.verdict(i) == texts.Outside {
			label[i] = "\U0010ffff" // behind all labels
		}
	}
	slices.SortStableFunc(some, func(a, b int) int {
		switch by {
		case orderUnsure:
			return cmp.Compare(sure[a], sure[b])
		case orderSure:
			return cmp.Compare(sure[b], sure[a])
		}
		return cmp.Or(cmp.Compare(label[a], label[b]), cmp.Compare(sure[b], sure[a]))
	})
	return some
}

// reorder puts the rows in another order; the text that is shown stays the same.
func (r *results) reorder() {
	if r.of == nil {
		return
	}
	at := r.at
	r.sift()
	if i := slices.Index(r.rowsOf, at); i >= 0 && r.order.SelectedIndex() == orderListed {
		r.choose(at)
	} else if len(r.rowsOf) > 0 {
		r.chosen(r.rowsOf[0])
	}
}
