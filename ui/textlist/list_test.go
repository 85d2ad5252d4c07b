package textlist

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// stage is a window that shows a list, with what was changed and what was told.
type stage struct {
	*uitest.Stage
	list    *List
	changes int
	failure error
}

// board is a panel with a list and nothing else.
type board struct {
	panel.Still
	list *List
}

func (board) Info() panel.Info             { return panel.Info{ID: "board"} }
func (b board) Content() fyne.CanvasObject { return b.list.View }
func (board) Enter()                       {}
func (board) ShowError(error)              {}
func (b board) Shortcuts() []kit.Shortcut {
	return []kit.Shortcut{kit.NewShortcut(fyne.KeyZ, "Undo", "Z", b.list.Undo)}
}

// few returns a window with three texts.
func few(t *testing.T) (*stage, *List) {
	t.Helper()
	d := uitest.NewApp()
	s := &stage{Stage: uitest.NewStage(t, d)}
	s.list = NewList(s.Host, d, New([]string{"alpha", "beta", "gamma"}, nil))
	s.list.Changed = func() { s.changes++ }
	s.list.Failed = func(err error) { s.failure = err }
	s.Put(board{list: s.list})
	return s, s.list
}

func wantTexts(t *testing.T, l *List, want ...string) {
	t.Helper()
	if got := l.texts.Lines(); !slices.Equal(got, want) {
		t.Errorf("texts are %q, want %q", got, want)
	}
}

func TestTyping(t *testing.T) {
	b, l := few(t)
	b.Window.Canvas().Focus(l.Composer)
	test.Type(l.Composer, "delta")
	l.Composer.TypedKey(uitest.Key(fyne.KeyReturn))
	wantTexts(t, l, "alpha", "beta", "gamma", "delta")
	if l.Composer.Text != "" || l.total.Text != "4" || l.Rows.Current != 3 {
		t.Errorf("after Enter: %q in the field, %s texts, row %d", l.Composer.Text, l.total.Text, l.Rows.Current)
	}
	l.Composer.TypedKey(uitest.Key(fyne.KeyReturn)) // nothing typed: nothing added
	wantTexts(t, l, "alpha", "beta", "gamma", "delta")
	if b.changes != 1 {
		t.Errorf("%d changes for one text", b.changes)
	}
}

// What is typed counts when the texts are worked on, also without Add; blanks do not.
func TestTake(t *testing.T) {
	_, l := few(t)
	l.Composer.SetText("  ")
	l.Take()
	wantTexts(t, l, "alpha", "beta", "gamma")
	l.Composer.SetText("delta")
	l.Take()
	wantTexts(t, l, "alpha", "beta", "gamma", "delta")
	l.edit(l.texts.IDs()[0])
	l.Composer.SetText("omega")
	l.Take()
	wantTexts(t, l, "omega", "beta", "gamma", "delta")
	if l.Composer.Text != "" || l.editing != 0 {
		t.Errorf("the field still holds %q", l.Composer.Text)
	}
}

func TestPastingLines(t *testing.T) {
	b, l := few(t)
	clipboard := b.FyneApp.Clipboard()
	test.Type(l.Composer, "typed")
	clipboard.SetContent("  first \r\n\r\nsecond\n\nthird\u2028\n")
	l.Composer.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
	wantTexts(t, l, "alpha", "beta", "gamma", "typed", "first", "second", "third")
	clipboard.SetContent("one line")
	l.Composer.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
	if l.Composer.Text != "one line" {
		t.Errorf("one pasted line: %q in the field", l.Composer.Text)
	}
	if !l.undoBar.Visible() || l.undoText.Segment.Text != "4 texts added." {
		t.Errorf("undo offers %q", l.undoText.Segment.Text)
	}
	test.Tap(uitest.FindButton(t, l.undoBar, "Undo"))
	wantTexts(t, l, "alpha", "beta", "gamma")
}

