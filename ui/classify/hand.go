package classify

import (
	"fmt"
	"slices"
	"strings"

	"inglenook/ui/kit"
	"inglenook/ui/textlist"
)

// gaveLabel keeps the label that a person gave some texts by hand, and lets Undo take it back; was: the one
// given to each before, or "".
func (p *Page) gaveLabel(some []int, was []string) {
	p.keepFound()
	out := p.found
	now, ids, lines := make([]string, len(some)), make([]int, len(some)), make([]string, len(some))
	for k, i := range some {
		now[k], ids[k], lines[k] = out.own[i], out.asked.ids[i], out.lines[i]
	}
	name := now[0]
	if n := slices.IndexFunc(now, func(s string) bool { return s != "" }); n >= 0 { // of some the model's own may be the same
		name = now[n]
	}
	one := fmt.Sprintf("Text %d", some[0]+1)
	if len(some) > 1 {
		one = kit.Count(len(some), "text")
	}
	what := fmt.Sprintf("%s labelled “%s” by hand", one, kit.Brief(name))
	if name == "" {
		what = fmt.Sprintf("Label of %s by hand taken back", lowerFirst(one))
	}
	again := func(names []string) func() {
		return func() {
			for k := range ids {
				p.giveAgain(ids[k], lines[k], names[k])
			}
		}
	}
	p.list.Remember(textlist.Aside{What: what, Back: again(was), Again: again(now)})
}

// lowerFirst begins with a small letter: within a sentence.
func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

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
