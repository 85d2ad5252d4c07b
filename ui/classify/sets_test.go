package classify

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// Labels can be kept as a set, taken again with what they are, and forgotten; there are some to begin with.
func TestSetsOfLabels(t *testing.T) {
	b := entered(t, uitest.NewApp(), "a cat")
	pick := func(name string) *fyne.MenuItem {
		t.Helper()
		items := b.page.sets()
		i := slices.IndexFunc(items, func(m *fyne.MenuItem) bool { return m.Label == name })
		if i < 0 {
			t.Fatalf("%q is not offered", name)
		}
		return items[i]
	}
	b.page.labels.SetText("bills, parcels")
	pick("Keep these labels as a set…").Action()
	b.name(t, "Post")
	if !pick("Post").Checked || !pick("Keep these labels as a set…").Disabled {
		t.Error("the set that is in view is not marked")
	}
	pick("Rename this set…").Action()
	b.name(t, "Bills and parcels")
	if !pick("Bills and parcels").Checked {
		t.Error("the set is not renamed")
	}
	pick("Feelings").Action()
	if b.page.labels.names[0] != "happy" || b.page.kind.Selected != "feelings" {
		t.Errorf("labels %q, which are %q", b.page.labels.names, b.page.kind.Selected)
	}
	if again := b.restarted(t); again.page.sets()[0].Label != "Bills and parcels" {
		t.Error("the set is not kept")
	}
	pick("Bills and parcels").Action()
	if b.page.labels.Text() != "bills, parcels" || b.page.kind.Selected != "topics" {
		t.Errorf("labels %q, which are %q", b.page.labels.Text(), b.page.kind.Selected)
	}
	pick("Forget this set").Action()
	if b.page.sets()[0].Label != "News" {
		t.Error("the set is not forgotten")
	}
}

// name types the name that is asked for.
func (b *bench) name(t *testing.T, name string) {
	t.Helper()
	field, ok := b.Window.Canvas().Focused().(*kit.Entry)
	if !ok || b.page.sheet.Popup == nil {
		t.Fatal("no name is asked for")
	}
	field.SetText(name)
	field.TypedKey(key(fyne.KeyReturn))
	b.Idle()
}
