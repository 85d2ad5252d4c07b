package chat

import (
	"maps"
	"strings"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/ui/chat/sources"
)

// draft is a message that is not sent yet.
type draft struct {
	text     string
	files    []chat.Part
	passages sources.Picked
}

// parts returns what is sent of a draft.
func (d draft) parts() []chat.Part {
	return chat.Content(d.text, append(d.passages.Parts(), d.files...)...)
}

// holds reports whether there is anything to send.
func (d draft) holds() bool { return strings.TrimSpace(d.text) != "" || len(d.files) > 0 }

// kept is what the next start finds of a draft. Its passages are looked for again.
func (d draft) kept() base.Draft {
	if !d.holds() {
		return base.Draft{}
	}
	k := base.Draft{Text: d.text}
	for _, f := range d.files {
		k.Files = append(k.Files, base.DraftFile{Name: f.Name, Text: f.Text})
	}
	return k
}

// keptDrafts are those of the last start, by conversation.
func keptDrafts(s base.Settings) map[string]draft {
	drafts := map[string]draft{}
	for id, k := range s.Chat.Drafts {
		d := draft{text: k.Text}
		for _, f := range k.Files {
			d.files = append(d.files, chat.File(f.Name, f.Text))
		}
		drafts[id] = d
	}
	return drafts
}

// putAside keeps what is being written, until its conversation comes back into view and for
// the next start. A message that is edited is not a draft.
func (s *session) putAside(d draft) {
	if s.editing == 0 {
		s.setDraft(s.conversation.ID, d)
	}
}

// setDraft keeps the draft of a conversation; one that holds nothing is forgotten.
func (s *session) setDraft(id string, d draft) {
	before := s.drafts[id]
	if d.holds() {
		s.drafts[id] = d
	} else {
		delete(s.drafts, id)
	}
	if before.text != d.text || len(before.files) != len(d.files) {
		kept := d.kept()
		s.keep(func(settings *base.Settings) { settings.Chat.KeepDraft(id, kept) })
	}
}

// dropDrafts forgets those of conversations that are gone for good.
func (s *session) dropDrafts(there []chat.Summary) {
	known := map[string]bool{"": true}
	for _, c := range there {
		known[c.ID] = true
	}
	for id := range maps.Clone(s.drafts) {
		if !known[id] {
			s.setDraft(id, draft{})
		}
	}
}
