package similarity

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// menus lets the other button of the mouse ask what can be done with what is under the pointer.
func (p *Panel) menus() {
	r := p.results
	show := func(items []*fyne.MenuItem, at fyne.Position) {
		if c := fyne.CurrentApp().Driver().CanvasForObject(p.view); c != nil && len(items) > 0 {
			kit.ShowMenu(p.Keys, c, items, at, 0)
		}
	}
	of := func(i int, at fyne.Position) { show(p.itemsOfText(i), at) }
	r.heat.Asked = func(i, j int, at fyne.Position) { show(p.itemsOfPair(i, j), at) }
	r.points.Asked = of
	r.near.list.Secondary = func(row int, at fyne.Position) { of(r.near.found[row].Index, at) }
	r.groups.members.Secondary = func(row int, at fyne.Position) { of(r.groups.listed[row], at) }
	r.groups.list.Secondary = func(k int, at fyne.Position) { show(p.itemsOfGroup(k), at) }
	p.list.Menu = func(id int) []*fyne.MenuItem {
		i := slices.Index(p.resultIDs, id)
		closest := fyne.NewMenuItem("Find what is closest to this", func() { p.showClosest(i) })
		closest.Disabled = i < 0 || p.inView() == nil
		return []*fyne.MenuItem{closest}
	}
}

// itemsOfText are what can be done with text i of the result.
func (p *Panel) itemsOfText(i int) []*fyne.MenuItem {
	id := p.resultIDs[i]
	there := p.texts.Index(id) >= 0
	find := fyne.NewMenuItem("Show in the list", func() { p.showInList(id) })
	remove := fyne.NewMenuItem("Remove from the list", func() { p.list.Remove(id) })
	find.Disabled, remove.Disabled = !there, !there
	return []*fyne.MenuItem{
		fyne.NewMenuItem("Copy", func() { p.Copy(p.result.Texts[i], "text.txt") }),
		fyne.NewMenuItem("Find what is closest to this", func() { p.showClosest(i) }),
		find, p.moveItem(i), fyne.NewMenuItemSeparator(), remove,
	}
}

// itemsOfPair are what can be done with a cell: both its texts, or one with itself.
func (p *Panel) itemsOfPair(i, j int) []*fyne.MenuItem {
	if i == j {
		return p.itemsOfText(i)
	}
	items := []*fyne.MenuItem{fyne.NewMenuItem("Copy both texts and how similar they are", func() {
		r := p.result
		p.Copy(fmt.Sprintf("%s\n%s\n%s\n", r.Texts[i], r.Texts[j], kit.Cosine(r.Cosine(i, j))), "pair.txt")
	})}
	for _, k := range []int{i, j} {
		items = append(items, fyne.NewMenuItemSeparator(),
			fyne.NewMenuItem(fmt.Sprintf("Find what is closest to %d", k+1), func() { p.showClosest(k) }))
		if id := p.resultIDs[k]; p.texts.Index(id) >= 0 {
			items = append(items, fyne.NewMenuItem(fmt.Sprintf("Show %d in the list", k+1), func() { p.showInList(id) }),
				fyne.NewMenuItem(fmt.Sprintf("Remove %d from the list", k+1), func() { p.list.Remove(id) }))
		}
	}
	return items
}

// itemsOfGroup are what can be done with group k.
func (p *Panel) itemsOfGroup(k int) []*fyne.MenuItem {
	g := p.results.groups
	var lines []string
	var ids []int
	for _, i := range g.of[k] {
		lines, ids = append(lines, p.result.Texts[i]), append(ids, p.resultIDs[i])
	}
	n := kit.Count(len(lines), "text")
	remove := fyne.NewMenuItem("Remove "+n+" from the list", func() { p.list.RemoveAll(ids) })
	remove.Disabled = !p.texts.HasAny(ids)
	return []*fyne.MenuItem{
		fyne.NewMenuItem("Show its texts", func() { g.show(k) }),
		fyne.NewMenuItem("Rename…", func() { p.askName(k) }), p.mergeItem(k),
		fyne.NewMenuItem("Copy its name", func() { p.Copy(g.names[k], "group.txt") }),
		fyne.NewMenuItem("Copy "+n, func() { p.Copy(strings.Join(lines, "\n")+"\n", "group.txt") }),
		fyne.NewMenuItemSeparator(), remove,
	}
}

// showClosest lists what is closest to text i of the result.
func (p *Panel) showClosest(i int) {
	if i < 0 || p.inView() == nil {
		return
	}
	p.panes.Front(panel.PaneResult)
	p.results.turnTo(0)
	if p.results.tabs.Visible() {
		p.results.tabs.Pick(tabNearest)
	}
	p.results.near.asked = false
	p.selectResult(i)
}

// showInList marks a text on the list, which comes into view.
func (p *Panel) showInList(id int) {
	p.panes.Front(panel.PaneWork)
	p.list.Show(id)
	p.Focus(p.list.Rows)
}
