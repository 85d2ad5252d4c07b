package classify

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// mostTags is how many labels a person can write: each is a chip of its own.
const mostTags = 300

// tags are the labels of a person as chips, and a field for the next one.
type tags struct {
	View   *fyne.Container
	room   *kit.Capped
	scroll *container.Scroll
	keys   *kit.Keyboard
	chips  *fyne.Container // and after them the field
	next   *kit.Entry
	names  []string

	at     int        // the label that is renamed; -1: none is
	edit   *kit.Entry // its new name
	tapped time.Time  // when a chip was clicked last
	last   string     // that chip

	changed func(relabelling)
	submit  func() // Enter in the empty field

	pendingChanged func() // what is written in the field is another text

	focus func(fyne.Focusable)
	tell  func(string)
}

// relabelling is a change of the labels.
type relabelling struct {
	was, now []string
	what     string // in the past tense
	from, to string // of a label that got another name; "": none did
	plain    bool   // a person sees what became of it, and needs no offer to take it back
}

func newTags(k *kit.Keyboard, names []string) *tags {
	t := &tags{keys: k, names: names, at: -1, changed: func(relabelling) {}, submit: func() {}, pendingChanged: func() {}, focus: func(fyne.Focusable) {}, tell: func(string) {}}
	t.next = kit.NewEntry(k)
	t.next.Submit, t.next.Paste, t.next.Typed = t.enter, t.pasted, t.typed
	t.next.OnChanged = t.written
	t.chips = container.New(&tagLayout{})
	t.scroll = container.NewVScroll(t.chips)
	t.room = &kit.Capped{Most: tagsHeight}
	t.View = container.New(t.room, t.scroll)
	t.show()
	return t
}

// Text is the labels with commas between.
func (t *tags) Text() string { return join(t.names) }

// to gives the keyboard to a field or chip. What had it may be gone, and its tip with it.
func (t *tags) to(f fyne.Focusable) {
	t.focus(f)
	t.keys.Tip.Hide()
}

// pending are the labels that are written in the field and not among the chips yet.
func (t *tags) pending() []string { return split(t.next.Text) }

// take puts what is written in a field among the labels.
func (t *tags) take() {
	t.rename()
	if names := t.pending(); len(names) > 0 {
		t.next.SetText("")
		t.add(names)
	}
}

// set puts other labels in the place of these, without telling anybody.
func (t *tags) set(names []string) {
	t.at, t.edit = -1, nil
	t.names = slices.Clone(names)
	t.show()
}

// change makes the labels other ones, and tells it.
func (t *tags) change(c relabelling) {
	if c.was = t.names; slices.Equal(c.was, c.now) {
		return
	}
	if len(c.now) > mostTags {
		t.tell(fmt.Sprintf("There can be %d labels at most, and these would be %d.", mostTags, len(c.now)))
		return
	}
	t.set(c.now)
	t.changed(c)
}

// has reports whether a label is among others, in large letters or small ones: a person who writes both means one.
func has(list []string, label string) bool {
	return slices.ContainsFunc(list, func(one string) bool { return strings.EqualFold(one, label) })
}

// unique leaves out what was there before.
func unique(list []string) (once []string) {
	for _, name := range list {
		if !has(once, name) {
			once = append(once, name)
		}
	}
	return once
}

// add appends labels. One that is there already is not added again, and that is said.
func (t *tags) add(names []string) {
	fresh := slices.DeleteFunc(unique(names), func(name string) bool { return has(t.names, name) })
	switch {
	case len(fresh) == 0 && len(names) > 0:
		t.tell(fmt.Sprintf("There is a label “%s” already.", kit.Brief(names[0])))
	case len(fresh) == 1:
		t.change(relabelling{now: append(slices.Clone(t.names), fresh...), what: fmt.Sprintf("Label “%s” added", kit.Brief(fresh[0])), plain: true})
	case len(fresh) > 1:
		t.change(relabelling{now: append(slices.Clone(t.names), fresh...), what: kit.Count(len(fresh), "label") + " added"})
	}
	t.scroll.ScrollToBottom()
}

// remove takes away the label at an index.
func (t *tags) remove(i int) {
	name := t.names[i]
	t.change(relabelling{now: slices.Delete(slices.Clone(t.names), i, i+1), what: fmt.Sprintf("Label “%s” removed", kit.Brief(name))})
	t.to(t.next)
}

