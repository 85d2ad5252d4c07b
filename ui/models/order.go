package models

import (
	"cmp"
	"slices"
	"strings"

	"inglenook/app/base"
	"inglenook/ui/kit"
)

// The orders of the installed models, and how the settings keep them.
var (
	orderNames = []string{"Last used first", "By name", "Largest first"}
	orderKept  = []string{"", "name", "size"}
)

// worthSorting is how many installed models take more than a look.
const worthSorting = 4

// newOrder lets a person choose in which order the installed models stand.
func newOrder(k *kit.Keyboard, kept string, chosen func(kept string)) *kit.Choice {
	c := kit.NewChoice(k, orderNames, nil)
	c.SetSelectedIndex(max(0, slices.Index(orderKept, kept)))
	c.OnChanged = func(string) { chosen(orderKept[max(0, c.SelectedIndex())]) }
	return c
}

// order is the one in force, as the settings keep it.
func (f *modelFilter) order() string { return orderKept[max(0, f.orders.SelectedIndex())] }

// sortBy has the installed models stand in another order from now on.
func (p *Panel) sortBy(kept string) {
	p.Keep(func(s *base.Settings) { s.ModelOrder = kept })
	p.fill()
	p.list.ToTop()
}

// showOrders offers them where there is something to sort.
func (p *Panel) showOrders() {
	before := p.filter.orders.Visible()
	if kit.Show(p.filter.orders, p.shown == tabInstalled && len(p.installed) >= worthSorting); p.filter.orders.Visible() != before {
		p.panes.View.Refresh()
	}
}

// ordered are the places of the models in an order. Those that are alike stay as they are: the ones
// that come with the program before a person's own, those before the Hub's and the servers'.
func (l installedModels) ordered(by string) []int {
	places := make([]int, len(l))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int {
		switch by {
		case "name":
			return strings.Compare(strings.ToLower(l[a].Title()), strings.ToLower(l[b].Title()))
		case "size":
			return cmp.Compare(l[b].Bytes, l[a].Bytes)
		}
		return l[b].LastUsed.Compare(l[a].LastUsed)
	})
	return places
}
