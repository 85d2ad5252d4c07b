package kit

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

// A tip explains what the pointer rests on, within the window and without taking clicks.
func TestTip(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(NewTheme(ThemeLight))
	said := make(chan func(), 10)
	tip := NewTip(func(f func()) { said <- f })
	b := NewTextButton(&Keyboard{}, "?", func() {})
	tip.On(b, strings.Repeat("What this is for. ", 20))
	w := app.NewWindow("")
	w.SetPadded(false)
	w.SetContent(container.NewStack(container.NewBorder(b, nil, nil, nil), tip.Layer))
	w.Resize(fyne.NewSize(400, 300))
	b.MouseIn(&desktop.MouseEvent{})
	select {
	case show := <-said:
		show()
	case <-time.After(time.Minute):
		t.Fatal("no tip comes")
	}
	if at, size := tip.body.Position(), tip.body.Size(); !tip.body.Visible() || at.X < 0 || at.Y < 0 || at.X+size.Width > 400 || at.Y+size.Height > 300 || size.Height < 30 {
		t.Errorf("the tip is at %v, %v large", at, size)
	}
	b.MouseOut()
	if tip.body.Visible() || tip.Hide() {
		t.Error("the tip stays when the pointer has left")
	}
	b.MouseIn(&desktop.MouseEvent{})
	b.MouseOut()
	select {
	case show := <-said:
		if show(); tip.body.Visible() {
			t.Error("a tip comes after the pointer has left")
		}
	case <-time.After(2 * tipPause):
	}
}

// A tip goes when what it explains is gone, elsewhere or another text, although the pointer rests;
// it stays when something else changes.
func TestTipGoesWithItsObject(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(NewTheme(ThemeLight))
	long := strings.Repeat("a long line ", 30)
	for name, c := range map[string]struct {
		change func(line *Line, told *Told)
		stays  bool
	}{
		"nothing":       {func(*Line, *Told) {}, true},
		"another text":  {func(l *Line, _ *Told) { l.Set("another " + long) }, false},
		"a short text":  {func(l *Line, _ *Told) { l.Set("short") }, false},
		"it is hidden":  {func(_ *Line, told *Told) { told.Hide() }, false},
		"it moves down": {func(_ *Line, told *Told) { told.Move(fyne.NewPos(0, 40)) }, false},
	} {
		said := make(chan func(), 10)
		tip := NewTip(func(f func()) { said <- f })
		line := NewLine(long, TextBody, "foreground")
		told := NewTold(&Keyboard{Tip: tip}, container.NewStack(line))
		w := app.NewWindow("")
		w.SetContent(container.NewStack(container.NewVBox(told), tip.Layer))
		w.Resize(fyne.NewSize(300, 300))
		told.MouseIn(&desktop.MouseEvent{})
		select {
		case show := <-said:
			show()
		case <-time.After(time.Minute):
			t.Fatal("no tip comes")
		}
		if tip.Recheck(); !tip.body.Visible() {
			t.Fatalf("%s: the tip goes before anything changed", name)
		}
		c.change(line, told)
		if tip.Recheck(); tip.body.Visible() != c.stays {
			t.Errorf("%s: the tip stays: %v", name, tip.body.Visible())
		}
		w.Close()
	}
}
