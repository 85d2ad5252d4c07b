package kit

import (
	"cmp"
	"runtime"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
)

// Keyboard is what the keys do in the whole window. Fyne gives a key to the
// focused widget alone, so every focusable widget of ours asks it first.
type Keyboard struct {
	Escape    func()
	Help      func()                         // F1; may be nil
	Home      func()                         // gives the keyboard to what a person writes in, where nothing else has it; may be nil
	Tell      func(message string)           // says why a key did nothing; may be nil
	Tip       *Tip                           // explains what the pointer or the keyboard is on; may be nil
	Blink     func(func())                   // runs a function on the window's goroutine; nil: the cursors of fields do not blink
	shortcuts []Shortcut                     // of the whole window
	panel     func(func(Shortcut) bool) bool // runs a shortcut of the panel in view; false: it has none such
	floats    []*Float                       // over the window, the top one last
	pages     []*container.Scroll            // in which what gets the keyboard comes into sight
	labels    map[string]string              // of the shortcuts of all panels, by what they do
}

// Handle says what shortcuts of the window, those of the panel in view and Escape do.
func (k *Keyboard) Handle(shortcuts []Shortcut, Panel func(is func(Shortcut) bool) bool, escape func()) {
	k.shortcuts, k.panel, k.Escape = shortcuts, Panel, escape
}

// KeyGroup are the shortcuts of one panel.
type KeyGroup struct {
	Name string
	Keys []Shortcut
}

// Shortcut is one combination of the main modifier (Ctrl, on a Mac Command)
// and a key.
type Shortcut struct {
	Key   fyne.KeyName
	Shift bool
	Name  string // what it does, for the list in Settings
	keys  string // how the key is called there, without the modifier
	Run   func()
}

// NewShortcut is a shortcut of the main modifier and a key: what it does, and how the
// key is called in Settings. Without a name it is not listed there.
func NewShortcut(key fyne.KeyName, name, keys string, run func()) Shortcut {
	return Shortcut{Key: key, Name: name, keys: keys, Run: run}
}

// NewShiftShortcut is the same with Shift.
func NewShiftShortcut(key fyne.KeyName, name, keys string, run func()) Shortcut {
	return Shortcut{Key: key, Shift: true, Name: name, keys: keys, Run: run}
}

// NewKeyGroup names some shortcuts.
func NewKeyGroup(name string, keys []Shortcut) KeyGroup { return KeyGroup{name, keys} }

func (s Shortcut) modifier() fyne.KeyModifier {
	if s.Shift {
		return fyne.KeyModifierShortcutDefault | fyne.KeyModifierShift
	}
	return fyne.KeyModifierShortcutDefault
}

// ModifierName is what the main modifier is called on this system.
func ModifierName() string {
	if runtime.GOOS == "darwin" {
		return "⌘"
	}
	return "Ctrl"
}

// Label writes the combination as people read it.
func (s Shortcut) Label() string {
	if s.Shift {
		return ModifierName() + "+Shift+" + s.keys
	}
	return ModifierName() + "+" + s.keys
}

// Typed runs the shortcut that belongs to s; false: there is none. A tip would stay over what comes
// of it, so it goes.
func (k *Keyboard) Typed(s fyne.Shortcut) bool {
	k.Tip.Hide()
	switch s.(type) { // which Fyne makes of these keys
	case *fyne.ShortcutUndo:
		s = &desktop.CustomShortcut{KeyName: fyne.KeyZ, Modifier: fyne.KeyModifierShortcutDefault}
	case *fyne.ShortcutRedo:
		s = &desktop.CustomShortcut{KeyName: fyne.KeyY, Modifier: fyne.KeyModifierShortcutDefault}
	}
	custom, ok := s.(*desktop.CustomShortcut)
	if !ok {
		return false
	}
	is := func(have Shortcut) bool { return custom.KeyName == have.Key && custom.Modifier == have.modifier() }
	if i := slices.IndexFunc(k.shortcuts, is); i >= 0 {
		k.shortcuts[i].Run()
		return true
	}
	return k.panel != nil && k.panel(is)
}

