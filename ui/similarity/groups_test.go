package similarity

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// grouped is a bench whose texts fall into two groups.
func grouped(t *testing.T) *bench {
	d := uitest.NewApp()
	d.Kept.SimilarityTexts = []string{"zzzz zzz", "eeee eee", "zzz zzzz", "eee eeee", "zzzzz zzz", "eee eeeee"}
	b := opened(t, d)
	if n := b.panel.result.Groups.Count; n != 2 {
		t.Fatalf("%d groups", n)
	}
	return b
}

// The groups stand behind a tab with the number of their texts; a click shows the texts of one, which the
// map shows before the others.
func TestGroups(t *testing.T) {
	b := grouped(t)
	r := b.panel.results
	if r.groups.view.Visible() || !r.near.view.Visible() {
		t.Error("the nearest texts do not come first")
	}
	r.turn.Pick(1)
	rows := uitest.RowsOf(r.groups.list)
	if r.near.view.Visible() || len(rows) != 2 {
		t.Fatalf("%d groups are listed", len(rows))
	}
	if got := strings.Fields(uitest.AllText(r.groups.all)); got[0] != "2" || got[1] != "groups" || !r.groups.fewer.Disabled() {
		t.Errorf("it says %q", got)
	}
	first := b.panel.result.Texts[r.groups.of[0][0]]
	if got := uitest.AllText(rows[0]); !strings.Contains(got, "3 texts") || !strings.Contains(got, first[:3]) {
		t.Errorf("the first group says %q", got)
	}
	r.groups.list.Clicked(0)
	want := b.panel.result.Central(b.panel.result.Groups.Order[:3])
	if got := r.groups.inOpen(); !slices.Equal(got, want) || !r.groups.one.Visible() || r.groups.all.Visible() {
		t.Errorf("the open group has %v, not %v", got, want)
	}
	if got := r.points.Shown(); !slices.Equal(got, want) {
		t.Errorf("the map shows %v", got)
	}
	r.groups.members.Clicked(2)
	if r.selected != want[2] || b.panel.list.Selected != b.panel.resultIDs[want[2]] || !slices.Equal(r.points.Shown(), want) {
		t.Errorf("a click chooses text %d, the map shows %v", r.selected, r.points.Shown())
	}
	test.Tap(r.groups.back)
	if r.groups.one.Visible() || !r.groups.all.Visible() || r.points.Shown() != nil {
		t.Error("there is no way back to all groups")
	}
	r.groups.list.Clicked(1)
	r.turn.Pick(0)
	if r.points.Shown() != nil || !r.near.view.Visible() {
		t.Error("beside the nearest texts the map shows a group alone")
	}
}

// Where texts fall into no groups it is said why, and they can be parted all the same; a few cannot.
func TestNoGroups(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.SimilarityTexts = []string{"zzzz", "zzzz", "zzzz", "zzzz", "zzzz", "zzzz"}
	b := opened(t, d)
	g := b.panel.results.groups
	if b.panel.result.Groups.Count != 0 || !g.hint.View.Visible() || g.more.Visible() || g.make.Hidden || g.make.Text != "Make 3 groups" {
		t.Fatalf("%d groups, the button says %q", b.panel.result.Groups.Count, g.make.Text)
	}
	test.Tap(g.make)
	b.Idle()
	if b.panel.result.Groups.Count != 3 || g.hint.View.Visible() || !g.more.Visible() || g.count.Text != "3 groups, not clearly apart" {
		t.Errorf("%d groups, it says %q", b.panel.result.Groups.Count, g.count.Text)
	}

	d = uitest.NewApp()
	d.Kept.SimilarityTexts = []string{"zzzz", "eeee"}
	if g := opened(t, d).panel.results.groups; g.make.Visible() || !g.hint.View.Visible() {
		t.Error("of two texts groups can be made")
	}
}

// A person can have more groups, and fewer again; the map and the matrix follow.
func TestMoreGroups(t *testing.T) {
	b := grouped(t)
	r := b.panel.results
	r.turn.Pick(1)
	test.Tap(r.groups.more)
	b.Idle()
	if n := b.panel.result.Groups.Count; n != 3 || len(r.groups.of) != 3 || r.spread.Text != spreadText(b.panel.result) || !r.groups.more.Disabled() {
		t.Errorf("%d groups, the map says %q", n, r.spread.Text)
	}
	test.Tap(r.groups.fewer)
	b.Idle()
	if n := b.panel.result.Groups.Count; n != 2 || r.groups.more.Disabled() {
		t.Errorf("%d groups", n)
	}
}

