package chatlist

import (
	"cmp"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/chat"
	"inglenook/ui/kit"
)

// heading is the group that a conversation is listed in.
func heading(s chat.Summary, now time.Time) string {
	if s.Pinned {
		return "Pinned"
	}
	switch days := daysBetween(s.Updated, now); {
	case days <= 0:
		return "Today"
	case days == 1:
		return "Yesterday"
	case days <= 7:
		return "Previous 7 days"
	}
	return "Older"
}

// daysBetween counts the midnights between two times.
func daysBetween(from, to time.Time) int {
	day := func(t time.Time) time.Time {
		t = t.Local()
		return time.Date(t.Year(), t.Month(), t.Day(), 12, 0, 0, 0, time.UTC)
	}
	return int(day(to).Sub(day(from)).Hours() / 24)
}

// when writes a time as short as it can be understood: the hour of today and yesterday, the
// day of the last week, the date of the rest.
func when(at, now time.Time) string {
	at = at.Local()
	switch days := daysBetween(at, now); {
	case at.IsZero():
		return ""
	case days <= 0:
		return at.Format("15:04")
	case days == 1:
		return at.Format("Mon 15:04")
	case days < 7:
		return at.Format("Monday")
	case at.Year() == now.Local().Year():
		return at.Format("2 Jan")
	}
	return at.Format("2 Jan 2006")
}

// exactly writes a time to the minute.
func exactly(at, now time.Time) string {
	at = at.Local()
	switch days := daysBetween(at, now); {
	case days <= 1:
		return when(at, now)
	case days < 7:
		return at.Format("Mon 15:04")
	case at.Year() == now.Local().Year():
		return at.Format("2 Jan 15:04")
	}
	return at.Format("2 Jan 2006 15:04")
}

// newRow is a conversation, with its title above when and by which model it was answered, or
// a heading, which stands near what it heads.
func newRow() fyne.CanvasObject {
	title := kit.NewLine("", kit.TextBody, theme.ColorNameForeground)
	return container.New(layout.NewCustomPaddedLayout(5, 5, kit.Gap, 10), kit.Column(1, title, kit.NewCaption("")))
}

func (l *List) fillRow(i int, o fyne.CanvasObject) {
	lines := o.(*fyne.Container).Objects[0].(*fyne.Container).Objects
	title, about := lines[0].(*kit.Line), lines[1].(*kit.Line)
	it := l.Items[i]
	if it.Heading != "" {
		about.Style.Bold = true
		title.Set("")
		about.Set(it.Heading)
		about.Refresh()
		return
	}
	about.Style.Bold = false
	title.Color = theme.ColorNameForeground
	title.Text = titleOf(it.Summary)
	text := l.When(it.Summary.Updated, time.Now())
	if l.titles[title.Text] > 1 {
		text = l.apart(it.Summary)
	} else if model := l.host.Model(it.Summary.Model); model != "" {
		text += " · " + model
	}
	if it.Summary.ID == l.writing {
		title.Color = kit.ColorAccent
		text = "Writing…"
	}
	about.Text = strings.TrimPrefix(text, " · ")
	title.Refresh()
	about.Refresh()
}

// titleOf is what a chat is called; one without messages has no title of its own.
func titleOf(s chat.Summary) string { return cmp.Or(kit.Brief(s.Title), "Empty chat") }

// newFoundRow has a second line for the place that was found.
func newFoundRow() fyne.CanvasObject {
	title := kit.NewLine("", kit.TextBody, theme.ColorNameForeground)
	return container.New(layout.NewCustomPaddedLayout(5, 5, kit.Gap, 10), kit.Column(1, title, kit.NewSnippet()))
}

func (l *List) fillFound(i int, o fyne.CanvasObject) {
	lines := o.(*fyne.Container).Objects[0].(*fyne.Container).Objects
	s := l.Items[i].Summary
	lines[0].(*kit.Line).Set(titleOf(s))
	if l.InTrash {
		text := "Deleted " + s.Deleted.Local().Format("2 January") + ", kept " + daysLeft(s.Deleted, time.Now())
		if s.Snippet != "" {
			text += " · " + s.Snippet
		}
		lines[1].(*kit.Snippet).Set(text, [2]int{})
		return
	}
	text, match := s.Snippet, s.Match
	if l.titles[titleOf(s)] > 1 {
		when := l.Exactly(s.Updated, time.Now()) + " · "
		text, match = when+text, [2]int{match[0] + len(when), match[1] + len(when)}
	}
	lines[1].(*kit.Snippet).Set(text, match)
}

// apart tells chats of the same title apart: when they were written in, to the minute, and what was said last.
func (l *List) apart(s chat.Summary) string {
	text := l.Exactly(s.Updated, time.Now())
	if s.Snippet != "" {
		text += " · " + kit.Brief(s.Snippet)
	}
	return text
}

// hitsText says how many conversations a search found.
func hitsText(n int) string { return kit.Count(n, "chat") + " found" }
