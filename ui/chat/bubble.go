package chat

import (
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/chat"
	"inglenook/markdown"
	"inglenook/ui/chat/sources"
	"inglenook/ui/chat/tooluse"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/prose"
)

const (
	// columnWidth is the widest that messages are.
	columnWidth float32 = 800
	// ownShare is the part of it that the person's own messages take at most.
	ownShare float32 = 0.86
	// lingering is how long the buttons of a message stay when the pointer has
	// left it: it may be on its way to them.
	lingering = 250 * time.Millisecond
)

// bubble shows one message.
type bubble struct {
	widget.BaseWidget

	session *session
	host    bubbleHost
	do      func(func())
	message chat.Message
	stale   bool // the message is another one now
	advised advised
	own     bool // the person's

	back    *kit.Surface // behind the person's words, and around the selected message
	edge    *kit.Surface
	body    *fyne.Container
	text    messageText
	embers  *embers // nil: the message is no answer
	fold    *thinkingFold
	notes   *sources.Notes // nil: the message is no answer from documents
	foot    *bubbleFoot
	after   *fyne.Container // below that line: what is no part of the answer
	marked  bool
	pointed bool
	away    *time.Timer
}

// messageText shows the text of a message.
type messageText interface {
	prose() *prose.Text
	set(text string, whole bool) // whole: nothing will be added
	width(available float32) float32
	seen(top, bottom float32) // the part in view, from its upper edge
}

// bubbleHost is what a message asks of the panel around it.
type bubbleHost struct {
	newText func(follow func(address string) bool) *prose.Text // in which a person may select
	grown   func(id int64)                                     // its height changed
	missing func(m chat.Message) string                        // scripts without a font
	actions func(m chat.Message) []action                      // what can be done with it
	turn    func(id int64, by int)                             // to another branch
	explain func(m chat.Message)                               // how it was made
	open    func(file chat.Part)

	again          func(id int64) // has it answered anew
	byOther        func(id int64) // by another model, of which there are others
	others         func() bool
	goOn           func(id int64) // has it continued
	tip            *kit.Tip
	openPassage    func(p chat.Part, sentence string)
	anyway, search func(m chat.Message) // where nothing in the documents answers

	advice func(m chat.Message) advised // what is to be said below an answer that leads to a larger model
	get    func()                       // leads to the one that is recommended
	enough func()                       // it is not to be recommended any more
}

func newBubble(d panel.Host, s *session, id int64, h bubbleHost) *bubble {
	m := *s.tree.message(id)
	b := &bubble{session: s, host: h, do: d.Do, message: m, own: m.Role == chat.RoleUser}
	b.ExtendBaseWidget(b)
	b.back, b.edge = kit.NewSurface(kit.ColorTint, "", 12), kit.NewSurface(theme.ColorNamePrimary, "", 2)
	b.edge.Hide()
	b.body, b.after = kit.Column(kit.GapSmall), kit.Column(kit.GapSmall)
	if b.own {
		b.text = newOwnText(h.newText(func(string) bool { return false }), m.Text())
		if m.Text() != "" || len(m.Parts) == 0 {
			b.body.Add(b.text.prose())
		}
	} else {
		b.back.Hide()
		reply := newReplyText(h.newText(b.follow), d, func() { h.grown(id) })
		reply.marks = b.addClaims(d.Keys)
		b.text = reply
		writing := m.State == chat.MessageWriting && s.writesHere()
		b.text.set(m.Text(), !writing)
		b.fold = newThinkingFold(d.Keys, func() { h.grown(id) })
		b.fold.show(m.Thinking, thoughtTitle(m, s.answerTo(m.ID), writing))
		b.embers = newEmbers()
		b.body.Add(b.fold.view)
		if uses := chat.ToolUses(m.Parts); len(uses) > 0 {
			b.body.Add(tooluse.NewFolds(d.Keys, uses, func() { h.grown(id) }))
		}
		b.body.Add(b.text.prose())
		b.body.Add(b.embers)
		b.showWriting(writing)
	}
	b.addParts(d.Keys)
	if !b.own {
		if b.notes != nil {
			b.body.Add(b.notes.View)
		}
		b.addRemarks(d.Keys)
	}
	b.addPassages(d.Keys)
	b.text.prose().Near = b.point
	if b.notes != nil {
		b.text.prose().Over = func(what string, at fyne.Position) { h.tip.Say(b.notes.Explain(what), at) }
	}
	b.foot = newBubbleFoot(d.Keys, b)
	if b.embers != nil && b.embers.Visible() {
		b.foot.say("", liveLine(s.answerTo(m.ID)))
	}
	b.showFoot()
	return b
}

// showWriting shows what there is of an answer: its text, or embers in its place.
func (b *bubble) showWriting(writing bool) {
	empty := wordless(b.message.Text())
	kit.Show(b.text.prose(), !empty)
	kit.Show(b.embers, writing && empty && b.message.Thinking == "")
}

