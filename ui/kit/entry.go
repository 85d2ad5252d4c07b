package kit

import (
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// What a text field can hold. It lays out all of its text with every key; where it
// wraps lines that takes time with the square of the longest one, and with the number
// of lines times the length of all.
const (
	editBytes = 20_000
	editLine  = 4000 // bytes
	editLines = 1000
)

// Editable reports whether a text can be edited in the window.
func Editable(text string) bool {
	return len(text) <= editBytes && strings.Count(text, "\n") < editLines && longestLine(text) <= editLine
}

// longestLine is the length in bytes of the longest line of a text.
func longestLine(text string) (longest int) {
	for line := range strings.SplitSeq(text, "\n") {
		longest = max(longest, len(line))
	}
	return longest
}

// Entry is a text field that leaves the window's shortcuts to the window.
type Entry struct {
	widget.Entry
	keys   *Keyboard
	Submit func()                    // Enter; nil: Enter is a key like others
	Paste  func(text string) bool    // pasted text; true: taken, not to be inserted
	Escape func() bool               // Escape; true: done
	Typed  func(*fyne.KeyEvent) bool // any key first; true: done
	Lost   func()                    // it lost the keyboard; may be nil
	Undo   func() bool               // before the field takes typing back; true: done

	clear *TextButton       // empties the field; nil: nothing does
	eye   *TextButton       // shows a secret; nil: it is none
	page  *container.Scroll // that moves when the wheel turns over the field; nil: none
	wheel *wheel

	cursor *canvas.Rectangle // blinks; nil: it was not found
	blink  *time.Timer       // nil: the field does not have the keyboard
	typed  time.Time         // when the last key was, or the field got the keyboard

	focused bool // the field has the keyboard

	NewLine bool // Shift+Enter begins a line where Enter submits
	shift   bool // is held down
}

func NewEntry(k *Keyboard) *Entry {
	e := &Entry{keys: k}
	e.wheel = &wheel{entry: e}
	e.wheel.ExtendBaseWidget(e.wheel)
	e.ExtendBaseWidget(e)
	return e
}

// NewSearch is a field for words to look for, with a sign that empties it.
func NewSearch(k *Keyboard, hint string) *Entry {
	e := NewEntry(k)
	clear := NewSmallIcon(k, theme.CancelIcon(), "Clear the search", func() {
		e.SetText("")
		if c := fyne.CurrentApp().Driver().CanvasForObject(e); c != nil {
			c.Focus(e)
		}
	})
	e.clear = clear
	e.ActionItem = clear // before the field is drawn for the first time, or else it never shows it
	clear.Hide()
	e.SetPlaceHolder(hint)
	e.SetIcon(theme.SearchIcon())
	return e
}

// What the eye in a field for a secret says.
const (
	showTyped = "Show what is typed"
	hideTyped = "Hide what is typed"
)

// NewSecret is a field for a password: it shows dots until a person clicks on the eye in it.
func NewSecret(k *Keyboard, hint string) *Entry {
	e := NewEntry(k)
	e.Password = true
	e.eye = NewSmallIcon(k, theme.VisibilityIcon(), showTyped, func() {
		e.conceal(!e.Password)
		if c := fyne.CurrentApp().Driver().CanvasForObject(e); c != nil {
			c.Focus(e)
		}
	})
	e.ActionItem = e.eye // before the field is drawn for the first time, as in NewSearch
	e.SetPlaceHolder(hint)
	return e
}

// Conceal shows dots again.
func (e *Entry) Conceal() { e.conceal(true) }

func (e *Entry) conceal(on bool) {
	e.Password = on
	e.eye.Icon, e.eye.Tip = theme.VisibilityIcon(), showTyped
	if !on {
		e.eye.Icon, e.eye.Tip = theme.VisibilityOffIcon(), hideTyped
	}
	e.eye.Refresh()
	e.Refresh()
}

// NewPage scrolls content with fields in it. What gets the keyboard comes into sight. The wheel moves the page over a field too,
// as long as the field itself has nothing to scroll.
func NewPage(k *Keyboard, content fyne.CanvasObject) *container.Scroll {
	page := k.Follow(container.NewVScroll(content))
	var look func(fyne.CanvasObject)
	look = func(o fyne.CanvasObject) {
		switch o := o.(type) {
		case *Entry:
			o.page = page
		case *fyne.Container:
			for _, child := range o.Objects {
				look(child)
			}
		}
	}
	look(content)
	return page
}

// wheel lies over a field and gives the wheel to the page. Clicks go through it.
type wheel struct {
	widget.BaseWidget
	entry *Entry
}

// Scrolled moves the page.
func (w *wheel) Scrolled(e *fyne.ScrollEvent) { w.entry.page.Scrolled(e) }

// CreateRenderer draws nothing.
func (w *wheel) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewWithoutLayout())
}

