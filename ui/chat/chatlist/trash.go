package chatlist

import (
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// keptDays is how long a deleted conversation stays in the trash.
const keptDays = 30

func (l *List) buildTrash() {
	l.title = kit.NewSection("Deleted chats")
	l.note = kit.NewParagraph("They stay here for 30 days, then they are gone.", kit.ColorMuted).Small()
	quiet := func(label string, icon fyne.Resource, run func()) *kit.Button {
		b := kit.NewQuietButton(l.Keys, label, icon, run)
		b.Alignment = 1
		return b
	}
	l.trash = quiet("Trash", theme.DeleteIcon(), l.EnterTrash)
	l.imports = quiet("Import…", theme.UploadIcon(), func() { l.host.Import() })
	l.imports.Tip = "Add chats of a file that was exported as JSON"
	l.Restore = kit.NewButton(l.Keys, "Restore", theme.ContentUndoIcon(), l.restorePicked)
	l.forGood = quiet("Delete forever…", theme.DeleteIcon(), l.eraseSoon)
	l.empty = quiet("Empty the trash…", theme.ContentClearIcon(), l.emptySoon)
	l.back = quiet("Back to chats", theme.NavigateBackIcon(), l.LeaveTrash)
}

// showTrash shows what belongs to the trash, which has so many conversations.
func (l *List) showTrash(n int) {
	kit.Show(l.title, l.InTrash)
	kit.Show(l.note.Flat, l.InTrash && n > 0)
	kit.Show(l.Restore, l.InTrash && n > 0)
	kit.Show(l.forGood, l.InTrash && n > 0)
	kit.Show(l.empty, l.InTrash && n > 1)
	kit.Show(l.back, l.InTrash)
}

// allowTrash offers what can be done with a chosen one.
func (l *List) allowTrash(chosen bool) {
	l.Restore.SetEnabled(chosen)
	l.forGood.SetEnabled(chosen)
}

// EnterTrash lists the deleted conversations.
func (l *List) EnterTrash() {
	l.InTrash, l.picked = true, ""
	l.host.Turned()
	l.Search.SetText("")
	l.Reload()
	l.Focus(l.back)
}

// LeaveTrash lists the others again.
func (l *List) LeaveTrash() {
	if l.InTrash {
		l.InTrash = false
		l.host.Turned()
		l.Reload()
	}
}

func (l *List) restorePicked() {
	id := l.picked
	if id == "" {
		return
	}
	if err := l.store.Restore(id); err != nil {
		l.host.Failed(err)
		return
	}
	l.InTrash = false
	l.Reload()
	l.host.Open(id, 0, "")
}

// eraseSoon asks whether the chosen conversation is to go for good.
func (l *List) eraseSoon() {
	for _, it := range l.Items {
		if it.Summary.ID == l.picked && l.picked != "" {
			l.host.Ask("Delete this chat forever?", "“"+kit.Brief(it.Summary.Title)+"” cannot be brought back then.", "Delete forever", func() { l.erase(it.Summary.ID) })
			return
		}
	}
}

// emptySoon asks whether all of them are to go.
func (l *List) emptySoon() {
	var ids []string
	for _, it := range l.Items {
		ids = append(ids, it.Summary.ID)
	}
	l.host.Ask("Empty the trash?", kit.Count(len(ids), "chat")+" cannot be brought back then.", "Empty the trash", func() { l.erase(ids...) })
}

func (l *List) erase(ids ...string) {
	if err := l.store.Purge(ids...); err != nil {
		l.host.Failed(err)
		return
	}
	l.picked = ""
	l.Reload()
	l.Focus(l.back)
}

// daysLeft says how long a deleted conversation will be kept.
func daysLeft(deleted, now time.Time) string {
	days := keptDays - int(now.Sub(deleted).Hours()/24)
	switch {
	case days <= 1:
		return "for 1 more day"
	default:
		return fmt.Sprintf("for %d more days", days)
	}
}
