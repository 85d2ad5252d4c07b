package ui

import (
	_ "embed"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/app"
)

//go:embed icons/chat.svg
var chatSVG []byte

// chatIcon is drawn in the colour of that name.
func chatIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(fyne.NewStaticResource("chat.svg", chatSVG), name)
}

func (p *chat) info() info { return info{id: roomChat, name: "Chat", icon: chatIcon} }

func (p *chat) content() fyne.CanvasObject { return p.view }
func (p *chat) leave()                     {}

// enter reads the list of models anew when the room comes into view.
func (p *chat) enter() {
	p.modelsChanged()
	p.focus(p.composer.entry)
}

// open shows the conversation that was in view last, and what was wrong with the
// store.
func (p *chat) open() {
	if notices := p.talks.Notices(); len(notices) > 0 {
		p.told.fail(strings.Join(notices, " "))
	}
	p.list.reload()
	if id := p.common.Settings().Chat.Talk; id != "" {
		if c, err := p.talks.Conversation(id); err == nil && c.Deleted.IsZero() {
			p.showTalk(c)
		}
	}
	if p.view.Visible() {
		p.focus(p.composer.entry)
	}
	p.loadModels(nil)
}

// escape ends what is under way: an open list, a sheet, an answer, editing.
func (p *chat) escape() {
	switch {
	case p.picker.closeOpen() || p.sheet.close() || p.stop() || p.endEditing() || p.list.endSearch():
	case p.list.inTrash:
		p.list.leaveTrash()
	default:
		p.told.hide()
		p.notice.hide()
		p.toast.hide()
		p.focus(p.composer.entry)
	}
	p.view.Refresh()
}

// takes models and files; folders that are no models are not for it.
func (p *chat) takes([]string) bool { return true }

func (p *chat) drop(paths []string) {
	for _, path := range paths {
		if isModelPath(path) {
			p.addModel(path)
		} else {
			p.attachPath(path)
		}
	}
}

func (p *chat) shortcuts() []shortcut {
	return []shortcut{
		newShortcut(fyne.KeyReturn, "Send", "Enter", p.send),
		newShortcut(fyne.KeyEnter, "", "", p.send),
		newShortcut(fyne.KeyN, "New chat", "N", p.newTalk),
		newShortcut(fyne.KeyF, "Search chats", "F", p.search),
		newShortcut(fyne.KeyB, "Show or hide the list of chats", "B", p.toggleList),
		newShortcut(fyne.KeyI, "Instructions and sampling", "I", p.toggleDrawer),
		newShortcut(fyne.KeyM, "Choose the model", "M", p.chooseModel),
		newShortcut(fyne.KeyO, "Attach a text file", "O", p.attachFile),
		newShiftShortcut(fyne.KeyO, "Open a model folder", "O", p.openModelFolder),
		newShortcut(fyne.KeyE, "Select messages (arrows; C copy, E edit, R regenerate, T continue, Delete, ← → branches)", "E", func() { p.focus(p.flow) }),
		newShortcut(fyne.KeyR, "Regenerate the last answer", "R", p.regenerateLast),
		newShortcut(fyne.KeyT, "Continue the last answer", "T", p.continueLast),
		newShiftShortcut(fyne.KeyC, "Copy the last answer", "C", p.copyLast),
		newShortcut(fyne.KeyL, "Write a message (↑ edits the last one, Shift+Enter is a new line)", "L", func() { p.focus(p.composer.entry) }),
		newShortcut(fyne.KeyZ, "Undo the last deletion", "Z", p.undo),
		newShortcut(fyne.KeyS, "Export as Markdown", "S", func() { p.export(p.talk.ID, "markdown") }),
		newShiftShortcut(fyne.KeyS, "Export as JSON", "S", func() { p.export(p.talk.ID, "json") }),
		newShiftShortcut(fyne.KeyR, "Rename the chat", "R", p.title.begin),
		newShiftShortcut(fyne.KeyP, "Pin or unpin the chat", "P", func() { p.talkKey(p.talk.ID, &fyne.KeyEvent{Name: fyne.KeyP}) }),
		newShiftShortcut(fyne.KeyDelete, "Delete the chat", "Delete", func() { p.deleteTalk(p.talk.ID) }),
	}
}

// search goes to the search field.
func (p *chat) search() {
	if !p.panes.listOpen() {
		p.toggleList()
	}
	p.list.leaveTrash()
	p.focus(p.list.search)
}

func (p *chat) regenerateLast() {
	if m := p.tree.message(p.tree.leaf()); m != nil {
		p.regenerate(m.ID)
	}
}

func (p *chat) continueLast() {
	if m := p.tree.message(p.tree.leaf()); m != nil && m.Role == app.RoleAssistant {
		p.goOn(m.ID)
	}
}

// use chooses a model by name, as the program was started with one.
func (p *chat) use(m app.Model) {
	p.loadModels(func() {
		if p.modelChoice(m.ID).Model.ID == "" {
			p.addModel(m.Path) // it is not on the list yet
			return
		}
		p.picker.show(p.picker.models, m.ID)
		p.modelChosen(m)
	})
}
