package classify

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/textlist"
)

// How much of a text and of the details is in view at once.
const (
	textHeight    float32 = 84
	detailsHeight float32 = 80

	// Of a low card the text takes a share, and a line at least.
	textShare float32 = 0.3
	leastText float32 = 20

	// Of low results the details take a share.
	detailsShare float32 = 0.15

	// Where the results are low, the rows need the room of what explains them.
	lowResults float32 = 560
)

// results shows what was found: a row a text with the best of it, and all of the chosen text.
type results struct {
	view    *fyne.Container
	title   *kit.Line
	meaning *kit.Paragraph
	rows    *kit.Rows
	shown   *kit.Line     // says whether a text or a picture is chosen
	seen    *canvas.Image // the chosen picture
	text    *kit.Marked
	lines   *kit.Rows
	brief   *brief // in the place of lines where these are too low
	foot    *panel.Explained
	doubt   *kit.Paragraph // how far the labels of that text can be trusted
	other   *kit.Paragraph // that it can have another label
	filter  *filter
	search  *kit.Entry      // for words of the texts
	nothing *kit.Paragraph  // that none has these
	order   *kit.Choice     // of the rows
	undo    *kit.TextButton // takes back what a person gave the text
	equal   *kit.TextButton // gives that also to the texts that say the same

	chosen func(i int)                    // a person chose the row of text i
	copy   func(i int)                    // a person wants the text elsewhere
	learn  func()                         // labels are to learn from those given by hand
	given  func(some []int, was []string) // a person gave these texts another label; was: the one given to each before, or ""

	of      *found
	rowsOf  []int   // the texts that have a row
	at      int     // the text that is shown
	list    []line  // of that text
	low     bool    // the card of that text is low
	briefed bool    // brief has that list
	none    bool    // no label fits that text well, and its bars are grey
	nums    float32 // width of the highest number
	digits  float32 // width of the key that gives a label
}

