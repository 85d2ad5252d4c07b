package rerank

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/dustin/go-humanize"

	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// answers lists the texts for the question in view, those first that a model found first,
// and has a person mark the ones that answer it.
type answers struct {
	*trial
	view  *fyne.Container
	title *kit.Paragraph
	heads [2]*kit.Line
	find  *kit.Entry // words that the texts in view have
	rows  *kit.Rows
	full  *kit.Paragraph
	whole *fyne.Container // with that
	hint  *kit.Hint

	// What the rows show. The trial may change while the view is not in front, which then
	// still draws these.
	lines  []string
	ids    []int
	right  map[int]bool   // the texts that answer the question, by id
	places [2]map[int]int // by id, from 1 on; nil: not tried
	order  []int          // of the list, by index
	chosen int            // id of the selected text; 0: none
	of     *tried         // whose places they are
}

func newAnswers(t *trial) *answers {
	a := &answers{trial: t, title: kit.NewParagraph("", theme.ColorNameForeground), full: kit.NewParagraph("", theme.ColorNameForeground), hint: kit.NewHint(theme.ListIcon())}
	a.find = kit.NewSearch(t.Keys, "Find in the texts")
	a.find.OnChanged = func(string) {
		a.refresh()
		a.rows.Scroll.ScrollToTop()
	}
	a.title.Segment.Style.TextStyle.Bold = true
	a.rows = kit.NewRows(t.Keys, func() int { return len(a.order) }, a.newRow, a.fill)
	toggle := func(i int) {
		a.rows.Choose(i)
		id := a.ids[a.order[i]]
		a.chosen = id
		a.mark(id, !a.right[id])
	}
	a.rows.Clicked, a.rows.Opened = toggle, toggle
	a.rows.Selected = func(i int) {
		a.chosen = a.ids[a.order[i]]
		a.showFull()
	}
	a.rows.Typed = func(e *fyne.KeyEvent) bool {
		if e.Name != fyne.KeySpace || a.rows.Current < 0 {
			return false
		}
		toggle(a.rows.Current)
		return true
	}
	heads := container.New(answerLayout{a}, kit.NewCaption(""), kit.NewCaption("Click a text, or press the space bar, to mark it"), kit.NewName(""), kit.NewName(""))
	for i := range a.heads {
		a.heads[i] = heads.Objects[2+i].(*kit.Line)
		a.heads[i].Whole, a.heads[i].Align = false, fyne.TextAlignTrailing
	}
	a.whole = container.New(&kit.FixedHeight{Height: fullTextHeight}, container.NewVScroll(a.full.Flat)) // the rows stay where they are
	list := container.NewStack(kit.Bordered(kit.GapSmall, kit.NewTold(t.Keys, heads), a.rows, a.whole), a.hint.View)
	a.view = kit.Card(kit.Bordered(kit.GapSmall, kit.Column(kit.GapSmall, a.title.Flat, a.find), list, nil))
	return a
}

// setLow leaves out the selected text in full, so that the rows have its room.
func (a *answers) setLow(low bool) { kit.Show(a.whole, !low) }

// refresh shows the question in view with the texts as they are.
func (a *answers) refresh() {
	a.lines, a.ids = a.texts.Lines(), a.texts.IDs()
	a.places = [2]map[int]int{}
	question := ""
	a.right = nil
	if a.at >= 0 {
		question, a.right = a.questions[a.at].text, a.questions[a.at].right
	}
	for i := range a.heads {
		a.heads[i].Set("")
		if a.done == nil || i >= len(a.done.results) {
			continue
		}
		if k := slices.Index(a.done.questions, question); k >= 0 {
			a.heads[i].Set(a.done.results[i].Model.Title())
			a.places[i] = map[int]int{}
			for text, place := range a.done.results[i].Orders[k].Places {
				a.places[i][a.done.ids[text]] = place + 1
			}
		}
	}
	if a.done != a.of { // what was found now comes first
		a.of = a.done
		if len(a.lines) >= findFrom {
			a.chosen = 0 // it would keep its row in view
		}
		a.rows.Scroll.ScrollToTop()
	}
	kit.Show(a.find, a.at >= 0 && len(a.lines) >= findFrom)
	a.sort()
	a.title.Set("Which texts answer: " + question)
	switch {
	case a.at < 0:
		a.title.Set("Which texts answer the question?")
		a.hint.Say("No question in view", "Write a question beside the texts.")
	case len(a.lines) == 0:
		a.hint.Say("No texts", "Type, paste or drop some texts.")
	case len(a.order) == 0:
		a.hint.Say("No text found", "None of the texts has these words.")
	default:
		a.hint.View.Hide()
	}
	if a.hint.View.Visible() {
		a.order = nil
	}
	a.rows.Current = slices.IndexFunc(a.order, func(i int) bool { return a.ids[i] == a.chosen })
	a.rows.Refresh()
	a.showFull()
	a.view.Refresh()
}

