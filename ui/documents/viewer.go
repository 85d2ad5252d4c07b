package documents

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/documents"
	text "inglenook/documents"
	"inglenook/markdown"
	"inglenook/ui/documents/grid"
	"inglenook/ui/kit"
	"inglenook/ui/prose"
)

// pieceLimit is the size in bytes of the longest piece that is laid out at once.
const pieceLimit = 3000

// lowDocument is the height below which the view of a document leaves out all but what is needed.
const lowDocument float32 = 300

// viewer shows a document with the passage that was found in it.
type viewer struct {
	*session
	view  *fyne.Container
	body  *fyne.Container
	title *kit.Line
	place *kit.Line
	why   *kit.Line
	told  [2]*kit.Told // place and why
	notes *kit.Paragraph
	list  *kit.List
	page  *pageView
	hint  *kit.Hint
	locks *kit.Button // asks for the password of a locked file
	back  *kit.Button
	acts  []*kit.Button

	unlock    func(documents.Collection, documents.File) // asks for a password
	searchFor func(words string)                         // in the documents

	ofPassage []*kit.Button // acts that mean nothing for a whole document

	find  *finding
	table *tableView

	pieces []piece
	texts  map[int64]*prose.Text
	of     int64            // id of the passage whose document is shown
	laid   documents.Opened // what pieces are of, also while another document is opened
	sought hit              // the passage in it
}

// piece is a part of a document that is laid out alone.
type piece struct {
	start, end int
	kind       kindOf
	page       int    // where it is the first piece of its page; 0: it is not
	found      bool   // it holds a part of the passage
	row        bool   // of a table
	header     string // of a row of a table: the row that names the columns

	names   text.Block   // of a table: the row that names the columns
	rows    []text.Block // and the others; nil: it is none
	columns int          // of a table

	as   grid.Kind // of a document that is shown as a table
	sign string    // between the cells of that; "": it is not shown so
}

// kindOf is how a piece is set.
type kindOf int

const (
	plain kindOf = iota
	title
	code
	table
)

func newViewer(s *session, openFile func(path string, page int), back func()) *viewer {
	v := &viewer{session: s, title: kit.NewSection(""), place: kit.NewCaption(""), why: kit.NewCaption(""), texts: map[int64]*prose.Text{}}
	v.title.Whole = false
	v.told = [2]*kit.Told{kit.NewTold(s.Keys, v.place), kit.NewTold(s.Keys, v.why)}
	v.notes = kit.NewParagraph("", theme.ColorNameWarning).Small()
	v.hint = kit.NewHint(theme.DocumentIcon())
	v.locks = kit.NewButton(s.Keys, "Password…", theme.LoginIcon(), v.askPassword)
	v.hint.Offer(v.locks)
	v.list = kit.NewList(s.Keys, kit.ListRows{
		Length: func() int { return len(v.pieces) }, ID: func(i int) int64 { return int64(i) }, Create: v.create,
		Drop: func(id int64) { delete(v.texts, id) }, Guess: v.guess, Seen: v.seen,
	})
	open := kit.NewQuietButton(s.Keys, "Open", theme.FileIcon(), func() {
		if h, ok := s.hit(); ok {
			openFile(h.file.File.Path, v.pageInView(h))
		}
	})
	open.Tip = "Open in its app"
	ask := kit.NewQuietButton(s.Keys, "Ask in Chat", theme.MailComposeIcon(), v.askAbout)
	ask.Tip = "Ask a model about this passage"
	quote := kit.NewQuietButton(s.Keys, "Copy with source", theme.ContentCopyIcon(), v.copy)
	like := kit.NewQuietButton(s.Keys, "More like this", theme.SearchIcon(), s.moreLike)
	v.page = newPageView(s, func() fyne.CanvasObject { return v.view })
	v.page.turned = v.goToPage
	v.back = kit.NewQuietButton(s.Keys, "Results", theme.NavigateBackIcon(), back)
	v.acts, v.ofPassage = []*kit.Button{open}, []*kit.Button{like, quote, ask}
	v.table = newTableView(v)
	v.find = newFinding(v)
	v.acts = append(v.acts, v.find.open)
	acts := container.New(&kit.Wrap{}, like, quote, ask, open)
	v.find.turned = func(on bool) { kit.Show(acts, !on) } // where there is little height, a line more of the text counts
	head := kit.Column(2, container.NewBorder(nil, nil, v.back, v.find.open, kit.NewTold(s.Keys, v.title)), v.told[0], acts, v.find.View)
	frame := &canvas.Rectangle{StrokeWidth: 2, CornerRadius: 6} // the text has the keyboard
	frame.Hide()
	has := func(keyboard bool) {
		frame.StrokeColor = kit.Themed(theme.ColorNamePrimary)
		kit.Show(frame, keyboard)
	}
	v.list.Has, v.table.grid.Has = has, has
	v.body = container.New(besideLayout{}, container.NewStack(v.list, v.table.view, frame, v.hint.View), v.page.view)
	v.view = kit.Card(kit.ByHeight(kit.Bordered(kit.GapSmall, kit.Column(kit.GapSmall, head, v.notes.Flat), v.body, v.told[1]), func(height float32) {
		kit.Show(v.told[1], height >= lowDocument)
		kit.Show(v.told[0], height >= lowDocument && v.place.Text != "")
	}))
	return v
}

