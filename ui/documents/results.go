package documents

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/documents/shape"
	"inglenook/ui/excerpt"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// excerptReach is about how many bytes of a passage are seen in an excerpt.
const excerptReach = 140

// excerptLines is how much of a passage is shown among the results.
const excerptLines = 3

// results lists the passages that were found, those of a file together.
type results struct {
	*session
	view  *fyne.Container
	rows  *kit.Rows
	shown string // the query whose passages are in the list
	hint  *kit.Hint
	stop  *kit.Button // ends the search under way
	works *work       // says over what was found that more is done
	wider *kit.Button // clears the filter that left nothing
	facts *kit.Line
	told  *kit.Told // with that
	notes *kit.Paragraph
	newer *kit.Button // searches again, where files were read since

	entries    []entry         // the rows
	height     float32         // of the list
	ofFile     int             // how many passages of each file are listed unasked
	unfolded   map[string]bool // files of which all passages are listed
	unfoldedAt time.Time       // when the last of them was

	far      *kit.Paragraph  // that nothing found is close
	likeness *fyne.Container // what the passages are like
	alike    *kit.Line
	back     *kit.Button

	examples *examples
	send     *kit.TextButton             // to Rerank
	read     func()                      // gives the viewer the keyboard
	openDoc  func(path string, page int) // in its app
}

func newResults(s *session) *results {
	r := &results{session: s, hint: kit.NewHint(theme.SearchIcon()), facts: kit.NewCaption(""), notes: kit.NewParagraph("", theme.ColorNameWarning).Small(), unfolded: map[string]bool{}}
	r.rows = kit.NewRows(s.Keys, func() int { return len(r.entries) }, newHitRow, r.fill)
	r.rows.Low, r.rows.LowHeight, r.rows.Passive = r.isLow, lowHeight, r.isFile
	r.rows.Secondary = r.menu
	r.rows.Selected, r.rows.Clicked, r.rows.Opened = r.mark, r.click, r.enterRow
	r.alike = kit.NewLine("", kit.TextBody, theme.ColorNameForeground)
	r.alike.Style.Bold = true
	r.back = kit.NewQuietButton(s.Keys, "Back", theme.NavigateBackIcon(), func() {
		if s.led && !s.listed {
			s.GoTo(s.ledFrom)
			return
		}
		s.search()
	})
	r.likeness = container.NewBorder(nil, nil, nil, r.back, kit.NewTold(s.Keys, r.alike))
	r.send = kit.NewTextButton(s.Keys, "Open in Rerank…", r.sendToRerank)
	r.stop = kit.NewButton(s.Keys, "Stop", theme.MediaStopIcon(), s.stopSearch)
	r.works = newWork(s)
	r.wider = kit.NewButton(s.Keys, "Clear filter", theme.ContentClearIcon(), s.clearFilter)
	r.told = kit.NewTold(s.Keys, r.facts)
	facts := container.NewBorder(nil, nil, nil, r.send, r.told)
	r.far = kit.NewParagraph(documents.AboutFar, theme.ColorNameForeground)
	r.examples = newExamples(s)
	r.newer = kit.NewQuietButton(s.Keys, "Files were read since. Search again", theme.ViewRefreshIcon(), s.again)
	r.newer.Alignment = widget.ButtonAlignLeading
	foot := kit.Column(2, r.newer, facts, r.notes.Flat)
	r.view = kit.Card(kit.Bordered(kit.GapSmall, kit.Column(kit.GapSmall, r.likeness, r.works.view, r.far.Flat), kit.ByHeight(container.NewStack(r.rows, r.hint.View), r.fit), kit.Column(kit.GapSmall, container.NewCenter(r.stop), container.NewCenter(r.wider), r.examples.view, foot)))
	return r
}

// mark follows the arrow keys: a document opens beside the list, but does not take its place.
func (r *results) mark(i int) {
	if hit := r.at(i).hit; !r.alone && hit >= 0 {
		r.pick(hit)
	}
}

// menu offers what can be done with a passage, or with the best one of a file.
func (r *results) menu(i int, at fyne.Position) {
	c := fyne.CurrentApp().Driver().CanvasForObject(r.rows)
	hit := max(r.at(i).hit, r.at(i).file)
	if c == nil || r.isMore(i) || r.isNext(i) || i >= len(r.entries) || hit < 0 || hit >= len(r.found) {
		return
	}
	kit.ShowMenu(r.Keys, c, r.offers(r.found[hit], r.openDoc), at, 0)
}

