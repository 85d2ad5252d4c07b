package chat

import (
	"inglenook/ui/kit"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

const (
	// toastTime is how long an offer to undo stays.
	toastTime = 10 * time.Second
	// mostUndos is how many deletions the keyboard can take back.
	mostUndos = 50
)

// undo takes a deletion back.
type undo struct {
	what string
	run  func() error
}

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

// deleted offers to take a deletion back.
func (p *Panel) deleted(what string, back func() error) {
	p.undos = append(p.undos, undo{what, back})
	if len(p.undos) > mostUndos {
		p.undos = p.undos[1:]
	}
	p.toast.offer(what, p.undo)
	p.view.Refresh()
}

// undo takes the last deletion back.
func (p *Panel) undo() {
	if len(p.undos) == 0 {
		return
	}
	last := p.undos[len(p.undos)-1]
	p.undos = p.undos[:len(p.undos)-1]
	p.toast.hide()
	if err := last.run(); err != nil {
		p.ShowError(err)
		return
	}
	p.Tell("Taken back: " + last.what)
	p.view.Refresh()
}
