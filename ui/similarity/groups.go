package similarity

import (
	"fmt"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/texts"
	"inglenook/ui/chart"
	"inglenook/ui/kit"
	"inglenook/ui/textlist"
)

// groups lists the groups of a result: the words that stand for each, how many texts it has, and one of
// them. A click shows the texts of one group, which the map shows alone.
type groups struct {
	chosen func(i int) // a person chose text i
	opened func(k int) // a person opened group k; -1: none is open any more

	asked func(n int) // a person asked for so many groups
	named func(k int) // a person wants to name group k

	view  *fyne.Container
	all   *fyne.Container // what is seen of all groups
	count *kit.Line
	fewer *kit.Button
	more  *kit.Button
	list  *kit.Rows
	hint  *kit.Hint
	make  *kit.Button // parts texts that fall into no groups of their own

	one     *fyne.Container // what is seen of an open group
	back    *kit.TextButton
	rename  *kit.Button
	title   *kit.Line
	members *kit.Rows

	names  []string // of each group
	colors []int    // and the number of its colour
	of     [][]int  // the texts of each, those first that are most like the others
	texts  []string
	result *texts.SimilarityResult
	open   int   // -1: none
	listed []int // of the open group, those that say the same once
	times  []int // how often each is there
	digits float32
}

func newGroups(k *kit.Keyboard) *groups {
	g := &groups{chosen: func(int) {}, opened: func(int) {}, asked: func(int) {}, named: func(int) {}, open: -1, count: kit.NewCaption(""), title: kit.NewSection("")}
	g.list = kit.NewRows(k, func() int { return len(g.of) }, g.newRow, g.fill)
	g.list.Clicked = g.show
	g.list.Opened = g.show
	g.members = kit.NewRows(k, func() int { return len(g.listed) }, g.newMember, g.fillMember)
	g.members.Clicked = func(row int) {
		g.members.Choose(row)
		g.chosen(g.listed[row])
	}
	g.members.Opened = g.members.Clicked
	g.title.Whole = false
	g.back = kit.NewTextButton(k, "All groups", func() { g.show(-1) })
	g.rename = kit.NewIconButton(k, theme.DocumentCreateIcon(), "Rename the group", func() { g.named(g.open) })
	g.hint = kit.NewHint(theme.ListIcon())
	g.make = kit.NewButton(k, "", nil, func() { g.asked(g.offered()) })
	g.hint.Offer(g.make)
	g.fewer = kit.NewQuietButton(k, "", theme.ContentRemoveIcon(), func() { g.ask(-1) })
	g.more = kit.NewQuietButton(k, "", theme.ContentAddIcon(), func() { g.ask(+1) })
	g.fewer.Tip, g.more.Tip = "Fewer groups", "More groups"
	head := container.NewBorder(nil, nil, nil, kit.Row(0, g.fewer, g.more), g.count)
	g.all = kit.Bordered(0, head, container.NewStack(g.list, g.hint.View), nil)
	g.one = kit.Bordered(kit.GapSmall, container.NewBorder(nil, nil, nil, kit.Row(0, g.rename, container.NewCenter(g.back)), g.title), g.members, nil)
	g.view = container.NewStack(g.all, g.one)
	g.one.Hide()
	return g
}

// set lists the groups of another result.
func (g *groups) set(r *texts.SimilarityResult) {
	g.result, g.texts, g.of = r, r.Texts, r.Groups.Members()
	g.digits = textlist.NumberWidth(len(r.Texts))
	g.names, g.colors = make([]string, len(g.of)), make([]int, len(g.of))
	for k, members := range g.of {
		g.of[k], g.colors[k] = r.Central(members), r.Groups.Color(k)
		if g.names[k] = nameOf(r, k, members); g.names[k] == "" {
			g.names[k] = r.Texts[g.of[k][0]]
		}
	}
	g.hint.View.Hide()
	n, most := len(g.of), texts.MostGroups(len(r.Texts))
	if n == 0 {
		g.sayNone()
	}
	g.open = -1
	g.count.Set(countOf(r.Groups))
	kit.Show(g.fewer, n > 0)
	kit.Show(g.more, n > 0)
	g.fewer.SetEnabled(n > 2)
	g.more.SetEnabled(n < most && most > 1)
	if g.more.Tip = "More groups"; n >= most && n > 0 {
		g.more.Tip = kit.Count(len(r.Texts), "text") + " make at most " + kit.Count(most, "group")
	}
	g.arrange()
}

// countOf says how many groups there are, and how far they can be trusted.
func countOf(found texts.Groups) string {
	switch {
	case found.Count == 0:
		return ""
	case found.Loose:
		return kit.Count(found.Count, "group") + ", not clearly apart"
	}
	return kit.Count(found.Count, "group")
}

// sayNone says why these texts have no groups, and offers to make some.
func (g *groups) sayNone() {
	offer := g.offered()
	if kit.Show(g.make, offer >= 2); offer < 2 {
		g.hint.Say("Too few texts for groups", "With "+kit.Count(texts.LeastGrouped, "text")+" or more, those that belong together are found.")
		return
	}
	g.make.SetText(fmt.Sprintf("Make %d groups", offer))
	g.hint.Say("No clear groups", "No part of these texts stands apart from the others. They can be sorted all the same, each to those that it is most like.")
}

