package chat

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/chat"
	"inglenook/app/library"
	"inglenook/ui/chat/sources"
	"inglenook/ui/kit"
)

// edit brings a message into the composer.
func (p *Panel) edit(id int64) {
	m := p.tree.message(id)
	if m == nil || p.writesHere() {
		return
	}
	if !kit.Editable(m.Text()) {
		p.Tell("This message is too long to edit in the window; copy it and send it as a file.")
		return
	}
	p.session.edit(id, p.composer.draft())
	what := "Editing your message; the other version is kept: use the arrows."
	if m.Role == chat.RoleAssistant {
		what = "Editing the answer; the other version is kept: use the arrows."
	}
	p.composer.showEditing(what)
	p.composer.fill(draft{text: m.Text(), files: m.Files()})
	p.Focus(p.composer.entry)
}

// endEditing gives the composer back to new messages; false: it had them.
func (p *Panel) endEditing() bool {
	d, edited := p.session.endEditing()
	if edited {
		p.composer.showEditing("")
		p.composer.fill(d)
		p.view.Refresh()
	}
	return edited
}

// leaveEditing ends editing without sending; what was written comes back with undo. false: nothing was edited.
func (p *Panel) leaveEditing() bool {
	id, d, conversation := p.editing, p.composer.draft(), p.conversation.ID
	m := p.tree.message(id)
	changed := m != nil && (d.text != m.Text() || !slices.EqualFunc(d.files, m.Files(), chat.Part.SameFile))
	if !p.endEditing() {
		return false
	}
	if changed {
		p.deleted("Your changes were not kept.", func() error {
			if p.conversation.ID != conversation {
				p.openChat(conversation, id)
			}
			if p.edit(id); p.editing == id {
				p.composer.fill(d)
			}
			return nil
		})
	}
	return true
}

// sendEdited puts another text beside the edited message, and has a message of
// the person's answered.
func (p *Panel) sendEdited(d draft) {
	m, text := p.tree.message(p.editing), d.text
	if m == nil || strings.TrimSpace(text) == "" && len(m.With("", d.files)) == 0 {
		return
	}
	role := m.Role
	if text == m.Text() && role == chat.RoleAssistant && slices.EqualFunc(d.files, m.Files(), chat.Part.SameFile) {
		p.endEditing()
		return
	}
	if p.choices.Collection != "" && role == chat.RoleUser {
		p.askEdited(*m, d)
		return
	}
	id, err := p.conversations.Edit(p.conversation.ID, m.ID, text, d.files)
	if err != nil {
		p.ShowError(err)
		return
	}
	p.endEditing()
	p.reload()
	if role == chat.RoleUser {
		p.flow.Stick = true
		p.answer(chat.AnswerRequest{Conversation: p.conversation.ID, After: id}, "", "")
	}
}

// askEdited sends another text in the place of a message, with the passages for that.
func (p *Panel) askEdited(m chat.Message, d draft) {
	r := chat.AnswerRequest{Conversation: p.conversation.ID, After: m.Parent, Retrieved: p.sees(d)}
	if !r.Retrieved {
		d.passages = sources.Picked{}
	}
	r.Parts = rewritten(m, d)
	p.endEditing()
	p.flow.Stick = true
	p.answer(r, "", "")
}

// regenerate has the model answer again; the old answer stays as a branch.
func (p *Panel) regenerate(id int64) {
	m := p.tree.message(id)
	if m == nil || p.running != nil || !p.ready() {
		return
	}
	after := m.ID
	if m.Role == chat.RoleAssistant {
		after = m.Parent
	}
	p.flow.Stick = true
	p.answer(chat.AnswerRequest{Conversation: p.conversation.ID, After: after}, "", "")
}

// otherName is what the button of regenerateWith is called.
const otherName = "Answer with another model"

// regenerateWith offers the other models that can answer. The one that is taken answers
// again, and from then on in this chat; the old answer stays as a branch.
func (p *Panel) regenerateWith(id int64) {
	c := fyne.CurrentApp().Driver().CanvasForObject(p.view)
	if c == nil || p.running != nil {
		return
	}
	var items []*fyne.MenuItem
	for _, m := range p.otherModels() {
		items = append(items, fyne.NewMenuItem(kit.Brief(m.Title()), func() {
			p.picker.Offer(p.picker.Models, m.ID)
			p.modelChosen(m)
			p.regenerate(id)
		}))
	}
	at := fyne.NewPos(c.Size().Width/2, c.Size().Height/3)
	if b := p.bubbles[id]; b != nil {
		at = positionAbove(b.foot.button(otherName), items)
	}
	kit.ShowMenu(p.Keys, c, items, at, 0)
}

