package kit

import (
	"reflect"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// counted is an icon that counts how often it is read.
type counted struct {
	fyne.Resource
	reads int
}

func (c *counted) Content() []byte { c.reads++; return c.Resource.Content() }

// A button that looks as before is not drawn anew: a container refreshes all buttons in it, each time that
// a letter is typed.
func TestAButtonReadsItsIconOnce(t *testing.T) {
	a := test.NewTempApp(t)
	NewTheme(ThemeLight).Apply(a)
	icon := &counted{Resource: theme.InfoIcon()}
	b := NewButton(nil, "About", icon, func() {})
	room := container.NewVBox(b)
	w := a.NewWindow("")
	t.Cleanup(w.Close)
	w.SetContent(room)
	w.Resize(fyne.NewSize(300, 200))
	before := icon.reads
	for range 10 {
		room.Refresh()
	}
	if icon.reads != before {
		t.Errorf("ten refreshes read the icon %d times", icon.reads-before)
	}
	for _, c := range []struct {
		name   string
		change func()
	}{
		{"text", func() { b.SetText("About this") }},
		{"pointer", func() { b.MouseIn(nil) }},
		{"no pointer", func() { b.MouseOut() }},
		{"keyboard", func() { b.FocusGained() }},
		{"importance", func() { b.Importance = widget.HighImportance; b.Refresh() }},
		{"disabled", func() { b.SetEnabled(false) }},
		{"theme", func() { NewTheme(ThemeDark).Apply(a) }},
		{"scale", func() { w.Canvas().(test.WindowlessCanvas).SetScale(2); room.Refresh() }},
	} {
		seen, before := w.Canvas().Capture(), icon.reads
		c.change()
		if icon.reads == before {
			t.Errorf("%s: the button is not drawn anew", c.name)
		}
		if now := w.Canvas().Capture(); reflect.DeepEqual(seen, now) {
			t.Errorf("%s: the button looks as before", c.name)
		}
	}
}

// An icon in a colour is one resource, by which a widget sees that it shows it already.
func TestAColouredIconIsMadeOnce(t *testing.T) {
	test.NewTempApp(t)
	svg := []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v4z"/></svg>`)
	made := Colored(fyne.NewStaticResource("made-once.svg", svg), ColorMuted)
	if again := Colored(fyne.NewStaticResource("made-once.svg", svg), ColorMuted); again != made {
		t.Error("the same icon in the same colour is another resource")
	}
	if other := Colored(fyne.NewStaticResource("made-once.svg", svg), ColorAccent); other == made {
		t.Error("another colour is the same resource")
	}
}
