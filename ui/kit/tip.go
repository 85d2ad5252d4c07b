package kit

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// tipPause is how long the pointer rests before it is told what it is on.
const tipPause = 400 * time.Millisecond

// tipWidth is that of a tip that has more than one line.
const tipWidth float32 = 320

// Tip explains in a sentence what the pointer or the keyboard is on. It floats over the
// window, or over a sheet, and takes neither clicks nor the keyboard. The window has one,
// which every widget reaches by its [Keyboard].
type Tip struct {
	Layer *fyne.Container // to be stacked over the content of the window
	layer *fyne.Container // that it floats on now
	text  *Paragraph
	body  *fyne.Container
	said  string
	of    fyne.CanvasObject // that it explains; nil: a place in a text
	at    fyne.Position     // where that was
	do    func(func())
	timer *time.Timer
}

// NewTip makes one; do runs a function on the window's goroutine.
func NewTip(do func(func())) *Tip {
	t := &Tip{text: NewParagraph("", theme.ColorNameForeground).Small(), do: do}
	t.body = container.NewStack(NewSurface(theme.ColorNameOverlayBackground, ColorLine, 8), Inset(t.text.Flat, 6, 10))
	t.body.Hide()
	t.Layer = container.NewWithoutLayout(t.body)
	t.layer = t.Layer
	return t
}

// Within has the tip float on another layer, as that of a sheet over the window; nil: on
// its own.
func (t *Tip) Within(layer *fyne.Container) {
	if t == nil {
		return
	}
	t.Hide()
	t.layer.Remove(t.body)
	if t.layer = layer; layer == nil {
		t.layer = t.Layer
	}
	t.layer.Add(t.body)
}

// Say explains what is at a place of the window, if the pointer rests there. Without a text
// it hides.
func (t *Tip) Say(text string, at fyne.Position) { t.say(nil, text, at, fyne.Size{}) }

// Over explains an object, below it, if the pointer or the keyboard stays there. Without a
// text nothing is to be said of it any more.
func (t *Tip) Over(o fyne.CanvasObject, text string) {
	switch {
	case t == nil || text == "" && t.of != o:
	case text == "":
		t.Hide()
	default:
		t.say(o, text, fyne.CurrentApp().Driver().AbsolutePositionForObject(o), o.Size())
	}
}

func (t *Tip) say(of fyne.CanvasObject, text string, at fyne.Position, size fyne.Size) {
	if text == t.said && of == t.of {
		return
	}
	t.said, t.of, t.at = text, of, at
	if t.timer != nil {
		t.timer.Stop()
	}
	t.body.Hide()
	if text != "" {
		t.timer = time.AfterFunc(tipPause, func() {
			t.do(func() {
				if t.said == text && t.of == of {
					t.show(at, size)
				}
			})
		})
	}
}

// changing is an object whose tip depends on what it shows.
type changing interface{ tip() string }

// Recheck takes the tip away if what it explains is gone, elsewhere or another thing by now: the
// pointer that rests there is told of none of that. To be called after each change of the window.
func (t *Tip) Recheck() {
	if t == nil || t.of == nil {
		return
	}
	c, changes := t.of.(changing)
	gone := fyne.CurrentApp().Driver().AbsolutePositionForObject(t.of) != t.at
	if gone || changes && c.tip() != t.said {
		t.Hide()
	}
}

// Hide takes the tip away; false: there was none.
func (t *Tip) Hide() bool {
	if t == nil {
		return false
	}
	shown := t.body.Visible()
	t.say(nil, "", fyne.Position{}, fyne.Size{})
	return shown
}

// On explains a button while the pointer or the keyboard is on it.
func (t *Tip) On(b *TextButton, text string) {
	near := b.Near
	b.Near = func(on bool) {
		if near != nil {
			near(on)
		}
		if on {
			t.Over(b, text)
		} else {
			t.Over(b, "")
		}
	}
}

// show places the tip below an area, or above it where there is no room, within the layer.
// Above a place in a text it hides less of what is read next.
func (t *Tip) show(at fyne.Position, of fyne.Size) {
	const space = 6
	area := t.layer.Size()
	at = at.Subtract(fyne.CurrentApp().Driver().AbsolutePositionForObject(t.layer))
	t.text.Set(t.said)
	width := float32(0)
	for line := range strings.SplitSeq(t.said, "\n") {
		width = max(width, fyne.MeasureText(Brief(line), TextSmall, fyne.TextStyle{}).Width+24)
	}
	width = min(tipWidth, width, area.Width-2*Gap)
	t.body.Resize(fyne.NewSize(width, 40)) // a wrapped text needs its width first
	height := t.body.MinSize().Height
	above, below := at.Y-height-space, at.Y+of.Height+space
	y := below
	switch {
	case of.Height == 0 && at.Y-height-2*space >= Gap:
		y = at.Y - height - 2*space
	case of.Height == 0:
		y = at.Y + 3*space
	case below+height > area.Height-Gap && above >= Gap:
		y = above
	}
	t.body.Resize(fyne.NewSize(width, height))
	t.body.Move(fyne.NewPos(max(Gap, min(at.X+of.Width/2-width/2, area.Width-width-Gap)), y))
	t.body.Show()
	t.layer.Refresh()
}