// Pasted prose is cut by paragraphs and can be cut in other ways; Undo goes back to the way before,
// and then to the texts before.
func TestPastingProse(t *testing.T) {
	const prose = "The road to the village was so wet in the autumn that the old\ncarriage stood still at every second turn, and nobody in it said\na word about it. The driver had gone ahead with his lamp to look\nfor the bridge behind the mill.\n\nNobody spoke. It rained.\n"
	b, l := few(t)
	clipboard := b.FyneApp.Clipboard()
	clipboard.SetContent(prose)
	l.Composer.TypedShortcut(&fyne.ShortcutPaste{Clipboard: clipboard})
	named := func(name string) *kit.Button { return uitest.FindButton(t, l.ways, name) }
	if l.texts.Len() != 5 || b.Said != "Each paragraph is a text: 2 texts." || !l.ways.Visible() || named("By paragraph").Visible() || !named("By line").Visible() {
		t.Fatalf("%d texts; it says %q", l.texts.Len(), b.Said)
	}
	test.Tap(named("By sentence"))
	if l.texts.Len() != 7 || l.undoText.Segment.Text != "Cut into 4 texts." || named("By sentence").Visible() {
		t.Errorf("by sentence: %d texts, undo offers %q", l.texts.Len(), l.undoText.Segment.Text)
	}
	test.Tap(named("By line"))
	if l.texts.Len() != 8 {
		t.Errorf("by line: %d texts", l.texts.Len())
	}
	l.Undo()
	l.Undo()
	if l.texts.Len() != 5 || !named("By sentence").Visible() || l.undoText.Segment.Text != "2 texts added." {
		t.Errorf("after Undo twice: %d texts, undo offers %q", l.texts.Len(), l.undoText.Segment.Text)
	}
	l.Undo()
	wantTexts(t, l, "alpha", "beta", "gamma")
	if l.ways.Visible() || l.undoBar.Visible() {
		t.Error("the ways are on offer without the texts")
	}
}

func TestEditing(t *testing.T) {
	b, l := few(t)
	l.Rows.Pick(1)
	b.Window.Canvas().Focus(l.Rows)
	l.Rows.TypedKey(uitest.Key(fyne.KeyF2))
	if l.Composer.Text != "beta" || l.accept.Text != "Save" || b.Window.Canvas().Focused() != l.Composer {
		t.Fatalf("F2: %q in the field, button %q", l.Composer.Text, l.accept.Text)
	}
	test.Type(l.Composer, "!")
	test.Tap(l.accept)
	wantTexts(t, l, "alpha", "beta!", "gamma")
	if l.Rows.Current != 1 || l.accept.Text != "Add" {
		t.Errorf("after saving: row %d, button %q", l.Rows.Current, l.accept.Text)
	}
	l.edit(l.Selected)
	l.Composer.TypedKey(uitest.Key(fyne.KeyEscape))
	wantTexts(t, l, "alpha", "beta!", "gamma")
	if l.editing != 0 || l.Composer.Text != "" {
		t.Error("Escape does not leave editing")
	}
	l.edit(l.Selected)
	l.Composer.SetText("two\nthree")
	l.submit()
	wantTexts(t, l, "alpha", "two", "three", "gamma")
	l.edit(l.Selected)
	l.submit() // unchanged
	if l.texts.lastChange() != "Text 2 changed" || len(l.texts.past) != 2 {
		t.Errorf("an unchanged text is a change: %d", len(l.texts.past))
	}
	l.edit(l.Selected)
	l.Composer.SetText("  ")
	l.submit()
	wantTexts(t, l, "alpha", "three", "gamma")
}