// copy puts what answers on the clipboard, with its source.
func (v *viewer) copy() {
	if h, ok := v.hit(); ok {
		v.copied(quotation(h), "Copied what answers with its source.")
	}
}

// askAbout asks a model about the passage in view.
func (v *viewer) askAbout() {
	if h, ok := v.hit(); ok {
		v.session.askAbout(h)
	}
}

// offersOf is what can be done with what is selected in a piece, or with all of it.
func (v *viewer) offersOf(selected string, p piece) []*fyne.MenuItem {
	name, about := nameOf(v.sought.file.File), "Ask about this in Chat"
	search := fyne.NewMenuItem("Search for this", func() { v.searchFor(strings.Join(strings.Fields(selected), " ")) })
	if search.Disabled = selected == ""; search.Disabled {
		selected, about = strings.TrimSpace(shownText(v.laid, p)), "Ask about this paragraph in Chat"
	}
	return []*fyne.MenuItem{search, fyne.NewMenuItem(about, func() { v.AskAbout(name, selected, "") })}
}

// askPassword asks for the password of the file in view.
func (v *viewer) askPassword() {
	h, ok := v.hit()
	i := slices.IndexFunc(v.collections, func(c documents.Collection) bool { return c.ID == h.result.Collection })
	if ok && i >= 0 {
		v.unlock(v.collections[i], h.file.File)
	}
}

