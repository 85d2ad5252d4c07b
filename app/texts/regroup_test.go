package texts

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func three() Groups {
	return Groups{Of: []int{0, 1, 0, 2, 1, 0}, Order: []int{0, 2, 5, 1, 4, 3}, Count: 3}
}

var sixTexts = []string{"a red boat", "a cold soup", "the red boat", "rain", "cold soup", "red boats"}

// A person's groups have their names, and keep their colours when texts move and groups go.
func TestMoveAndMerge(t *testing.T) {
	g := three().Renamed(1, " Kitchen ").WithWords(sixTexts)
	if g.Name(1) != "Kitchen" || g.Name(0) == "" || three().Name(0) != "" {
		t.Errorf("names %q and %q", g.Name(0), g.Name(1))
	}
	moved := g.Moved([]int{3}, 1, sixTexts) // the only text of group 2
	if moved.Count != 2 || !slices.Equal(moved.Of, []int{0, 1, 0, 1, 1, 0}) || !slices.Equal(moved.Order, []int{0, 2, 5, 1, 4, 3}) || moved.Name(1) != "Kitchen" {
		t.Errorf("%+v", moved)
	}
	merged := g.Moved([]int{0, 2, 5}, 2, sixTexts) // group 0 into group 2
	if merged.Count != 2 || !slices.Equal(merged.Of, []int{1, 0, 1, 1, 0, 1}) || !slices.Equal(merged.Order, []int{1, 4, 3, 0, 2, 5}) || merged.Name(0) != "Kitchen" {
		t.Errorf("%+v", merged)
	}
	if merged.Color(0) != 1 || merged.Color(1) != 2 {
		t.Errorf("colours %v", merged.Colors)
	}
	if g.Count != 3 || !slices.Equal(g.Of, three().Of) || !slices.Equal(g.Order, three().Order) {
		t.Errorf("the groups before are now %+v", g)
	}
	if back := g.Renamed(1, ""); back.Name(1) == "Kitchen" || g.Name(1) != "Kitchen" {
		t.Errorf("the name is %q, and was %q", back.Name(1), g.Name(1))
	}
}

// More groups of the same texts have the colours and names of those that they come from.
func TestGroupsKeepTheirColours(t *testing.T) {
	before := Groups{Of: []int{0, 0, 0, 0, 1, 1}, Order: []int{0, 1, 2, 3, 4, 5}, Count: 2}.Renamed(0, "Boats")
	now := Groups{Of: []int{1, 1, 1, 2, 0, 0}, Order: []int{4, 5, 0, 1, 2, 3}, Count: 3}.Like(before)
	if !slices.Equal(now.Colors, []int{1, 0, 2}) || now.Name(1) != "Boats" || now.Name(2) != "" {
		t.Errorf("colours %v, names %q", now.Colors, now.Names)
	}
	if again := (Groups{Of: []int{0, 0, 0, 0, 1, 1}, Order: []int{0, 1, 2, 3, 4, 5}, Count: 2}).Like(now); !slices.Equal(again.Colors, []int{0, 1}) || again.Name(0) != "Boats" {
		t.Errorf("fewer again: colours %v, names %q", again.Colors, again.Names)
	}
	if other := three().Like(before.Renamed(1, "x")); !other.Are(6) {
		t.Errorf("%+v", other)
	}
}

// Whatever is moved, the groups stay groups.
func TestMovedAreGroups(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := three()
		for range rapid.IntRange(1, 6).Draw(rt, "steps") {
			some := rapid.SliceOfNDistinct(rapid.IntRange(0, 5), 1, 6, rapid.ID[int]).Draw(rt, "texts")
			g = g.Moved(some, rapid.IntRange(0, g.Count-1).Draw(rt, "to"), sixTexts).Like(g)
			if !g.Are(6) {
				rt.Fatalf("%+v", g)
			}
		}
	})
	for _, bad := range []Groups{{}, {Of: []int{0, 2}, Order: []int{0, 1}, Count: 2}, {Of: []int{0, 1}, Order: []int{1, 0}, Count: 2}, {Of: []int{0, 0}, Order: []int{0, 0}, Count: 1}, {Of: []int{0, 0}, Order: []int{0, 1}, Count: 2}, {Of: []int{-1, 0}, Order: []int{0, 1}, Count: 1}} {
		if bad.Are(2) {
			t.Errorf("%+v are groups", bad)
		}
	}
}