func TestDeletingAndUndo(t *testing.T) {
	b, l := few(t)
	l.Rows.Pick(2)
	l.Rows.TypedKey(uitest.Key(fyne.KeyDelete))
	wantTexts(t, l, "alpha", "beta")
	if l.Rows.Current != 1 || l.undoText.Segment.Text != "Text 3 deleted." {
		t.Errorf("row %d, undo offers %q", l.Rows.Current, l.undoText.Segment.Text)
	}
	test.Tap(l.clearAll)
	wantTexts(t, l)
	if !l.empty.View.Visible() || l.undoText.Segment.Text != "2 texts deleted." || !l.clearAll.Disabled() {
		t.Errorf("after Clear: undo offers %q", l.undoText.Segment.Text)
	}
	undo := &desktop.CustomShortcut{KeyName: fyne.KeyZ, Modifier: fyne.KeyModifierShortcutDefault}
	if !b.Host.Keys.Typed(undo) {
		t.Fatal("nothing undoes")
	}
	wantTexts(t, l, "alpha", "beta")
	l.Composer.TypedShortcut(&fyne.ShortcutUndo{}) // with the keyboard in the empty field
	wantTexts(t, l, "alpha", "beta", "gamma")
	b.Host.Keys.Typed(undo) // nothing left
	wantTexts(t, l, "alpha", "beta", "gamma")
}

func TestHugeTextIsNotEdited(t *testing.T) {
	b, l := few(t)
	l.Add([]string{strings.Repeat("long ", 1<<20)})
	l.edit(l.Selected)
	if l.editing != 0 || !strings.Contains(b.Said, "too long to edit") {
		t.Errorf("the strip says %q", b.Said)
	}
}

func TestTextsKeepTheirIdentity(t *testing.T) {
	x := New([]string{"a", "b", "c"}, nil)
	ids := x.IDs()
	x.remove(ids[1])
	x.Add([]string{"d"})
	x.undo()
	x.undo()
	if !slices.Equal(x.IDs(), ids) {
		t.Errorf("ids are %v, want %v", x.IDs(), ids)
	}
	if again := x.edit(ids[0], []string{"other"}); again == ids[0] {
		t.Error("an edited text counts as the compared one")
	}
	for range 2 * undoDepth {
		x.Add([]string{"more"})
	}
	if len(x.past) != undoDepth {
		t.Errorf("%d versions are kept", len(x.past))
	}
	if x.remove(12345) != 0 || x.edit(12345, []string{"x"}) != 12345 {
		t.Error("a text that is not there was changed")
	}
}

// The number of a row is shown in full, however many rows there are.
func TestRowNumbersAreWhole(t *testing.T) {
	for _, n := range []int{3, 999, 1000, 12_345} {
		_, l := few(t)
		l.texts.clear()
		l.Add(slices.Repeat([]string{"row"}, n))
		l.Rows.TypedKey(uitest.Key(fyne.KeyEnd))
		uitest.NumbersAreWhole(t, l.Rows)
	}
}

func TestRowsShowOnlyWhatIsInView(t *testing.T) {
	b, l := few(t)
	l.Add(slices.Repeat([]string{"row"}, 2000))
	made := len(uitest.RowsOf(l.Rows))
	if most := int(l.Rows.Size().Height/l.Rows.Height) + 4; made > most {
		t.Errorf("%d rows exist for %d in view", made, most)
	}
	l.Rows.TypedKey(uitest.Key(fyne.KeyHome))
	if l.Rows.Current != 0 || l.Rows.Scroll.Offset.Y != 0 {
		t.Errorf("Home: row %d at %v", l.Rows.Current, l.Rows.Scroll.Offset.Y)
	}
	l.Rows.TypedKey(uitest.Key(fyne.KeyPageDown))
	l.Rows.TypedKey(uitest.Key(fyne.KeyEnd))
	if l.Rows.Current != 2002 {
		t.Errorf("End: row %d", l.Rows.Current)
	}
	if at := float32(2003) * l.Rows.Height; l.Rows.Scroll.Offset.Y+l.Rows.Scroll.Size().Height < at-1 {
		t.Error("the last row is not in view")
	}
	_ = b
}

func TestFilesAreAdded(t *testing.T) {
	b, l := few(t)
	b.Double.Files["/notes.txt"] = texts.Texts{Lines: []string{"delta", "epsilon"}, Note: "Read as UTF-16."}
	l.AddFiles([]string{"/notes.txt"})
	b.Idle()
	wantTexts(t, l, "alpha", "beta", "gamma", "delta", "epsilon")
	if b.Said != "Added 2 texts from notes.txt. Read as UTF-16." {
		t.Errorf("the strip says %q", b.Said)
	}
	l.AddFiles([]string{"/noise.bin"})
	b.Idle()
	if b.failure == nil || l.texts.Len() != 5 {
		t.Errorf("a file that is no text: %v, %d texts", b.failure, l.texts.Len())
	}
}