// newResults shows nothing yet. What is offered below the result stands in the place of its last line, so that no row
// moves under the pointer when it comes.
func newResults(k *kit.Keyboard, offer *kit.Notice) *results {
	r := &results{chosen: func(int) {}, copy: func(int) {}, learn: func() {}, given: func([]int, []string) {}, title: kit.NewSection(""), meaning: kit.NewParagraph("", kit.ColorMuted), shown: kit.NewSection(""), text: kit.NewMarked(), seen: textlist.NewThumb()}
	r.title.Whole = true
	r.rows = kit.NewRows(k, r.count, func() fyne.CanvasObject { return newRow(&r.nums) }, r.fill)
	r.rows.Selected = func(row int) {
		i := r.rowsOf[row]
		r.show(i)
		r.chosen(i)
	}
	r.rows.Several = r.showSeveral
	r.rows.Rune, r.rows.Typed, r.rows.Secondary = r.digit, r.takeAway, r.menu
	r.search = kit.NewSearch(k, "Search")
	r.search.OnChanged = func(words string) {
		r.filter.search(words)
		r.siftAgain()
	}
	r.search.Escape = func() bool {
		if r.search.Text == "" {
			return false
		}
		r.search.SetText("")
		return true
	}
	r.nothing = kit.NewParagraph("No text here has these words.", kit.ColorMuted)
	r.order = kit.NewChoice(k, nil, func(string) { r.reorder() })
	r.order.Offer(orderNames, orderListed)
	r.filter = newFilter(k)
	r.filter.changed = r.siftAgain
	r.lines = kit.NewRows(k, func() int { return len(r.list) }, func() fyne.CanvasObject { return newRow(&r.digits) }, r.fillLine)
	r.lines.Passive = func(int) bool { return r.of == nil || !r.of.mayGive() }
	r.lines.Clicked = func(k int) { r.give(r.list[k].name) }
	r.lines.Opened = r.lines.Clicked
	r.lines.Rune, r.lines.Typed = r.digit, r.takeAway
	r.brief = newBrief(k, func(name string) {
		if r.of.own[r.at] == name { // there is no room for a button
			name = ""
		}
		r.give(name)
	})
	r.other = kit.NewParagraph("", kit.ColorMuted).Small()
	r.undo = kit.NewTextButton(k, "Undo", func() { r.give("") })
	r.equal = kit.NewTextButton(k, "", r.giveEquals)
	r.equal.Color = kit.ColorAccent
	r.equal.Hide()
	r.doubt = kit.NewParagraph("", theme.ColorNameForeground)
	r.foot = panel.NewExplained(k, kit.GapSmall, detailsHeight, func() { r.view.Refresh() })
	all := kit.Card(kit.ByHeight(kit.Bordered(kit.GapSmall, kit.Column(kit.GapSmall, container.NewBorder(nil, nil, r.title, r.order, r.search), r.meaning.Flat, r.filter.chips), container.NewStack(r.rows, r.nothing.Flat), nil), r.filter.fit))
	room := &kit.Capped{Most: textHeight}
	whole := container.New(room, container.NewVScroll(r.text.Flat))
	head := kit.Column(kit.GapSmall, r.shown, container.NewBorder(nil, nil, r.seen, nil, whole), container.NewBorder(nil, nil, nil, container.NewCenter(r.undo), r.doubt.Flat))
	one := kit.Card(kit.ByHeight(kit.Bordered(kit.Gap, head, container.NewStack(r.lines, r.brief.view), kit.Column(kit.GapSmall, r.equal, r.other.Flat)), func(height float32) {
		room.Most = min(textHeight, max(leastText, height*textShare))
		r.low = height < lowCard
		kit.Show(r.brief.view, r.low)
		kit.Show(r.lines, !r.low)
		kit.Show(r.other.Flat, !r.low && r.other.Segment.Text != "")
		r.showEquals()
		r.showBrief()
		r.showDoubt()
	}))
	r.view = kit.ByHeight(kit.Bordered(kit.Gap, nil, container.New(&halves{}, all, one), container.New(&below{func() bool { return r.of.mayLearn() }}, kit.Inset(r.foot.View, 2, 4), offer.View)), func(height float32) {
		r.foot.Room.Most = min(detailsHeight, max(leastText, height*detailsShare))
		kit.Show(r.title, height >= lowResults)
		kit.Show(r.shown, height >= lowResults)
		kit.Show(r.meaning.Flat, height >= lowResults)
	})
	r.view.Hide()
	return r
}

func (r *results) count() int { return len(r.rowsOf) }

// set shows what a run found, with its first text chosen; same: it was asked what the one before was, and
// the filter stays.
func (r *results) set(f *found, same bool) {
	r.of, r.rowsOf, r.at, r.list = f, nil, -1, nil // what is laid out before the end must not ask for texts of the result before
	r.nums = textlist.NumberWidth(len(f.lines))
	if r.digits = 0; f.mayGive() {
		r.digits = fyne.MeasureText("0", kit.TextSmall, fyne.TextStyle{}).Width
	}
	r.title.Set(f.title())
	r.meaning.Set(f.meaning())
	r.foot.Set(f.facts(), f.remarks(), strings.TrimSpace(f.meaning()+" "+f.details()))
	r.view.Show()
	if !same {
		r.filter.name = ""
		if r.search.Text != "" {
			r.search.SetText("")
		}
	}
	r.filter.set(f)
	r.sift()
}

// sift shows the rows that the filter lets through, and all of the first of them.
func (r *results) sift() {
	r.rowsOf = r.of.ordered(r.of.having(r.search.Text, r.filter.of(len(r.of.lines))), max(0, r.order.SelectedIndex()))
	kit.Show(r.nothing.Flat, len(r.rowsOf) == 0)
	r.rows.ChooseAlso(nil)
	r.rows.Scroll.ScrollToTop()
	r.rows.Refresh()
	if len(r.rowsOf) == 0 {
		r.showNone()
		return
	}
	r.rows.Choose(0)
	r.show(r.rowsOf[0])
}

