package kit

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/master"
)

// The masters show each widget in the states that it has.
func TestMasters(t *testing.T) {
	k := &Keyboard{}
	wide := fyne.NewSize(360, 60)
	for name, c := range map[string]struct {
		make func() fyne.CanvasObject
		size fyne.Size
	}{
		"bar":     {func() fyne.CanvasObject { b := NewBar(6); b.Set(0.25); return b }, wide},
		"buttons": {buttons, fyne.NewSize(360, 120)},
		"card":    {func() fyne.CanvasObject { return Card(NewSection("Inside")) }, wide},
		"check":   {func() fyne.CanvasObject { c := NewCheck(k, "Offline", nil); c.SetChecked(true); return c }, wide},
		"chip":    {func() fyne.CanvasObject { return container.NewHBox(NewChip(k, NewCaption("a chip"), func() {})) }, wide},
		"choice": {func() fyne.CanvasObject {
			c := NewChoice(k, []string{"one", "two"}, nil)
			c.SetSelected("two")
			return c
		}, wide},
		"columns": {columns, fyne.NewSize(1000, 200)},
		"entry":   {entries, fyne.NewSize(360, 140)},
		"fixed-width": {func() fyne.CanvasObject {
			return container.NewHBox(container.New(&FixedWidth{Width: 110}, NewName("Name")))
		}, wide},
		"hint": {func() fyne.CanvasObject {
			h := NewHint(theme.InfoIcon())
			h.Say("Nothing here", "Add something, and it is.")
			return h.View
		}, fyne.NewSize(360, 200)},
		"lines":  {lines, fyne.NewSize(200, 180)},
		"list":   {list, fyne.NewSize(360, 200)},
		"notice": {notices, fyne.NewSize(360, 160)},
		"panes": {func() fyne.CanvasObject {
			return container.New(&PanesLayout{}, Card(NewName("Left")), Card(NewName("Right")))
		}, fyne.NewSize(900, 80)},
		"paragraph": {func() fyne.CanvasObject {
			return NewParagraph("A text that is longer than the line, so it goes on in the next one.", theme.ColorNameForeground).Small().Flat
		}, fyne.NewSize(200, 80)},
		"rows":    {rows, fyne.NewSize(240, 120)},
		"run":     {run, wide},
		"section": {func() fyne.CanvasObject { return Section("Embedding", "texts/s", NewName("chart")) }, fyne.NewSize(360, 100)},
		"segments": {func() fyne.CanvasObject {
			s := NewSegments(k, []string{"System", "Light", "Dark"}, nil)
			s.Select(1)
			return container.NewHBox(s)
		}, wide},
		"snippet": {func() fyne.CanvasObject {
			s := NewSnippet()
			s.Set("a long text in which the fox was found in the end", [2]int{25, 28})
			return s
		}, wide},
		"swatch":      {func() fyne.CanvasObject { return container.NewHBox(Swatched(ColorSeries2, NewCaption("Linear"))) }, wide},
		"text-button": {func() fyne.CanvasObject { return container.NewHBox(NewTextButton(k, "Copy", func() {})) }, wide},
		"wrap":        {wrap, fyne.NewSize(150, 120)},
	} {
		t.Run(name, func(t *testing.T) {
			plainApp(t)
			master.Check(t, name, c.make(), c.size)
		})
	}
}

func TestMasterOfASheet(t *testing.T) {
	plainApp(t)
	over := NewName("the window")
	w := fyne.CurrentApp().NewWindow("test")
	t.Cleanup(w.Close)
	w.SetContent(over)
	w.Resize(fyne.NewSize(700, 400))
	s := NewSheet(&Keyboard{}, func() fyne.CanvasObject { return over })
	s.Open("Open a link?", NewParagraph("This link leads to:", ColorMuted).Flat, false,
		SheetButton{Name: "Cancel"}, SheetButton{Name: "Open", Main: true})
	master.CheckCanvas(t, "sheet", w.Canvas())
}

func buttons() fyne.CanvasObject {
	k := &Keyboard{}
	plain, off := NewButton(k, "Compare", theme.MediaPlayIcon(), func() {}), NewButton(k, "Measure", nil, func() {})
	off.SetEnabled(false)
	return Column(GapSmall, plain, off, NewQuietButton(k, "Copy", theme.ContentCopyIcon(), func() {}))
}

func columns() fyne.CanvasObject {
	return container.New(&ColumnsLayout{}, Card(NewName("first")), Card(Column(0, NewName("second"), NewName("and more"))), Card(NewName("third")))
}

func entries() fyne.CanvasObject {
	empty, full := NewEntry(&Keyboard{}), NewEntry(&Keyboard{})
	empty.SetPlaceHolder("Write a message")
	full.SetText("written")
	return Column(Gap, empty, full)
}

func lines() fyne.CanvasObject {
	cut := NewLine("A line that has no room for all of its words is cut", TextBody, theme.ColorNameForeground)
	return Column(GapSmall, NewTitle("Title"), NewTitleWhole("Title, whole"), NewSection("Section"), NewName("Name"), NewCaption("Caption"), cut)
}

func list() fyne.CanvasObject {
	l := NewList(&Keyboard{}, ListRows{
		Length: func() int { return 100 },
		ID:     func(i int) int64 { return int64(i + 1) },
		Create: func(i int) fyne.CanvasObject { return NewName(fmt.Sprintf("Message %d", i+1)) },
		Guess:  func(int, float32) float32 { return 20 },
	})
	l.Reset()
	return l
}

func notices() fyne.CanvasObject {
	said, failed := NewNotice(&Keyboard{}), NewNotice(&Keyboard{})
	said.Say("The texts have changed.", "Compare again", func() {})
	failed.Fail("The disk is full; make room.")
	return Column(Gap, said.View, failed.View)
}

func rows() fyne.CanvasObject {
	names := []string{"one", "two", "three"}
	r := NewRows(&Keyboard{}, func() int { return len(names) }, func() fyne.CanvasObject { return NewName("") },
		func(i int, o fyne.CanvasObject) { o.(*Line).Set(names[i]) })
	r.Choose(1)
	return r
}

func run() fyne.CanvasObject {
	r := NewRunControls(&Keyboard{}, func() {})
	r.Stage.Set("Embedding")
	r.Left.Set("3 s left")
	r.Bar.Set(0.5)
	r.Progress.Show()
	return r.Progress
}

func wrap() fyne.CanvasObject {
	c := container.New(&Wrap{Gap: GapSmall})
	for _, name := range []string{"first", "second", "third", "fourth"} {
		c.Add(NewTextButton(&Keyboard{}, name, func() {}))
	}
	return c
}
