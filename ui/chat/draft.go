package chat

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"fyne.io/fyne/v2"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/documents"
	"inglenook/ui/chat/sources"
	"inglenook/ui/panel"
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

// bytes is the length of all that is sent of it.
func (d draft) bytes() (n int) {
	for _, p := range d.parts() {
		n += len(p.Text)
	}
	return n
}

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
		if _, sending := s.sending[id]; sending {
			return
		}
	}
	if before.text != d.text || len(before.files) != len(d.files) {
		kept := d.kept()
		s.keep(func(settings *base.Settings) { settings.Chat.KeepDraft(id, kept) })
	}
}

// onceStored is take for the answer to a message on its way. As soon as the message is in its
// conversation it is no draft any more, however the program ends; before that it stays one, since
// documents may be searched first.
func (p *Panel) onceStored(id string, take func(chat.AnswerStep)) func(chat.AnswerStep) {
	sent, sending := p.sending[id]
	if !sending {
		return take
	}
	forget := sync.OnceFunc(func() {
		p.Keep(func(s *base.Settings) {
			if s.Chat.Drafts[id].Text == sent.text {
				s.Chat.KeepDraft(id, base.Draft{})
			}
		})
		p.Settle()
		p.Do(func() { delete(p.sending, id) })
	})
	return func(s chat.AnswerStep) {
		if s.Asked != 0 {
			forget()
		}
		take(s)
	}
}

// giveBack puts a message into the field again that did not come into its conversation, unless
// another one is being written there.
func (p *Panel) giveBack(a *answer) {
	asked, _ := a.ids()
	d, sent := p.sending[a.conversation]
	if !sent || asked != 0 {
		return
	}
	d.passages = sources.Picked{}
	delete(p.sending, a.conversation)
	switch {
	case p.conversation.ID != a.conversation:
		if !p.drafts[a.conversation].holds() {
			p.setDraft(a.conversation, d)
		}
	case p.editing == 0 && !p.composer.holds():
		p.composer.fill(d)
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

// fileKey tells attached files apart.
type fileKey struct {
	name  string
	bytes int
}

func keyOf(f chat.Part) fileKey { return fileKey{f.Name, len(f.Text)} }

// onDisk returns the paths of the attached files that were read from the disk. A text that
// was pasted has none, nor has a file of an earlier start.
func (c *composer) onDisk() (paths []string) {
	for _, f := range c.files {
		if path, ok := c.paths[keyOf(f)]; ok && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// attaching is what became of files that came together. What is wrong with some of them is
// said in one notice, whatever becomes of the others.
type attaching struct {
	files, left int // all of them, and those that are being read
	refused     []panel.Refused
	notes       []string // on what was left out of those that were read
}

// together begins with files that came together; those that are still being read are of them.
func (p *Panel) together(files int) *attaching {
	if p.attaching == nil || p.attaching.left == 0 {
		p.attaching = &attaching{}
		p.notice.Hide() // it was about other files
	}
	p.attaching.files += files
	return p.attaching
}

// attachFiles asks for files.
func (p *Panel) attachFiles() {
	p.Files().OpenFiles(func(paths []string) { p.attachAll(p.together(len(paths)), paths) })
}

// AskAbout begins a chat with a text attached that a person has a question about. One that is known stands in the
// message, selected: typing replaces it.
func (p *Panel) AskAbout(name, text, question string) {
	p.newChat()
	p.composer.attach(chat.File(name, text))
	if question != "" {
		p.composer.entry.SetText(question)
		p.composer.entry.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
	p.view.Refresh()
}

// attachAll adds files of the disk to the message.
func (p *Panel) attachAll(a *attaching, paths []string) {
	a.left += len(paths)
	for _, path := range paths {
		read := p.tellLater("Reading " + filepath.Base(path) + "…")
		p.Work(func(ctx context.Context) {
			text, notes, err := p.textOf(ctx, path)
			p.Do(func() {
				read()
				a.left--
				a.notes = append(a.notes, notes...)
				p.Tell(strings.Join(a.notes, " "))
				if err != nil {
					p.refuse(a, path, err)
					return
				}
				file := chat.File(filepath.Base(path), text)
				p.composer.paths[keyOf(file)] = path
				p.composer.attach(file)
				p.Focus(p.composer.entry)
			})
		})
	}
}

// patience is how long something takes before it is said that it is under way: what comes at once
// would flash.
const patience = 300 * time.Millisecond

// tellLater says what is under way, unless it is done by then.
func (p *Panel) tellLater(what string) (done func()) {
	over := false // read and written on the window's goroutine
	t := time.AfterFunc(patience, func() {
		p.Do(func() {
			if !over {
				p.Tell(what)
			}
		})
	})
	return func() {
		over = true
		t.Stop()
	}
}

// refuse says that a file cannot be used, with those that came with it.
func (p *Panel) refuse(a *attaching, path string, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	p.App.Log().Warn("chat", slog.Any("error", err))
	a.refused = append(a.refused, panel.Refused{Name: filepath.Base(path), Err: err})
	if says := panel.Refusal(a.refused, a.files); len(a.refused) == 1 && errors.Is(err, documents.ErrMoreThanRead) {
		p.notice.FailWith(says, "Find the passages for each question", func() {
			p.notice.Hide()
			p.searchAttached([]string{path})
		})
	} else {
		p.notice.Fail(says)
	}
	p.view.Refresh()
}

// textOf reads a file for the message: a document is taken apart, anything else is a text.
func (p *Panel) textOf(ctx context.Context, path string) (text string, notes []string, err error) {
	if documents.Attaches(path) {
		return p.composer.asks.documents.Text(ctx, path)
	}
	text, err = p.app.ReadText(ctx, path)
	return text, nil, err
}
