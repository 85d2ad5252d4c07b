package chatlist

import (
	"context"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/chat"
	"inglenook/ui/find"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// searchPause is how long a person pauses before what was typed is searched for.
const searchPause = 120 * time.Millisecond

// Store keeps the conversations that are listed. All of it is quick.
type Store interface {
	List(query string) ([]chat.Summary, error)
	Trash() []chat.Summary
	Restore(id string) error
	Purge(ids ...string) error
}

// Host is what the list asks of the panel around it.
type Host struct {
	Open   func(id string, found int64, sought string) // shows a conversation, at a message that was found, and in it what was sought
	Begin  func()                                      // begins one
	Close  func()                                      // closes the list
	Import func()                                      // adds conversations of a file
	Turned func()                                      // the trash came into view, or left it
	Menu   func(id string, at fyne.Position)
	Key    func(id string, e *fyne.KeyEvent) bool
	Failed func(error)
	Model  func(id string) string                   // how people call a model; "": it is not known
	Ask    func(title, text, yes string, do func()) // asks before something that cannot be undone
}

// List is the list.
type List struct {
	panel.Host
	store Store
	host  Host
	When  func(at time.Time, now time.Time) string // a time in a few characters

	Exactly func(at time.Time, now time.Time) string // to the minute

	View    *fyne.Container
	Search  *kit.Entry
	hits    *kit.Line
	Plain   *kit.Rows // the conversations, under headings
	Found   *kit.Rows // with the place that was found, or when it was deleted
	hint    *kit.Hint
	begin   fyne.CanvasObject // a conversation
	title   *kit.Line         // of the trash
	note    *kit.Paragraph
	trash   *kit.Button
	imports *kit.Button
	Restore *kit.Button
	forGood *kit.Button
	empty   *kit.Button
	back    *kit.Button

	Items   []Item
	titles  map[string]int // how many of the listed have a title
	chosen  string         // id of the conversation in view
	writing string         // id of the one that is being answered
	InTrash bool
	picked  string // in the trash
	pause   *time.Timer
	asked   int // number of the last search
}

// Item is a row of the list: a heading or a conversation.
type Item struct {
	Heading string
	Summary chat.Summary
}

// New lists what the store has.
func New(d panel.Host, store Store, h Host) *List {
	l := &List{Host: d, store: store, host: h, When: when, Exactly: exactly}
	l.Search = kit.NewSearch(d.Keys, "Search chats")
	l.Search.OnChanged = func(string) { l.searchSoon() }
	l.Search.Escape = l.EndSearch
	l.Search.Typed = func(e *fyne.KeyEvent) bool {
		if e.Name == fyne.KeyDown && len(l.Items) > 0 {
			l.Focus(l.rows())
			l.rows().Pick(0)
			return true
		}
		return false
	}
	l.Search.Submit = func() {
		if len(l.Items) > 0 {
			l.rows().Pick(0)
		}
	}
	l.hits = kit.NewCaption("")
	l.Plain = kit.NewRows(d.Keys, func() int { return len(l.Items) }, newRow, l.fillRow)
	l.Found = kit.NewRows(d.Keys, func() int { return len(l.Items) }, newFoundRow, l.fillFound)
	for _, r := range []*kit.Rows{l.Plain, l.Found} {
		r.Passive = func(i int) bool { return l.Items[i].Heading != "" }
		r.Selected = l.pick
		r.Secondary = func(i int, at fyne.Position) { l.menuOf(i, at) }
		r.Typed = l.typedKey
	}
	l.Plain.Opened = func(i int) { l.host.Key(l.Items[i].Summary.ID, &fyne.KeyEvent{Name: fyne.KeyF2}) } // a double click: it is named anew
	l.Plain.More = "Rename, export or delete this chat"
	l.Found.Opened = func(int) {
		if l.InTrash {
			l.restorePicked()
		}
	}
	l.hint = kit.NewHint(theme.MailComposeIcon())
	closing := kit.NewIconButton(d.Keys, theme.MenuIcon(), "Show or hide the list of chats", func() { l.host.Close() })
	l.begin = container.NewBorder(nil, nil, closing, nil, kit.NewButton(d.Keys, "New chat", theme.ContentAddIcon(), func() { l.host.Begin() }))
	l.buildTrash()
	l.View = kit.Card(kit.Bordered(kit.Gap, kit.Column(kit.Gap, l.begin, l.title, l.note.Flat, l.Search, l.hits),
		container.NewStack(l.Plain, l.Found, l.hint.View),
		kit.Column(0, l.Restore, l.forGood, l.empty, l.back, container.NewHBox(l.trash, l.imports))))
	l.Reload()
	return l
}

// rows is the list in view.
func (l *List) rows() *kit.Rows {
	if l.InTrash || l.Search.Text != "" {
		return l.Found
	}
	return l.Plain
}

// Reload reads the list again.
func (l *List) Reload() {
	l.asked++
	switch {
	case l.InTrash:
		l.show(l.store.Trash())
	case l.Search.Text != "":
		l.find()
	default:
		list, err := l.store.List("")
		if err != nil {
			return // the store's notices say why, once
		}
		l.show(list)
	}
}

func (l *List) searchSoon() {
	if l.pause != nil {
		l.pause.Stop()
	}
	l.pause = time.AfterFunc(searchPause, func() { l.Do(l.Reload) })
}

// find searches off the window's goroutine; a later search overtakes it.
func (l *List) find() {
	asked, query := l.asked, l.Search.Text
	l.Work(func(context.Context) {
		list, err := l.store.List(query)
		l.Do(func() {
			switch {
			case asked != l.asked:
			case err != nil:
				l.host.Failed(err)
			default:
				l.show(list)
			}
		})
	})
}

// EndSearch shows all conversations again; false: nothing was searched for.
func (l *List) EndSearch() bool {
	if l.Search.Text == "" {
		return false
	}
	l.Search.SetText("")
	l.Reload()
	return true
}

// show lists these conversations.
func (l *List) show(list []chat.Summary) {
	l.Items = l.Items[:0]
	l.titles = map[string]int{}
	for _, s := range list {
		l.titles[titleOf(s)]++
	}
	grouped := l.rows() == l.Plain
	before := ""
	for _, s := range list {
		if h := heading(s, time.Now()); grouped && h != before {
			l.Items = append(l.Items, Item{Heading: h})
			before = h
		}
		l.Items = append(l.Items, Item{Summary: s})
	}
	l.hits.Set(hitsText(len(list)))
	kit.Show(l.hits, !grouped && !l.InTrash && len(list) > 0)
	kit.Show(l.Plain, grouped && len(list) > 0)
	kit.Show(l.Found, !grouped && len(list) > 0)
	kit.Show(l.begin, !l.InTrash)
	kit.Show(l.trash, !l.InTrash)
	kit.Show(l.imports, !l.InTrash)
	kit.Show(l.Search, !l.InTrash)
	l.showTrash(len(list))
	switch {
	case len(list) > 0:
		l.hint.View.Hide()
	case l.InTrash:
		l.hint.Say("The trash is empty", "Deleted chats stay here for 30 days.")
	case !grouped:
		l.hint.Say("Nothing found", "No chat contains all of these words.")
	default:
		l.hint.Say("No chats yet", "Your chats are kept on this computer.")
	}
	l.mark()
	l.View.Refresh()
}

// Choose marks the conversation in view.
func (l *List) Choose(id string) {
	l.chosen = id
	l.mark()
}

// Writing shows which conversation is being answered; "": none is.
func (l *List) Writing(id string) {
	if id != l.writing {
		l.writing = id
		l.rows().Refresh()
	}
}

// mark shows which row is chosen.
func (l *List) mark() {
	want := l.chosen
	if l.InTrash {
		want = l.picked
	}
	at := -1
	for i, it := range l.Items {
		if it.Heading == "" && it.Summary.ID == want {
			at = i
			break
		}
	}
	l.rows().Choose(at)
	l.rows().Refresh()
	l.allowTrash(at >= 0)
}

// pick follows a person's choice.
func (l *List) pick(i int) {
	s := l.Items[i].Summary
	if l.InTrash {
		l.picked = s.ID
		l.allowTrash(true)
		return
	}
	l.chosen = s.ID
	l.host.Open(s.ID, s.Found, soughtIn(s, l.Search.Text))
}

// soughtIn is what stands out in the message that was found: all that was searched for where it is there in one
// piece, and else the word of it that is.
func soughtIn(s chat.Summary, query string) string {
	if query = strings.TrimSpace(query); s.Found != 0 && len(find.In(s.Snippet, query)) == 0 && s.Match[1] > s.Match[0] {
		return s.Snippet[s.Match[0]:s.Match[1]]
	}
	return query
}

func (l *List) menuOf(i int, at fyne.Position) {
	if it := l.Items[i]; it.Heading == "" && !l.InTrash {
		l.host.Menu(it.Summary.ID, at)
	}
}

func (l *List) typedKey(e *fyne.KeyEvent) bool {
	r := l.rows()
	if r.Current < 0 || r.Current >= len(l.Items) {
		return false
	}
	if l.InTrash {
		if e.Name == fyne.KeyDelete {
			l.eraseSoon()
		}
		return e.Name == fyne.KeyDelete
	}
	return l.host.Key(l.Items[r.Current].Summary.ID, e)
}

// After is the conversation below one in the list, or else above it; "": there is no other.
func (l *List) After(id string) string {
	at := slices.IndexFunc(l.Items, func(it Item) bool { return it.Heading == "" && it.Summary.ID == id })
	for _, it := range l.Items[at+1:] {
		if it.Heading == "" {
			return it.Summary.ID
		}
	}
	for _, it := range slices.Backward(l.Items[:max(0, at)]) {
		if it.Heading == "" {
			return it.Summary.ID
		}
	}
	return ""
}