// move puts the label at an index before or after its neighbour.
func (t *tags) move(i, by int) {
	now := slices.Clone(t.names)
	now[i], now[i+by] = now[i+by], now[i]
	t.change(relabelling{now: now, what: fmt.Sprintf("Label “%s” moved", kit.Brief(t.names[i])), plain: true})
}

// enter adds what is written; without any it goes on to work with the labels.
func (t *tags) enter() {
	names := t.pending()
	t.next.SetText("")
	if len(names) == 0 {
		t.submit()
		return
	}
	t.add(names)
	t.to(t.next)
}

// written adds what stands before a comma.
func (t *tags) written(typed string) {
	at := strings.LastIndexAny(typed, ",;")
	switch {
	case at >= 0:
	case strings.HasPrefix(typed, " "): // after a comma
		t.next.SetText(strings.TrimLeft(typed, " "))
		return
	default:
		t.pendingChanged()
		return
	}
	names, rest := split(typed[:at]), strings.TrimLeft(typed[at+1:], " ")
	t.next.SetText(rest)
	t.add(names)
	t.to(t.next)
}

// pasted adds several labels at once; a single one is left to the field.
func (t *tags) pasted(text string) bool {
	names := split(strings.ReplaceAll(text, "\r", "\n"))
	if len(names) < 2 {
		return false
	}
	names = append(t.pending(), names...)
	t.next.SetText("")
	t.add(names)
	t.to(t.next)
	return true
}

// typed takes the last label back into the field with Backspace, where that is empty.
func (t *tags) typed(e *fyne.KeyEvent) bool {
	n := len(t.names)
	if e.Name != fyne.KeyBackspace || t.next.Text != "" || n == 0 {
		return false
	}
	name := t.names[n-1]
	t.change(relabelling{now: slices.Clone(t.names[:n-1]), what: fmt.Sprintf("Label “%s” removed", kit.Brief(name))})
	t.next.SetText(name)
	t.next.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	t.to(t.next)
	return true
}

