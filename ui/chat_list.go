package ui

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"inglenook/app"
)

// searchPause is how long a person pauses before what was typed is searched for.
const searchPause = 120 * time.Millisecond

// talkList is the list of conversations: all of them, those that a search found,
// or the deleted ones.
type talkList struct {
	desk
	talks  chatTalks
	open   func(id string, found int64)
	fresh  func() // begins a conversation
	menu   func(id string, at fyne.Position)
	key    func(id string, e *fyne.KeyEvent) bool
	failed func(error)
	now    func() time.Time

	view    *fyne.Container
	search  *entry
	plain   *rows // a line for each conversation, under headings
	found   *rows // two lines: the place that was found, or when it was deleted
	hint    *hint
	trash   *button
	restore *button
	back    *button

	items   []talkItem
	chosen  string // id of the conversation in view
	writing string // id of the one that is being answered
	inTrash bool
	picked  string // in the trash
	pause   *time.Timer
	asked   int // number of the last search
}

// talkItem is a row of the list: a heading or a conversation.
type talkItem struct {
	heading string
	talk    app.Summary
}

func newTalkList(d desk, talks chatTalks) *talkList {
	l := &talkList{desk: d, talks: talks, now: time.Now}
	l.search = newEntry(d.keys)
	l.search.SetPlaceHolder("Search chats")
	l.search.SetIcon(theme.SearchIcon())
	l.search.OnChanged = func(string) { l.searchSoon() }
	l.search.escape = l.endSearch
	l.search.typed = func(e *fyne.KeyEvent) bool {
		if e.Name == fyne.KeyDown && len(l.items) > 0 {
			l.focus(l.rows())
			l.rows().pick(0)
			return true
		}
		return false
	}
	l.search.submit = func() {
		if len(l.items) > 0 {
			l.rows().pick(0)
		}
	}
	l.plain = newRows(d.keys, func() int { return len(l.items) }, newTalkRow, l.fillRow)
	l.found = newRows(d.keys, func() int { return len(l.items) }, newFoundRow, l.fillFound)
	for _, r := range []*rows{l.plain, l.found} {
		r.passive = func(i int) bool { return l.items[i].heading != "" }
		r.selected = l.pick
		r.secondary = func(i int, at fyne.Position) { l.menuOf(i, at) }
		r.typed = l.typedKey
	}
	l.found.opened = func(int) {
		if l.inTrash {
			l.restorePicked()
		}
	}
	l.hint = newHint(chatIcon(colorMuted))
	begin := newButton(d.keys, "New chat", theme.ContentAddIcon(), func() { l.fresh() })
	l.trash = quiet(d.keys, "Trash", theme.DeleteIcon(), l.enterTrash)
	l.trash.Alignment = 1
	l.restore = newButton(d.keys, "Restore", theme.ContentUndoIcon(), l.restorePicked)
	l.back = quiet(d.keys, "Back to chats", theme.NavigateBackIcon(), l.leaveTrash)
	l.view = card(bordered(gap, column(gap, begin, l.search),
		container.NewStack(l.plain, l.found, l.hint.view),
		column(0, l.restore, l.back, container.NewHBox(l.trash))))
	l.reload()
	return l
}

// rows is the list in view.
func (l *talkList) rows() *rows {
	if l.inTrash || l.search.Text != "" {
		return l.found
	}
	return l.plain
}

// reload reads the list anew.
func (l *talkList) reload() {
	l.asked++
	switch {
	case l.inTrash:
		l.show(l.talks.Trash())
	case l.search.Text != "":
		l.find()
	default:
		list, err := l.talks.List("")
		if err != nil {
			return // Notices tells why, once
		}
		l.show(list)
	}
}

func (l *talkList) searchSoon() {
	if l.pause != nil {
		l.pause.Stop()
	}
	l.pause = time.AfterFunc(searchPause, func() { l.do(l.reload) })
}

// find searches off the window's goroutine; a later search overtakes it.
func (l *talkList) find() {
	asked, query := l.asked, l.search.Text
	l.work(func(context.Context) {
		list, err := l.talks.List(query)
		l.do(func() {
			switch {
			case asked != l.asked:
			case err != nil:
				l.failed(err)
			default:
				l.show(list)
			}
		})
	})
}

// endSearch shows all conversations again; false: nothing was searched for.
func (l *talkList) endSearch() bool {
	if l.search.Text == "" {
		return false
	}
	l.search.SetText("")
	l.reload()
	return true
}

