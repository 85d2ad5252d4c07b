// Package chat is the panel in which a person converses with a language model.
package chat

import (
	_ "embed"
	"path"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

//go:embed chat.svg
var chatSVG []byte

//go:embed sliders.svg
var slidersSVG []byte

// chatIcon is drawn in the colour of that name.
func chatIcon(name fyne.ThemeColorName) fyne.Resource {
	return kit.Colored(fyne.NewStaticResource("chat.svg", chatSVG), name)
}

func (p *Panel) Info() panel.Info {
	return panel.Info{ID: panel.Chat, Name: "Chat", About: "Talk with a model on this computer", Icon: chatIcon}
}

func (p *Panel) Content() fyne.CanvasObject { return p.view }

// Leave notes that the panel is out of view; what was just deleted comes back with the keys alone then.
func (p *Panel) Leave() {
	p.inView = false
	p.toast.Hide()
}

// Enter reads the lists of models and collections again when the panel comes into view.
func (p *Panel) Enter() {
	p.inView = true
	p.ModelsChanged()
	p.composer.asks.list(nil)
	p.Focus(p.composer.entry)
}

// WritesIn is the field for a message.
func (p *Panel) WritesIn() fyne.Focusable { return p.composer.entry }

// Open shows the conversation that was in view last, and what was wrong with the
// store.
func (p *Panel) Open() {
	if notices := p.conversations.Notices(); len(notices) > 0 {
		p.startNotice.Fail(strings.Join(notices, " "))
	}
	p.list.Reload()
	if there, err := p.conversations.List(""); err == nil {
		p.dropDrafts(append(there, p.conversations.Trash()...))
	}
	if id := p.App.Settings().Chat.Talk; id != "" {
		if c, err := p.conversations.Conversation(id); err == nil && c.Deleted.IsZero() {
			p.showChat(c)
			p.tellUnanswered()
		}
	}
	if p.view.Visible() {
		p.Focus(p.composer.entry)
	}
	p.loadModels(nil)
}

// Escape ends what is under way: an open list, a sheet, an answer, editing, what is chosen for
// this chat.
func (p *Panel) Escape() {
	switch {
	case p.picker.CloseOpen() || p.sheet.Close() || p.composer.asks.shelf.Close() || p.stop() || p.leaveEditing() || p.find.Close() || p.list.EndSearch():
	case p.list.InTrash:
		p.list.LeaveTrash()
	case p.panes.covers():
		p.uncover()
		p.Focus(p.composer.entry)
	case p.panes.options:
		p.toggleOptions()
	default:
		p.startNotice.Hide()
		p.notice.Hide()
		p.toast.Hide()
		p.Focus(p.composer.entry)
	}
	p.view.Refresh()
}

// Takes models and files; folders that are no models are not for it.
func (p *Panel) Takes(d panel.Dropped) bool { return len(d.Folders) == 0 }

func (p *Panel) Drop(d panel.Dropped) {
	a := p.together(len(d.Models) + len(d.Files))
	for _, path := range d.Models {
		p.addOneOf(path, func(err error) { p.refuse(a, path, err) })
	}
	p.attachAll(a, d.Files)
}

func (p *Panel) Shortcuts() []kit.Shortcut {
	return []kit.Shortcut{
		kit.NewShortcut(fyne.KeyReturn, "Send", "Enter", p.send),
		kit.NewShortcut(fyne.KeyEnter, "", "", p.send),
		kit.NewShiftShortcut(fyne.KeyReturn, twiceKey, "Enter", func() { p.sendTwice("") }),
		kit.NewShortcut(fyne.KeyN, "New chat", "N", p.newChat),
		kit.NewShortcut(fyne.KeyF, "Find in this chat, or search all of them", "F", p.lookFor),
		kit.NewShiftShortcut(fyne.KeyF, "Search all chats", "F", p.search),
		kit.NewShortcut(fyne.KeyB, "Show or hide the list of chats", "B", p.toggleList),
		kit.NewShortcut(fyne.KeyI, "Settings of this chat", "I", p.toggleOptions),
		kit.NewShortcut(fyne.KeyM, "Choose the model", "M", p.chooseModel),
		kit.NewShortcut(fyne.KeyO, attachKey, "O", p.attachFiles),
		kit.NewShortcut(fyne.KeyD, "Ask your documents", "D", p.composer.asks.ask),
		kit.NewShiftShortcut(fyne.KeyO, "Open a model folder", "O", p.openModelFolder),
		kit.NewShortcut(fyne.KeyE, "Select messages (arrows; C copy, S save, E edit, R regenerate, W with another model, B two side by side, 1 or 2 keeps one, T continue, Delete, ← → branches)", "E", func() { p.Focus(p.flow) }),
		kit.NewShortcut(fyne.KeyR, "Regenerate the last answer", "R", p.regenerateLast),
		kit.NewShortcut(fyne.KeyT, "Continue the last answer", "T", p.continueLast),
		kit.NewShiftShortcut(fyne.KeyC, "Copy the last answer", "C", p.copyLast),
		kit.NewShortcut(fyne.KeyL, "Write a message (↑ edits the last one, Shift+Enter is a new line)", "L", func() { p.Focus(p.composer.entry) }),
		kit.NewShortcut(fyne.KeyZ, "Undo the last deletion", "Z", p.undo),
		kit.NewShortcut(fyne.KeyS, "Export as Markdown", "S", func() { p.export(p.conversation.ID, "markdown") }),
		kit.NewShiftShortcut(fyne.KeyS, "Export as JSON", "S", func() { p.export(p.conversation.ID, "json") }),
		kit.NewShiftShortcut(fyne.KeyR, "Rename the chat", "R", p.title.begin),
		kit.NewShiftShortcut(fyne.KeyP, "Pin or unpin the chat", "P", func() { p.turnPin(p.conversation.ID) }),
		kit.NewShiftShortcut(fyne.KeyDelete, "Delete the chat", "Delete", func() { p.deleteChat(p.conversation.ID) }),
	}
}

// lookFor gives the keyboard to what finds words in the chat in view. Where nothing is written there, or
// that has the keyboard, it is the search of all chats.
func (p *Panel) lookFor() {
	if len(p.tree.path) == 0 || p.list.InTrash || p.panes.covers() || p.find.Has() {
		p.search()
		return
	}
	p.find.Open()
}

// search goes to the search field.
func (p *Panel) search() {
	if !p.panes.listOpen() {
		p.toggleList()
	}
	p.list.LeaveTrash()
	p.Focus(p.list.Search)
}

func (p *Panel) regenerateLast() {
	if m := p.tree.message(p.tree.leaf()); m != nil {
		p.regenerate(m.ID)
	}
}

func (p *Panel) continueLast() {
	if m := p.tree.message(p.tree.leaf()); m != nil && m.Role == chat.RoleAssistant {
		p.goOn(m.ID)
	}
}

// Use chooses a model by name, as the program was started with one.
func (p *Panel) Use(m library.Model) {
	p.loadModels(func() {
		if p.modelChoice(m.ID).Model.ID == "" {
			p.addModel(m.Path) // it is not on the list yet
			return
		}
		p.picker.Offer(p.picker.Models, m.ID)
		p.modelChosen(m)
	})
}

// toggleList opens or closes the list.
func (p *Panel) toggleList() {
	open := !p.panes.listOpen()
	if open && !p.panes.wide() {
		p.panes.options = false
	}
	p.panes.list = &open
	p.Keep(func(s *base.Settings) { s.Chat.List = &open })
	p.view.Refresh()
}

// resizeList makes the list wider or narrower.
func (p *Panel) resizeList(by float32) {
	p.panes.chosen = p.panes.listWidth() + by
	p.view.Refresh()
}

// keepListWidth keeps how wide a person made the list.
func (p *Panel) keepListWidth() {
	width := p.panes.listWidth()
	p.panes.chosen = width
	p.Keep(func(s *base.Settings) { s.Chat.ListWidth = width })
}

// modelName is how people call a model, with the server that has it; "": none has written yet.
func (p *Panel) modelName(id string) string {
	if id == "" {
		return ""
	}
	title := library.TitleOf(id)
	if m := p.modelChoice(id).Model; m.ID != "" {
		title = m.Title()
		if m.Elsewhere() {
			return path.Base(title) + " · " + m.Server
		}
	}
	return path.Base(filepath.ToSlash(title))
}

// toggleOptions opens or closes what is chosen for this conversation.
func (p *Panel) toggleOptions() {
	p.panes.options = !p.panes.options
	p.options.show()
	p.view.Refresh()
	if p.panes.options {
		p.Focus(p.options.system)
	} else {
		p.Focus(p.composer.entry)
	}
}

// attachKey is what the shortcut for a file does.
const attachKey = "Attach text, PDF, Word, web or e-book files"
