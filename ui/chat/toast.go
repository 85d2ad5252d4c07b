package chat

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

const (
	// toastTime is how long an offer to undo stays.
	toastTime = 10 * time.Second
)

// toast offers for a while to take back what was just done.
type toast struct {
	view  *fyne.Container
	text  *kit.Line
	act   *kit.Button
	timer *time.Timer
	do    func(func())
}

func newToast(k *kit.Keyboard, do func(func())) *toast {
	t := &toast{text: kit.NewLine("", kit.TextBody, theme.ColorNameForeground), do: do}
	t.text.Whole = true
	t.act = kit.NewButton(k, "Undo", theme.ContentUndoIcon(), nil)
	back := kit.NewSurface(theme.ColorNameOverlayBackground, kit.ColorLine, 10)
	t.view = container.NewStack(back, kit.Inset(kit.Row(kit.GapWide, container.NewCenter(t.text), t.act), 6, 12))
	t.view.Hide()
	return t
}

func (t *toast) offer(what string, act func()) {
	t.hide()
	t.text.Set(what)
	t.act.OnTapped = act
	t.view.Show()
	t.timer = time.AfterFunc(toastTime, func() { t.do(t.hide) })
}

func (t *toast) hide() {
	if t.timer != nil {
		t.timer.Stop()
		t.timer = nil
	}
	t.view.Hide()
}
