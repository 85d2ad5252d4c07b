package classify

import (
	"fmt"
	"slices"

	"inglenook/ui/kit"
	"inglenook/ui/textlist"
)

// gaveLabel keeps the label that a person gave text i by hand, and lets Undo take it back; was: the one
// given before, or "".
func (p *Page) gaveLabel(i int, was string) {
	p.keepFound()
	id, line, now := p.found.asked.ids[i], p.found.lines[i], p.found.own[i]
	what := fmt.Sprintf("Text %d labelled “%s” by hand", i+1, kit.Brief(now))
	if now == "" {
		what = fmt.Sprintf("Label of text %d by hand taken back", i+1)
	}
	p.list.Remember(textlist.Aside{
		What:  what,
		Back:  func() { p.giveAgain(id, line, was) },
		Again: func() { p.giveAgain(id, line, now) },
	})
}

// giveAgain gives the text with that id, or else one that says the same, a label by hand; "": that of the
// model again. The result may be another one by now, without that text or label.
func (p *Page) giveAgain(id int, line, name string) {
	out := p.found
	if out == nil {
		return
	}
	i := slices.Index(out.asked.ids, id)
	if i < 0 {
		i = slices.Index(out.lines, line)
	}
	if i < 0 || name != "" && (!out.mayGive() || !slices.Contains(out.LabelNames(), name)) {
		return
	}
	if delete(out.own, i); name != "" {
		out.take(i, name)
	}
	p.results.showGiven()
	p.results.choose(i)
	p.pickResult(i)
	p.keepFound()
}

// take notes the label of text i as given by hand.
func (f *found) take(i int, name string) {
	if f.own == nil {
		f.own = map[int]string{}
	}
	f.own[i] = name
}

// keepHand takes the labels that a person gave by hand over from the result before, for texts that say
// the same and labels that are still there: how many are kept, and how many are not.
func (f *found) keepHand(before *found) (kept, lost int) {
	if before == nil || len(before.own) == 0 {
		return 0, 0
	}
	var names []string
	if f.mayGive() {
		names = f.LabelNames()
	}
	free := map[string][]int{} // where each text stands now; a text may be there twice
	for i, line := range f.lines {
		free[line] = append(free[line], i)
	}
	for k, line := range before.lines {
		i := slices.Index(f.asked.ids, before.asked.ids[k])
		if there := free[line]; i < 0 && len(there) > 0 && before.small[k] == nil { // pictures may differ under one name
			i = there[0]
		}
		if i >= 0 {
			free[line] = slices.DeleteFunc(free[line], func(at int) bool { return at == i })
		}
		name, own := before.own[k]
		switch {
		case !own:
		case i >= 0 && f.lines[i] == line && slices.Contains(names, name):
			f.take(i, name)
			kept++
		default:
			lost++
		}
	}
	return kept, lost
}

// tellHand says what became of the labels that were given by hand; "": there were none.
func tellHand(kept, lost int) (says string) {
	if kept > 0 {
		says += fmt.Sprintf(" Kept %s that you gave by hand.", kit.Count(kept, "label"))
	}
	if lost > 0 {
		says += fmt.Sprintf(" %s that you gave by hand could not be kept: the text or the label is gone.", kit.Count(lost, "label"))
	}
	return says
}

// recognise takes texts that say the same as those of the result for these: a person may have deleted
// them and pasted them again.
func (p *Page) recognise() {
	out := p.found
	if out == nil || p.running != nil || p.texts.Seen() || out.seen() > 0 || slices.Equal(out.asked.ids, p.texts.IDs()) {
		return
	}
	if slices.Equal(out.lines, p.texts.Lines()) {
		out.asked.ids = p.texts.IDs()
	}
}
