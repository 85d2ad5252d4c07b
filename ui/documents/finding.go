package documents

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/find"
	"inglenook/ui/kit"
	"inglenook/ui/prose"
)

// finding looks for words within the document in view.
type finding struct {
	*viewer
	*find.Bar
	open   *kit.Button   // shows the rest
	turned func(on bool) // the rest is shown, or not

	sought string // what places are of
	places []occurrence
	here   int                // of places; -1: none
	number int                // of the last search
	cancel context.CancelFunc // ends the search under way
	texts  []string           // of the pieces, as they are shown; nil: not made yet
}

// occurrence is where a document has what is sought.
type occurrence struct {
	piece  int
	number int // among those of the piece
}

func newFinding(v *viewer) *finding {
	f := &finding{viewer: v, here: -1, cancel: func() {}}
	f.open = kit.NewQuietButton(v.Keys, "Find", theme.SearchIcon(), f.show)
	f.open.Tip = "Find words in this document"
	f.Bar = find.NewBar(find.BarHost{Keys: v.Keys, Hint: "Find in this document", Changed: func() { f.renew(true) }, Step: f.step, Close: f.close})
	return f
}

// show opens the field and gives it the keyboard, with what was sought before selected.
func (f *finding) show() {
	if !f.View.Visible() {
		f.View.Show()
		f.turned(true)
		f.viewer.view.Refresh()
		f.renew(false)
	}
	f.Focus(f.Field)
	f.Field.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// close hides the field and what it found; false: it was hidden.
func (f *finding) close() bool {
	if !f.View.Visible() {
		return false
	}
	had := f.Has()
	f.View.Hide()
	f.turned(false)
	f.renew(false)
	f.viewer.view.Refresh()
	if had {
		f.Focus(f.reads())
	}
	return true
}

// laidOut follows that another document is in view.
func (f *finding) laidOut() {
	f.texts = nil
	f.renew(false)
}

// renew looks for what stands in the field now. goes: the first place behind what is in view comes
// into view.
func (f *finding) renew(goes bool) {
	f.cancel()
	f.number++
	f.sought = ""
	if f.View.Visible() {
		f.sought = strings.TrimSpace(f.Field.Text)
	}
	f.places, f.here = nil, -1
	f.Count.Set("")
	f.mark()
	if f.sought == "" {
		return
	}
	from := f.first()
	ctx, cancel := context.WithCancel(f.Life)
	f.cancel = cancel
	number, sought, texts, laid, pieces := f.number, f.sought, f.texts, f.laid, f.pieces
	f.Work(func(context.Context) {
		defer cancel()
		if texts == nil {
			texts = make([]string, len(pieces))
			for i, p := range pieces {
				if ctx.Err() != nil {
					return
				}
				texts[i] = shownText(laid, p)
			}
		}
		var places []occurrence
		for i, t := range texts {
			if ctx.Err() != nil {
				return
			}
			for n := range find.In(t, sought) {
				places = append(places, occurrence{i, n})
			}
		}
		f.Do(func() {
			if number == f.number {
				f.found(places, texts, from, goes)
			}
		})
	})
}

// first is the piece that the search begins at: the one that was gone to last, or that of the
// passage.
func (f *finding) first() int {
	if f.table.shows {
		return max(0, f.table.grid.Best)
	}
	return max(0, f.list.Current)
}

// found shows where a document has what is sought.
func (f *finding) found(places []occurrence, texts []string, from int, goes bool) {
	f.places, f.texts, f.here = places, texts, -1
	if goes && len(places) > 0 {
		f.here = 0
		for i, p := range places {
			if p.piece >= from {
				f.here = i
				break
			}
		}
	}
	f.went()
}

// step goes to the next place, or with -1 to the one before.
func (f *finding) step(by int) {
	if n := len(f.places); n > 0 {
		f.here = find.Step(f.here, by, n)
		f.went()
	}
}

// went shows the place that was gone to.
func (f *finding) went() {
	f.Say(len(f.places), f.here)
	f.viewer.view.Refresh()
	if f.here >= 0 && !f.table.shows {
		f.list.Choose(f.places[f.here].piece)
		f.showPageOf(f.places[f.here].piece)
	}
	f.mark()
	if f.here >= 0 && !f.table.shows {
		f.reveal()
	}
}

// showPageOf shows the page that a piece is on, where pages are shown.
func (f *finding) showPageOf(piece int) {
	for i := piece; i >= 0 && f.page.path != ""; i-- {
		if n := f.pieces[i].page; n > 0 {
			f.page.open(f.page.path, n, f.page.pages)
			return
		}
	}
}

// reveal brings the place that was gone to into view, within a long piece too.
func (f *finding) reveal() {
	text := f.viewer.texts[int64(f.places[f.here].piece)]
	if text == nil {
		return
	}
	if top, bottom, ok := text.FoundAt(); ok {
		driver := fyne.CurrentApp().Driver()
		at := driver.AbsolutePositionForObject(text).Y - driver.AbsolutePositionForObject(f.list.Scroll).Y
		f.list.Reveal(at+top, at+bottom)
	}
}

// mark marks what was found in the pieces that exist.
func (f *finding) mark() {
	if f.table.shows {
		here := occurrence{}
		if f.here >= 0 {
			here = f.places[f.here]
		}
		f.table.showFound(f.sought, here, f.here >= 0)
		return
	}
	for i, t := range f.viewer.texts {
		f.markIn(int(i), t)
	}
}

// markIn marks what was found in a piece; where nothing is sought, the best sentence of the passage.
func (f *finding) markIn(i int, t *prose.Text) {
	if f.sought == "" {
		best := f.bestIn(f.pieces[i])
		t.ShowFound(func(string) [][2]int { return best }, -1)
		return
	}
	here, sought := -1, f.sought
	if f.here >= 0 && f.places[f.here].piece == i {
		here = f.places[f.here].number
	}
	t.ShowFound(func(text string) [][2]int { return find.In(text, sought) }, here)
}
