package chat

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"

	"inglenook/app/chat"
	"inglenook/regular"
	"inglenook/ui/kit"
)

// chatMenu offers what can be done with a conversation.
func (p *Panel) chatMenu(id string, at fyne.Position) {
	c := fyne.CurrentApp().Driver().CanvasForObject(p.view)
	if c == nil {
		return
	}
	items := []*fyne.MenuItem{}
	add := func(name string, run func()) *fyne.MenuItem {
		m := fyne.NewMenuItem(name, run)
		items = append(items, m)
		return m
	}
	if s, ok := p.summary(id); ok {
		pin := "Pin"
		if s.Pinned {
			pin = "Unpin"
		}
		add("Rename", func() { p.beginRename(id) })
		add(pin, func() { p.pin(id, !s.Pinned) })
		add("Duplicate", func() { p.duplicate(id) })
		if id == p.conversation.ID && len(p.tree.path) > 0 {
			items = append(items, fyne.NewMenuItemSeparator())
			add("Find in this chat…", p.find.Open)
		}
		items = append(items, fyne.NewMenuItemSeparator())
		add("Export as Markdown…", func() { p.export(id, "markdown") })
		add("Export as JSON…", func() { p.export(id, "json") })
		items = append(items, fyne.NewMenuItemSeparator())
		add("Delete", func() { p.deleteChat(id) }).Disabled = p.answers(id)
	}
	if len(items) == 0 {
		return
	}
	kit.ShowMenu(p.Keys, c, items, at, 0)
}

// positionBelow is where a menu of a button opens.
func positionBelow(o fyne.CanvasObject) fyne.Position {
	return fyne.CurrentApp().Driver().AbsolutePositionForObject(o).Add(fyne.NewPos(0, o.Size().Height+2))
}

// positionAbove is where a menu of a button opens that stands low in the window: above it, or else
// where there is room.
func positionAbove(o fyne.CanvasObject, items []*fyne.MenuItem) fyne.Position {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
	return fyne.NewPos(at.X, max(kit.Gap, at.Y-kit.MenuHeight(items)-2))
}

// chatKey does something with the selected conversation of the list. Letters are no keys of it: typing goes on in the message.
func (p *Panel) chatKey(id string, e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeyF2:
		p.beginRename(id)
	case fyne.KeyDelete:
		p.deleteChat(id)
	case fyne.KeyReturn, fyne.KeyEnter:
		p.Focus(p.composer.entry)
	case "Menu":
		p.chatMenu(id, positionBelow(p.list.Search))
	default:
		return false
	}
	return true
}

// turnPin pins a chat, or lets it go.
func (p *Panel) turnPin(id string) {
	if s, ok := p.summary(id); ok {
		p.pin(id, !s.Pinned)
	}
}

func (p *Panel) beginRename(id string) {
	p.openChat(id, 0)
	p.title.begin()
}

func (p *Panel) rename(title string) {
	p.change(p.conversations.Rename(p.conversation.ID, strings.TrimSpace(title)))
	p.Focus(p.composer.entry)
}

func (p *Panel) pin(id string, pinned bool) {
	if err := p.session.pin(id, pinned); err != nil {
		p.ShowError(err)
		return
	}
	p.list.Reload()
}

func (p *Panel) duplicate(id string) {
	copied, err := p.conversations.Duplicate(id)
	if err != nil {
		p.ShowError(err)
		return
	}
	p.openChat(copied, 0)
	p.list.Reload()
}

// deleteChat moves a conversation to the trash, and shows the one after it.
func (p *Panel) deleteChat(id string) {
	s, ok := p.summary(id)
	if !ok || p.answers(id) {
		return
	}
	if err := p.conversations.Delete(id); err != nil {
		p.ShowError(err)
		return
	}
	next := p.list.After(id)
	if id == p.conversation.ID {
		p.leaveDeleted()
		if next != "" {
			p.openChat(next, 0)
		}
	}
	p.list.Reload()
	p.deleted("Deleted “"+kit.Ellipsize(kit.Brief(s.Title), 240, kit.TextBody, fyne.TextStyle{})+"”.", func() error {
		err := p.conversations.Restore(id)
		if err == nil {
			p.list.Reload()
			p.openChat(id, 0)
		}
		return err
	})
}

// leaveDeleted leaves the conversation in view, which was deleted. What was typed in it comes
// back with it.
func (p *Panel) leaveDeleted() {
	p.putAside(p.composer.draft())
	p.session.forget()
	p.composer.fill(p.drafts[""])
	p.showChat(chat.Conversation{})
	p.remember()
}

// unload frees the memory of the model.
func (p *Panel) unload() {
	p.conversations.Unload()
	p.options.show()
	p.ModelsChanged()
	p.Tell("The model was unloaded. The next answer loads it again.")
}

// export saves a conversation as a file.
func (p *Panel) export(id, format string) {
	s, ok := p.summary(id)
	if !ok {
		return
	}
	ext := ".md"
	if format == "json" {
		ext = ".json"
	}
	p.Files().Save(fileName(s.Title)+ext, func(w fyne.URIWriteCloser) {
		p.Write(w, func(f fyne.URIWriteCloser) error {
			data, err := p.conversations.Export(id, format)
			if err == nil {
				_, err = f.Write(data)
			}
			return err
		}, p.ShowError)
	})
}

// importLimit is how large a file of exported chats may be, in bytes: it is read whole.
const importLimit = 256 << 20

// importChats adds the conversations of a file that was exported as JSON.
func (p *Panel) importChats() {
	p.Files().OpenFile([]string{".json"}, p.importFile)
}

func (p *Panel) importFile(path string) {
	p.Work(func(ctx context.Context) {
		data, err := regular.ReadFile(ctx, path, importLimit)
		if errors.Is(err, regular.ErrTooLarge) {
			err = fmt.Errorf("it is larger than %d MB; export fewer chats at a time", importLimit>>20)
		}
		var ids []string
		if err == nil {
			ids, err = p.conversations.Import(data)
		}
		p.Do(func() {
			if err != nil {
				p.ShowError(fmt.Errorf("%s was not imported: %w", filepath.Base(path), err))
			}
			if len(ids) > 0 {
				p.Tell("Imported " + kit.Count(len(ids), "chat") + " from " + filepath.Base(path) + ".")
				p.list.Reload()
				p.openChat(ids[0], 0)
			}
		})
	})
}

// fileName makes a title good as the name of a file everywhere.
func fileName(title string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ':
			return '-'
		}
		return r
	}, kit.Brief(title))
	if runes := []rune(clean); len(runes) > 60 {
		clean = string(runes[:60])
	}
	if clean = strings.Trim(clean, " .-…"); clean == "" {
		return "chat"
	}
	return clean
}

// saveMessage saves an answer as a Markdown file, which most answers are written in.
func (p *Panel) saveMessage(id int64) {
	m := p.tree.message(id)
	if m == nil {
		return
	}
	text := strings.TrimSpace(m.Text()) + "\n"
	p.Files().Save(answerName(*m, p.conversation.Title), func(w fyne.URIWriteCloser) {
		p.Write(w, func(f fyne.URIWriteCloser) error {
			_, err := f.Write([]byte(text))
			return err
		}, p.ShowError)
	})
}

// answerName is the name that a file with an answer gets: its heading, where it begins with one, or else
// the title of the chat.
func answerName(m chat.Message, title string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(m.Text()), "\n")
	if heading := strings.TrimLeft(first, "#"); heading != first && strings.HasPrefix(heading, " ") {
		title = kit.Brief(chat.Preview(strings.TrimSpace(heading)))
	}
	return fileName(title) + ".md"
}