// scrolls reports whether the text has more lines than are in view.
func (e *Entry) scrolls() bool {
	if !e.MultiLine {
		return false
	}
	width := max(20, e.Size().Width-4*Gap)
	line := fyne.MeasureText("Ag", TextBody, e.TextStyle).Height
	lines := 0
	for part := range strings.SplitSeq(e.Text, "\n") {
		if lines++; e.Wrapping != fyne.TextWrapOff {
			lines += int(fyne.MeasureText(part, TextBody, e.TextStyle).Width / width)
		}
	}
	return float32(lines)*line > e.Size().Height-Gap
}

// CreateRenderer draws the field, under what takes the wheel.
func (e *Entry) CreateRenderer() fyne.WidgetRenderer {
	r := e.Entry.CreateRenderer()
	e.cursor = cursorOf(r.Objects())
	return &entryRenderer{r, e}
}

const (
	// blinkShown is how long the cursor is shown in a window of blinkArea, and blinkHidden how
	// long it is not. Each change has the whole window painted: a slow blink leaves an idle
	// computer idle, and the larger the window, the slower it is.
	blinkShown  = 2200 * time.Millisecond
	blinkHidden = 600 * time.Millisecond
	blinkArea   = 900 * 600
	// blinkAtMost is how long it blinks after the last key.
	blinkAtMost = 10 * time.Second
)

// cursorOf finds the cursor among the objects of a field; nil: there is none.
func cursorOf(objects []fyne.CanvasObject) *canvas.Rectangle {
	for _, o := range objects {
		if s, ok := o.(*container.Scroll); ok {
			o = s.Content
		}
		if content, ok := o.(fyne.Widget); ok {
			for _, part := range content.CreateRenderer().Objects() {
				if c, ok := part.(*canvas.Rectangle); ok {
					return c
				}
			}
		}
	}
	return nil
}

// shownFor is how long the cursor is shown between two blinks.
func (e *Entry) shownFor() time.Duration {
	c := fyne.CurrentApp().Driver().CanvasForObject(e)
	if c == nil {
		return blinkShown
	}
	times := max(1, c.Size().Width*c.Size().Height/blinkArea)
	return time.Duration(float32(blinkShown) * times)
}

// blinkOn has the cursor blink from now on, if things may move.
func (e *Entry) blinkOn() {
	e.typed = time.Now()
	if e.blink != nil || e.cursor == nil || e.keys == nil || e.keys.Blink == nil || !e.focused || !Moves() {
		return
	}
	do := e.keys.Blink
	e.blink = time.AfterFunc(e.shownFor(), func() { do(e.blinkOnce) })
}

// blinkOff leaves the cursor as it is.
func (e *Entry) blinkOff() {
	if e.blink != nil {
		e.blink.Stop()
		e.blink = nil
	}
}

// blinkOnce shows the cursor or hides it. While a person types, it stays; after a while in
// which they do not, it stays too, so that a window that is left alone costs nothing.
func (e *Entry) blinkOnce() {
	if e.blink == nil {
		return
	}
	c := Themed(theme.ColorNamePrimary)
	idle := time.Since(e.typed)
	next := e.shownFor()
	if e.cursor.FillColor == any(c) && idle >= blinkHidden && idle < blinkAtMost {
		c.A, next = 0, blinkHidden
	}
	if e.cursor.FillColor != any(c) {
		e.cursor.FillColor = c
		canvas.Refresh(e.cursor)
	}
	if idle >= blinkAtMost {
		e.blinkOff()
		return
	}
	e.blink.Reset(next)
}

// FocusGained shows the cursor.
func (e *Entry) FocusGained() {
	e.Entry.FocusGained()
	e.focused = true
	e.keys.reveal(e)
	e.blinkOn()
}

type entryRenderer struct {
	fyne.WidgetRenderer // the field
	entry               *Entry
}

func (r *entryRenderer) Objects() []fyne.CanvasObject {
	if r.entry.page == nil {
		return r.WidgetRenderer.Objects()
	}
	return append(slices.Clone(r.WidgetRenderer.Objects()), r.entry.wheel)
}

func (r *entryRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.entry.wheel.Resize(size)
}

func (r *entryRenderer) Refresh() {
	r.WidgetRenderer.Refresh()
	if r.entry.clear != nil {
		Show(r.entry.clear, r.entry.Text != "")
	}
	Show(r.entry.wheel, r.entry.page != nil && !r.entry.scrolls())
}

// AcceptsTab reports false: Tab goes to the next widget, also from a field of several
// lines. Whoever uses the keyboard alone could not leave it otherwise.
func (e *Entry) AcceptsTab() bool { return false }

