package similarity

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
)

func labelsOf(items []*fyne.MenuItem) (names []string) {
	for _, i := range items {
		names = append(names, i.Label)
	}
	return names
}

// The other button of the mouse offers what can be done with a text, a pair and a group, and that is done.
func TestMenus(t *testing.T) {
	b := grouped(t)
	p := b.panel
	pair := p.itemsOfPair(1, 3)
	if got := labelsOf(pair); !slices.Equal(got, []string{"Copy both texts and how similar they are", "", "Find what is closest to 2", "Show 2 in the list", "Remove 2 from the list", "", "Find what is closest to 4", "Show 4 in the list", "Remove 4 from the list"}) {
		t.Fatalf("of a pair: %q", got)
	}
	p.results.turnTo(1)
	pair[6].Action()
	if p.results.selected != 3 || !p.results.near.view.Visible() || p.list.Selected != p.resultIDs[3] {
		t.Errorf("closest to text %d", p.results.selected)
	}
	pair[3].Action()
	if p.list.Selected != p.resultIDs[1] {
		t.Error("the text is not shown in the list")
	}
	pair[0].Action()
	if got := b.FyneApp.Clipboard().Content(); got != "eeee eee\neee eeee\n1.00\n" {
		t.Errorf("copied is %q", got)
	}
	if got := labelsOf(p.itemsOfPair(2, 2)); !slices.Equal(got, labelsOf(p.itemsOfText(2))) {
		t.Errorf("of a text with itself: %q", got)
	}
	one := p.itemsOfText(0)
	one[5].Action()
	if p.texts.Len() != 5 || p.texts.Index(p.resultIDs[0]) >= 0 || !p.itemsOfText(0)[2].Disabled {
		t.Errorf("%d texts are left", p.texts.Len())
	}
	p.list.Undo()
	group := p.itemsOfGroup(0)
	group[6].Action()
	if p.texts.Len() != 3 {
		t.Errorf("without a group %d texts are left", p.texts.Len())
	}
	p.list.Undo()
	group[0].Action()
	if p.results.groups.open != 0 {
		t.Error("the texts of the group are not shown")
	}
}
