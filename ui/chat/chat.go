package chat

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/chat"
	"inglenook/ui/chat/chatlist"
	"inglenook/ui/chat/finding"
	"inglenook/ui/chat/sidebyside"
	"inglenook/ui/chat/tooluse"
	"inglenook/ui/firstmodel"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/prose"
)

// Panel is where a person chats with a language model.
type Panel struct {
	panel.Host
	*session
	app App

	list        *chatlist.List
	title       *title
	picker      *panel.ModelPicker
	flow        *kit.List
	find        *finding.Finding
	composer    *composer
	options     *options
	toast       *kit.Toast
	sheet       *kit.Sheet
	startNotice *kit.Notice // from the start of the program
	notice      *kit.Notice
	blank       *blank
	newer       *kit.Button
	waiting     kit.RunControls // of loading and reading
	asks        *tooluse.Ask    // whether a tool may run
	panes       *panes
	view        *fyne.Container

	bubbles    map[int64]*bubble // those that exist
	beside     map[int64]sides   // rows with two answers
	loading    *loading          // nil: no model is being loaded
	whenLoaded func()            // what waits for the model that is being loaded; nil: nothing
	attaching  *attaching        // the files that came last; nil: none came
	undos      []undo
	inView     bool                       // the panel is the one that the window shows
	took       string                     // the repository of the model that the first page got
	listing    struct{ asked, shown int } // how often the models were asked for, and whose answer is shown
	fonts      fontCheck
	selecting  *prose.Text // in which a person selected last
}

func New(d panel.Host, a App, conversations Conversations, documents Documents) *Panel {
	p := &Panel{Host: d, session: newSession(conversations, d.App.Settings, d.Keep), app: a, bubbles: map[int64]*bubble{}, beside: map[int64]sides{}}
	p.toast = kit.NewToast(d.Keys, d.Do)
	p.list = chatlist.New(d, conversations, chatlist.Host{
		Open: p.chosenChat, Begin: func() { p.uncover(); p.newChat() }, Menu: p.chatMenu, Key: p.chatKey, Failed: p.ShowError, Model: p.modelName, Ask: p.askBefore, Close: p.toggleList, Turned: p.toast.Hide, Import: p.importChats,
	})
	p.title = newTitle(d.Keys, p.rename)
	p.buildPicker()
	p.buildFlow()
	p.find = p.newFinding()
	p.composer = newComposer(d, p.session, documents, composerHost{
		send: p.send, twice: p.offerSendTwice, stop: func() { p.stop(); p.Focus(p.composer.entry) }, edit: p.edit, endEditing: p.leaveEditing,
		attach: p.attachFiles, open: p.showFile, explain: p.explainContext, getModel: p.getModel, larger: func() string { return p.blank.getName() }, resized: p.resized,
		openPassage: p.openPassage, asksOthers: func() { p.blank.refresh() }, failed: p.ShowError,
	})
	p.list.Plain.Field = p.composer.entry // typing goes on there
	p.options = newOptions(d, p.session, optionsHost{
		load: p.load, unload: p.unload, close: p.toggleOptions, open: func() bool { return p.panes != nil && p.panes.options }, changed: p.composer.measure, failed: p.ShowError, offerUndo: p.deleted,
	})
	p.composer.entry.Undo = func() bool { // what was just deleted, also where something is being written
		if !p.offersUndo() {
			return false
		}
		p.undo()
		return true
	}
	p.sheet = kit.NewSheet(d.Keys, func() fyne.CanvasObject { return p.view })
	p.startNotice, p.notice = kit.NewNotice(d.Keys), kit.NewNotice(d.Keys)
	p.notice.Stays = false
	p.blank = newBlank(d, a, p.session, blankHost{
		write: func(text string) { p.tryExample(text); p.Focus(p.composer.entry) },
		ask:   func(text string) { p.tryExample(text); p.send() },
		goTo:  p.GoTo, samples: p.SampleDocuments,
		learn: p.learnAdvice, back: func() { p.Focus(p.composer.entry) }, get: p.getModel, cover: func(on bool) { kit.Show(p.flow, !on) },
	}, firstmodel.Host{Arrived: p.arrived, Began: d.WatchDownloads, Asked: func() { p.Focus(p.composer.entry) }, Here: p.hereAs, Use: p.useHere, OpenFolder: p.openModelFolder, OpenFile: p.openModelFile})
	p.waiting = kit.NewRunControls(d.Keys, func() { p.stop() })
	p.asks = tooluse.NewAsk(d.Keys)
	p.buildView()
	p.showChat(chat.Conversation{})
	return p
}

