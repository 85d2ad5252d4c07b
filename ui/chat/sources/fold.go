package sources

import (
	"fmt"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/chat"
	"inglenook/ui/kit"
)

const (
	// foldStep is how many passages of a message are listed at once.
	foldStep = 20
	// foldWidth is that of the listed passages at least, where there is room.
	foldWidth float32 = 420
)

// numbered puts the number of a passage before its name.
func numbered(n int, name string) string { return strconv.Itoa(n) + " · " + name }

// trimSign takes away what sign put before a text.
func trimSign(text string) string {
	return strings.TrimPrefix(strings.TrimPrefix(text, sign(true)), sign(false))
}

func newIcon(r fyne.Resource) *widget.Icon {
	return widget.NewIcon(kit.Colored(r, kit.ColorMuted))
}

// Fold holds the passages that went with a message, folded away.
type Fold struct {
	View  *fyne.Container
	keys  *kit.Keyboard
	parts []chat.Part
	shown int // of parts
	head  *kit.TextButton
	list  *fyne.Container
	open  func(p chat.Part, sentence string)
	grown func()
}

// NewFold makes a fold of the passages of a message. open shows one in its document, grown
// follows its height.
func NewFold(k *kit.Keyboard, parts []chat.Part, open func(p chat.Part, sentence string), grown func()) *Fold {
	f := &Fold{keys: k, parts: parts, list: kit.Column(2), open: open, grown: grown}
	f.head = kit.NewTextButton(k, sign(false)+f.title(), f.toggle)
	f.list.Hide()
	f.View = kit.Column(kit.GapSmall, kit.Inset(container.NewHBox(f.head), 0, -5), f.list)
	return f
}

func (f *Fold) title() string { return kit.Count(len(f.parts), "passage") + " from your documents" }

func (f *Fold) toggle() {
	on := !f.list.Visible()
	f.head.Set(sign(on) + f.title())
	if on && f.shown == 0 {
		f.add()
	}
	kit.Show(f.list, on)
	f.grown()
}

// add lists some more passages.
func (f *Fold) add() {
	if f.shown > 0 { // instead of the button for more
		f.list.Objects = f.list.Objects[:len(f.list.Objects)-1]
	}
	end := min(len(f.parts), f.shown+foldStep)
	for i := f.shown; i < end; i++ {
		p := f.parts[i]
		name := kit.NewTextButton(f.keys, numbered(i+1, nameOf(p)), func() { f.open(p, "") })
		name.Color, name.Line.Whole = theme.ColorNameForeground, false
		begins := kit.NewCaption(firstLine(p))
		f.list.Add(container.New(&atLeast{foldWidth}, kit.Column(0, kit.Inset(name, 0, -5), begins)))
	}
	f.shown = end
	if rest := len(f.parts) - end; rest > 0 {
		f.list.Add(container.NewHBox(kit.NewTextButton(f.keys, fmt.Sprintf("Show %d more", min(rest, foldStep)), func() {
			f.add()
			f.grown()
		})))
	}
	f.list.Refresh()
}

// atLeast gives its one object a width at least.
type atLeast struct{ width float32 }

func (l *atLeast) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(l.width, o[0].MinSize().Height)
}

func (l *atLeast) Layout(o []fyne.CanvasObject, size fyne.Size) { o[0].Resize(size) }
