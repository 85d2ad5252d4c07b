package chat

import (
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/chat"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// searchPause is how long a person pauses before what was typed is searched for.
const searchPause = 120 * time.Millisecond

// list is the list of conversations: all of them, those that a search found,
// or the deleted ones.
type list struct {
	panel.Host
	conversations Conversations
	open          func(id string, found int64)
	fresh         func() // begins a conversation
	menu          func(id string, at fyne.Position)
	key           func(id string, e *fyne.KeyEvent) bool
	failed        func(error)
	now           func() time.Time

	view    *fyne.Container
	search  *kit.Entry
	plain   *kit.Rows // a line for each conversation, under headings
	found   *kit.Rows // two lines: the place that was found, or when it was deleted
	hint    *kit.Hint
	trash   *kit.Button
	restore *kit.Button
	back    *kit.Button

	items   []listItem
	chosen  string // id of the conversation in view
	writing string // id of the one that is being answered
	inTrash bool
	picked  string // in the trash
	pause   *time.Timer
	asked   int // number of the last search
}

// listItem is a row of the list: a heading or a conversation.
type listItem struct {
	heading string
	summary chat.Summary
}

func newList(d panel.Host, conversations Conversations) *list {
	l := &list{Host: d, conversations: conversations, now: time.Now}
	l.search = kit.NewEntry(d.Keys)
	l.search.SetPlaceHolder("Search chats")
	l.search.SetIcon(theme.SearchIcon())
	l.search.OnChanged = func(string) { l.searchSoon() }
	l.search.Escape = l.endSearch
	l.search.Typed = func(e *fyne.KeyEvent) bool {
		if e.Name == fyne.KeyDown && len(l.items) > 0 {
			l.Focus(l.rows())
			l.rows().Pick(0)
			return true
		}
		return false
	}
	l.search.Submit = func() {
		if len(l.items) > 0 {
			l.rows().Pick(0)
		}
	}
	l.plain = kit.NewRows(d.Keys, func() int { return len(l.items) }, newChatRow, l.fillRow)
	l.found = kit.NewRows(d.Keys, func() int { return len(l.items) }, newFoundRow, l.fillFound)
	for _, r := range []*kit.Rows{l.plain, l.found} {
		r.Passive = func(i int) bool { return l.items[i].heading != "" }
		r.Selected = l.pick
		r.Secondary = func(i int, at fyne.Position) { l.menuOf(i, at) }
		r.Typed = l.typedKey
	}
	l.found.Opened = func(int) {
		if l.inTrash {
			l.restorePicked()
		}
	}
	l.hint = kit.NewHint(chatIcon(kit.ColorMuted))
	begin := kit.NewButton(d.Keys, "New chat", theme.ContentAddIcon(), func() { l.fresh() })
	l.trash = kit.NewQuietButton(d.Keys, "Trash", theme.DeleteIcon(), l.enterTrash)
	l.trash.Alignment = 1
	l.restore = kit.NewButton(d.Keys, "Restore", theme.ContentUndoIcon(), l.restorePicked)
	l.back = kit.NewQuietButton(d.Keys, "Back to chats", theme.NavigateBackIcon(), l.leaveTrash)
	l.view = kit.Card(kit.Bordered(kit.Gap, kit.Column(kit.Gap, begin, l.search),
		container.NewStack(l.plain, l.found, l.hint.View),
		kit.Column(0, l.restore, l.back, container.NewHBox(l.trash))))
	l.reload()
	return l
}

// rows is the list in view.
func (l *list) rows() *kit.Rows {
	if l.inTrash || l.search.Text != "" {
		return l.found
	}
	return l.plain
}

// reload reads the list again.
func (l *list) reload() {
	l.asked++
	switch {
	case l.inTrash:
		l.show(l.conversations.Trash())
	case l.search.Text != "":
		l.find()
	default:
		list, err := l.conversations.List("")
		if err != nil {
			return // Notices tells why, once
		}
		l.show(list)
	}
}

func (l *list) searchSoon() {
	if l.pause != nil {
		l.pause.Stop()
	}
	l.pause = time.AfterFunc(searchPause, func() { l.Do(l.reload) })
}

// find searches off the window's goroutine; a later search overtakes it.
func (l *list) find() {
	asked, query := l.asked, l.search.Text
	l.Work(func(context.Context) {
		list, err := l.conversations.List(query)
		l.Do(func() {
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
func (l *list) endSearch() bool {
	if l.search.Text == "" {
		return false
	}
	l.search.SetText("")
	l.reload()
	return true
}

// show lists these conversations.
func (l *list) show(list []chat.Summary) {
	l.items = l.items[:0]
	grouped := l.rows() == l.plain
	before := ""
	for _, s := range list {
		if h := heading(s, l.now()); grouped && h != before {
			l.items = append(l.items, listItem{heading: h})
			before = h
		}
		l.items = append(l.items, listItem{summary: s})
	}
	kit.Show(l.plain, grouped && len(list) > 0)
	kit.Show(l.found, !grouped && len(list) > 0)
	kit.Show(l.restore, l.inTrash && len(list) > 0)
	kit.Show(l.back, l.inTrash)
	kit.Show(l.trash, !l.inTrash)
	kit.Show(l.search, !l.inTrash)
	switch {
	case len(list) > 0:
		l.hint.View.Hide()
	case l.inTrash:
		l.hint.Say("The trash is empty", "Deleted chats stay here for 30 days.")
	case !grouped:
		l.hint.Say("Nothing found", "No chat contains all of these words.")
	default:
		l.hint.Say("No chats yet", "What you write stays on this computer.")
	}
	l.mark()
	l.view.Refresh()
}

// heading is the group that a conversation is listed in.
func heading(s chat.Summary, now time.Time) string {
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
func (l *list) choose(id string) {
	l.chosen = id
	l.mark()
}

// mark shows which row is chosen.
func (l *list) mark() {
	want := l.chosen
	if l.inTrash {
		want = l.picked
	}
	at := -1
	for i, it := range l.items {
		if it.heading == "" && it.summary.ID == want {
			at = i
			break
		}
	}
	l.rows().Choose(at)
	l.rows().Refresh()
	l.restore.SetEnabled(at >= 0)
}

// pick follows a person's choice.
func (l *list) pick(i int) {
	s := l.items[i].summary
	if l.inTrash {
		l.picked = s.ID
		l.restore.SetEnabled(true)
		return
	}
	l.chosen = s.ID
	l.open(s.ID, s.Found)
}

func (l *list) menuOf(i int, at fyne.Position) {
	if it := l.items[i]; it.heading == "" && !l.inTrash {
		l.menu(it.summary.ID, at)
	}
}

func (l *list) typedKey(e *fyne.KeyEvent) bool {
	r := l.rows()
	if r.Current < 0 || r.Current >= len(l.items) || l.inTrash {
		return false
	}
	return l.key(l.items[r.Current].summary.ID, e)
}

func (l *list) enterTrash() {
	l.inTrash, l.picked = true, ""
	l.search.SetText("")
	l.reload()
	l.Focus(l.back)
}

func (l *list) leaveTrash() {
	if l.inTrash {
		l.inTrash = false
		l.reload()
	}
}

func (l *list) restorePicked() {
	id := l.picked
	if id == "" {
		return
	}
	if err := l.conversations.Restore(id); err != nil {
		l.failed(err)
		return
	}
	l.inTrash = false
	l.reload()
	l.open(id, 0)
}

// newChatRow is a heading or a title.
func newChatRow() fyne.CanvasObject {
	title := kit.NewLine("", kit.TextBody, theme.ColorNameForeground)
	return container.New(layout.NewCustomPaddedLayout(6, 6, kit.Gap, 10), title)
}

func (l *list) fillRow(i int, o fyne.CanvasObject) {
	title := o.(*fyne.Container).Objects[0].(*kit.Line)
	it := l.items[i]
	if it.heading != "" {
		title.TextSize, title.Style.Bold, title.Color, title.Text = kit.TextSmall, true, kit.ColorMuted, it.heading
		title.Refresh()
		return
	}
	title.TextSize, title.Style.Bold, title.Color = kit.TextBody, false, theme.ColorNameForeground
	title.Text = kit.Brief(it.summary.Title)
	if it.summary.ID == l.writing {
		title.Color = kit.ColorAccent
	}
	title.Refresh()
}

// newFoundRow has a second line for the place that was found.
func newFoundRow() fyne.CanvasObject {
	title := kit.NewLine("", kit.TextBody, theme.ColorNameForeground)
	return container.New(layout.NewCustomPaddedLayout(5, 5, kit.Gap, 10), kit.Column(1, title, kit.NewSnippet()))
}

func (l *list) fillFound(i int, o fyne.CanvasObject) {
	lines := o.(*fyne.Container).Objects[0].(*fyne.Container).Objects
	s := l.items[i].summary
	lines[0].(*kit.Line).Set(s.Title)
	if l.inTrash {
		lines[1].(*kit.Snippet).Set("Deleted "+s.Deleted.Local().Format("2 January 2006, 15:04"), [2]int{})
		return
	}
	lines[1].(*kit.Snippet).Set(s.Snippet, s.Match)
}

// after is the conversation below one in the list, or else above it.
func (l *list) after(id string) string {
	at := slices.IndexFunc(l.items, func(it listItem) bool { return it.heading == "" && it.summary.ID == id })
	for _, it := range l.items[at+1:] {
		if it.heading == "" {
			return it.summary.ID
		}
	}
	for _, it := range slices.Backward(l.items[:max(0, at)]) {
		if it.heading == "" {
			return it.summary.ID
		}
	}
	return ""
}
