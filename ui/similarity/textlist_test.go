package similarity

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"inglenook/app/texts"
	"inglenook/ui/chart"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// few returns a window with three texts.
func few(t *testing.T) (*bench, *textList) {
	d := uitest.NewApp()
	d.Kept.SimilarityTexts = []string{"alpha", "beta", "gamma"}
	b := opened(t, d)
	return b, b.panel.list
}

func wantTexts(t *testing.T, l *textList, want ...string) {
	t.Helper()
	if got := l.texts.lines(); !slices.Equal(got, want) {
		t.Errorf("texts are %q, want %q", got, want)
	}
}

func TestTyping(t *testing.T) {
	b, l := few(t)
	b.Window.Canvas().Focus(l.composer)
	test.Type(l.composer, "delta")
	l.composer.TypedKey(uitest.Key(fyne.KeyReturn))
	wantTexts(t, l, "alpha", "beta", "gamma", "delta")
	if l.composer.Text != "" || l.total.Text != "4" || l.list.Current != 3 {
		t.Errorf("after Enter: %q in the field, %s texts, row %d", l.composer.Text, l.total.Text, l.list.Current)
	}
	l.composer.TypedKey(uitest.Key(fyne.KeyReturn)) // nothing typed: nothing added
	wantTexts(t, l, "alpha", "beta", "gamma", "delta")
	b.Saver.Flush()
	if got := b.Double.Settings().SimilarityTexts; len(got) != 4 {
		t.Errorf("kept %q", got)
	}
}

func TestPastingLines(t *testing.T) {
	b, l := few(t)
	clipboard := b.FyneApp.Clipboard()
	test.Type(l.composer, "typed")
	clipboard.SetContent("  first \r\n\r\nsecond\n\nthird\u2028\n")
	l.composer.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
	wantTexts(t, l, "alpha", "beta", "gamma", "typed", "first", "second", "third")
	clipboard.SetContent("one line")
	l.composer.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
	if l.composer.Text != "one line" {
		t.Errorf("one pasted line: %q in the field", l.composer.Text)
	}
	if !l.undoBar.Visible() || l.undoText.Text != "4 texts added." {
		t.Errorf("undo offers %q", l.undoText.Text)
	}
	test.Tap(uitest.FindButton(t, l.undoBar, "Undo"))
	wantTexts(t, l, "alpha", "beta", "gamma")
}

func TestEditing(t *testing.T) {
	b, l := few(t)
	l.list.Pick(1)
	b.Window.Canvas().Focus(l.list)
	l.list.TypedKey(uitest.Key(fyne.KeyF2))
	if l.composer.Text != "beta" || l.accept.Text != "Save" || b.Window.Canvas().Focused() != l.composer {
		t.Fatalf("F2: %q in the field, button %q", l.composer.Text, l.accept.Text)
	}
	test.Type(l.composer, "!")
	test.Tap(l.accept)
	wantTexts(t, l, "alpha", "beta!", "gamma")
	if l.list.Current != 1 || l.accept.Text != "Add" {
		t.Errorf("after saving: row %d, button %q", l.list.Current, l.accept.Text)
	}
	l.edit(l.selected)
	l.composer.TypedKey(uitest.Key(fyne.KeyEscape))
	wantTexts(t, l, "alpha", "beta!", "gamma")
	if l.editing != 0 || l.composer.Text != "" {
		t.Error("Escape does not leave editing")
	}
	l.edit(l.selected)
	l.composer.SetText("two\nthree")
	l.submit()
	wantTexts(t, l, "alpha", "two", "three", "gamma")
	l.edit(l.selected)
	l.submit() // unchanged
	if l.texts.lastChange() != "Text 2 changed" || len(l.texts.past) != 2 {
		t.Errorf("an unchanged text is a change: %d", len(l.texts.past))
	}
	l.edit(l.selected)
	l.composer.SetText("  ")
	l.submit()
	wantTexts(t, l, "alpha", "three", "gamma")
}

func TestDeletingAndUndo(t *testing.T) {
	b, l := few(t)
	l.list.Pick(2)
	l.list.TypedKey(uitest.Key(fyne.KeyDelete))
	wantTexts(t, l, "alpha", "beta")
	if l.list.Current != 1 || l.undoText.Text != "Text 3 deleted." {
		t.Errorf("row %d, undo offers %q", l.list.Current, l.undoText.Text)
	}
	test.Tap(l.clearAll)
	wantTexts(t, l)
	if !l.empty.View.Visible() || l.undoText.Text != "2 texts deleted." || !l.clearAll.Disabled() {
		t.Errorf("after Clear: undo offers %q", l.undoText.Text)
	}
	undo := &desktop.CustomShortcut{KeyName: fyne.KeyZ, Modifier: fyne.KeyModifierShortcutDefault}
	if !b.Host.Keys.Typed(undo) {
		t.Fatal("nothing undoes")
	}
	wantTexts(t, l, "alpha", "beta")
	l.composer.TypedShortcut(&fyne.ShortcutUndo{}) // with the keyboard in the empty field
	wantTexts(t, l, "alpha", "beta", "gamma")
	b.Host.Keys.Typed(undo) // nothing left
	wantTexts(t, l, "alpha", "beta", "gamma")
	if b.panel.stale.Message() != "" {
		t.Error("all is as compared, but the result counts as old")
	}
}