// addParts shows what the message has besides its text.
func (b *bubble) addParts(k *kit.Keyboard) {
	for _, p := range b.message.Parts {
		switch p.Kind {
		case chat.PartText, chat.PartPassage, chat.PartTool:
		case chat.PartFile:
			b.body.Add(container.NewHBox(newFileChip(k, p, func() { b.host.open(p) })))
		default:
			hint := "This message has a part of the kind “" + kit.Brief(p.Kind) + "”, which this version of Inglenook cannot show."
			b.body.Add(kit.NewParagraph(hint, theme.ColorNameWarning).Small().Flat)
		}
	}
}

// addPassages shows the passages that went with the message.
func (b *bubble) addPassages(k *kit.Keyboard) {
	if parts := chat.Passages(b.message.Parts); len(parts) > 0 && !notFound(b.message) { // those are below what names them
		b.body.Add(sources.NewFold(k, parts, b.host.openPassage, func() { b.host.grown(b.message.ID) }).View)
	}
}

// addClaims makes the notes on what supports the sentences of an answer, and returns how
// they are marked.
func (b *bubble) addClaims(k *kit.Keyboard) []markdown.Mark {
	m := b.message
	claims, passages := b.session.claimsOf(m)
	if len(claims) == 0 {
		return nil
	}
	b.notes = sources.NewNotes(m.Text(), claims, passages, sources.NotesHost{
		Keys: k, Tip: b.host.tip, Open: b.host.openPassage, Grown: func() { b.host.grown(m.ID) },
	})
	return sources.Marks(claims, len(passages))
}

// follow does what a click on a reference of ours in the text is for.
func (b *bubble) follow(address string) bool { return b.notes != nil && b.notes.Follow(address) }

// addRemarks says what is wrong with an answer, or with how it is shown.
func (b *bubble) addRemarks(k *kit.Keyboard) {
	if m := b.message; m.State == chat.MessageInterrupted {
		n := kit.NewNotice(k)
		why, action, act := "Inglenook was closed while writing this.", "", func() {}
		if b.session.tree.leaf() == m.ID {
			why, action, act = why+" Press Continue to go on from here.", "Continue", func() { b.host.goOn(m.ID) }
		}
		n.Say(why, action, act)
		kit.Show(n.Act, action != "")
		b.body.Add(n.View)
	}
	b.addWordless(k)
	if why := failureOf(b.message); why != "" {
		n := kit.NewNotice(k)
		n.Fail(why)
		n.Close.Hide()
		b.body.Add(n.View)
	}
	b.advised = b.host.advice(b.message)
	if m, a := b.message, b.advised; notFound(m) {
		search := func() { b.host.search(m) }
		if a.guide {
			b.body.Add(sources.NewMissingForGuide(k, a.button, b.host.get, search))
		} else {
			b.body.Add(sources.NewMissing(k, func() { b.host.anyway(m) }, search))
		}
	}
	if b.advised.says != "" {
		n := kit.NewNotice(k)
		n.Say(b.advised.says, b.advised.button, b.host.get)
		n.Closes(b.host.enough)
		b.after.Add(n.View)
	}
	for _, why := range b.session.without[place{b.session.conversation.ID, b.message.ID}] {
		n := kit.NewNotice(k)
		n.Say(why+" This answer goes without its tools.", "Try again", func() { b.host.again(b.message.ID) })
		n.Closes(func() {
			b.session.hush(b.message.ID, why)
			b.host.grown(b.message.ID)
		})
		b.body.Add(n.View)
	}
	if hint := b.host.missing(b.message); hint != "" {
		b.body.Add(kit.NewParagraph(hint, theme.ColorNameWarning).Small().Flat)
	}
}

// failureOf says what went wrong with an answer; "": nothing.
func failureOf(m chat.Message) string {
	switch {
	case m.State == chat.MessageFailed && m.Reply != nil && m.Reply.Error != "":
		return kit.Sentence(m.Reply.Error)
	case m.State == chat.MessageFailed:
		return "This answer failed."
	}
	return ""
}

// grow shows more of an answer that is being written.
func (b *bubble) grow(text, thought string, a *answer) {
	b.message.Parts, b.message.Thinking = b.message.WithText(text), thought
	b.session.grow(b.message.ID, text, thought)
	b.text.set(text, false)
	b.showWriting(true)
	if text != "" && len(b.foot.actions.Objects) == 0 {
		b.foot.addActions() // there is something to copy now
	}
	b.foot.say("", liveLine(a))
	b.fold.show(thought, thoughtTitle(b.message, a, true))
	b.host.grown(b.message.ID)
}

// seen tells which part of the message is in view.
func (b *bubble) seen(top, bottom float32) {
	y := b.text.prose().Position().Y + b.body.Position().Y
	b.text.seen(top-y, bottom-y)
}

func (b *bubble) setMarked(on bool) {
	if on != b.marked {
		b.marked = on
		b.showFoot()
	}
}