// show lists these conversations.
func (l *talkList) show(list []app.Summary) {
	l.items = l.items[:0]
	grouped := l.rows() == l.plain
	before := ""
	for _, s := range list {
		if h := heading(s, l.now()); grouped && h != before {
			l.items = append(l.items, talkItem{heading: h})
			before = h
		}
		l.items = append(l.items, talkItem{talk: s})
	}
	show(l.plain, grouped && len(list) > 0)
	show(l.found, !grouped && len(list) > 0)
	show(l.restore, l.inTrash && len(list) > 0)
	show(l.back, l.inTrash)
	show(l.trash, !l.inTrash)
	show(l.search, !l.inTrash)
	switch {
	case len(list) > 0:
		l.hint.view.Hide()
	case l.inTrash:
		l.hint.say("The trash is empty", "Deleted chats stay here for 30 days.")
	case !grouped:
		l.hint.say("Nothing found", "No chat holds all of these words.")
	default:
		l.hint.say("No chats yet", "What you write is kept on this computer alone.")
	}
	l.mark()
	l.view.Refresh()
}

// heading is the group that a conversation is listed in.
func heading(s app.Summary, now time.Time) string {
	if s.Pinned {
		return "Pinned"
	}
	day := func(t time.Time) time.Time {
		t = t.Local()
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.Local)
	}
	today := day(now)
	switch at := s.Updated; {
	case !at.Before(today):
		return "Today"
	case !at.Before(today.AddDate(0, 0, -1)):
		return "Yesterday"
	case !at.Before(today.AddDate(0, 0, -7)):
		return "Previous 7 days"
	}
	return "Older"
}

// choose marks the conversation in view.
func (l *talkList) choose(id string) {
	l.chosen = id
	l.mark()
}

// mark shows which row is chosen.
func (l *talkList) mark() {
	want := l.chosen
	if l.inTrash {
		want = l.picked
	}
	at := -1
	for i, it := range l.items {
		if it.heading == "" && it.talk.ID == want {
			at = i
			break
		}
	}
	l.rows().choose(at)
	l.rows().Refresh()
	l.restore.setEnabled(at >= 0)
}

// pick follows a person's choice.
func (l *talkList) pick(i int) {
	s := l.items[i].talk
	if l.inTrash {
		l.picked = s.ID
		l.restore.setEnabled(true)
		return
	}
	l.chosen = s.ID
	l.open(s.ID, s.Found)
}

func (l *talkList) menuOf(i int, at fyne.Position) {
	if it := l.items[i]; it.heading == "" && !l.inTrash {
		l.menu(it.talk.ID, at)
	}
}

func (l *talkList) typedKey(e *fyne.KeyEvent) bool {
	r := l.rows()
	if r.current < 0 || r.current >= len(l.items) || l.inTrash {
		return false
	}
	return l.key(l.items[r.current].talk.ID, e)
}

func (l *talkList) enterTrash() {
	l.inTrash, l.picked = true, ""
	l.search.SetText("")
	l.reload()
	l.focus(l.back)
}

func (l *talkList) leaveTrash() {
	if l.inTrash {
		l.inTrash = false
		l.reload()
	}
}

func (l *talkList) restorePicked() {
	id := l.picked
	if id == "" {
		return
	}
	if err := l.talks.Restore(id); err != nil {
		l.failed(err)
		return
	}
	l.inTrash = false
	l.reload()
	l.open(id, 0)
}

// newTalkRow is a heading or a title.
func newTalkRow() fyne.CanvasObject {
	title := newLine("", textBody, theme.ColorNameForeground)
	return container.New(layout.NewCustomPaddedLayout(6, 6, gap, 10), title)
}

func (l *talkList) fillRow(i int, o fyne.CanvasObject) {
	title := o.(*fyne.Container).Objects[0].(*line)
	it := l.items[i]
	if it.heading != "" {
		title.size, title.style.Bold, title.color, title.text = textSmall, true, colorMuted, it.heading
		title.Refresh()
		return
	}
	title.size, title.style.Bold, title.color = textBody, false, theme.ColorNameForeground
	title.text = brief(it.talk.Title)
	if it.talk.ID == l.writing {
		title.color = colorAccent
	}
	title.Refresh()
}

// newFoundRow has a second line for the place that was found.
func newFoundRow() fyne.CanvasObject {
	title := newLine("", textBody, theme.ColorNameForeground)
	return container.New(layout.NewCustomPaddedLayout(5, 5, gap, 10), column(1, title, newSnippet()))
}

func (l *talkList) fillFound(i int, o fyne.CanvasObject) {
	lines := o.(*fyne.Container).Objects[0].(*fyne.Container).Objects
	s := l.items[i].talk
	lines[0].(*line).set(s.Title)
	if l.inTrash {
		lines[1].(*snippet).set("Deleted "+s.Deleted.Local().Format("2 January 2006, 15:04"), [2]int{})
		return
	}
	lines[1].(*snippet).set(s.Snippet, s.Match)
}
