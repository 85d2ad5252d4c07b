package ui

import (
	"context"
	"errors"
	"log/slog"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app"
)

// chat is the room in which a person converses with a language model.
type chat struct {
	desk
	app   chatApp
	talks chatTalks

	list     *talkList
	title    *talkTitle
	picker   *modelPicker
	flow     *flow
	composer *composer
	drawer   *drawer
	toast    *toast
	sheet    *sheet
	told     *notice // from the start of the program
	notice   *notice
	blank    *blankTalk
	newer    *button
	waiting  runControls // of loading and reading
	panes    *chatPanes
	view     *fyne.Container

	talk      app.Conversation // in view; without an ID it is not kept yet
	choices   app.TalkChoices  // of talk
	tree      *talkTree
	bubbles   map[int64]*bubble // those that exist
	mayDrop   map[string]bool   // conversations of which messages may be left out, their person said
	editing   int64             // the message that the composer holds; 0: a new one
	drafts    map[string]draft  // what was being typed in other conversations
	running   *answering        // nil: no answer is under way
	loading   *loading          // nil: no model is being loaded
	models    []app.ModelChoice // nil: not known yet
	undos     []undo
	fonts     fontCheck
	selecting *prose // in which a person selected last
}

func newChat(d desk, a chatApp, talks chatTalks) *chat {
	p := &chat{desk: d, app: a, talks: talks, tree: newTalkTree(app.Conversation{}), bubbles: map[int64]*bubble{}, drafts: map[string]draft{}, mayDrop: map[string]bool{}}
	p.choices = p.startChoices()
	p.list = newTalkList(d, talks)
	p.list.open, p.list.menu, p.list.key, p.list.failed = p.openTalk, p.talkMenu, p.talkKey, p.showError
	p.list.fresh = p.newTalk
	p.title = newTalkTitle(d.keys, p.rename)
	p.buildPicker()
	p.buildFlow()
	p.composer = newComposer(d.keys, p)
	p.drawer = newDrawer(p)
	p.toast = newToast(d.keys, d.do)
	p.sheet = newSheet(d.keys, func() fyne.CanvasObject { return p.view })
	p.told, p.notice = newNotice(d.keys), newNotice(d.keys)
	p.blank = newBlankTalk(p)
	p.waiting = newRunControls(d.keys, func() { p.stop() })
	p.buildView()
	p.showTalk(app.Conversation{})
	return p
}

// startChoices are those of a conversation that begins.
func (p *chat) startChoices() app.TalkChoices {
	return app.TalkChoices{Model: p.common.Settings().Chat.Model, Preset: p.talks.Presets()[0].Name}
}

func (p *chat) buildFlow() {
	p.flow = newFlow(p.keys, flowRows{
		length: func() int { return len(p.tree.path) },
		id:     func(i int) int64 { return p.tree.path[i] },
		create: func(i int) fyne.CanvasObject { return p.newBubbleOf(p.tree.path[i]) },
		drop:   func(id int64) { delete(p.bubbles, id) },
		guess:  func(i int, width float32) float32 { return guessHeight(p.tree.message(p.tree.path[i]), width) },
		seen:   func(i int, top, bottom float32) { p.bubbles[p.tree.path[i]].seen(top, bottom) },
		mark:   func(o fyne.CanvasObject, on bool) { o.(*bubble).setMarked(on) },
	})
	p.flow.typed = p.messageKey
	p.flow.moved = func(atEnd bool) { show(p.newer, !atEnd && p.writesHere()) }
}

func (p *chat) buildView() {
	toggle := quiet(p.keys, "", theme.MenuIcon(), p.toggleList)
	settings := quiet(p.keys, "", theme.SettingsIcon(), p.toggleDrawer)
	more := quiet(p.keys, "", theme.MoreVerticalIcon(), nil)
	more.OnTapped = func() { p.talkMenu(p.talk.ID, positionBelow(more)) }
	header := container.New(headLayout{}, toggle, p.title, p.picker, row(0, settings, more))

	p.newer = newButton(p.keys, "New text", theme.MoveDownIcon(), func() { p.flow.toEnd() })
	p.newer.Hide()
	messages := container.NewStack(p.flow, p.blank.view, container.New(&lowerMiddle{}, p.newer, p.toast.view))
	foot := container.New(&column800{}, column(gapSmall, p.waiting.progress, p.notice.view, p.composer.view))
	middle := bordered(gap, bordered(gap, header, p.told.view, nil), messages, foot)
	p.panes = &chatPanes{}
	body := container.New(p.panes, p.list.view, middle, p.drawer.view)
	p.view = inset(body, 12, gapWide)
}