// refresh shows the document of the picked passage.
func (v *viewer) refresh() {
	h, ok := v.hit()
	for _, b := range v.acts {
		kit.Show(b, ok)
	}
	for _, b := range v.ofPassage {
		kit.Show(b, ok && !v.listed)
	}
	leftOut := ok && documents.LeftOut(h.file.File)
	kit.Show(v.locks, leftOut && locked(h.file.File))
	if leftOut {
		kit.Show(v.find.open, false)
	}
	v.showText(ok && v.shows)
	v.showPage(h, ok)
	if !ok {
		v.find.close()
		v.title.Set("")
		v.place.Set("")
		v.why.Set("")
		v.of = 0
		v.say("", nil)
		v.hint.Say("The document", "Choose a passage that was found, and its document opens here.")
		v.view.Refresh()
		return
	}
	v.title.Set(nameOf(h.file.File))
	v.place.Set(placeOf(h.result))
	kit.Show(v.told[0], v.place.Text != "")
	why := whyOf(h.result)
	if v.late { // of another question
		why = ""
	}
	v.why.Set(why)
	if leftOut {
		v.say("", nil)
		v.hint.Say(nameOf(h.file.File)+" is not searched", kit.Sentence(h.file.File.Reason))
		v.view.Refresh()
		return
	}
	if !v.shows {
		v.say("", nil)
		v.hint.Say("Reading "+nameOf(h.file.File)+"…", "A long file takes some seconds.")
		v.view.Refresh()
		return
	}
	v.hint.View.Hide()
	changed := ""
	switch p := v.opened.Passage; {
	case p.End <= p.Start && h.result.Text != "":
		changed = "The passage is no longer in this file; it has changed since. "
	case v.opened.Changed:
		changed = "The file has changed since it was read. "
	}
	if v.result.Far {
		changed = "Nothing closely matches your question. This is one of the nearest passages. " + changed
	}
	if v.late {
		changed = "This was found for the question before. " + changed
	}
	v.say(changed, v.opened.Document.Notes)
	switch {
	case v.of != h.result.ID:
		v.of = h.result.ID
		v.lay()
		v.showText(true)
	case v.sought.result.Best != h.result.Best: // it is known only now
		if v.page.path != "" && v.page.page == v.sought.result.Page { // the person has turned no page
			v.page.open(h.file.File.Path, h.result.Page, v.opened.Document.Pages)
		}
		v.sought = h
		v.find.mark()
	}
	v.view.Refresh()
}

// showText shows the text of the document or hides it, as lines or as a table.
func (v *viewer) showText(on bool) {
	kit.Show(v.list, on && !v.table.shows)
	kit.Show(v.table.view, on && v.table.shows)
}

// reads is what shows the text, and gets the keyboard.
func (v *viewer) reads() fyne.Focusable {
	if v.table.shows {
		return v.table.grid
	}
	return v.list
}

// showPage shows the page of the passage as it looks, where it has one.
func (v *viewer) showPage(h hit, ok bool) {
	if ok && !v.shows && v.page.path == h.file.File.Path {
		return // it stays until the passage is there
	}
	if !ok || !v.shows || v.opened.Document.Format != "pdf" || h.result.Page == 0 || !v.library.ShowsPages() {
		v.page.open("", 0, 0)
		return
	}
	if v.of != h.result.ID { // else the person may have turned pages
		v.page.open(h.file.File.Path, h.result.Page, v.opened.Document.Pages)
	}
}

// pageInView is the page that a person sees, of a passage that was found; 0: the document has none.
func (v *viewer) pageInView(h hit) int {
	if v.page.path == h.file.File.Path && v.page.page > 0 {
		return v.page.page
	}
	return h.result.Page
}

// makeRoom lays text and picture out again. The passage stays in view.
func (v *viewer) makeRoom() {
	v.body.Refresh()
	if v.list.Current >= 0 && !v.table.shows {
		v.list.Choose(v.list.Current)
	}
}

// goToPage brings the text of a page into view.
func (v *viewer) goToPage(page int) {
	if i := slices.IndexFunc(v.pieces, func(p piece) bool { return p.page == page }); i >= 0 {
		v.list.Choose(i)
	}
}

// say shows what is to be known about the document.
func (v *viewer) say(first string, notes []string) {
	all := strings.TrimSpace(first + strings.Join(notes, " "))
	v.notes.Set(all)
	kit.Show(v.notes.Flat, all != "")
}

// lay cuts the document into pieces and goes to the passage.
func (v *viewer) lay() {
	v.pieces = nil
	v.list.Reset() // a hidden list is laid out too, and has no rows of a table
	v.laid = v.opened
	v.sought, _ = v.hit()
	if v.table.lay(); v.table.shows {
		if v.find.laidOut(); v.best() >= 0 {
			v.table.goTo(v.best(), true)
		}
		return
	}
	v.pieces = cut(v.laid)
	v.list.Reset()
	v.list.Stick = false
	defer v.find.laidOut()
	if i := v.best(); i >= 0 {
		v.list.Choose(i)
		return
	}
	if len(v.pieces) > 0 {
		v.list.Choose(0)
	}
	if h, ok := v.hit(); ok && h.result.Page > 1 {
		v.goToPage(h.result.Page)
	}
}

