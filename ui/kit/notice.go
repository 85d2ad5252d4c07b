package kit

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/plain"
)

// Notice says something in a panel, in a sentence, with one thing to do about
// it.
type Notice struct {
	View  *fyne.Container
	back  *Surface
	icon  *widget.Icon
	text  *Paragraph
	Act   *Button
	Close *Button

	Stays bool // a hint says how something is now, and has no sign that closes it
}

func NewNotice(k *Keyboard) *Notice {
	n := &Notice{Stays: true, back: NewSurface(colorNotice, "", 8), icon: widget.NewIcon(nil), text: NewParagraph("", theme.ColorNameForeground)}
	n.Act = NewButton(k, "", nil, nil)
	n.Close = NewIconButton(k, theme.CancelIcon(), "Close", n.Hide)
	icon := container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(18), n.icon))
	right := container.NewCenter(Row(GapSmall, n.Act, n.Close))
	n.View = container.NewStack(n.back, Inset(container.NewBorder(nil, nil, icon, right, n.text.RichText), 3, 10))
	n.Hide()
	return n
}

func (n *Notice) Hide() { n.View.Hide() }

// HideError takes it away where it shows an error.
func (n *Notice) HideError() {
	if n.back.fill == colorAlert {
		n.Hide()
	}
}

// Fail shows an error.
func (n *Notice) Fail(message string) { n.FailWith(message, "", nil) }

// FailWith shows an error with something to do about it.
func (n *Notice) FailWith(message, action string, act func()) {
	n.back.fill = colorAlert
	n.icon.SetResource(Colored(theme.ErrorIcon(), theme.ColorNameError))
	n.show(message, action, act)
	n.Close.Show()
}

// Say shows a hint with something to do about it. A person can close it unless it stays.
func (n *Notice) Say(message, action string, act func()) {
	n.back.fill = colorNotice
	n.icon.SetResource(Colored(theme.InfoIcon(), theme.ColorNameWarning))
	n.show(message, action, act)
	Show(n.Close, !n.Stays)
}

// Closes lets a person close the hint that was said last, and then tells so.
func (n *Notice) Closes(closed func()) {
	n.Close.OnTapped = func() {
		n.Hide()
		closed()
	}
	n.Close.Show()
}

func (n *Notice) show(message, action string, act func()) {
	n.text.Set(plain.Text(message, sentenceRunes))
	n.Close.OnTapped = n.Hide
	n.Act.SetText(action)
	n.Act.OnTapped = act
	if act == nil {
		n.Act.Hide()
	} else {
		n.Act.Show()
	}
	n.View.Show()
	n.View.Refresh()
}

// Message returns the message; empty when there is none.
func (n *Notice) Message() string {
	if !n.View.Visible() {
		return ""
	}
	return n.text.Segment.Text
}

// ToastTime is how long a toast stays.
const ToastTime = 10 * time.Second

// Toast says for a while what just happened, with one button: to take it back, or to go on
// from there.
type Toast struct {
	View  *fyne.Container
	words *fyne.Container // and the button
	place *fyne.Container // of [Toast.InCorner], [Toast.At] or [Toast.Above]; nil until then
	text  *Line
	act   *Button
	timer *time.Timer
	do    func(func())
}

// NewToast shows nothing yet. do runs a function on the window's goroutine.
func NewToast(k *Keyboard, do func(func())) *Toast {
	t := &Toast{text: NewLine("", TextBody, theme.ColorNameForeground), do: do}
	t.act = NewButton(k, "", nil, nil)
	back := NewSurface(theme.ColorNameOverlayBackground, ColorLine, 10)
	t.words = container.New(toastLayout{}, t.text, t.act)
	t.View = container.NewStack(back, Inset(t.words, 6, 12))
	t.View.Hide()
	return t
}

// toastLayout wants the whole text beside its button, and cuts it where the window is narrow.
type toastLayout struct{}

func (toastLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	text, act := o[0].(*Line), o[1].MinSize()
	whole := fyne.MeasureText(text.Text, text.TextSize, text.Style)
	return fyne.NewSize(whole.Width+GapWide+act.Width, max(text.MinSize().Height, act.Height))
}

func (toastLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	act, height := o[1].MinSize(), o[0].MinSize().Height
	o[0].Move(fyne.NewPos(0, (size.Height-height)/2))
	o[0].Resize(fyne.NewSize(max(0, size.Width-GapWide-act.Width), height))
	o[1].Move(fyne.NewPos(size.Width-act.Width, (size.Height-act.Height)/2))
	o[1].Resize(act)
}

// InCorner is the toast in the lower right corner, so low that the strip there and the margin above
// it hold it: it lies on nothing that a room shows.
func (t *Toast) InCorner() *fyne.Container {
	t.View.Objects[1] = Inset(t.words, 1, 12)
	t.place = container.New(&LowerRight{Margin: 2}, t.View)
	return t.place
}

// At is the toast in the middle, so far from the upper edge, as large as what it says.
func (t *Toast) At(top float32) *fyne.Container {
	t.place = container.New(&UpperMiddle{Top: top}, t.View)
	return t.place
}

// Above is the toast in the middle of the lower edge, above other things there, of which some may be
// hidden.
func (t *Toast) Above(others ...fyne.CanvasObject) *fyne.Container {
	t.place = container.New(&LowerMiddle{}, append([]fyne.CanvasObject{t.View}, others...)...)
	return t.place
}

// Offer says what happened, and what the button does about it.
func (t *Toast) Offer(what, button string, icon fyne.Resource, act func()) {
	t.Hide()
	t.text.Set(what)
	t.act.SetText(button)
	t.act.SetIcon(icon)
	t.act.OnTapped = act
	t.View.Show()
	if t.place != nil {
		t.place.Refresh()
	}
	t.timer = time.AfterFunc(ToastTime, func() { t.do(t.Hide) })
}

// Hide takes the toast away.
func (t *Toast) Hide() {
	if t.timer != nil {
		t.timer.Stop()
		t.timer = nil
	}
	t.View.Hide()
}