// showTalk shows a conversation from its end, with what was being typed in it.
func (p *chat) showTalk(c app.Conversation) {
	if p.composer.holds() || p.drafts[p.talk.ID].holds() {
		p.drafts[p.talk.ID] = p.composer.draft()
	}
	p.endEditing()
	p.drawer.keepSystem()
	p.talk = c
	if c.ID != "" {
		p.choices = app.Choices(c)
	} else {
		p.choices = p.startChoices()
	}
	p.settleModel()
	p.tree = newTalkTree(c)
	p.followAnswer()
	p.flow.reset()
	p.composer.fill(p.drafts[c.ID])
	p.drawer.show()
	p.list.choose(c.ID)
	p.refresh()
}

// reload reads the conversation in view anew, after a change.
func (p *chat) reload() {
	if p.talk.ID == "" {
		return
	}
	p.drawer.keepSystem()
	c, err := p.talks.Conversation(p.talk.ID)
	if err != nil {
		p.showError(err)
		return
	}
	before := p.tree
	p.talk, p.tree = c, newTalkTree(c)
	p.followAnswer()
	for id, b := range p.bubbles {
		m, old := p.tree.message(id), before.message(id)
		if m == nil || old == nil || !sameMessage(m, old) || !p.sameBranches(before, id) {
			b.stale = true
		}
	}
	for id, b := range p.bubbles {
		if b.stale {
			p.flow.forget(id)
		}
	}
	p.flow.reload()
	p.composer.measure()
	p.list.chosen = c.ID
	p.list.reload()
	p.refresh()
}

// change runs something that changes the store and shows what came of it.
func (p *chat) change(err error) bool {
	if err != nil {
		p.showError(err)
		return false
	}
	p.reload()
	return true
}

// refresh shows what can be done now.
func (p *chat) refresh() {
	name := p.talk.Title
	if p.talk.ID == "" {
		name = "New chat"
	}
	p.title.show(name, p.talk.ID != "")
	p.composer.refresh()
	p.blank.refresh()
	p.refreshWork()
	p.view.Refresh()
}

// newTalk begins a conversation, which is kept from its first message on.
func (p *chat) newTalk() {
	if p.talk.ID != "" || len(p.tree.path) > 0 {
		p.showTalk(app.Conversation{})
	}
	p.list.leaveTrash()
	p.focus(p.composer.entry)
}

// openTalk shows a conversation of the list.
func (p *chat) openTalk(id string, found int64) {
	if id != p.talk.ID {
		c, err := p.talks.Conversation(id)
		if err != nil {
			p.showError(err)
			return
		}
		p.notice.hide()
		p.showTalk(c)
		p.keep(func(s *app.Settings) { s.Chat.Talk = id })
	}
	if found != 0 {
		p.revealMessage(found)
	}
}

// keepTalk makes sure that the conversation in view is kept, and gives its id.
func (p *chat) keepTalk() (string, error) {
	if p.talk.ID != "" {
		return p.talk.ID, nil
	}
	id, err := p.talks.New(p.choices)
	if err == nil && p.talk.System != "" {
		err = p.talks.SetSystem(id, p.talk.System)
	}
	if err != nil {
		return "", err
	}
	p.talk.ID = id
	delete(p.drafts, "")
	p.keep(func(s *app.Settings) { s.Chat.Talk = id })
	return id, nil
}

// showError shows what went wrong; nil hides it.
func (p *chat) showError(err error) {
	if err == nil {
		p.notice.hide()
	} else if !errors.Is(err, context.Canceled) {
		p.common.Log().Warn("chat", slog.Any("error", err))
		p.notice.fail(sentence(err.Error()))
	}
	p.view.Refresh()
}