// enter gives the list the keyboard, with one of its passages marked.
func (r *results) enter() {
	if r.rows.Current < 0 {
		r.rows.Choose(r.rowOf(0))
	}
	r.Focus(r.rows)
}

// sendToRerank has the passages ranked in a room of its own, by the question that found
// them, or by the passage that they are like.
func (r *results) sendToRerank() {
	found := slices.Clone(r.found) // those of a file stand together there, and here the best one is first
	slices.SortStableFunc(found, func(a, b hit) int { return cmp.Compare(b.result.Score, a.result.Score) })
	some := make([]panel.Sent, len(found))
	for i, h := range found {
		some[i] = panel.Sent{Text: sentOf(h.result), From: sourceOf(h)}
	}
	question := r.of.query
	if r.like != nil {
		question = strings.Join(strings.Fields(sentOf(r.like.result)), " ")
	}
	r.RankTexts(question, some)
}

// sourceOf is where a passage stands, for a room that shows it without its document.
func sourceOf(h hit) base.Source {
	r := h.result
	return base.Source{File: h.file.File.Path, Place: spot(r), Collection: r.Collection, Written: r.Text, Start: r.Start, Page: r.Page, Line: r.Line, BestFrom: r.Best.Start, BestTo: r.Best.End}
}

// newHitRow is a row: a passage below the name of its file, and in its place that name or a line.
func newHitRow() fyne.CanvasObject {
	edge := &canvas.Rectangle{CornerRadius: 1}
	edge.SetMinSize(fyne.NewSize(2, 0))
	text := kit.Inset(kit.Column(2, kit.NewCaption(""), excerpt.New(excerptLines)), 0, 8)
	passage := kit.Inset(container.NewBorder(nil, nil, edge, nil, text), 5, 8)

	name := kit.NewLine("", kit.TextBody, theme.ColorNameForeground)
	name.Style.Bold = true
	count := kit.NewCaption("")
	count.Whole = true
	file := container.NewBorder(nil, nil, widget.NewIcon(kit.Colored(theme.DocumentIcon(), kit.ColorMuted)), container.NewCenter(count), name)

	more := kit.NewLine("", kit.TextBody, kit.ColorAccent)
	more.Style.Bold = true
	icon := widget.NewIcon(kit.Colored(theme.MenuDropDownIcon(), kit.ColorAccent))
	return container.NewStack(passage, kit.Inset(file, 0, 8), kit.Inset(container.NewBorder(nil, nil, icon, nil, more), 0, 16))
}

func (r *results) fill(i int, o fyne.CanvasObject) {
	kinds := o.(*fyne.Container).Objects
	kit.Show(kinds[0], !r.isLow(i))
	kit.Show(kinds[1], r.isFile(i))
	kit.Show(kinds[2], r.isMore(i) || r.isNext(i))
	inner := func(kind int) []fyne.CanvasObject { // a border keeps its centre first
		return kinds[kind].(*fyne.Container).Objects[0].(*fyne.Container).Objects
	}
	e := r.entries[i]
	switch {
	case r.isFile(i):
		r.fillFile(r.found[e.file], e.all, inner(1))
	case r.isNext(i):
		inner(2)[0].(*kit.Line).Set(nextText)
	case r.isMore(i):
		inner(2)[0].(*kit.Line).Set(moreText(e.more))
	default:
		parts := inner(0)
		parts[1].(*canvas.Rectangle).FillColor = kit.Themed(kit.ColorLine)
		r.fillPassage(r.found[e.hit], parts[0].(*fyne.Container).Objects[0].(*fyne.Container).Objects)
	}
}

// fillFile names a file of which so many passages were found; h is the first of them.
func (r *results) fillFile(h hit, passages int, parts []fyne.CanvasObject) {
	parts[0].(*kit.Line).Color = r.colour()
	parts[0].(*kit.Line).Set(nameOf(h.file.File))
	count := ""
	if passages > 1 {
		count = kit.Count(passages, "passage")
	}
	parts[2].(*fyne.Container).Objects[0].(*kit.Line).Set(count)
}

// colour is that of what was found: what nothing is close to stands back, and so does what another search may replace.
func (r *results) colour() fyne.ThemeColorName {
	if r.result.Far || r.slow && !r.early {
		return kit.ColorMuted
	}
	return theme.ColorNameForeground
}