// otherModels are those that can answer beside the chosen one.
func (p *Panel) otherModels() []library.Model {
	return slices.DeleteFunc(slices.Clone(p.picker.Models), func(m library.Model) bool {
		_, ok := p.modelFits(m)
		return !ok || m.ID == p.choices.Model
	})
}

// goOn has the model continue an answer, in a copy of it.
func (p *Panel) goOn(id int64) {
	if m := p.tree.message(id); m != nil && p.running == nil && !notFound(*m) && p.ready() {
		p.flow.Stick = true
		p.answer(chat.AnswerRequest{Conversation: p.conversation.ID, Continue: id}, m.Text(), m.Thinking)
	}
}

// turnBranch shows the branch before or after that of a message.
func (p *Panel) turnBranch(id int64, by int) {
	ids, at := p.tree.branches(id)
	if at+by < 0 || at+by >= len(ids) || p.writesHere() {
		return
	}
	to := ids[at+by]
	if p.change(p.conversations.SetLeaf(p.conversation.ID, p.tree.tip(to))) {
		i := slices.Index(p.tree.path, to)
		p.flow.Stick = false
		p.flow.Choose(i)
		if b := p.bubbles[to]; b != nil {
			b.point(true)
		}
	}
}

// revealMessage brings a message into sight, on its branch.
func (p *Panel) revealMessage(id int64) {
	if p.tree.message(id) == nil {
		return
	}
	if !slices.Contains(p.tree.path, id) && !p.change(p.conversations.SetLeaf(p.conversation.ID, p.tree.tip(id))) {
		return
	}
	p.flow.Choose(slices.Index(p.tree.path, id))
}

// deleteMessage deletes a message and what follows it; both come back with undo.
func (p *Panel) deleteMessage(id int64) {
	conversation, m := p.conversation.ID, p.tree.message(id)
	if m == nil || p.writesHere() {
		return
	}
	what := "Deleted the message."
	if i := slices.Index(p.tree.path, id); i >= 0 && i < len(p.tree.path)-1 {
		what = "Deleted " + kit.Count(len(p.tree.path)-i, "message") + "."
	}
	if p.editing != 0 {
		p.endEditing()
	}
	if p.change(p.conversations.DeleteMessage(conversation, id)) {
		p.deleted(what, func() error {
			err := p.conversations.RestoreMessage(conversation, id)
			if err == nil && p.conversation.ID == conversation {
				p.reload()
			}
			return err
		})
	}
}

func (p *Panel) copyMessage(id int64) {
	if m := p.tree.message(id); m != nil {
		if p.Copy(m.Text(), "message.md") {
			p.Tell("Copied the message.")
		}
	}
}

// copyLast copies the last answer.
func (p *Panel) copyLast() {
	if m := p.tree.last(chat.RoleAssistant); m != nil {
		p.copyMessage(m.ID)
	}
}

// messageKey does something with the selected message.
func (p *Panel) messageKey(e *fyne.KeyEvent) bool {
	if p.flow.Current < 0 || p.flow.Current >= len(p.tree.path) {
		return false
	}
	m := p.tree.message(p.tree.path[p.flow.Current])
	if p.inPair(m.ID) && p.pairKey(e) {
		return true
	}
	switch e.Name {
	case fyne.KeyLeft:
		p.turnBranch(m.ID, -1)
		return true
	case fyne.KeyRight:
		p.turnBranch(m.ID, 1)
		return true
	case fyne.KeyReturn, fyne.KeyEnter:
		if m.Reply != nil {
			p.showReply(*m)
		}
		return true
	}
	if b := p.bubbles[m.ID]; e.Name == "Menu" && b != nil {
		b.foot.openMore(p.Keys, b)
		return true
	}
	for _, a := range p.actionsOf(*m) {
		if a.key == e.Name {
			a.run()
			return true
		}
	}
	return false
}

// undo takes a deletion back.
type undo struct {
	what string
	run  func() error
}

// mostUndos is how many deletions the keyboard can take back.
const mostUndos = 50

// deleted offers to take a deletion back.
func (p *Panel) deleted(what string, back func() error) {
	p.noteUndo(what, back)
	p.toast.Offer(what, undoName(), theme.ContentUndoIcon(), p.undo)
	p.view.Refresh()
}

// undoName is what the button says that takes something back, with its key.
func undoName() string {
	return "Undo (" + kit.NewShortcut(fyne.KeyZ, "", "Z", nil).Label() + ")"
}