// showNone shows no text: no row is left.
func (r *results) showNone() {
	r.at, r.list, r.none, r.briefed = -1, nil, false, false
	r.rows.Choose(-1)
	r.shown.Set("")
	r.text.Set("", nil)
	r.doubt.Set("")
	r.other.Set("")
	r.showDoubt()
	kit.Show(r.other.Flat, false)
	r.showEquals()
	r.lines.Current = -1
	r.showBrief()
	textlist.SetThumb(r.seen, nil, r.view)
	r.lines.Refresh()
	r.view.Refresh()
}

// choose shows text i and marks its row, if it has one now.
func (r *results) choose(i int) {
	r.rows.Choose(slices.Index(r.rowsOf, i))
	r.show(i)
}

// show shows all of text i.
func (r *results) show(i int) {
	r.at = i
	r.list, r.none = r.of.bars(i), r.of.verdict(i) == texts.Outside
	kind := "text"
	if r.of.small[i] != nil {
		kind = "picture"
	}
	r.shown.Set("This " + kind)
	r.text.Set(r.of.lines[i], r.of.marks(i))
	r.doubt.Set(r.of.doubt(i))
	own, given := r.of.own[i]
	r.showDoubt()
	r.lines.Current = -1
	if given {
		r.lines.Current = slices.IndexFunc(r.list, func(l line) bool { return l.name == own })
	}
	r.sayOther(kind)
	kit.Show(r.other.Flat, r.of.mayGive() && !r.low)
	r.showEquals()
	r.briefed = false
	r.showBrief()
	textlist.SetThumb(r.seen, r.of.small[i], r.view)
	r.seen.SetMinSize(fyne.NewSquareSize(textHeight))
	r.lines.Scroll.ScrollToTop()
	r.lines.Refresh()
	r.view.Refresh()
}

// showBrief lists what was found in the text side by side, where that is in view.
func (r *results) showBrief() {
	if r.low && !r.briefed && r.of != nil {
		r.briefed = true
		marked := r.lines.Current
		if marked < 0 && !r.none && !r.of.byHand(r.at) && len(r.list) > 0 {
			marked = max(0, slices.IndexFunc(r.list, func(l line) bool { return slices.Contains(r.of.labelsOf(r.at), l.name) }))
		}
		said := "" // beside the labels: below each other, there would be no room for these
		if r.none && !r.of.byHand(r.at) {
			said = "None fits well:"
		}
		r.brief.set(said, r.list, marked, r.of.mayGive())
	}
}

// showDoubt shows how far the labels of the text can be trusted. Where the card is low, its row says enough.
func (r *results) showDoubt() {
	given := r.of != nil && r.of.byHand(r.at)
	kit.Show(r.undo, given && !r.low)
	kit.Show(r.doubt.Flat, r.doubt.Segment.Text != "" && !r.low)
}

// give gives the text that is shown a label by hand, and the others that are chosen with it; "": that of the model
// again. Their rows stay in view, even where the filter would not let them through any more.
func (r *results) give(name string) {
	r.giveTo(r.chosenTexts(), name)
}

// giveTo gives some texts a label by hand, or takes theirs away.
func (r *results) giveTo(list []int, name string) {
	var some []int
	var before []string
	for _, i := range list {
		was := r.of.own[i]
		if r.of.take(i, name); r.of.own[i] != was {
			some, before = append(some, i), append(before, was)
		}
	}
	if len(some) > 0 {
		r.showGiven()
		r.given(some, before)
	}
}

// chosenTexts are the text that is shown, and the others whose rows are chosen with its own.
func (r *results) chosenTexts() []int {
	rows := r.rows.Chosen()
	if r.at < 0 {
		return nil
	}
	if len(rows) < 2 {
		return []int{r.at}
	}
	list := make([]int, len(rows))
	for k, row := range rows {
		list[k] = r.rowsOf[row]
	}
	return list
}

// showSeveral follows a choice of several rows: the last one is shown, and a label goes to all of them.
func (r *results) showSeveral() {
	if row := r.rows.Current; row >= 0 && row < len(r.rowsOf) {
		r.show(r.rowsOf[row])
		r.chosen(r.rowsOf[row])
	}
}

// showGiven shows the labels as they are given now.
func (r *results) showGiven() {
	r.filter.set(r.of)
	r.rows.Refresh()
	if r.at >= 0 {
		r.show(r.at)
	}
}