func (r *results) fillPassage(h hit, parts []fyne.CanvasObject) {
	place := placeOf(h.result, alsoIn(h), sameText(h.result))
	parts[0].(*kit.Line).Set(place)
	kit.Show(parts[0], place != "")
	shows := parts[1].(*excerpt.Excerpt)
	shows.Colour, shows.Code = r.colour(), documents.IsCode(h.file.File.Format)
	shows.Set(excerptOf(h.result, h.file.File.Format))
}

// excerptOf is the part of a passage that answers best, as people read it, with its words
// marked. format is that of its file.
func excerptOf(r documents.Result, format string) (string, [][2]int) {
	from := 0
	if b := r.Best; b.End > b.Start && b.End <= len(r.Text) {
		from = b.Start
	}
	// Rows of a table and lines of code are no sentences: the line that holds a word
	// that was searched for says more than the first one.
	table := slices.Contains(documents.TableFormats, format)
	if table {
		from = r.MarkedAs(format).Start
	}
	for _, m := range r.Matches {
		if m.Start >= from && m.End <= len(r.Text) && (table || !r.Pinpointed) {
			if line := strings.LastIndexByte(r.Text[:m.Start], '\n') + 1; m.Start > from+excerptReach && !table {
				from = line
			}
			break
		}
	}
	read := legibleOf(r.Text, format, shape.Header(r.Context))
	start := read.at[from]
	if line := strings.LastIndexByte(read.text[:start], '\n') + 1; strings.Contains(read.text[line:start], betweenCells) || format == "csv" || documents.IsCode(format) {
		start = line // a row is read from its first cell, and code from the indent of its line
		if marks := read.marks(r.Matches, line); table && len(marks) > 0 && marks[0][0] > excerptReach {
			if cell := strings.LastIndex(read.text[line:line+marks[0][0]], betweenCells); cell > 0 {
				return fromCell(read, r.Matches, line, line+cell+len(betweenCells))
			}
		}
	}
	if below := r.HeadingsAt(r.Best.Start); len(below) > 0 && !table { // the last stands over the excerpt already
		start += headed(read.text[start:], below[len(below)-1])
	}
	return strings.TrimRight(read.text[start:], " \n"), read.marks(r.Matches, start)
}

// fromCell is a row without the cells between its first one and the cell at byte at: they would keep that one out of
// sight. The first cell tells which row it is.
func fromCell(read legible, matches []documents.Span, line, at int) (string, [][2]int) {
	first, _, _ := strings.Cut(read.text[line:at], betweenCells)
	first = kit.Brief(first) + " … "
	marks := read.marks(matches, at)
	for i := range marks {
		marks[i][0] += len(first)
		marks[i][1] += len(first)
	}
	return first + strings.TrimRight(read.text[at:], " \n"), marks
}

// headed is how many bytes of a text are its first line, where that is a heading and others follow.
func headed(text, heading string) int {
	line, rest, more := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	first := strings.Join(strings.Fields(line), " ")
	if !more || strings.TrimSpace(rest) == "" || first == "" || !strings.HasSuffix(heading, first) {
		return 0
	}
	return strings.Index(text, line) + len(line) + len(rest) - len(strings.TrimLeft(rest, "\n")) + 1
}