func TestHugeTextIsNotEdited(t *testing.T) {
	b, l := few(t)
	l.add([]string{strings.Repeat("long ", 1<<20)})
	l.edit(l.selected)
	if l.editing != 0 || !strings.Contains(b.Said, "too long to edit") {
		t.Errorf("the strip says %q", b.Said)
	}
	b.Saver.Flush()
	if got := b.Double.Settings().SimilarityTexts; got == nil || len(got) != 0 {
		t.Errorf("%d texts of 5 MB are kept in the settings", len(got))
	}
}

func TestTextsKeepTheirIdentity(t *testing.T) {
	x := newTexts([]string{"a", "b", "c"})
	ids := x.ids()
	x.remove(ids[1])
	x.add([]string{"d"})
	x.undo()
	x.undo()
	if !slices.Equal(x.ids(), ids) {
		t.Errorf("ids are %v, want %v", x.ids(), ids)
	}
	if again := x.edit(ids[0], []string{"other"}); again == ids[0] {
		t.Error("an edited text counts as the compared one")
	}
	for range 2 * undoDepth {
		x.add([]string{"more"})
	}
	if len(x.past) != undoDepth {
		t.Errorf("%d versions are kept", len(x.past))
	}
	if x.remove(12345) != 0 || x.edit(12345, []string{"x"}) != 12345 {
		t.Error("a text that is not there was changed")
	}
}

// rowsOf returns the rows that exist, in and out of view.
func rowsOf(r *kit.Rows) []fyne.CanvasObject {
	scroll := test.WidgetRenderer(r).Objects()[0].(*container.Scroll)
	return test.WidgetRenderer(scroll.Content.(fyne.Widget)).Objects()
}

// The number of a row is shown in full, however many rows there are.
func TestRowNumbersAreWhole(t *testing.T) {
	for _, n := range []int{3, 999, 1000, 12_345} {
		_, l := few(t)
		l.texts.clear()
		l.add(slices.Repeat([]string{"row"}, n))
		l.list.TypedKey(uitest.Key(fyne.KeyEnd))
		r := newResults(&kit.Keyboard{})
		test.NewTempWindow(t, r.near.view).Resize(fyne.NewSize(400, 300))
		scores := make([][]float32, n)
		scores[0] = make([]float32, n)
		r.near.show(0, &texts.SimilarityResult{Texts: l.texts.lines(), Matrix: scores}, chart.NewScale(scores, false))
		r.near.list.TypedKey(uitest.Key(fyne.KeyEnd))
		for name, list := range map[string]*kit.Rows{"texts": l.list, "nearest": r.near.list} {
			seen := 0
			for _, row := range rowsOf(list) {
				number, ok := uitest.Find(row, func(l *kit.Line) bool { _, err := strconv.Atoi(l.Text); return err == nil })
				if !ok || !row.Visible() {
					continue
				}
				seen++
				if need := fyne.MeasureText(number.Text, kit.TextSmall, fyne.TextStyle{}).Width; number.Size().Width < need {
					t.Errorf("%s: %s of %d has %v of the %v points that it needs", name, number.Text, n, number.Size().Width, need)
				}
			}
			if seen == 0 {
				t.Errorf("%s: no row of %d has a number", name, n)
			}
		}
	}
}

func TestRowsShowOnlyWhatIsInView(t *testing.T) {
	b, l := few(t)
	l.add(slices.Repeat([]string{"row"}, 2000))
	made := len(rowsOf(l.list))
	if most := int(l.list.Size().Height/l.list.Height) + 4; made > most {
		t.Errorf("%d rows exist for %d in view", made, most)
	}
	l.list.TypedKey(uitest.Key(fyne.KeyHome))
	if l.list.Current != 0 || l.list.Scroll.Offset.Y != 0 {
		t.Errorf("Home: row %d at %v", l.list.Current, l.list.Scroll.Offset.Y)
	}
	l.list.TypedKey(uitest.Key(fyne.KeyPageDown))
	l.list.TypedKey(uitest.Key(fyne.KeyEnd))
	if l.list.Current != 2002 {
		t.Errorf("End: row %d", l.list.Current)
	}
	if at := float32(2003) * l.list.Height; l.list.Scroll.Offset.Y+l.list.Scroll.Size().Height < at-1 {
		t.Error("the last row is not in view")
	}
	_ = b
}

func TestDoubleClickEdits(t *testing.T) {
	_, l := few(t)
	row := rowsOf(l.list)[1].(fyne.Tappable)
	row.Tapped(nil)
	if l.editing != 0 || l.list.Current != 1 {
		t.Fatal("one click does not just select")
	}
	row.Tapped(nil)
	if l.editing != l.texts.items[1].id {
		t.Error("two clicks do not edit")
	}
}