// best is the piece that holds the best sentence of the passage, or of rows of a table the one with
// most of the words that were searched for; -1: the passage is not in the document any more.
func (v *viewer) best() int {
	if i := v.bestRow(); i >= 0 {
		return i
	}
	at := v.laid.Passage.Start + v.sought.result.Best.Start
	if i := slices.IndexFunc(v.pieces, func(p piece) bool { return p.found && p.start <= at && at < p.end }); i >= 0 {
		return i
	}
	return slices.IndexFunc(v.pieces, func(p piece) bool { return p.found })
}

// unchanged reports whether the passage still has the length with which it was found.
func (v *viewer) unchanged() bool {
	return v.laid.Passage.End-v.laid.Passage.Start == len(v.sought.result.Text)
}

// matches are the words of the search in the passage, as bytes of the document.
func (v *viewer) matches() (list []documents.Span) {
	if !v.unchanged() {
		return nil
	}
	start := v.laid.Passage.Start
	for _, m := range v.sought.result.Matches {
		list = append(list, documents.Span{Start: start + m.Start, End: start + m.End})
	}
	return list
}

// bestIn is where the best sentence of the passage is in a piece as it is shown; nil: it is not there, or
// is all of the passage. Rows of a table and code are no sentences.
func (v *viewer) bestIn(p piece) [][2]int {
	b, passage := v.sought.result.Best, v.laid.Passage
	whole := len(strings.TrimSpace(v.sought.result.Text)) <= b.End-b.Start
	if !p.found || p.row || p.kind != plain || b.End <= b.Start || whole || !v.unchanged() {
		return nil
	}
	shown, at, end := shownLegible(v.laid, p)
	from, to := max(passage.Start+b.Start, at), min(passage.Start+b.End, end)
	if from >= to {
		return nil
	}
	return shown.marks([]documents.Span{{Start: from - at, End: to - at}}, 0)
}