func (k *Keyboard) tell(message string) {
	if k.Tell != nil {
		k.Tell(message)
	}
}

// Install makes the shortcuts of all panels work where no widget of ours has the
// focus.
func (k *Keyboard) Install(c fyne.Canvas, groups []KeyGroup) {
	k.labels = map[string]string{}
	for _, g := range groups {
		for _, s := range g.Keys {
			if s.Name != "" {
				k.labels[s.Name] = s.Label()
			}
			c.AddShortcut(&desktop.CustomShortcut{KeyName: s.Key, Modifier: s.modifier()}, func(s fyne.Shortcut) { k.Typed(s) })
		}
	}
	c.AddShortcut(&fyne.ShortcutUndo{}, func(s fyne.Shortcut) { k.Typed(s) })
	c.AddShortcut(&fyne.ShortcutRedo{}, func(s fyne.Shortcut) { k.Typed(s) })
	c.SetOnTypedKey(func(e *fyne.KeyEvent) { k.Key(e) })
}

// Explain says what an object is for while the pointer or the keyboard is on it, with the
// shortcut that does what the text or the label says. A label that says enough is no text: then only
// its shortcut is told, where it has one.
func (k *Keyboard) Explain(o fyne.CanvasObject, on bool, text, label string) {
	if k == nil || k.Tip == nil {
		return
	}
	if !on {
		k.Tip.Over(o, "")
		return
	}
	if keys := cmp.Or(k.labels[text], k.labels[label]); keys != "" {
		text = cmp.Or(text, label) + " (" + keys + ")"
	}
	k.Tip.Over(o, text)
}

// Follow has a scroll bring into sight what gets the keyboard in it.
func (k *Keyboard) Follow(s *container.Scroll) *container.Scroll {
	k.pages = append(k.pages, s)
	return s
}

// reveal scrolls the page that a widget is on as little as brings the widget into sight.
func (k *Keyboard) reveal(w fyne.CanvasObject) {
	if k == nil {
		return
	}
	for _, s := range k.pages {
		if !s.Visible() || !holds(s.Content, w) {
			continue
		}
		driver := fyne.CurrentApp().Driver()
		top := driver.AbsolutePositionForObject(w).Y - driver.AbsolutePositionForObject(s.Content).Y - Gap
		bottom, at := top+w.Size().Height+2*Gap, s.Offset.Y
		if top >= at && bottom <= at+s.Size().Height {
			continue
		}
		if at = top; bottom > s.Offset.Y+s.Size().Height {
			at = bottom - s.Size().Height
		}
		s.ScrollToOffset(fyne.NewPos(0, min(max(0, at), max(0, s.Content.MinSize().Height-s.Size().Height))))
	}
}

// holds reports whether an object is another one, or within it.
func holds(o, w fyne.CanvasObject) bool {
	switch o := o.(type) {
	case *fyne.Container:
		return slices.ContainsFunc(o.Objects, func(child fyne.CanvasObject) bool { return holds(child, w) })
	case *container.Scroll:
		return holds(o.Content, w)
	}
	return o == w
}

// Ring is whether a widget shows that it has the keyboard. One that got it by a click does
// not, until a key is typed: who uses the mouse needs no ring.
type Ring struct {
	On      bool
	clicked bool
}

// Click gives a widget the keyboard because it was clicked.
func (r *Ring) Click(w fyne.Focusable) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(w.(fyne.CanvasObject)); c != nil && c.Focused() != w {
		r.clicked = true
		c.Focus(w)
		r.clicked = false
	}
}

// Gained follows that the widget got the keyboard.
func (r *Ring) Gained() { r.On = !r.clicked }

// Lost follows that it lost the keyboard.
func (r *Ring) Lost() { r.On = false }