func (p *Panel) buildFlow() {
	p.flow = kit.NewList(p.Keys, kit.ListRows{
		Length: func() int { return len(p.tree.path) },
		ID:     func(i int) int64 { return p.tree.path[i] },
		Create: func(i int) fyne.CanvasObject { return p.newRow(p.tree.path[i]) },
		Drop:   p.dropRow,
		Guess:  func(i int, width float32) float32 { return guessHeight(p.tree.message(p.tree.path[i]), width) },
		Seen:   func(i int, top, bottom float32) { p.seen(p.tree.path[i], top, bottom) },
		Mark: func(o fyne.CanvasObject, on bool) {
			switch o := o.(type) {
			case *bubble:
				o.setMarked(on)
			case *sidebyside.View:
				o.SetMarked(on)
			}
		},
	})
	p.flow.Typed = p.messageKey
	p.flow.Moved = func(atEnd bool) { kit.Show(p.newer, !atEnd && p.writesHere()) }
}

func (p *Panel) buildView() {
	toggle := kit.NewIconButton(p.Keys, theme.MenuIcon(), "Show or hide the list of chats", p.toggleList)
	sliders := theme.NewThemedResource(fyne.NewStaticResource("sliders.svg", slidersSVG))
	settings := kit.NewQuietButton(p.Keys, "This chat", sliders, p.toggleOptions)
	settings.Tip = "Settings of this chat"
	narrow := kit.NewIconButton(p.Keys, sliders, settings.Tip, p.toggleOptions)
	more := kit.NewIconButton(p.Keys, theme.MoreVerticalIcon(), "Rename, find in, export or delete this chat", nil)
	more.OnTapped = func() { p.chatMenu(p.conversation.ID, positionBelow(more)) }
	p.panes = &panes{chosen: p.App.Settings().Chat.ListWidth, toggle: toggle}
	header := container.New(headLayout{}, toggle, p.title, p.picker, settings, narrow, more)

	p.newer = kit.NewButton(p.Keys, "New text", theme.MoveDownIcon(), func() { p.flow.ToEnd() })
	p.newer.Hide()
	messages := container.NewStack(p.flow, p.blank.view, p.toast.Above(p.newer)) // what is taken back is next to where the hand is
	foot := container.New(&column800{}, kit.Column(kit.GapSmall, p.waiting.Progress, p.asks.View, p.notice.View, p.composer.view))
	middle := kit.Bordered(kit.Gap, kit.Bordered(kit.Gap, header, kit.Column(kit.Gap, p.startNotice.View, container.New(&column800{}, p.find.View)), nil), messages, foot)
	body := container.New(p.panes, p.list.View, middle, p.options.view, panel.NewEdge(p.resizeList, p.keepListWidth))
	p.view = kit.Inset(body, 12, kit.GapWide)
}

// newRow shows a message, or two answers side by side.
func (p *Panel) newRow(id int64) fyne.CanvasObject {
	if q := p.pair(); q.holds(id) {
		return p.newSides(id, q)
	}
	return p.newBubble(id)
}

// newBubble shows a message.
func (p *Panel) newBubble(id int64) *bubble {
	b := newBubble(p.Host, p.session, id, bubbleHost{
		newText: p.newText, grown: p.grown, missing: p.fonts.missingIn, actions: p.actionsOf,
		turn: p.turnBranch, explain: p.showReply, open: p.showFile,
		again: p.regenerate, byOther: p.regenerateWith, others: func() bool { return len(p.otherModels()) > 0 }, goOn: p.goOn, tip: p.Keys.Tip, openPassage: p.openPassage, anyway: p.askAnyway, search: p.searchDocuments,
		advice: p.adviceBelow, get: p.getModel, enough: func() {
			p.blank.enough = true
			p.CloseTip(tipLarger)
			p.adviseAgain()
		},
	})
	p.bubbles[id] = b
	p.find.Mark(id)
	return b
}

// grown follows that a message has another height.
func (p *Panel) grown(id int64) {
	p.flow.Grown(p.rowOf(id))
	p.find.Grown(id)
}

