package ui

import (
	"strings"

	"fyne.io/fyne/v2/theme"

	"inglenook/app/downloads"
	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// followDownloads shows how far the downloads are: on the rail, in Chat where one of them
// is a first model, and in Documents where one reads what is found.
func (s *shell) followDownloads(list []downloads.Download) {
	s.chat.FollowDownloads(list)
	s.documents.FollowDownloads(list)
	badge := ""
	done, total := int64(0), int64(0)
	for _, d := range list {
		if d.State != downloads.DownloadDone && d.State != downloads.DownloadPaused && d.State != downloads.DownloadFailed {
			done, total = done+d.Done, total+d.Total
			badge = "…"
		}
	}
	if total > 0 {
		badge = kit.Percent(float64(done) / float64(total))
	}
	for _, it := range s.items {
		if it.panel.ID == panel.Models {
			it.setBadge(badge)
		}
	}
}

// arrived says in any room that a model is here, and leads to where it can be used.
func (s *shell) arrived(id, name, button string, use func()) {
	if button == "" || s.current == panel.Chat && s.chat.Took(id) {
		return
	}
	s.news = id
	s.toast.Offer(name+" is ready.", button, theme.NavigateNextIcon(), func() {
		s.toast.Hide()
		use()
	})
}

// usedNow takes the news of a model away that is in use in the room where it could be used.
func (s *shell) usedNow(m library.Model) {
	if s.news != "" && strings.EqualFold(s.news, m.ID) {
		s.news = ""
		s.toast.Hide()
	}
}

// offer says what happened in any room, with what can be done about it.
func (s *shell) offer(what, button string, act func()) {
	s.news = ""
	s.toast.Offer(what, button, theme.ContentUndoIcon(), func() {
		s.toast.Hide()
		act()
	})
}

// lookAtServers tells every panel where another process has changed the servers: when a room is
// entered, and when the window comes to the front.
func (s *shell) lookAtServers() {
	if others := s.app.Engines().Others(); others != s.others {
		s.others = others
		s.modelsChanged()
	}
}