// refresh shows what was found.
func (r *results) refresh() {
	anew := r.shown != r.of.query
	if anew {
		r.shown = r.of.query
		r.unfolded = map[string]bool{}
	}
	r.arrange() // before any row is drawn, of what was found before
	some := len(r.found) > 0 && !r.late
	kit.Show(r.rows, some)
	kit.Show(r.told, some && !r.led)
	kit.Show(r.send, some && !r.led)
	kit.Show(r.stop, r.late)
	r.works.refresh(some)
	kit.Show(r.newer, some && r.stale)
	nothing := r.of.query != "" && !some && !r.busy && !r.late && !r.ended
	kit.Show(r.wider, nothing && r.narrow != (filtered{}) && r.result.Searched.Passages > 0)
	r.notes.Set(strings.Join(r.remarks(), "\n"))
	kit.Show(r.notes.Flat, r.notes.Segment.Text != "")
	kit.Show(r.likeness, r.like != nil || r.led)
	kit.Show(r.far.Flat, some && r.result.Far)
	r.examples.refresh()
	back := "Back"
	switch {
	case r.listed:
		r.alike.Set("From the list of files")
	case r.led:
		r.alike.Set("From your chat")
		back = "Back to the chat"
		if r.ledFrom == panel.Rerank {
			r.alike.Set("From Rerank")
			back = "Back to Rerank"
		}
	case r.like != nil:
		text, _ := excerptOf(r.like.result, r.like.file.File.Format)
		r.alike.Set("Like: " + text)
	}
	if r.back.Text != back {
		r.back.SetText(back)
	}
	switch {
	case r.late:
		r.hint.Say(searching(r.opening), "“"+kit.Brief(r.under.query)+"”")
	case some:
		r.hint.View.Hide()
		r.facts.Set(r.foundText() + " in " + kit.Count(len(r.result.Files), "file") + r.readBy())
	case r.busy:
		r.hint.Say(searching(r.opening), "")
	case r.ended:
		r.hint.Say("The search was stopped", "Press Enter to search again.")
	case r.of.query != "":
		r.hint.Say("Nothing found", nothingFound(r.result.Searched, r.narrow))
	case strings.TrimSpace(r.query) != "" && len(r.collections) > 0:
		r.hint.Say("What you searched for last", "Press Enter to search for it again.")
	default:
		r.hint.Say("Find a passage", "Ask a question or write some words. Put words in “quotes” to find them exactly.")
	}
	if anew {
		r.rows.Scroll.ScrollToTop()
		r.rows.Choose(-1)
	}
	r.followPicked()
	r.rows.Refresh()
	r.view.Refresh()
}

// work is a line over what was found: it says what goes on that may change it, and ends that.
type work struct {
	*session
	view *fyne.Container
	says *kit.Line
}

func newWork(s *session) *work {
	w := &work{session: s, says: kit.NewLine("", kit.TextSmall, kit.ColorAccent)}
	stop := kit.NewTextButton(s.Keys, "Stop", s.stopSearch)
	stop.Tip = "Keep what is here"
	w.view = container.NewBorder(nil, nil, nil, stop, kit.NewTold(s.Keys, w.says))
	w.view.Hide()
	return w
}

// refresh shows the line where passages are in view that may change.
func (w *work) refresh(some bool) {
	says := ""
	switch {
	case w.busy && w.slow:
		says = searching(w.opening)
	case w.reader.reads:
		says = "Reading the passages closely…"
	}
	w.says.Set(says)
	kit.Show(w.view, some && says != "")
}

// searching says what a search does that takes a while; opening: of the model that it opens.
func searching(opening base.Progress) string {
	switch {
	case opening.Stage == base.StageServer:
		return panel.WaitingFor(opening)
	case opening.Stage != "":
		return "Opening the model that searches by meaning…"
	}
	return "Searching…"
}

// foundText says how many passages were found, or that these are the best of more.
func (r *results) foundText() string {
	if n := len(r.found); r.hasMore() {
		return "The best " + kit.Count(n, "passage")
	}
	return kit.Count(len(r.found), "passage")
}

// remarks are what is to be known of what was found, a sentence each. Those about files that are
// still being read hold as long as that is so.
func (r *results) remarks() (list []string) {
	if r.late {
		return nil
	}
	switch {
	case r.early && r.busy:
		list = append(list, "Found by the words alone so far: the model that searches by meaning is being opened.")
	case r.early:
		list = append(list, "Found by the words alone: the search by meaning was stopped. Press Enter to search again.")
	}
	for _, note := range append(slices.Clone(r.result.Notes), doubts(r.result.Reranked)...) {
		list = append(list, kit.Sentence(note))
	}
	if r.of.query == "" || r.led {
		return list
	}
	for _, c := range r.collections {
		if c.Unread > 0 && (r.of.chosen == "" || r.of.chosen == c.ID) {
			list = append(list, "“"+c.Name+"”: "+c.Counts()+".")
		}
	}
	return list
}

// followPicked marks the row of the passage in view. Where it stands alone, the row that has the
// keyboard stays marked; so does one that says how many more there are.
func (r *results) followPicked() {
	row := r.rowOf(r.picked)
	stays := r.isMore(r.rows.Current) || r.isNext(r.rows.Current) || row < 0 && r.alone && r.rows.Current < len(r.entries)
	if r.rows.Current != row && !stays {
		r.rows.Choose(row)
	}
}
