package kit

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// tipPause is how long the pointer rests before it is told what it is on.
const tipPause = 400 * time.Millisecond

// tipWidth is that of a tip that has more than one line.
const tipWidth float32 = 320

// Tip explains in a sentence what the pointer is on. It floats over the content of a
// panel and takes neither clicks nor the keyboard.
type Tip struct {
	Layer *fyne.Container // to be stacked over the content
	text  *Paragraph
	body  *fyne.Container
	said  string
	do    func(func())
	timer *time.Timer
}

// NewTip makes one; do runs a function on the window's goroutine.
func NewTip(do func(func())) *Tip {
	t := &Tip{text: NewParagraph("", theme.ColorNameForeground).Small(), do: do}
	t.body = container.NewStack(NewSurface(theme.ColorNameOverlayBackground, ColorLine, 8), Inset(t.text.Flat, 6, 10))
	t.body.Hide()
	t.Layer = container.NewWithoutLayout(t.body)
	return t
}

// Say explains what is at a place of the window, if the pointer rests there. Without a text
// it hides.
func (t *Tip) Say(text string, at fyne.Position) {
	if text == t.said {
		return
	}
	t.said = text
	if t.timer != nil {
		t.timer.Stop()
	}
	t.body.Hide()
	if text != "" {
		t.timer = time.AfterFunc(tipPause, func() {
			t.do(func() {
				if t.said == text {
					t.show(at)
				}
			})
		})
	}
}

// Hide takes the tip away; false: there was none.
func (t *Tip) Hide() bool {
	shown := t.body.Visible()
	t.Say("", fyne.Position{})
	return shown
}

// On explains a button while the pointer or the keyboard is on it.
func (t *Tip) On(b *TextButton, text string) {
	near := b.Near
	b.Near = func(on bool) {
		if near != nil {
			near(on)
		}
		if !on {
			t.Say("", fyne.Position{})
			return
		}
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b)
		t.Say(text, at.AddXY(b.Size().Width/2, b.Size().Height/2))
	}
}

// show places the tip above a point, or below it where there is no room, within the layer.
func (t *Tip) show(at fyne.Position) {
	area := t.Layer.Size()
	at = at.Subtract(fyne.CurrentApp().Driver().AbsolutePositionForObject(t.Layer))
	t.text.Set(t.said)
	width := min(tipWidth, fyne.MeasureText(Brief(t.said), TextSmall, fyne.TextStyle{}).Width+24, area.Width-2*Gap)
	t.body.Resize(fyne.NewSize(width, 40)) // a wrapped text needs its width first
	height := t.body.MinSize().Height
	y := at.Y - height - 12
	if y < Gap {
		y = at.Y + 18
	}
	t.body.Resize(fyne.NewSize(width, height))
	t.body.Move(fyne.NewPos(max(Gap, min(at.X-width/2, area.Width-width-Gap)), y))
	t.body.Show()
	t.Layer.Refresh()
}
