package sources

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/app/chat"
	"inglenook/plain"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

func newTestShelf(t *testing.T) *Shelf {
	t.Helper()
	app := uitest.LightApp(t)
	s := NewShelf(ShelfHost{
		Keys: &kit.Keyboard{}, Resized: func() {},
		Choose: func(fyne.CanvasObject) {}, Remove: func() {}, Decide: func(chat.Part, bool) {}, Open: func(chat.Part, string) {},
	})
	w := app.NewWindow("")
	w.SetContent(s.View)
	w.Resize(fyne.NewSize(500, 300))
	return s
}

// The shelf says in a line what goes with a question.
func TestShelfTitles(t *testing.T) {
	s := newTestShelf(t)
	one, two := passage(1, "one"), passage(2, "two")
	left := &Picked{Question: "q", Found: found([]chat.Part{one}, nil)}
	left.Decide(one, false)
	for want, c := range map[string]struct {
		asked  Asked
		picked *Picked
	}{
		"Questions also go to these documents. What is found appears here first.": {Asked{}, &Picked{}},
		"Searching…": {Asked{}, &Picked{Busy: true}},
		"▸ 2 passages will go with your question":                                  {Asked{}, &Picked{Found: found([]chat.Part{one, two}, nil), Busy: true}},
		"▸ 1 passage will go with your question · 12 % of what the model can read": {Asked{Shares: []int{120}, Context: 1000}, &Picked{Found: found([]chat.Part{one}, nil)}},
		"▸ No passage will go with your question":                                  {Asked{}, left},
		"Nothing answers this.":                                                    {Asked{}, &Picked{Found: chat.Retrieved{Missing: "Nothing answers this."}}},
		"▸ Nothing answers this.":                                                  {Asked{}, &Picked{Found: chat.Retrieved{Missing: "Nothing answers this.", Others: []chat.Part{one}}}},
		"The disk is full.":                                                        {Asked{}, &Picked{Err: errors.New("the disk is full")}},
		"Removed. Choose others…":                                                  {Asked{Gone: true}, &Picked{}},
	} {
		s.Show(c.asked, c.picked)
		if got := s.head.Line.Text; got != want {
			t.Errorf("the shelf says %q, not %q", got, want)
		}
	}
}

// Where the documents were removed, the line itself asks for others.
func TestShelfOfRemovedDocuments(t *testing.T) {
	s := newTestShelf(t)
	chosen := 0
	s.host.Choose = func(fyne.CanvasObject) { chosen++ }
	s.Show(Asked{Gone: true}, &Picked{})
	s.head.Tapped(nil)
	s.Show(Asked{}, &Picked{})
	s.head.Tapped(nil)
	if chosen != 1 {
		t.Errorf("others were asked for %d times", chosen)
	}
}

// Names and passages of documents may hold anything.
func TestHostileShelf(t *testing.T) {
	for kind, text := range map[string]string{
		"long":     strings.Repeat("A", 200_000),
		"lines":    strings.Repeat("a\nb\r\n\u2028", 10_000),
		"controls": "\x1b[2J\u202e" + strings.Repeat("\x00", 1000),
		"broken":   strings.Repeat("\xff\xfe", 10_000),
	} {
		s := newTestShelf(t)
		odd := chat.Part{Kind: chat.PartPassage, Name: text, Text: text, Data: []byte(text)}
		p := &Picked{Found: chat.Retrieved{Passages: []chat.Part{odd}, Others: []chat.Part{passage(1, text)}, Missing: "", Notes: []string{text}}}
		s.Show(Asked{Name: text, Shares: []int{1}, Context: 2}, p)
		s.Toggle()
		s.toggleOthers()
		fold := NewFold(&kit.Keyboard{}, []chat.Part{odd}, func(chat.Part, string) {}, func() {})
		fold.toggle()
		for _, o := range []fyne.CanvasObject{s.View, fold.View} {
			got := uitest.AllText(o)
			if len(got) > 60_000 || strings.ContainsFunc(got, func(r rune) bool { return plain.Drives(r) && r != '\n' }) {
				t.Errorf("%s: drawn are %d bytes: %.100q", kind, len(got), got)
			}
		}
	}
}
