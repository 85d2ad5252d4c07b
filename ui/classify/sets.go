package classify

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/base"
	"inglenook/app/texts"
	"inglenook/ui/kit"
)

// readySets are labels for common uses, for who has none yet.
var readySets = []base.LabelSet{
	{Name: "News", Labels: "politics, business, technology, science, health, sports, culture, weather"},
	{Name: "Messages from customers", Labels: "delivery, price and payment, quality of the product, returns and refunds, account and password, praise"},
	{Name: "Feelings", Labels: "happy, grateful, worried, disappointed, angry, sad", Reads: texts.FeelingSentence},
}

// newSetsButton opens the sets of labels.
func (p *Page) newSetsButton() *kit.Button {
	b := kit.NewQuietButton(p.Keys, "", theme.StorageIcon(), nil)
	b.Tip = "Sets of labels: save these, or take others"
	b.OnTapped = func() { kit.ShowMenuBelow(p.Keys, b, p.sets, 0) }
	return b
}

// sets are the sets of labels that there are, and what can be done with those in view.
func (p *Page) sets() (items []*fyne.MenuItem) {
	kept := p.keptSets
	now := p.set()
	like := func(s base.LabelSet) bool { return s.Labels == now.Labels && s.Reads == now.Reads }
	offer := func(list []base.LabelSet) {
		for _, s := range list {
			item := fyne.NewMenuItem(s.Name, func() { p.takeSet(s) })
			item.Checked = like(s)
			items = append(items, item)
		}
	}
	offer(kept)
	if len(kept) > 0 {
		items = append(items, fyne.NewMenuItemSeparator())
	}
	offer(readySets)
	save := fyne.NewMenuItem("Keep these labels as a set…", func() {
		p.nameSet("Keep these labels as a set", now.Name, func(name string) {
			now.Name = name
			p.keepSets(append(slices.Clone(p.keptSets), now), "Kept the set “%s”.", name)
		})
	})
	save.Disabled = len(p.labels.names) < 2 || len(kept) >= base.MaxLabelSets || slices.ContainsFunc(slices.Concat(kept, readySets), like)
	none := fyne.NewMenuItem("Remove all labels", p.labels.removeAll)
	none.Disabled = len(p.labels.names) == 0
	items = append(items, fyne.NewMenuItemSeparator(), save, none)
	if i := slices.IndexFunc(kept, like); i >= 0 {
		items = append(items, fyne.NewMenuItem("Rename this set…", func() {
			p.nameSet("Rename this set", kept[i].Name, func(name string) {
				renamed := slices.Clone(kept)
				renamed[i].Name = name
				p.keepSets(renamed, "The set is called “%s” now.", name)
			})
		}), fyne.NewMenuItem("Forget this set", func() {
			p.keepSets(slices.Delete(slices.Clone(kept), i, i+1), "Forgot the set “%s”. Its labels stay here.", kept[i].Name)
		}))
	}
	return items
}

// nameSet asks for the name of a set.
func (p *Page) nameSet(title, name string, named func(name string)) {
	field := kit.NewEntry(p.Keys)
	field.SetText(name)
	keep := func() {
		if typed := strings.TrimSpace(field.Text); typed != "" {
			named(typed)
		}
	}
	field.Submit = func() {
		p.sheet.Close()
		keep()
	}
	p.sheet.Open(title, field, false, kit.SheetButton{Name: "Cancel"}, kit.SheetButton{Name: "Keep", Main: true, Run: keep})
	p.Focus(field)
	field.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// set is the set of the labels in view, named by the first of them.
func (p *Page) set() base.LabelSet {
	return base.LabelSet{Name: kit.Ellipsize(p.labels.Text(), 240, kit.TextBody, fyne.TextStyle{}), Labels: p.labels.Text(), Reads: p.sentence()}
}

func (p *Page) keepSets(sets []base.LabelSet, says, name string) {
	p.keptSets = sets
	p.Keep(func(s *base.Settings) { s.Classify.Sets = sets })
	p.Tell(fmt.Sprintf(says, kit.Brief(name)))
}

// takeSet puts the labels of a set in the place of those in view.
func (p *Page) takeSet(s base.LabelSet) {
	p.labels.change(relabelling{now: unique(split(s.Labels)), what: fmt.Sprintf("Labels of the set “%s”", kit.Brief(s.Name))})
	for i, k := range labelKinds {
		if k.sentence == s.Reads && i != p.kind.SelectedIndex() {
			p.kind.SetSelectedIndex(i)
		}
	}
}