// Key handles the keys that mean the same everywhere; false: not one of them.
func (k *Keyboard) Key(e *fyne.KeyEvent) bool {
	switch {
	case e.Name == fyne.KeyF1 && k.Help != nil:
		k.Help()
	case e.Name != fyne.KeyEscape:
		return false
	case k.Tip.Hide() || k.closeFloat():
	case k.Escape != nil:
		k.Escape()
	default:
		return false
	}
	return true
}

// strayed reports whether a widget that has the keyboard is no longer in the window, and gives the
// keyboard to what a person writes in then.
func (k *Keyboard) strayed(w fyne.Focusable) bool {
	driver, o := fyne.CurrentApp().Driver(), w.(fyne.CanvasObject)
	c := driver.CanvasForObject(o)
	if k == nil || c == nil || c.Focused() != w {
		return false
	}
	edge, _ := c.InteractiveArea()
	if driver.AbsolutePositionForObject(o) != (fyne.Position{}).Subtract(edge) {
		return false // what is in the window has margins around it
	}
	if c.Unfocus(); k.Home != nil {
		k.Home()
	}
	return true
}

// strayedRune is strayed for a letter, which goes where the keyboard goes.
func (k *Keyboard) strayedRune(w fyne.Focusable, r rune) {
	c := fyne.CurrentApp().Driver().CanvasForObject(w.(fyne.CanvasObject))
	if k.strayed(w) && c.Focused() != nil {
		c.Focused().TypedRune(r)
	}
}

// Clear closes all that floats over the window.
func (k *Keyboard) Clear() {
	for len(k.floats) > 0 {
		k.closeFloat()
	}
}

// closeFloat closes what floats at the top; false: nothing does.
func (k *Keyboard) closeFloat() bool {
	if len(k.floats) == 0 {
		return false
	}
	k.floats[len(k.floats)-1].Hide()
	return true
}

// dropped follows that something no longer floats, nor what was above it.
func (k *Keyboard) dropped(f *Float) {
	if i := slices.Index(k.floats, f); i >= 0 {
		above := k.floats[i+1:]
		k.floats = k.floats[:i:i]
		for _, a := range above {
			a.Hide()
		}
	}
	var tips *fyne.Container
	if len(k.floats) > 0 {
		tips = k.floats[len(k.floats)-1].tips
	}
	k.Tip.Within(tips)
}

// ringed draws a ring around a widget of Fyne's that has the keyboard. Fyne's own mark is a tint,
// which is hard to see.
type ringed struct {
	fyne.WidgetRenderer
	ring   *canvas.Rectangle
	has    func() bool                // the widget shows that it has the keyboard
	color  func() fyne.ThemeColorName // of the ring
	corner float32
}

func newRinged(inner fyne.WidgetRenderer, corner float32, has func() bool, color func() fyne.ThemeColorName) *ringed {
	r := &ringed{WidgetRenderer: inner, ring: canvas.NewRectangle(nil), has: has, color: color, corner: corner}
	r.show()
	return r
}

func (r *ringed) Objects() []fyne.CanvasObject {
	if !r.has() {
		return r.WidgetRenderer.Objects()
	}
	return append(slices.Clone(r.WidgetRenderer.Objects()), r.ring)
}

// Layout puts the ring a little within the edge, where it is seen on a button of any colour.
func (r *ringed) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.ring.Move(fyne.NewPos(ringInset, ringInset))
	r.ring.Resize(size.SubtractWidthHeight(2*ringInset, 2*ringInset))
}

func (r *ringed) Refresh() {
	r.WidgetRenderer.Refresh()
	r.show()
}

func (r *ringed) show() {
	r.ring.FillColor = Hex(0)
	r.ring.StrokeColor, r.ring.StrokeWidth, r.ring.CornerRadius = Themed(r.color()), ringWidth, r.corner
	canvas.Refresh(r.ring)
}

const (
	ringWidth float32 = 2
	ringInset float32 = 1
)

// ringColor is that of the ring around widgets.
func ringColor() fyne.ThemeColorName { return theme.ColorNamePrimary }