// newText is a text in which a person may select, in one message at a time. A click on
// what follow does not know is one on a link.
func (p *Panel) newText(follow func(address string) bool) *prose.Text {
	text := prose.New(p.Keys, func(address string) {
		if !follow(address) {
			p.askLink(address)
		}
	})
	text.Do, text.Copy, text.Wheel = p.Do, p.Copy, p.flow.Scroll.Scrolled
	text.InView(0, p.flow.Scroll.Size().Height) // until it is known
	text.Selects = func() {
		if p.selecting != nil && p.selecting != text {
			p.selecting.Mark = prose.Marked{}
			p.selecting.Draw()
		}
		p.selecting = text
	}
	return text
}

// resized follows a field that grew.
func (p *Panel) resized() {
	if p.view != nil {
		p.view.Refresh()
	}
}

// showChat shows a conversation from its end, with what was being typed in it.
func (p *Panel) showChat(c chat.Conversation) {
	p.putAside(p.composer.draft())
	p.options.keepSystem()
	p.toast.Hide() // it was about another chat
	p.notice.Hide()
	p.find.Leave()
	p.blank.over = false
	p.session.show(c)
	p.picker.Offer(p.picker.Models, p.choices.Model)
	p.flow.Reset()
	p.composer.showEditing("")
	p.composer.forgetCount()
	p.composer.fill(p.drafts[c.ID])
	p.options.show()
	p.list.Choose(c.ID)
	p.refresh()
}

// reload reads the conversation in view again, after a change.
func (p *Panel) reload() {
	if p.conversation.ID == "" {
		return
	}
	p.options.keepSystem()
	before, err := p.read()
	if err != nil {
		p.ShowError(err)
		return
	}
	if p.notice.Message() == unanswered && p.waits() == nil {
		p.notice.Hide() // it was deleted, or another branch is in view
	}
	for id, b := range p.bubbles {
		m, old := p.tree.message(id), before.message(id)
		if m == nil || old == nil || !sameMessage(m, old) || !p.tree.sameBranches(before, id) {
			b.stale = true
		}
	}
	for id, b := range p.bubbles {
		if b.stale {
			p.forgetRows(id)
		}
	}
	p.flow.Reload()
	p.find.Changed()
	p.composer.measure()
	p.list.Choose(p.conversation.ID)
	p.list.Reload()
	p.refresh()
}

// change runs something that changes the store and shows what came of it.
func (p *Panel) change(err error) bool {
	if err != nil {
		p.ShowError(err)
		return false
	}
	p.reload()
	return true
}

// refresh shows what can be done now.
func (p *Panel) refresh() {
	name := cmp.Or(p.conversation.Title, "New chat")
	p.title.show(name, p.conversation.ID != "")
	p.composer.refresh()
	p.blank.refresh()
	p.adviseAgain()
	p.refreshWork()
	p.view.Refresh()
}

// newChat begins a conversation, which is kept from its first message on. It asks no documents until a
// person says so: what they want to write next need not be a question.
func (p *Panel) newChat() {
	if !p.empty() {
		p.showChat(chat.Conversation{})
		p.remember()
	}
	if p.blank.wanted { // a new chat begins with the greeting
		p.blank.want(false)
	}
	p.notice.Hide() // it was about another chat
	p.list.LeaveTrash()
	p.Focus(p.composer.entry)
}

// chosenChat shows a conversation that a person chose in the list; one that a search found, at the message
// that has what was sought.
func (p *Panel) chosenChat(id string, found int64, sought string) {
	p.uncover()
	p.openChat(id, found)
	if found != 0 && p.conversation.ID == id && p.tree.message(found) != nil {
		p.find.At(found, sought)
	}
}

// uncover closes what stands in the place of the messages in a narrow window.
func (p *Panel) uncover() {
	if !p.panes.covers() {
		return
	}
	p.panes.list, p.panes.options = nil, false
	p.view.Refresh()
}

// openChat shows a conversation of the list.
func (p *Panel) openChat(id string, found int64) {
	if id != p.conversation.ID {
		c, err := p.conversations.Conversation(id)
		if err != nil {
			p.ShowError(err)
			return
		}
		p.showChat(c)
		p.tellGone()
		p.tellUnanswered()
		p.remember()
	}
	if found != 0 {
		p.revealMessage(found)
	}
}

// ShowError shows what went wrong; nil hides it.
func (p *Panel) ShowError(err error) {
	if err == nil {
		p.notice.Hide()
	} else if !errors.Is(err, context.Canceled) {
		p.App.Log().Warn("chat", slog.Any("error", err))
		p.notice.Fail(kit.Sentence(err.Error()))
	}
	p.view.Refresh()
}
