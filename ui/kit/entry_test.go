package kit

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

// TestPasteTooMuch: a field takes no text that it would lay out for seconds, keeps what it
// has and says so; a text that replaces all of it counts alone.
func TestPasteTooMuch(t *testing.T) {
	app := test.NewTempApp(t)
	line, lines, words := strings.Repeat("A", editLine+1), strings.Repeat("\n", editLines), strings.Repeat("words and\n", editBytes/10+1)
	for _, c := range []struct {
		what, before, pasted string
		all, single          bool // all of what is there is selected
		want                 bool
	}{
		{what: "a long line", before: "kept", pasted: line},
		{what: "a line that becomes long", before: line[:editLine-10], pasted: line[:100]},
		{what: "in the place of a long one", before: line[:editLine-10], pasted: line[:100], all: true, want: true},
		{what: "beside a long one", before: line[:editLine] + "\n", pasted: line[:editLine], want: true},
		{what: "many lines", before: "kept", pasted: lines},
		{what: "many bytes", before: "kept", pasted: words},
		{what: "few lines", before: "kept", pasted: "\n\n", want: true},
		{what: "a long line in a field that does not wrap", before: "kept", pasted: line, single: true, want: true},
		{what: "many bytes in a field that does not wrap", before: "kept", pasted: words, single: true},
	} {
		said := ""
		e := NewEntry(&Keyboard{Tell: func(message string) { said = message }})
		if e.MultiLine = !c.single; e.MultiLine {
			e.Wrapping = fyne.TextWrapWord
		}
		e.SetText(c.before)
		e.Resize(fyne.NewSize(400, 200))
		e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown}) // to the end of the text
		if c.single {
			e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
		}
		want := c.before + c.pasted
		if c.all {
			e.TypedShortcut(&fyne.ShortcutSelectAll{})
			want = c.pasted
		}
		if !c.want {
			want = c.before
		}
		app.Clipboard().SetContent(c.pasted)
		e.TypedShortcut(&fyne.ShortcutPaste{Clipboard: app.Clipboard()})
		if e.Text != want || c.want != (said == "") {
			t.Errorf("%s: the field has %d bytes, want %d; it says %q", c.what, len(e.Text), len(want), said)
		}
	}
}

// The cursor of a field blinks while the field has the keyboard, and stays while a person types.
func TestBlink(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(ThemeLight))
	k := &Keyboard{}
	k.Blink = func(func()) {} // the clock does nothing by itself here
	for name, multi := range map[string]bool{"one line": false, "several lines": true} {
		e := NewEntry(k)
		e.MultiLine = multi
		w := test.NewTempWindow(t, e)
		w.Resize(fyne.NewSize(300, 100))
		if e.cursor == nil {
			t.Fatalf("%s: the cursor was not found; Fyne has changed its field", name)
		}
		w.Canvas().Focus(e)
		shown := func() bool { return e.cursor.FillColor == any(Themed(theme.ColorNamePrimary)) }
		if e.blink == nil || !e.cursor.Visible() || !shown() {
			t.Fatalf("%s: no cursor", name)
		}
		if e.blinkOnce(); !shown() {
			t.Errorf("%s: it hides as soon as the field has the keyboard", name)
		}
		e.typed = e.typed.Add(-2 * blinkHidden)
		e.blinkOnce()
		first := shown()
		e.blinkOnce()
		if first || !shown() {
			t.Errorf("%s: it does not blink", name)
		}
		e.TypedRune('a')
		if e.blinkOnce(); !shown() {
			t.Errorf("%s: it hides while a person types", name)
		}
		e.typed = e.typed.Add(-blinkAtMost)
		if e.blinkOnce(); !shown() || e.blink != nil {
			t.Errorf("%s: it blinks although nobody types", name)
		}
		if e.TypedRune('b'); e.blink == nil {
			t.Errorf("%s: it does not blink again", name)
		}
		w.Canvas().Unfocus()
		if e.blink != nil {
			t.Errorf("%s: it blinks without the keyboard", name)
		}
	}
}

// Fyne's own widgets are still in a calm application, and ours move, unless a person wants none of it.
func TestAdapted(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(NewTheme(ThemeLight))
	moved := Moves()
	fyne.SetCurrentApp(Adapted(app))
	defer fyne.SetCurrentApp(app)
	if fyne.CurrentApp().Settings().ShowAnimations() || Moves() != moved || !moved {
		t.Errorf("Fyne's: %v, ours: %v", fyne.CurrentApp().Settings().ShowAnimations(), Moves())
	}
	app.Settings().SetTheme(NewTheme(ThemeLight).Still(true))
	if Moves() {
		t.Error("things move although a person wants none of it")
	}
}

