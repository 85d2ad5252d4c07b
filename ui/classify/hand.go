package classify

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/textlist"
)

// gaveLabel keeps the label that a person gave some texts by hand, and lets Undo take it back; was: the one
// given to each before, or "".
func (p *Page) gaveLabel(some []int, was []string) {
	p.hideLearned()
	name := p.found.own[some[0]] // all have the same one
	one := fmt.Sprintf("Text %d", some[0]+1)
	if len(some) > 1 {
		one = kit.Count(len(some), "text")
	}
	what := fmt.Sprintf("%s labelled “%s” by hand", one, kit.Brief(name))
	if name == "" {
		what = fmt.Sprintf("Label of %s by hand taken back", lowerFirst(one))
	}
	p.rememberGiven(what, some, was)
}

// rememberGiven keeps the labels that some texts have by hand now, and lets Undo take them back; was: those that they
// had before.
func (p *Page) rememberGiven(what string, some []int, was []string) {
	p.keepFound()
	out := p.found
	now, ids, lines := make([]string, len(some)), make([]int, len(some)), make([]string, len(some))
	for k, i := range some {
		now[k], ids[k], lines[k] = out.own[i], out.asked.ids[i], out.lines[i]
	}
	again := func(names []string) func() {
		return func() { p.giveAgain(ids, lines, names) }
	}
	p.list.Remember(textlist.Aside{What: what, Back: again(was), Again: again(now)})
	p.refresh()
}

// lowerFirst begins with a small letter: within a sentence.
func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// giveAgain gives the texts with those ids, or else ones that say the same, labels by hand, and shows the last of
// them; "": that of the model again. The result may be another one by now, without these texts or labels.
func (p *Page) giveAgain(ids []int, lines, names []string) {
	out, last := p.found, -1
	if out == nil || !out.mayGive() {
		return
	}
	for k, id := range ids {
		i := slices.Index(out.asked.ids, id)
		if i < 0 {
			i = slices.Index(out.lines, lines[k])
		}
		if i >= 0 {
			out.take(i, names[k])
			last = i
		}
	}
	if last < 0 {
		return
	}
	p.results.showGiven()
	p.results.choose(last)
	p.pickResult(last)
	p.keepFound()
	p.refresh()
}

// foreign reports whether the list of labels lacks the one that a person gave text i by hand.
func (f *found) foreign(i int) bool {
	name, given := f.own[i]
	return given && !slices.Contains(f.LabelNames(), name)
}

// take notes the label of text i as given by hand; "": none is. One that the list of labels lacks is not lost: it is
// there again once it is on the list again.
func (f *found) take(i int, name string) {
	if f.own == nil {
		f.own = map[int]string{}
	}
	if f.earlier == nil {
		f.earlier = map[int][]string{}
	}
	if was := f.own[i]; was != name && f.foreign(i) {
		f.earlier[i] = slices.Insert(slices.Clone(f.earlier[i]), 0, was)
	}
	f.earlier[i] = slices.DeleteFunc(slices.Clone(f.earlier[i]), func(s string) bool { return s == name })
	if f.own[i] = name; name == "" {
		delete(f.own, i)
	}
}

// hand are the labels that a person gave text i by hand: the present one, or "", and the earlier ones; nil: none.
func (f *found) hand(i int) []string {
	if f.own[i] == "" && len(f.earlier[i]) == 0 {
		return nil
	}
	return append([]string{f.own[i]}, f.earlier[i]...)
}

// takeHand gives text i those again: the first that is on the list of labels, else the present one.
func (f *found) takeHand(i int, hand []string) {
	names, at := f.LabelNames(), 0
	if k := slices.IndexFunc(hand, func(name string) bool { return slices.Contains(names, name) }); k >= 0 {
		at = k
	}
	f.take(i, hand[at])
	f.earlier[i] = nil
	for k, name := range hand {
		if k != at && name != "" {
			f.earlier[i] = append(f.earlier[i], name)
		}
	}
}

// keepHand takes the labels that a person gave by hand over from the result before, for texts that say
// the same: how many are kept, and how many wait for their text. Also those are kept that are not on the list of
// labels any more: a person may only have found a better word.
func (f *found) keepHand(before *found) (kept, waiting int) {
	if before == nil {
		return 0, 0
	}
	f.gone = map[same][]string{}
	maps.Copy(f.gone, before.gone)
	for k, i := range before.placesIn(f) {
		hand := before.hand(k)
		switch {
		case hand == nil:
			continue
		case i >= 0:
			f.takeHand(i, hand)
		default:
			f.gone[before.key(k)] = hand
			if j := f.editedFrom(before.asked.ids[k]); j >= 0 && f.hand(j) == nil { // a person mended the text, and not its label
				f.takeHand(j, hand)
			} else if hand[0] != "" {
				waiting++
			}
		}
	}
	for i := range f.lines {
		if hand := f.gone[f.key(i)]; hand != nil && f.hand(i) == nil {
			f.takeHand(i, hand)
			delete(f.gone, f.key(i))
		}
	}
	return len(f.own), waiting
}