// showFoot shows the buttons of the message that is pointed at, or selected, and
// of the last one.
func (b *bubble) showFoot() {
	kit.Show(b.edge, b.marked)
	b.foot.showActions(b.pointed || b.marked || b.session.tree.leaf() == b.message.ID || b.session.inPair(b.message.ID))
}

// point follows the pointer; the buttons stay for a moment when it leaves.
func (b *bubble) point(on bool) {
	if b.away != nil {
		b.away.Stop()
		b.away = nil
	}
	if on {
		b.pointed = true
		b.showFoot()
		return
	}
	b.away = time.AfterFunc(lingering, func() {
		b.do(func() {
			b.pointed = false
			b.showFoot()
		})
	})
}

// MouseIn shows the buttons.
func (b *bubble) MouseIn(*desktop.MouseEvent) { b.point(true) }

// MouseMoved is of no interest.
func (b *bubble) MouseMoved(*desktop.MouseEvent) {}

// MouseOut hides them.
func (b *bubble) MouseOut() { b.point(false) }

// CreateRenderer lays the message out.
func (b *bubble) CreateRenderer() fyne.WidgetRenderer { return &bubbleRenderer{b} }

type bubbleRenderer struct{ bubble *bubble }

func (r *bubbleRenderer) Destroy() {}
func (r *bubbleRenderer) Refresh() {
	canvas.Refresh(r.bubble.body)
	canvas.Refresh(r.bubble.after)
	r.bubble.foot.refresh()
}

func (r *bubbleRenderer) Objects() []fyne.CanvasObject {
	b := r.bubble
	return []fyne.CanvasObject{b.back, b.edge, b.body, b.foot.view, b.after}
}

const (
	bubbleTop    float32 = 6 // above the message
	bubbleInset  float32 = 12
	bubbleFooter float32 = 24
)

func (r *bubbleRenderer) MinSize() fyne.Size {
	b := r.bubble
	h := b.body.MinSize().Height + bubbleTop + bubbleFooter + kit.Gap
	if b.own {
		h += kit.Gap // its own room above and below, and none after the foot
	}
	if below := b.after.MinSize().Height; below > 0 {
		h += below + kit.Gap
	}
	return fyne.NewSize(120, h)
}

func (r *bubbleRenderer) Layout(size fyne.Size) {
	b := r.bubble
	whole := min(size.Width-2*kit.GapWide, columnWidth)
	left := (size.Width - whole) / 2
	width, top, side := whole, bubbleTop, float32(0)
	if b.own {
		side = bubbleInset
		width = min(whole*ownShare, b.text.width(whole*ownShare-2*side)+2*side)
		for _, o := range b.body.Objects {
			if o != fyne.CanvasObject(b.text.prose()) { // its width is known
				width = max(width, min(whole*ownShare, o.MinSize().Width+2*side))
			}
		}
		top += kit.Gap
	}
	x := left + whole - width
	if !b.own {
		x = left
	}
	b.body.Resize(fyne.NewSize(width-2*side, b.body.Size().Height)) // a wrapped text needs its width first
	h := b.body.MinSize().Height
	b.body.Move(fyne.NewPos(x+side, top))
	b.body.Resize(fyne.NewSize(width-2*side, h))
	b.back.Move(fyne.NewPos(x, bubbleTop))
	b.back.Resize(fyne.NewSize(width, h+2*kit.Gap))
	b.edge.Move(fyne.NewPos(left-10, bubbleTop))
	b.edge.Resize(fyne.NewSize(3, h+2*(top-bubbleTop)))
	b.foot.view.Move(fyne.NewPos(left, top+h+(top-bubbleTop)+2))
	b.foot.view.Resize(fyne.NewSize(whole, bubbleFooter))
	b.after.Resize(fyne.NewSize(whole, b.after.Size().Height))
	b.after.Move(fyne.NewPos(left, top+h+(top-bubbleTop)+2+bubbleFooter+kit.Gap))
	b.after.Resize(fyne.NewSize(whole, b.after.MinSize().Height))
}

// guessHeight is about how high a message is that was never drawn.
func guessHeight(m *chat.Message, width float32) float32 {
	column := max(100, min(width, columnWidth)-2*kit.GapWide)
	perLine := max(10, int(column/6.4))
	text := m.Text()
	lines := 1 + len(text)/perLine + strings.Count(text, "\n")
	return float32(min(lines, 200_000))*18 + bubbleTop + bubbleFooter + kit.Gap + 2*kit.Gap
}

// sameMessage reports whether two versions of a message look the same.
func sameMessage(a, b *chat.Message) bool {
	return a.Text() == b.Text() && a.Thinking == b.Thinking && a.State == b.State && len(chat.ToolUses(a.Parts)) == len(chat.ToolUses(b.Parts)) && (a.Reply == nil) == (b.Reply == nil) &&
		(a.Reply == nil || slices.Equal(a.Reply.Claims, b.Reply.Claims))
}