// The larger the window, the longer the cursor is shown between two blinks: each has the whole
// window painted.
func TestSlowBlinkInLargeWindows(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(ThemeLight))
	e := NewEntry(&Keyboard{})
	w := test.NewTempWindow(t, e)
	var before time.Duration
	for i, size := range []fyne.Size{fyne.NewSize(600, 400), fyne.NewSize(900, 600), fyne.NewSize(1240, 800), fyne.NewSize(1900, 1030)} {
		w.Resize(size)
		now := e.shownFor()
		if i < 2 && now != blinkShown || i >= 2 && now <= before {
			t.Errorf("in %v it is shown for %v", size, now)
		}
		before = now
	}
}

// What gets the keyboard comes into sight, in either direction; what is in sight moves nothing.
func TestPageFollowsTheKeyboard(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(ThemeLight))
	k := &Keyboard{}
	column := Column(Gap)
	var stops []fyne.Focusable
	for i := range 20 {
		for _, o := range []fyne.CanvasObject{NewEntry(k), NewCheck(k, "check", nil), NewChoice(k, []string{"a"}, nil), NewButton(k, "button", nil, nil), NewTextButton(k, "text", func() {})} {
			if i%5 == 0 {
				column.Add(NewCaption("between"))
			}
			column.Add(o)
			stops = append(stops, o.(fyne.Focusable))
		}
	}
	page := NewPage(k, column)
	w := test.NewTempWindow(t, page)
	w.Resize(fyne.NewSize(300, 200))
	inSight := func(o fyne.CanvasObject) bool {
		top := fyne.CurrentApp().Driver().AbsolutePositionForObject(o).Y - fyne.CurrentApp().Driver().AbsolutePositionForObject(page).Y
		return top >= 0 && top+o.Size().Height <= page.Size().Height
	}
	for _, s := range stops {
		if w.Canvas().FocusNext(); w.Canvas().Focused() != s || !inSight(s.(fyne.CanvasObject)) {
			t.Fatalf("Tab leads to %T, which is out of sight", w.Canvas().Focused())
		}
	}
	for i := len(stops) - 2; i >= 0; i-- {
		if w.Canvas().FocusPrevious(); !inSight(stops[i].(fyne.CanvasObject)) {
			t.Fatalf("Shift+Tab leads to stop %d, a %T, which is out of sight", i, stops[i])
		}
	}
	before := page.Offset.Y
	if w.Canvas().FocusNext(); page.Offset.Y != before {
		t.Error("what is in sight moves the page")
	}
}

// A field for a search has a sign that empties it, as soon as there is something in it.
func TestSearchCanBeEmptied(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(NewTheme(ThemeLight))
	e := NewSearch(&Keyboard{}, "Find something")
	test.NewTempWindow(t, e).Resize(fyne.NewSize(300, 60))
	if e.clear.Visible() {
		t.Error("an empty field can be emptied")
	}
	e.SetText("words")
	if shown := test.WidgetRenderer(e).Objects(); !e.clear.Visible() || !slices.Contains(shown, fyne.CanvasObject(e.clear)) {
		t.Fatal("the sign is not drawn")
	}
	test.Tap(e.clear)
	if e.Text != "" || e.clear.Visible() {
		t.Errorf("the field holds %q", e.Text)
	}
}

// Ctrl+Home and Ctrl+End lead to the ends of a text, also of one that is wrapped.
func TestEndsOfAText(t *testing.T) {
	test.NewTempApp(t)
	k := &Keyboard{}
	k.Handle(nil, func(func(Shortcut) bool) bool { return false }, nil)
	e := NewEntry(k)
	e.MultiLine, e.Wrapping = true, fyne.TextWrapWord
	e.Resize(fyne.NewSize(200, 200))
	e.SetText(strings.Repeat("many words in a line ", 30) + "\n" + strings.Repeat("and more of them ", 30))
	for _, c := range []struct {
		key  fyne.KeyName
		want int
	}{{fyne.KeyEnd, len(e.Text)}, {fyne.KeyHome, 0}} {
		e.TypedShortcut(&desktop.CustomShortcut{KeyName: c.key, Modifier: fyne.KeyModifierShortcutDefault})
		if got := e.CursorTextOffset(); got != c.want {
			t.Errorf("after %s the cursor is at %d, not %d", c.key, got, c.want)
		}
	}
}
