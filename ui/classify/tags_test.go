package classify

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// SetText puts the labels that are typed in the place of these.
func (t *tags) SetText(typed string) {
	now := unique(split(typed))
	t.change(relabelling{now: now, what: kit.Count(len(now), "label") + " in the place of the others"})
}

// newTagBench are some labels in a window, and the changes of them that were told.
func newTagBench(t *testing.T, names ...string) (*tags, *[]relabelling, *string) {
	t.Helper()
	test.NewTempApp(t)
	g := newTags(&kit.Keyboard{}, names)
	w := test.NewTempWindow(t, g.View)
	w.Resize(fyne.NewSize(300, 300))
	g.focus = func(f fyne.Focusable) { w.Canvas().Focus(f) }
	var told []relabelling
	says := ""
	g.changed = func(c relabelling) { told = append(told, c) }
	g.tell = func(s string) { says = s }
	return g, &told, &says
}

func key(name fyne.KeyName) *fyne.KeyEvent { return uitest.Key(name) }

// press clicks the small button that says a text, or explains itself with it.
func press(t *testing.T, in fyne.CanvasObject, says string) {
	t.Helper()
	b, ok := uitest.Find(in, func(b *kit.TextButton) bool { return b.Line.Text == says })
	if !ok {
		t.Fatalf("there is no button %q", says)
	}
	test.Tap(b)
}

// Enter, a comma and pasted lists add labels; one that is there already is told.
func TestTagsAreAdded(t *testing.T) {
	g, told, says := newTagBench(t, "cats")
	test.Type(g.next, "dogs")
	g.next.TypedKey(key(fyne.KeyReturn))
	test.Type(g.next, "red fish, ")
	if g.Text() != "cats, dogs, red fish" || g.next.Text != "" {
		t.Fatalf("labels %q, field %q", g.Text(), g.next.Text)
	}
	for _, pasted := range []string{"a, b ,, c", "d\r\ne\n", "f; g"} {
		if !g.pasted(pasted) {
			t.Errorf("%q is not taken", pasted)
		}
	}
	if g.pasted("one label") || g.Text() != "cats, dogs, red fish, a, b, c, d, e, f, g" {
		t.Errorf("labels %q", g.Text())
	}
	n := len(*told)
	test.Type(g.next, "cats")
	g.next.TypedKey(key(fyne.KeyReturn))
	if len(*told) != n || *says != "There is a label “cats” already." {
		t.Errorf("it says %q", *says)
	}
	submitted := false
	g.submit = func() { submitted = true }
	if g.next.TypedKey(key(fyne.KeyReturn)); !submitted {
		t.Error("Enter in the empty field does nothing")
	}
	many := make([]string, mostTags)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	if g.add(many); len(g.names) != 10 || !strings.HasPrefix(*says, "There can be 300 labels at most") {
		t.Errorf("%d labels, it says %q", len(g.names), *says)
	}
}

// A chip has a sign that removes its label; Backspace in the empty field takes the last one back into it.
func TestTagsAreRemoved(t *testing.T) {
	g, told, _ := newTagBench(t, "cats", "dogs", "fish")
	press(t, g.chips.Objects[1], "Remove this label")
	if g.Text() != "cats, fish" || (*told)[0].what != "Label “dogs” removed" || (*told)[0].plain {
		t.Fatalf("labels %q, told %+v", g.Text(), *told)
	}
	g.next.TypedKey(key(fyne.KeyBackspace))
	if g.Text() != "cats" || g.next.Text != "fish" {
		t.Errorf("labels %q, field %q", g.Text(), g.next.Text)
	}
	g.next.TypedKey(key(fyne.KeyBackspace))
	if g.Text() != "cats" || g.next.Text != "fis" {
		t.Errorf("labels %q, field %q", g.Text(), g.next.Text)
	}
	g.take()
	g.chips.Objects[0].(*kit.Chip).TypedKey(key(fyne.KeyDelete))
	if g.Text() != "fis" {
		t.Errorf("labels %q", g.Text())
	}
}

// A double click, F2 or the menu opens the name of a label. Escape leaves it, and a name that is there already is
// refused.
func TestTagsAreRenamed(t *testing.T) {
	g, told, says := newTagBench(t, "cats", "dogs")
	chip := func(i int) *kit.Chip { return g.chips.Objects[i].(*kit.Chip) }
	test.Tap(chip(0))
	if g.edit != nil {
		t.Fatal("one click opens it")
	}
	test.Tap(chip(0))
	if g.edit == nil || g.at != 0 {
		t.Fatal("a double click does not open it")
	}
	g.edit.SetText("kittens")
	g.edit.TypedKey(key(fyne.KeyEscape))
	if g.Text() != "cats, dogs" || len(*told) != 0 {
		t.Errorf("after Escape %q", g.Text())
	}
	chip(1).TypedKey(key(fyne.KeyF2))
	g.edit.SetText("cats")
	g.edit.TypedKey(key(fyne.KeyReturn))
	if g.Text() != "cats, dogs" || !strings.Contains(*says, "“dogs” keeps its name") {
		t.Errorf("%q, it says %q", g.Text(), *says)
	}
	g.offers(1)[0].Action()
	g.edit.SetText("hounds, puppies")
	g.focus(g.next)
	if got := (*told)[0]; g.Text() != "cats, hounds, puppies" || got.from != "dogs" || got.to != "hounds" {
		t.Errorf("%q, told %+v", g.Text(), got)
	}
	g.offers(2)[1].Action()
	if g.Text() != "cats, puppies, hounds" || !g.offers(0)[1].Disabled || !g.offers(2)[2].Disabled {
		t.Errorf("moved: %q", g.Text())
	}
}

// Chips stay within the width, and the field has the rest of the last row.
func TestTagLayout(t *testing.T) {
	g, _, _ := newTagBench(t, slices.Repeat([]string{"a label of some length"}, 5)...)
	for i, o := range g.chips.Objects {
		if end := o.Position().X + o.Size().Width; end > g.chips.Size().Width+1 {
			t.Errorf("object %d ends at %v of %v", i, end, g.chips.Size().Width)
		}
	}
	last := g.chips.Objects[len(g.chips.Objects)-1]
	if last.Position().X+last.Size().Width < g.chips.Size().Width-1 {
		t.Error("the field does not reach the edge")
	}
}