// bestRow is the row of a table in the passage that has most of the words; -1: there is none.
func (v *viewer) bestRow() int {
	best, most := -1, 0
	for i, p := range v.pieces {
		if !p.found || !p.row {
			continue
		}
		n := 0
		for _, m := range v.sought.result.Matches {
			if at := v.laid.Passage.Start + m.Start; p.start <= at && at < p.end {
				n += m.End - m.Start
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}

// cut makes pieces of a document: its blocks, long ones in parts, cut again where the
// passage begins and ends.
func cut(o documents.Opened) (list []piece) {
	page, header := 0, ""
	blocks := o.Document.Blocks
	for i := 0; i < len(blocks); {
		b := blocks[i]
		if pieces, next := tableAt(o, i); len(pieces) > 0 {
			if b.Page != page {
				page, pieces[0].page = b.Page, b.Page
			}
			list, i = append(list, pieces...), next
			continue
		}
		i++
		kind := plain
		switch {
		case b.Kind == text.TableHeader:
			header = o.Document.Text[b.Start:b.End]
		case b.Kind == text.Heading:
			kind = title
		case b.Kind == text.Code:
			kind = code
		}
		for at := b.Start; at < b.End; {
			end := cutAt(o.Document.Text, at, min(b.End, at+pieceLimit), b.End)
			for _, edge := range []int{o.Passage.Start, o.Passage.End} {
				if kind == plain && at < edge && edge < end {
					end = edge
				}
			}
			p := piece{start: at, end: end, kind: kind, found: at < o.Passage.End && o.Passage.Start < end}
			if b.Kind == text.TableRow {
				p.row, p.header = true, strings.TrimSpace(header)
			}
			if b.Page != page {
				page, p.page = b.Page, b.Page
			}
			if strings.TrimSpace(o.Document.Text[at:end]) != "" {
				list = append(list, p)
			}
			at = end
		}
	}
	return list
}

// cutAt moves the end of a piece back to where a line or a word ends.
func cutAt(written string, start, end, whole int) int {
	if end == whole {
		return end
	}
	if at := strings.LastIndexByte(written[start:end], '\n'); at > 0 {
		return start + at + 1
	}
	if at := strings.LastIndexByte(written[start:end], ' '); at > 0 {
		return start + at + 1
	}
	for end > start+1 && written[end]&0xC0 == 0x80 { // not within a character
		end--
	}
	return end
}

// guess is about how high a piece is.
func (v *viewer) guess(i int, width float32) float32 {
	p := v.pieces[i]
	const line, letter float32 = 21, 7.2
	lines := float32(strings.Count(v.laid.Document.Text[p.start:p.end], "\n")) + float32(p.end-p.start)*letter/max(80, width)
	return (lines+1)*line + 8
}

func (v *viewer) create(i int) fyne.CanvasObject {
	p := v.pieces[i]
	set := prose.New(v.Keys, func(string) {})
	set.Do, set.Rest = v.Do, v.list.TypedKey
	set.Offers = func(selected string) []*fyne.MenuItem { return v.offersOf(selected, p) }
	set.Disable() // the document as a whole is one stop of the Tab key
	set.Set([]markdown.Block{v.block(p)})
	v.texts[int64(i)] = set
	v.find.markIn(i, set)
	var shown fyne.CanvasObject = kit.Inset(set, 4, 10)
	if p.found {
		shown = container.NewStack(kit.NewSurface(kit.ColorTint, "", 4), shown)
	}
	if p.page > 0 {
		return kit.Column(4, kit.Inset(kit.NewCaption(fmt.Sprintf("Page %d", p.page)), 4, 10), shown)
	}
	return shown
}

// shownLegible is a piece as it is shown, and what of the document it is.
func shownLegible(o documents.Opened, p piece) (shown legible, at, end int) {
	written := o.Document.Text
	at, end = p.start, p.end
	for at < end && (written[at] == '\n' || written[at] == ' ' && at > 0 && written[at-1] != '\n') {
		at++
	}
	for at < end && written[end-1] == '\n' {
		end--
	}
	return legibleOf(written[at:end], o.Document.Format, p.header), at, end
}

// shownText is the text of a piece as it is shown.
func shownText(o documents.Opened, p piece) string {
	written := o.Document.Text[p.start:p.end]
	switch {
	case p.sign != "":
		return rowText(o, p)
	case p.kind == table:
		return tableText(o, p)
	case p.kind == code:
		return withoutFences(written)
	case p.kind == title:
		return strings.TrimSpace(legibleOf(strings.TrimSpace(written), o.Document.Format, "").text)
	}
	shown, _, _ := shownLegible(o, p)
	return shown.text
}

// block sets a piece: the words that were searched for stand out in the passage.
func (v *viewer) block(p piece) markdown.Block {
	switch p.kind {
	case table:
		return v.tableBlock(p)
	case code:
		return &markdown.Code{Text: shownText(v.laid, p)}
	case title:
		return &markdown.Heading{Level: 3, Text: []markdown.Inline{markdown.Text{Text: shownText(v.laid, p)}}}
	}
	return &markdown.Paragraph{Text: v.marked(p)}
}

// marked is the text of a piece with the words of the search in bold.
func (v *viewer) marked(p piece) []markdown.Inline {
	shown, at, end := shownLegible(v.laid, p)
	var spans []documents.Span
	if p.found {
		for _, m := range v.matches() {
			if from, to := max(m.Start, at), min(m.End, end); from < to { // a sentence may begin in the piece before
				spans = append(spans, documents.Span{Start: from - at, End: to - at})
			}
		}
	}
	return shown.bold(spans)
}

// seen tells a text which part of it is in view.
func (v *viewer) seen(i int, top, bottom float32) {
	if t := v.texts[int64(i)]; t != nil {
		t.InView(top, bottom)
	}
}
