package rerank

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"

	"inglenook/app/base"
	"inglenook/ui/kit"
)

// bestOffered are the numbers of texts that a person can have shown alone, the best ones.
var bestOffered = []int{3, 5, 10, 20, 50, 100}

// best is how many of the sorted texts are shown and exported. Of many texts people want the first few.
type best struct {
	choice *kit.Choice
	view   *fyne.Container
	n      int // as a person chose it last; 0: all
	of     int // texts that were sorted
}

// newBest has a person choose; changed hears of it.
func newBest(k *kit.Keyboard, n int, changed func(n int)) *best {
	b := &best{n: n, choice: kit.NewChoice(k, nil, nil)}
	b.choice.OnChanged = func(string) {
		if n := b.at(b.choice.SelectedIndex()); n != b.n && b.choice.SelectedIndex() >= 0 {
			b.n = n
			changed(n)
		}
	}
	b.view = kit.Row(kit.GapSmall, b.choice)
	return b
}

// options are the numbers on offer for so many texts; 0: all.
func (b *best) options() []int {
	return append([]int{0}, slices.DeleteFunc(slices.Clone(bestOffered), func(n int) bool { return n >= b.of })...)
}

func (b *best) at(i int) int {
	if options := b.options(); i >= 0 && i < len(options) {
		return options[i]
	}
	return 0
}

// show shows the choice where there is something to choose.
func (b *best) show(on bool) { kit.Show(b.view, on && b.of > bestOffered[0]) }

// offer offers what there is to choose with so many texts, and nothing where they are few.
func (b *best) offer(texts int) {
	if texts == b.of && len(b.choice.Options) > 0 {
		return
	}
	b.of = texts
	var names []string
	for _, n := range b.options() {
		name := "All " + kit.Count(texts, "text")
		if n > 0 {
			name = fmt.Sprintf("The best %d", n)
		}
		names = append(names, name)
	}
	b.choice.Offer(names, max(0, slices.Index(b.options(), b.n)))
}

// shown is how many of so many texts are shown.
func (b *best) shown(texts int) int {
	if b.n > 0 && b.n < texts {
		return b.n
	}
	return texts
}

// keepBest keeps for the next start how many texts a person wants to see.
func (s *session) keepBest(n int) {
	s.Keep(func(kept *base.Settings) { kept.Rerank.Best = n })
}

// first is which texts are the first n of an order.
func (o order) first(n int) map[int]bool {
	kept := make(map[int]bool, n)
	for _, text := range o.Texts[:min(n, len(o.Texts))] {
		kept[text] = true
	}
	return kept
}

// only is an order without the rows of other texts than these. Places stay what they are.
func (o order) only(kept map[int]bool) order {
	if len(kept) == len(o.Texts) {
		return o
	}
	all := o.Texts
	o.Texts, o.rows = nil, make([]int, len(all))
	for i := range o.rows {
		o.rows[i] = -1
	}
	for _, text := range all {
		if kept[text] {
			o.rows[text] = len(o.Texts)
			o.Texts = append(o.Texts, text)
		}
	}
	return o
}