// usualGroups is how many groups are offered where none stand out.
const usualGroups = 5

// offered is how many groups can be made of these texts; less than 2: none.
func (g *groups) offered() int { return min(usualGroups, texts.MostGroups(len(g.texts))) }

// ask asks for more groups or fewer.
func (g *groups) ask(by int) { g.asked(max(2, len(g.of)+by)) }

// nameOf is the name of group k, or the words that stand for it; "": it has neither. Pictures have no words.
func nameOf(r *texts.SimilarityResult, k int, members []int) string {
	if !r.Groups.Named(k) && hasPicture(r, members) {
		return ""
	}
	return r.Groups.Name(k)
}

// hasPicture reports whether one of some texts is a picture, whose name says little about it.
func hasPicture(r *texts.SimilarityResult, some []int) bool {
	for _, i := range some {
		if i < len(r.Pictures) && r.Pictures[i] != "" {
			return true
		}
	}
	return false
}

// inOpen are the texts of the open group.
func (g *groups) inOpen() []int {
	if g.open < 0 || g.open >= len(g.of) {
		return nil
	}
	return g.of[g.open]
}

// show opens group k, or with -1 shows all groups again.
func (g *groups) show(k int) {
	g.open = k
	g.arrange()
	g.opened(k)
}

// arrange shows all groups, or the open one.
func (g *groups) arrange() {
	kit.Show(g.all, g.open < 0)
	kit.Show(g.one, g.open >= 0)
	if g.open >= 0 {
		g.title.Set(kit.Brief(g.names[g.open]))
		members := g.inOpen()
		var places []int
		places, g.times = once(members, g.result)
		g.listed = nil
		for _, place := range places {
			g.listed = append(g.listed, members[place])
		}
		g.members.Current = -1
		g.members.Scroll.ScrollToTop()
		g.members.Refresh()
	}
	g.list.Refresh()
	g.view.Refresh()
}

// newRow is a group: a dot in its colour, its name, how many texts it has, and below one of them.
func (g *groups) newRow() fyne.CanvasObject {
	name, count := kit.NewLine("", kit.TextBody, theme.ColorNameForeground), kit.NewLine("", kit.TextBody, kit.ColorMuted)
	name.Style.Bold, count.Whole = true, true
	dot := kit.NewBar(dotSide)
	dot.Set(1)
	return container.New(groupLayout{}, dot, name, count, kit.NewCaption(""))
}

func (g *groups) fill(k int, o fyne.CanvasObject) {
	parts := o.(*fyne.Container).Objects
	parts[0].(*kit.Bar).Colour(chart.GroupColor(g.colors[k]))
	parts[1].(*kit.Line).Set(g.names[k])
	parts[2].(*kit.Line).Set(kit.Count(len(g.of[k]), "text"))
	parts[3].(*kit.Line).Set(g.texts[g.of[k][0]])
	o.Refresh()
}

// dotSide is the width and the height of the dot of a group.
const dotSide float32 = 10

// groupLayout places dot, name and number of texts, and the example below.
type groupLayout struct{}

func (groupLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(120, o[1].MinSize().Height+o[3].MinSize().Height+14)
}

func (groupLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const top = 6
	height, left, right := o[1].MinSize().Height, kit.GapSmall+dotSide+kit.Gap, size.Width-kit.Gap
	put := func(one fyne.CanvasObject, x, y, w, h float32) {
		one.Move(fyne.NewPos(x, y))
		one.Resize(fyne.NewSize(max(0, w), h))
	}
	put(o[0], kit.GapSmall, top+(height-dotSide)/2, dotSide, dotSide)
	count := o[2].MinSize().Width
	put(o[1], left, top, right-count-kit.Gap-left, height)
	put(o[2], right-count, top, count, height)
	put(o[3], left, top+height+2, right-left, o[3].MinSize().Height)
}

// newMember is a text of an open group, with its number.
func (g *groups) newMember() fyne.CanvasObject {
	number := kit.NewCaption("")
	number.Align = fyne.TextAlignTrailing
	return kit.Inset(container.New(&numbered{&g.digits}, number, kit.NewLine("", kit.TextBody, theme.ColorNameForeground)), 5, 4)
}

func (g *groups) fillMember(row int, o fyne.CanvasObject) {
	parts := o.(*fyne.Container).Objects[0].(*fyne.Container).Objects
	i := g.listed[row]
	parts[0].(*kit.Line).Set(strconv.Itoa(i + 1))
	parts[1].(*kit.Line).Set(timesText(g.texts[i], g.times[row]))
}

// numbered puts a number of that width before a text.
type numbered struct{ width *float32 }

func (n *numbered) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(*n.width+kit.Gap+20, o[1].MinSize().Height)
}

func (n *numbered) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(fyne.NewSize(*n.width, size.Height))
	o[1].Move(fyne.NewPos(*n.width+kit.Gap, 0))
	o[1].Resize(fyne.NewSize(max(0, size.Width-*n.width-kit.Gap), size.Height))
}