// show selects the text with that id; 0: none.
func (a *answers) show(id int) {
	a.chosen = id
	a.rows.Choose(slices.IndexFunc(a.order, func(i int) bool { return a.ids[i] == id }))
	a.showFull()
}

// findFrom is the number of texts from which on there is a field to find some.
const findFrom = 20

// sort lists the texts with the words to find, those first that one of the models found first.
func (a *answers) sort() {
	a.order = make([]int, len(a.ids))
	best := make([]int, len(a.ids))
	for i, id := range a.ids {
		a.order[i], best[i] = i, len(a.ids)+1
		for _, places := range a.places {
			if p, ok := places[id]; ok {
				best[i] = min(best[i], p)
			}
		}
	}
	if a.find.Visible() {
		a.order = slices.DeleteFunc(a.order, func(i int) bool { return !panel.HasWords(a.lines[i], a.find.Text) })
	}
	slices.SortStableFunc(a.order, func(x, y int) int { return cmp.Compare(best[x], best[y]) })
}

func (a *answers) showFull() {
	text := ""
	if i := a.rows.Current; i >= 0 && i < len(a.order) {
		text = a.lines[a.order[i]]
	}
	a.full.Set(text)
}

// newRow is a row: a mark, the text, and its place with each model.
func (a *answers) newRow() fyne.CanvasObject {
	row := container.New(answerLayout{a}, widget.NewIcon(nil), kit.NewLine("", kit.TextBody, theme.ColorNameForeground), kit.NewCaption(""), kit.NewCaption(""))
	for _, o := range row.Objects[2:] {
		o.(*kit.Line).Align = fyne.TextAlignTrailing
	}
	return row
}

func (a *answers) fill(i int, o fyne.CanvasObject) {
	parts := o.(*fyne.Container).Objects
	at := a.order[i]
	icon := kit.Colored(theme.CheckButtonIcon(), kit.ColorMuted)
	if a.right[a.ids[at]] {
		icon = kit.Colored(theme.CheckButtonCheckedIcon(), theme.ColorNamePrimary)
	}
	parts[0].(*widget.Icon).SetResource(icon)
	parts[1].(*kit.Line).Set(a.lines[at])
	for k, places := range a.places {
		place := ""
		if p, ok := places[a.ids[at]]; ok {
			place = humanize.Ordinal(p)
		}
		parts[2+k].(*kit.Line).Set(place)
	}
}

// answerLayout places mark, text and the places with the models that were tried.
type answerLayout struct{ a *answers }

const answerPlace float32 = 92 // width of a place

func (answerLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(260, 28) }

func (l answerLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const icon = 18
	put := func(i int, x, w float32) {
		o[i].Move(fyne.NewPos(x, 0))
		o[i].Resize(fyne.NewSize(max(0, w), size.Height))
	}
	size.Width -= kit.Gap // of the bar that scrolls
	place := min(answerPlace, size.Width/5)
	o[0].Move(fyne.NewPos(kit.GapSmall, (size.Height-icon)/2))
	o[0].Resize(fyne.NewSquareSize(icon))
	left := kit.GapSmall + icon + kit.Gap
	tried := float32(0)
	for i, places := range l.a.places {
		if kit.Show(o[2+i], places != nil); places != nil {
			tried++
		}
	}
	put(1, left, size.Width-left-tried*(place+kit.Gap))
	put(2, size.Width-tried*place-kit.GapSmall*tried, place)
	put(3, size.Width-place-kit.GapSmall, place-kit.GapSmall)
}