// KeyDown notices Shift.
func (e *Entry) KeyDown(key *fyne.KeyEvent) {
	if key.Name == desktop.KeyShiftLeft || key.Name == desktop.KeyShiftRight {
		e.shift = true
	}
	e.Entry.KeyDown(key)
}

// KeyUp notices Shift.
func (e *Entry) KeyUp(key *fyne.KeyEvent) {
	if key.Name == desktop.KeyShiftLeft || key.Name == desktop.KeyShiftRight {
		e.shift = false
	}
	e.Entry.KeyUp(key)
}

// FocusLost tells that the keyboard is elsewhere.
func (e *Entry) FocusLost() {
	e.shift = false
	e.focused = false
	e.blinkOff()
	e.Entry.FocusLost()
	if e.Lost != nil {
		e.Lost()
	}
}

// SetText replaces the text, of which nothing is selected then.
func (e *Entry) SetText(text string) {
	e.Entry.SetText(text)
	if e.SelectedText() != "" { // Fyne leaves the places where the old selection was
		e.Entry.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
		e.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight}) // to its end
	}
	e.endEmptySelection()
}

// endEmptySelection ends a selection that has nothing in it. Fyne keeps one after a click
// with Shift, and where a selected text was replaced from outside: the next character would
// lie in it, and the one after that take its place.
func (e *Entry) endEmptySelection() { e.Entry.DragEnd() }

// TypedRune writes a character.
func (e *Entry) TypedRune(r rune) {
	e.blinkOn()
	e.endEmptySelection()
	e.Entry.TypedRune(r)
}

// TypedKey gives Enter and Escape their meaning.
func (e *Entry) TypedKey(key *fyne.KeyEvent) {
	e.blinkOn()
	e.endEmptySelection()
	switch {
	case e.Typed != nil && e.Typed(key):
	case key.Name == fyne.KeyEscape:
		if e.Escape == nil || !e.Escape() {
			e.keys.Key(key)
		}
	case e.Submit != nil && !(e.NewLine && e.shift) && (key.Name == fyne.KeyReturn || key.Name == fyne.KeyEnter):
		e.Submit()
	default:
		e.Entry.TypedKey(key)
	}
}

// TypedShortcut keeps editing to itself and gives the window's shortcuts to
// the window.
func (e *Entry) TypedShortcut(s fyne.Shortcut) {
	e.endEmptySelection()
	switch s := s.(type) {
	case *fyne.ShortcutCopy, *fyne.ShortcutCut:
		if len(e.SelectedText()) > ClipboardLimit {
			return // Fyne would put it on the clipboard
		}
	case *fyne.ShortcutPaste:
		text := s.Clipboard.Content()
		if text == "" { // it is empty, or holds a picture
			e.keys.tell("There is no text on the clipboard, so nothing was pasted.")
			return
		}
		if e.Paste != nil && e.Paste(text) {
			return
		}
		if !e.Holds(text) {
			e.keys.tell("The clipboard holds too much for this field, so nothing was pasted. Paste a part of it, or put it into a file.")
			return
		}
	case *fyne.ShortcutUndo:
		if e.Undo != nil && e.Undo() || e.Text == "" && e.keys.Typed(s) {
			return
		}
	case *fyne.ShortcutRedo:
		if e.Text == "" && e.keys.Typed(s) {
			return
		}
	case *desktop.CustomShortcut:
		if e.keys.Typed(s) || e.toEdge(s) {
			return
		}
	}
	e.Entry.TypedShortcut(s)
}

// toEdge moves to the beginning or the end of the text, as Ctrl+Home and Ctrl+End do everywhere.
func (e *Entry) toEdge(s *desktop.CustomShortcut) bool {
	if s.Modifier&^fyne.KeyModifierShift != fyne.KeyModifierShortcutDefault {
		return false
	}
	switch s.KeyName {
	case fyne.KeyHome:
		e.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageUp})
	case fyne.KeyEnd:
		e.ToEnd()
	default:
		return false
	}
	return true
}

// ToEnd moves the cursor behind the text.
func (e *Entry) ToEnd() { e.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown}) }

// Holds reports whether the field can hold what is pasted into it now.
func (e *Entry) Holds(pasted string) bool {
	text, at, selected := []rune(e.Text), e.CursorTextOffset(), e.SelectedText()
	at = min(at, len(text))
	before, after := string(text[:at]), string(text[at:])
	if cut, ok := strings.CutSuffix(before, selected); ok { // the cursor is at one end of it
		before = cut
	} else {
		after = strings.TrimPrefix(after, selected)
	}
	all := before + pasted + after
	if !e.MultiLine {
		return len(all) <= editBytes
	}
	return Editable(all)
}