// Files that are dropped together are one change, which one Undo takes back.
func TestFilesDroppedTogether(t *testing.T) {
	b, l := few(t)
	b.Double.Files["/one.txt"] = texts.Texts{Lines: []string{"delta"}}
	b.Double.Files["/two.txt"] = texts.Texts{Lines: []string{"epsilon", "zeta"}, Note: "Read as UTF-16."}
	l.AddFiles([]string{"/one.txt", "/noise.bin", "/two.txt"})
	b.Idle()
	wantTexts(t, l, "alpha", "beta", "gamma", "delta", "epsilon", "zeta")
	if b.Said != "Added 3 texts from 2 files. Read as UTF-16." || b.failure == nil {
		t.Errorf("the strip says %q, the failure is %v", b.Said, b.failure)
	}
	l.Undo()
	wantTexts(t, l, "alpha", "beta", "gamma")
	l.AddFiles([]string{"/noise.bin", "/one.txt", "/loud.bin"})
	if b.Said != "Reading 3 files…" {
		t.Errorf("meanwhile the strip says %q", b.Said)
	}
	b.Idle()
	if got := b.failure.Error(); !strings.HasPrefix(got, "2 of 3 files could not be used. ") || !strings.Contains(got, "noise.bin") || !strings.Contains(got, "loud.bin") {
		t.Errorf("of two that are no texts it says %q", got)
	}
}

func TestSamplesMakeRoom(t *testing.T) {
	_, l := few(t)
	*l.texts = *New([]string{"alpha", "mine", "gamma"}, []string{"alpha", "gamma"})
	l.Add([]string{"delta"})
	wantTexts(t, l, "mine", "delta")
	if l.undoText.Segment.Text != "1 text added in the place of 2 sample texts." || !l.undoBar.Visible() || l.texts.Sampled() {
		t.Errorf("undo offers %q", l.undoText.Segment.Text)
	}
	l.Undo()
	wantTexts(t, l, "alpha", "mine", "gamma")
	if !l.texts.Sampled() {
		t.Error("samples that came back count as a person's own")
	}
	l.texts.edit(l.texts.items[0].id, []string{"alpha of mine"})
	l.Add([]string{"delta"})
	wantTexts(t, l, "alpha of mine", "mine", "delta")
}

func TestReplacing(t *testing.T) {
	_, l := few(t)
	l.edit(l.texts.items[0].id)
	l.Replace([]string{"one", "two"})
	wantTexts(t, l, "one", "two")
	if l.editing != 0 || l.undoText.Segment.Text != "Replaced by 2 texts." {
		t.Errorf("editing %d, undo offers %q", l.editing, l.undoText.Segment.Text)
	}
	l.Undo()
	wantTexts(t, l, "alpha", "beta", "gamma")
}

func TestDoubleClickEdits(t *testing.T) {
	_, l := few(t)
	row := uitest.RowsOf(l.Rows)[1].(fyne.Tappable)
	row.Tapped(nil)
	if l.editing != 0 || l.Rows.Current != 1 {
		t.Fatal("one click does not just select")
	}
	row.Tapped(nil)
	if l.editing != l.texts.items[1].id {
		t.Error("two clicks do not edit")
	}
}

// TestHintGoesWithTexts: what an empty list says is shown only there, also after the list was
// told to take pictures.
func TestHintGoesWithTexts(t *testing.T) {
	_, l := few(t)
	for range 2 {
		if l.empty.View.Visible() {
			t.Error("the hint lies over three texts")
		}
		l.TakePictures(nil)
	}
	l.texts.clear()
	l.refresh()
	if !l.empty.View.Visible() {
		t.Error("an empty list says nothing")
	}
}
