package similarity

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"inglenook/app/base"
	"inglenook/app/texts"
	"inglenook/ui/kit"
)

// askName asks for a name of group k. Without one its words are its name.
func (p *Panel) askName(k int) {
	result, g := p.inView(), p.results.groups
	if result == nil || k < 0 || k >= len(g.names) {
		return
	}
	entry := kit.NewEntry(p.Keys)
	if result.Groups.Named(k) {
		entry.SetText(result.Groups.Names[k])
	}
	entry.SetPlaceHolder(kit.Brief(g.names[k]))
	rename := func() {
		if p.result == result && k < result.Groups.Count {
			name := strings.Join(strings.Fields(entry.Text), " ")
			p.change(result.Groups.Renamed(k, name), "Renamed the group.")
		}
	}
	entry.Submit = func() { p.sheet.Close(); rename() }
	p.sheet.Open("Rename the group", kit.Column(kit.GapSmall, entry, kit.NewCaption("Without a name, the words that stand for it are its name.")), false,
		kit.SheetButton{Name: "Cancel"}, kit.SheetButton{Name: "Rename", Main: true, Run: rename})
	p.Focus(entry)
	entry.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// mergeItem offers to put group k into another one.
func (p *Panel) mergeItem(k int) *fyne.MenuItem {
	item := fyne.NewMenuItem("Merge into another group…", func() {
		p.chooseGroup("Merge “"+kit.Brief(p.results.groups.names[k])+"” into which group?", k, func(g texts.Groups, to int) {
			p.change(g.Moved(g.Members()[k], to, p.result.Texts), "Merged two groups.")
		})
	})
	item.Disabled = p.inView() == nil || p.result.Groups.Count < 2
	return item
}

// moveItem offers to put text i into another group.
func (p *Panel) moveItem(i int) *fyne.MenuItem {
	item := fyne.NewMenuItem("Move to another group…", func() {
		p.chooseGroup("Move this text to which group?", p.result.Groups.Of[i], func(g texts.Groups, to int) {
			p.change(g.Moved([]int{i}, to, p.result.Texts), "Moved the text to “"+kit.Brief(p.results.groups.names[to])+"”.")
		})
	})
	item.Disabled = p.inView() == nil || p.result.Groups.Count < 2
	return item
}

// chooseGroup asks for one of the groups other than one.
func (p *Panel) chooseGroup(title string, other int, picked func(g texts.Groups, to int)) {
	result := p.inView()
	if result == nil {
		return
	}
	groups := result.Groups
	var names []string
	var of []int
	for k, name := range p.results.groups.names {
		if k != other {
			names, of = append(names, name), append(of, k)
		}
	}
	p.Choose(title, names, func(i int) {
		if p.result == result && slices.Equal(result.Groups.Of, groups.Of) { // no others were found meanwhile
			picked(groups, of[i])
		}
	})
}

// change shows other groups, and offers to bring back those before.
func (p *Panel) change(g texts.Groups, said string) {
	result, before, sorted := p.result, p.result.Groups, p.sorted
	p.setGroups(g, true)
	p.Offer(said, "Undo", func() {
		if p.result == result {
			p.setGroups(before, sorted)
		}
	})
}

// setGroups shows other groups of the texts; sorted: they are not those that are found in them.
func (p *Panel) setGroups(g texts.Groups, sorted bool) {
	p.result.Groups, p.sorted = g, sorted
	p.results.regrouped()
	p.keepFound()
}

// sortedAs are the groups as a person left them; false: they are not kept, or do not fit the texts.
func sortedAs(kept *base.KeptComparison, written []string) (texts.Groups, bool) {
	k := kept.Sorted
	if k == nil || len(k.Of) == 0 {
		return texts.Groups{}, false
	}
	g := texts.Groups{Of: k.Of, Order: k.Order, Names: k.Names, Colors: k.Colors, Count: slices.Max(k.Of) + 1}
	if !g.Are(len(written)) {
		return texts.Groups{}, false
	}
	return g.WithWords(written), true
}
