package classify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"inglenook/ui/kit"
	"inglenook/ui/textlist"
)

// teachFrom is how many labels a person gives by hand, at the least, before the offer that the others learn from them.
const teachFrom = 2

// mayLearn reports whether labels can learn from those that a person gave by hand: where they are a person's own.
func (f *found) mayLearn() bool { return f != nil && f.Cosines != nil && f.seen() == 0 && f.mayGive() }

// teachers are the texts that have a label on the list that a person gave by hand.
func (f *found) teachers() (some []int) {
	names := f.LabelNames()
	for i, name := range f.own {
		if slices.Contains(names, name) {
			some = append(some, i)
		}
	}
	return some
}

// taught is how many these are.
func (f *found) taught() int { return len(f.teachers()) }

// lessons is how many of them are different: those that say the same teach nothing more.
func (f *found) lessons() int {
	different := map[string]bool{}
	for _, i := range f.teachers() {
		different[f.lines[i]] = true
	}
	return len(different)
}

// untaught warns where most of the labels have no example: texts may move from these to the others; "": few are.
func (f *found) untaught() string {
	given, names := map[string]bool{}, f.LabelNames()
	for _, i := range f.teachers() {
		given[f.own[i]] = true
	}
	without := len(names) - len(given)
	if 2*without <= len(names) {
		return ""
	}
	return fmt.Sprintf(" %d of %d labels have no example yet.", without, len(names))
}

// offerLearning offers that labels learn, once there is something to learn from that they have not learned yet.
func (p *Page) offerLearning(there bool) {
	out := p.found
	if out.mayLearn() { // also where it is not offered yet: its place is kept
		n := max(teachFrom, out.taught())
		p.teach.Say(fmt.Sprintf("You gave %s by hand. The other texts can follow.%s", kit.Count(n, "label"), out.untaught()), "Learn from these", p.learn)
		p.teach.Closes(func() {
			p.teachFrom = n + teachFrom
			p.panes.View.Refresh()
		})
	}
	if !there || p.running != nil || !out.mayLearn() || out.lessons() < teachFrom || out.taught() < max(out.learned+1, p.teachFrom) || len(out.lines) == len(out.own) {
		p.teach.Hide()
	}
}

// learn classifies the texts with labels that learn from those given by hand.
func (p *Page) learn() { p.classifyNow(&run{learns: true}) }

// changes are the texts that have another label than before, but for those that a person labelled.
func (f *found) changes(before *found) (some []int) {
	for k, i := range before.placesIn(f) {
		if i >= 0 && !f.byHand(i) && f.labelOf(i) != before.labelOf(k) {
			some = append(some, i)
		}
	}
	return some
}

// labelOf is the best label of text i, or "" where none fits.
func (f *found) labelOf(i int) string {
	if of := f.Of(i); len(of) > 0 {
		return of[0]
	}
	return ""
}

// tellLearned says what became of the other texts, and offers to take that back.
func (p *Page) tellLearned(before, out *found) {
	out.changed = out.changes(before)
	n := len(out.changed)
	what := fmt.Sprintf("Labels learned from %s", kit.Count(out.learned, "text"))
	turn := func(from, to *found) func() {
		return func() {
			if p.found != from {
				return // there is another result by now
			}
			p.found = to
			p.keepFound()
			p.results.set(to, true)
			p.notice.Hide()
			p.refresh()
		}
	}
	p.list.RememberQuietly(textlist.Aside{What: what, Back: turn(out, before), Again: turn(before, out)})
	p.results.filter.set(out)
	if n == 0 {
		p.notice.Say(what+". No other text changes.", "Undo", p.list.Undo)
	} else {
		p.notice.Say(fmt.Sprintf("%s. %s: %s.", what, changeCount(n), out.moves(before)), "Undo", p.list.Undo)
		p.results.filter.choose(heapChanged)
	}
	p.notice.Closes(p.refresh)
	p.toldLearned = true
	p.Tell(what + ".")
}

// hideLearned takes away what was said of the learning, whose Undo takes the last change back: another one follows now.
func (p *Page) hideLearned() {
	if p.toldLearned {
		p.toldLearned = false
		p.notice.Hide()
	}
}

func changeCount(n int) string {
	if n == 1 {
		return "1 other text changes"
	}
	return fmt.Sprintf("%d other texts change", n)
}

// mostMoves is how many kinds of change are told.
const mostMoves = 3

// moves says from which labels to which texts changed, the most frequent first.
func (f *found) moves(before *found) string {
	places := map[int]int{} // in the result before
	for k, i := range before.placesIn(f) {
		places[i] = k
	}
	counts, order := map[string]int{}, []string(nil)
	for _, i := range f.changed {
		k := places[i]
		move := fmt.Sprintf("“%s” to “%s”", kit.Brief(before.labelOf(k)), kit.Brief(f.labelOf(i)))
		switch {
		case before.labelOf(k) == "":
			move = fmt.Sprintf("no label to “%s”", kit.Brief(f.labelOf(i)))
		case f.labelOf(i) == "":
			move = fmt.Sprintf("“%s” to no label", kit.Brief(before.labelOf(k)))
		}
		if counts[move] == 0 {
			order = append(order, move)
		}
		counts[move]++
	}
	return mostOf(order, counts)
}

// mostOf lists the most frequent of some changes, with how often each is.
func mostOf(order []string, counts map[string]int) string {
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	var says []string
	rest := 0
	for k, move := range order {
		if k < mostMoves {
			says = append(says, fmt.Sprintf("%d from %s", counts[move], move))
		} else {
			rest += counts[move]
		}
	}
	if rest > 0 {
		says = append(says, fmt.Sprintf("%d others", rest))
	}
	return strings.Join(says, ", ")
}
