package classify

import (
	"cmp"
	"slices"

	"inglenook/app/texts"
)

// heap is the texts in which the same was found.
type heap struct {
	name  string
	texts []int
	doubt bool // what is to be looked at, in place of a label
}

// What stands in place of a label.
const (
	heapUnsure  = "Unsure"
	heapOutside = "No label fits"
	heapNothing = "Nothing found"
	heapNoGap   = "No gap"
	heapHand    = "By hand" // whatever the label
	heapChanged = "Changed" // since the labels learned
)

// heaps sorts the texts by what was found in them: first what is to be looked at, then the labels, in their order or
// those with the most texts first, then what a person labelled. A text may be in several. None where there is nothing
// to sort by.
func (f *found) heaps() []heap {
	var labels, doubts []heap
	put := func(list *[]heap, name string, i int) {
		at := slices.IndexFunc(*list, func(h heap) bool { return h.name == name })
		if at < 0 {
			at = len(*list)
			*list = append(*list, heap{name: name, doubt: list == &doubts})
		}
		if h := &(*list)[at]; len(h.texts) == 0 || h.texts[len(h.texts)-1] != i {
			h.texts = append(h.texts, i)
		}
	}
	for i := range f.lines {
		switch {
		case f.Entities != nil:
			for _, e := range f.Entities[i] {
				put(&labels, texts.KindOfName(e.Label), i)
			}
			if len(f.Entities[i]) == 0 {
				put(&doubts, heapNothing, i)
			}
		case f.Words != nil:
			if len(f.Words[i]) == 0 {
				put(&doubts, heapNoGap, i)
			}
		case f.Kind != "values":
			for _, name := range f.labelsOf(i) {
				put(&labels, name, i)
			}
			switch f.verdict(i) {
			case texts.Close, texts.Improbable:
				put(&doubts, heapUnsure, i)
			case texts.Outside:
				put(&doubts, heapOutside, i)
			}
		}
	}
	order := f.fixed()
	slices.SortStableFunc(labels, func(a, b heap) int {
		if order == nil {
			return cmp.Or(cmp.Compare(len(b.texts), len(a.texts)), cmp.Compare(a.name, b.name))
		}
		return cmp.Compare(placeIn(order, a.name), placeIn(order, b.name))
	})
	slices.SortStableFunc(doubts, func(a, b heap) int { return cmp.Compare(b.name, a.name) }) // Unsure before No label fits
	all := append(doubts, labels...)
	hand := heap{name: heapHand}
	for i := range f.lines {
		if f.byHand(i) {
			hand.texts = append(hand.texts, i)
		}
	}
	if len(hand.texts) > 0 {
		all = append(all, hand)
	}
	if len(f.changed) > 0 {
		all = append(all, heap{name: heapChanged, texts: f.changed})
	}
	return all
}

// mostFixed is how many labels stand in an order of their own; more of them are a list that nobody knows by heart, and
// what was found stands first.
const mostFixed = 30

// fixed are the labels in the order in which a person wrote them, or else in that of the alphabet: wherever labels
// stand they keep their places, whatever is found. nil: there are none, or too many.
func (f *found) fixed() []string {
	if !f.mayGive() || len(f.Labels[0]) > mostFixed {
		return nil
	}
	return f.NamesInOrder()
}

// placeIn is where a name stands in an order; behind all others where it does not.
func placeIn(order []string, name string) int {
	if at := slices.Index(order, name); at >= 0 {
		return at
	}
	return len(order)
}

// labelsOf are the labels of text i: the one that a person gave it, else those that the model found.
func (f *found) labelsOf(i int) []string {
	if f.byHand(i) {
		return []string{f.own[i]}
	}
	return f.Of(i)
}

// mayGive reports whether a person can give text i another of the labels.
func (f *found) mayGive() bool {
	return len(f.Labels) > 0 && f.Kind != "values" && len(f.Labels[0]) > 1
}

// given are the labels that a person gave texts by hand, by text, where the result is of labels.
func (f *found) given() map[int]string {
	if !f.mayGive() {
		return nil
	}
	return f.own
}