// Of many texts the groups come first.
func TestManyTextsShowGroups(t *testing.T) {
	b := grouped(t)
	var lines []string
	for i := range manyTexts + 2 {
		lines = append(lines, strings.Repeat([]string{"z", "e"}[i%2], 3+i/2))
	}
	b.panel.list.Replace(lines)
	b.panel.start()
	b.Loop.Until(t, "the comparison", func() bool { return b.panel.running == nil && len(b.panel.result.Texts) == len(lines) })
	if b.panel.result.Groups.Count == 0 || !b.panel.results.groups.view.Visible() {
		t.Error("the groups do not come first")
	}
}

// In a small window the groups have a tab of their own.
func TestGroupsInASmallWindow(t *testing.T) {
	b := grouped(t)
	r := b.panel.results
	b.Window.Resize(fyne.NewSize(716, 530))
	if r.turn.Visible() || !slices.Equal(r.tabs.Options, []string{"Matrix", "Map", "Nearest", "Groups"}) {
		t.Errorf("the tabs are %q", r.tabs.Options)
	}
	r.tabs.Pick(3)
	if !r.groups.view.Visible() || !r.view.Objects[3].Visible() || r.view.Objects[1].Visible() {
		t.Error("the tab does not show the groups")
	}
	b.Window.Resize(fyne.NewSize(1156, 770))
	if !r.turn.Visible() || r.turn.Index != 1 {
		t.Error("in a large window the groups do not stay in view")
	}
}

// The texts closest to a person's own words are marked on the map. With other texts the words stay,
// and are looked for in them once they are compared.
func TestHitsOnTheMap(t *testing.T) {
	b := grouped(t)
	near := b.panel.results.near
	near.asks.SetText("zzzz")
	near.asks.TypedKey(uitest.Key(fyne.KeyReturn))
	b.Idle()
	var want []int
	for _, n := range near.found[:mostHits] {
		want = append(want, n.Index)
	}
	if got := b.panel.results.points.Shown(); !near.asked || !slices.Equal(got, want) {
		t.Errorf("the map shows %v, not %v", got, want)
	}
	b.panel.list.Add([]string{"one more"})
	if near.asks.Text != "zzzz" || near.asked || b.panel.results.points.Shown() != nil {
		t.Errorf("beside other texts %q is asked, and the map shows %v", near.asks.Text, b.panel.results.points.Shown())
	}
	b.panel.start()
	b.Loop.Until(t, "the words to be looked for again", func() bool { return near.asked && len(near.found) == 7 })
}

// A part of the matrix or of the map can be left with a click.
func TestShowAll(t *testing.T) {
	b := grouped(t)
	r := b.panel.results
	if r.whole.Visible() || r.order.Text != "By group" {
		t.Fatalf("all is in view, and it says %q", r.order.Text)
	}
	r.points.TypedRune('+')
	r.heat.TypedRune('+')
	if !r.whole.Visible() || r.spread.Visible() || r.order.Text != "Show all" {
		t.Errorf("there is no way back; the chip says %q", r.order.Text)
	}
	test.Tap(r.whole)
	test.Tap(r.sort)
	if r.whole.Visible() || !r.spread.Visible() || r.order.Text != "By group" || !r.sorted {
		t.Errorf("all shown again, the chip says %q", r.order.Text)
	}
}

// The groups can be taken elsewhere, one row a text.
func TestGroupsCSV(t *testing.T) {
	b := grouped(t)
	b.panel.copyGroups()
	var want strings.Builder
	if err := b.panel.result.WriteGroups(&want); err != nil || b.FyneApp.Clipboard().Content() != want.String() || strings.Count(want.String(), "\n") != 7 {
		t.Errorf("copied %q (%v)", b.FyneApp.Clipboard().Content(), err)
	}
	out := &buffer{}
	b.Said = ""
	b.panel.Files = func() kit.FileDialogs { return answers{written: out} }
	b.panel.saveGroups()
	b.Loop.Until(t, "the file", func() bool { return strings.HasPrefix(b.Said, "Saved") })
	if out.String() != want.String() {
		t.Errorf("saved %q", out.String())
	}
}

// A group of pictures has the name of one of them; pictures share no words.
func TestGroupsOfPictures(t *testing.T) {
	b := grouped(t)
	r := &texts.SimilarityResult{
		Texts: []string{"cat.png", "dog.png"}, Pictures: []string{"/p/cat.png", "/p/dog.png"}, Matrix: [][]float32{{1, 0}, {0, 1}}, Vectors: [][]float32{{1, 0}, {0, 1}},
		Groups: texts.Groups{Of: []int{0, 1}, Order: []int{0, 1}, Count: 2},
	}
	r.Groups = r.Groups.WithWords(r.Texts)
	b.panel.results.groups.set(r)
	if got := b.panel.results.groups.names; !slices.Equal(got, r.Texts) {
		t.Errorf("the groups are called %q", got)
	}
}