// begin opens the name of the label at an index for a new one.
func (t *tags) begin(i int) {
	t.rename()
	if i >= len(t.names) {
		return
	}
	t.at, t.edit = i, kit.NewEntry(t.keys)
	edit := t.edit
	edit.SetText(t.names[i])
	edit.Submit = func() {
		t.rename()
		t.to(t.next)
	}
	edit.Escape = func() bool {
		t.set(t.names)
		t.to(t.next)
		return true
	}
	edit.Lost = func() {
		if t.edit == edit {
			t.rename()
		}
	}
	t.show()
	t.to(edit)
	edit.Entry.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// rename gives the label that is open its new name.
func (t *tags) rename() {
	if t.edit == nil {
		return
	}
	was, names := t.names[t.at], unique(split(t.edit.Text))
	at := t.at
	if len(names) == 0 || slices.Equal(names, []string{was}) {
		t.set(t.names)
		return
	}
	others := slices.Delete(slices.Clone(t.names), at, at+1)
	if i := slices.IndexFunc(names, func(name string) bool { return has(others, name) }); i >= 0 {
		t.set(t.names)
		t.tell(fmt.Sprintf("There is a label “%s” already, so “%s” keeps its name.", kit.Brief(names[i]), kit.Brief(was)))
		return
	}
	t.change(relabelling{now: slices.Insert(others, at, names...), what: fmt.Sprintf("Label “%s” renamed to “%s”", kit.Brief(was), kit.Brief(names[0])), from: was, to: names[0]})
}

// show makes a chip of each label.
func (t *tags) show() {
	t.chips.Objects = nil
	for i, name := range t.names {
		if i == t.at {
			wide := &kit.FixedWidth{Width: min(tagMost, max(tagLeast, natural(t.edit.Text)+5*kit.Gap))}
			t.chips.Add(container.New(wide, t.edit))
			continue
		}
		t.chips.Add(t.newTag(i, name))
	}
	t.next.SetPlaceHolder("Add a label")
	if len(t.names) == 0 {
		t.next.SetPlaceHolder("Labels, with commas between")
	}
	t.chips.Add(t.next)
	t.chips.Refresh()
	t.View.Refresh()
}

// tagLeast and tagMost are how wide a label is in view.
const tagLeast, tagMost float32 = 90, 200

// newTag is the chip of the label at an index.
func (t *tags) newTag(i int, name string) *kit.Chip {
	label := kit.NewLine(kit.Ellipsize(name, tagMost-40, kit.TextBody, fyne.TextStyle{}), kit.TextBody, theme.ColorNameForeground)
	label.Whole = true
	away := kit.NewSmallIcon(t.keys, theme.CancelIcon(), "Remove this label", func() { t.remove(i) })
	content := container.NewBorder(nil, nil, nil, container.NewCenter(away), container.NewCenter(label))
	chip := kit.NewChip(t.keys, kit.Inset(content, 0, 0), nil)
	chip.Open(func() { t.clicked(chip, i, name) })
	chip.Tip = "Double click or F2 gives it another name"
	if label.Text != name {
		chip.Tip = name + "\n" + chip.Tip
	}
	chip.Typed = func(e *fyne.KeyEvent) bool {
		switch e.Name {
		case fyne.KeyF2, fyne.KeyReturn, fyne.KeyEnter:
			t.begin(i)
		case fyne.KeyDelete, fyne.KeyBackspace:
			t.remove(i)
		default:
			return false
		}
		return true
	}
	chip.Secondary = func(at fyne.Position) {
		if c := fyne.CurrentApp().Driver().CanvasForObject(t.chips); c != nil {
			kit.ShowMenu(t.keys, c, t.offers(i), at, 0)
		}
	}
	return chip
}

// clicked marks a chip; a second click soon after opens its name.
func (t *tags) clicked(chip *kit.Chip, i int, name string) {
	again := t.last == name && time.Since(t.tapped) < kit.DoubleClick
	t.last, t.tapped = name, time.Now()
	if again {
		t.last = ""
		t.begin(i)
		return
	}
	t.to(chip)
}

// offers are what can be done with the label at an index.
func (t *tags) offers(i int) []*fyne.MenuItem {
	earlier := fyne.NewMenuItem("Move to the left", func() { t.move(i, -1) })
	later := fyne.NewMenuItem("Move to the right", func() { t.move(i, 1) })
	earlier.Disabled, later.Disabled = i == 0, i == len(t.names)-1
	return []*fyne.MenuItem{
		fyne.NewMenuItem("Rename…", func() { t.begin(i) }), earlier, later, fyne.NewMenuItemSeparator(),
		fyne.NewMenuItem("Remove", func() { t.remove(i) }), fyne.NewMenuItem("Remove all labels", t.removeAll),
	}
}

// removeAll takes all labels away. Undo brings them back.
func (t *tags) removeAll() {
	t.change(relabelling{what: kit.Count(len(t.names), "label") + " removed"})
	t.to(t.next)
}

// tagLayout puts chips beside each other in as many rows as they need. The field after them has the rest of the last
// row, or a row of its own.
type tagLayout struct{ width float32 }

func (l *tagLayout) place(o []fyne.CanvasObject, put func(fyne.CanvasObject, fyne.Position, fyne.Size)) (height float32) {
	const gap = kit.GapSmall
	sizes := make([]fyne.Size, len(o))
	x, y, row, first := float32(0), float32(0), float32(0), 0
	turn := func(end int) { // puts a row, with each in its middle
		x = 0
		for i := first; i < end; i++ {
			put(o[i], fyne.NewPos(x, y+(row-sizes[i].Height)/2), sizes[i])
			x += sizes[i].Width + gap
		}
		x, y, row, first = 0, y+row+gap, 0, end
	}
	for i, one := range o {
		size, field := one.MinSize(), i == len(o)-1
		size.Width = min(size.Width, max(1, l.width))
		if field {
			size.Width = tagLeast
		}
		if x > 0 && x+size.Width > l.width {
			turn(i)
		}
		if field {
			size.Width = max(tagLeast, l.width-x)
		}
		sizes[i] = size
		x, row = x+size.Width+gap, max(row, size.Height)
	}
	turn(len(o))
	return y - gap
}

func (l *tagLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(tagLeast, l.place(o, func(fyne.CanvasObject, fyne.Position, fyne.Size) {}))
}

func (l *tagLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	l.place(o, func(one fyne.CanvasObject, at fyne.Position, size fyne.Size) {
		one.Move(at)
		one.Resize(size)
	})
}
