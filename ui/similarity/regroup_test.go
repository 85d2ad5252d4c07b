package similarity

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/base"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// Groups get names, texts move between them and two become one; each can be taken back, and all of it is there
// again after a restart.
func TestGroupsAreChanged(t *testing.T) {
	b := grouped(t)
	p, g := b.panel, b.panel.results.groups
	p.itemsOfGroup(1)[1].Action()
	entry, ok := uitest.Find(p.sheet.Popup.Content, func(*kit.Entry) bool { return true })
	if !ok {
		t.Fatal("no name is asked for")
	}
	entry.SetText(" Quiet  ones ")
	test.Tap(uitest.FindButton(t, p.sheet.Popup.Content, "Rename"))
	if g.names[1] != "Quiet ones" || p.sheet.Popup != nil {
		t.Fatalf("the groups are called %q", g.names)
	}
	first := g.of[0][0]
	p.itemsOfText(first)[3].Action()
	if !slices.Equal(b.Asked.Names, []string{"Quiet ones"}) {
		t.Fatalf("asked for one of %q", b.Asked.Names)
	}
	g.show(0)
	b.Asked.Picked(0)
	if p.result.Groups.Of[first] != 1 || len(g.of[0]) != 2 || len(g.of[1]) != 4 || g.open != 0 || g.names[1] != "Quiet ones" {
		t.Errorf("the groups are %v, and %d is open", g.of, g.open)
	}
	b.Saver.Flush()
	d := uitest.NewApp()
	d.Kept.SimilarityTexts, d.Kept.SimilarityFound = b.Double.Kept.SimilarityTexts, b.Double.Kept.SimilarityFound
	again := newBench(t, d)
	again.panel.Open("")
	again.Loop.Until(t, "what was kept", func() bool { return again.panel.result != nil })
	if got := again.panel.results.groups; !slices.Equal(got.names, g.names) || !slices.Equal(got.of[1], g.of[1]) {
		t.Errorf("after a restart the groups are %q with %v", got.names, got.of)
	}
	p.itemsOfGroup(0)[2].Action()
	b.Asked.Picked(0)
	if len(g.of) != 1 || g.names[0] != "Quiet ones" || !slices.Equal(g.colors, []int{1}) || !p.mergeItem(0).Disabled {
		t.Errorf("merged, the groups are %q of colours %v", g.names, g.colors)
	}
	b.Offered.Act()
	if len(g.of) != 2 || len(g.of[1]) != 4 {
		t.Errorf("taken back, the groups are %v", g.of)
	}
}

// What is kept and cannot be groups of the texts is not shown.
func TestDamagedGroups(t *testing.T) {
	for _, k := range []*base.KeptGroups{nil, {}, {Of: []int{0, 5}, Order: []int{0, 1}}, {Of: []int{0, 0, 0}, Order: []int{0, 1, 2}}} {
		if g, ok := sortedAs(&base.KeptComparison{Sorted: k}, []string{"a", "b"}); ok {
			t.Errorf("%+v became %+v", k, g)
		}
	}
}

// More groups leave the colours of those that stay, on the list and on the map.
func TestColoursStay(t *testing.T) {
	b := grouped(t)
	p, g := b.panel, b.panel.results.groups
	last := g.of[1]
	p.itemsOfGroup(0)[2].Action() // the second group alone has colour 1
	b.Asked.Picked(0)
	b.Offered.Act()
	test.Tap(g.more)
	b.Idle()
	for k, members := range g.of {
		if slices.Contains(members, last[0]) && len(members) == len(last) && g.colors[k] != 1 {
			t.Errorf("group %d of %v has colour %v", k, members, g.colors)
		}
	}
	if n := len(g.of); n != 3 || len(slices.Compact(slices.Sorted(slices.Values(g.colors)))) != 3 {
		t.Errorf("%d groups have the colours %v", n, g.colors)
	}
}

// Where rows are low the matrix has the names of groups beside them.
func TestNamesOnTheMatrix(t *testing.T) {
	b := grouped(t)
	r := b.panel.result
	r.Groups = r.Groups.Renamed(0, "Bees")
	if got := blocks(r); got[0].Name != "Bees" || got[0].Size != 3 {
		t.Errorf("the blocks are %+v", got)
	}
}