// noteUndo keeps what takes a change back.
func (p *Panel) noteUndo(what string, back func() error) {
	p.undos = append(p.undos, undo{what, back})
	if len(p.undos) > mostUndos {
		p.undos = p.undos[1:]
	}
}

// offersUndo reports whether the window says what was changed last, and that it can be taken back.
func (p *Panel) offersUndo() bool {
	last := len(p.undos) - 1
	return last >= 0 && (p.toast.View.Visible() || p.notice.Message() == p.undos[last].what)
}

// undo takes the last deletion back.
func (p *Panel) undo() {
	if len(p.undos) == 0 {
		return
	}
	last := p.undos[len(p.undos)-1]
	p.undos = p.undos[:len(p.undos)-1]
	p.toast.Hide()
	if err := last.run(); err != nil {
		p.ShowError(err)
		return
	}
	p.Tell(restored(last.what))
	p.view.Refresh()
}

// restored says that what was done is undone.
func restored(what string) string {
	if thing, deleted := strings.CutPrefix(what, "Deleted "); deleted {
		return "Restored " + thing
	}
	return "Restored what was there before."
}

// tryExample writes an example. What was being written comes back with undo.
func (p *Panel) tryExample(text string) {
	before := p.composer.draft()
	p.composer.fill(draft{text: text})
	if before.holds() {
		p.deleted("The example replaced what you were writing.", func() error {
			p.composer.fill(before)
			return nil
		})
	}
}

// actionsOf are those that make sense for a message now.
func (p *Panel) actionsOf(m chat.Message) []action {
	var list []action
	if !wordless(m.Text()) {
		list = append(list, action{name: "Copy", icon: theme.ContentCopyIcon(), key: fyne.KeyC, run: func() { p.copyMessage(m.ID) }})
	}
	if m.State == chat.MessageWriting && p.writesHere() || p.inPair(m.ID) || isSent(m.ID) {
		return list
	}
	if leadsToModels(m) {
		list = append([]action{{name: "Find a model", icon: theme.SearchIcon(), key: fyne.KeyF, run: p.FindModel}}, list...)
	}
	answer := m.Role == chat.RoleAssistant
	edit := action{name: "Edit", icon: theme.DocumentCreateIcon(), key: fyne.KeyE, run: func() { p.edit(m.ID) }, rare: answer}
	if answer {
		list = append(list, p.actionsOfAnswer(m, edit)...)
	} else if list = append(list, edit); p.tree.leaf() == m.ID {
		list = append(list, action{name: "Answer", icon: theme.MailReplyIcon(), key: fyne.KeyR, run: func() { p.regenerate(m.ID) }}, p.twiceAction(m))
	}
	return append(list, action{name: "Delete", icon: theme.DeleteIcon(), key: fyne.KeyDelete, run: func() { p.deleteMessage(m.ID) }, rare: true, apart: true})
}

// actionsOfAnswer are those of an answer alone, and its editing.
func (p *Panel) actionsOfAnswer(m chat.Message, edit action) []action {
	list := []action{{name: "Regenerate", icon: theme.ViewRefreshIcon(), key: fyne.KeyR, run: func() { p.regenerate(m.ID) }}, edit}
	if !wordless(m.Text()) {
		list = append(list, action{name: "Save as a file…", icon: theme.DocumentSaveIcon(), key: fyne.KeyS, run: func() { p.saveMessage(m.ID) }, rare: true})
	}
	var again []action
	if len(p.otherModels()) > 0 {
		again = append(again, action{name: otherName, icon: theme.AccountIcon(), key: fyne.KeyW, run: func() { p.regenerateWith(m.ID) }, rare: true})
	}
	again = append(again, p.twiceAction(m))
	if p.tree.leaf() == m.ID && (m.Reply == nil || !chat.ByProgram(m.Reply.Reason)) {
		again = append(again, action{name: "Continue", icon: theme.MediaFastForwardIcon(), key: fyne.KeyT, run: func() { p.goOn(m.ID) }, rare: true})
	}
	again[0].apart = true
	return append(list, again...)
}

// notFound reports whether a message says that the documents do not answer.
func notFound(m chat.Message) bool { return m.Reply != nil && m.Reply.Reason == chat.FinishNotFound }

// leadsToModels reports whether the tiny model that comes with the program names
// the place of larger ones in a message.
func leadsToModels(m chat.Message) bool {
	return m.Reply != nil && m.Reply.Model == library.StarterChat && strings.Contains(m.Text(), "Discover")
}