// editedFrom is the text that a person made of the one with that id; -1: none.
func (f *found) editedFrom(id int) int {
	return slices.IndexFunc(f.asked.ids, func(now int) bool { return slices.Contains(f.were[now], id) })
}

// same is what makes two texts the same: they say the same, and came from the same file. In another one it would be
// the text of somebody else.
type same struct{ file, line string }

func (f *found) key(i int) same { return same{f.from[i].File, f.lines[i]} }

// placesIn is where each text stands in a later result; -1: it is not there any more, or says something else.
func (f *found) placesIn(now *found) []int {
	free := map[same][]int{} // where each text stands now; a text may be there twice
	ids := make(map[int]int, len(now.lines))
	for i := range now.lines {
		free[now.key(i)] = append(free[now.key(i)], i)
		ids[now.asked.ids[i]] = i
	}
	places := make([]int, len(f.lines))
	for k, line := range f.lines {
		i, there := ids[f.asked.ids[k]]
		if !there {
			i = -1
		}
		key := f.key(k)
		if others := free[key]; i < 0 && len(others) > 0 {
			i = others[0]
		}
		if i >= 0 {
			free[key] = slices.DeleteFunc(free[key], func(at int) bool { return at == i })
		}
		if i >= 0 && now.lines[i] != line {
			i = -1
		}
		places[k] = i
	}
	return places
}

// tellHand says what became of the labels that were given by hand; "": there were none.
func (f *found) tellHand(kept, waiting int) (says string) {
	if kept > 0 {
		says += fmt.Sprintf(" Kept %s that you gave by hand.", kit.Count(kept, "label"))
	}
	if waiting > 0 {
		says += fmt.Sprintf(" %s that you gave by hand will be there again when the text is.", kit.Count(waiting, "label"))
	}
	return says
}

// renamed is the label on the list of before that another one has replaced, where everything else on the list is the
// same, and the texts that a person gave it by hand; none: no single label was replaced.
func (f *found) renamed(before *found) (was, now string, some []int) {
	if before == nil || !f.mayGive() {
		return "", "", nil
	}
	without := func(list, other []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
	}
	removed, added := without(before.Names, f.Names), without(f.Names, before.Names)
	if len(removed) != 1 || len(added) != 1 {
		return "", "", nil
	}
	for i := range f.lines {
		if f.own[i] == removed[0] {
			some = append(some, i)
		}
	}
	return removed[0], added[0], some
}

// removed are the labels of before that are gone from the list, and the texts that a person gave one of them by hand.
// Where a label came, too, or nobody gave them, there are none.
func (f *found) removed(before *found) (labels []string, some []int) {
	if before == nil || !f.mayGive() || slices.ContainsFunc(f.Names, func(name string) bool { return !slices.Contains(before.Names, name) }) {
		return nil, nil
	}
	for i := range f.lines {
		if name := f.own[i]; f.foreign(i) && slices.Contains(before.Names, name) {
			some = append(some, i)
			if !slices.Contains(labels, name) {
				labels = append(labels, name)
			}
		}
	}
	return labels, some
}

// offerTakeAway offers to take labels that are not on the list any more away from the texts that a person gave them to.
func (p *Page) offerTakeAway(labels []string, some []int) {
	if len(some) == 0 {
		return
	}
	out := p.found
	of := "“" + kit.Brief(labels[0]) + "”"
	if len(labels) > 1 {
		of = fmt.Sprintf("one of %d removed labels", len(labels))
	}
	p.notice.Say(fmt.Sprintf("%s that you labelled %s by hand kept that label.", kit.Count(len(some), "text"), of), "Take it away", func() {
		p.notice.Hide()
		if p.found == out {
			p.results.giveTo(some, "")
		}
	})
	p.notice.Closes(p.refresh)
}

// offerRename offers to give the texts that a person labelled by hand the new name of their label.
func (p *Page) offerRename(was, now string, some []int) {
	if len(some) == 0 {
		return
	}
	out := p.found
	says := fmt.Sprintf("%s that you labelled “%s” by hand kept that label, which is not on the list now.", kit.Count(len(some), "text"), kit.Brief(was))
	p.notice.Say(says, fmt.Sprintf("Rename it to “%s”", kit.Brief(now)), func() {
		p.notice.Hide()
		some := slices.DeleteFunc(slices.Clone(some), func(i int) bool { return out.own[i] != was })
		if p.found == out {
			p.results.giveTo(some, now)
		}
	})
}

// recognise takes texts that say the same as those of the result for these: a person may have deleted
// them and pasted them again.
func (p *Page) recognise() {
	out := p.found
	if out == nil || p.running != nil || p.texts.Seen() || out.seen() > 0 || slices.Equal(out.asked.ids, p.texts.IDs()) {
		return
	}
	otherFile := func(was, now texts.Origin) int {
		if was.File != "" && now.File != "" {
			return strings.Compare(was.File, now.File)
		}
		return 0 // a person may have pasted it
	}
	if slices.Equal(out.lines, p.texts.Lines()) && slices.CompareFunc(out.from, p.texts.Origins(), otherFile) == 0 {
		out.asked.ids, out.from = p.texts.IDs(), p.texts.Origins()
	}
}
