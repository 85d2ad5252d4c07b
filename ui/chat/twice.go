package chat

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"fyne.io/fyne/v2"

	"inglenook/app/chat"
	"inglenook/ui/chat/sidebyside"
	"inglenook/ui/kit"
)

// pair is two answers side by side, of which a person keeps one.
type pair struct {
	ids   [2]int64 // of the messages; 0 until they are known
	names [2]string
	by    [2]string // the models that make them, by their ids
	keep  int       // the answer to keep once both have ended; -1: none
}

func (q *pair) holds(id int64) bool { return q != nil && slices.Contains(q.ids[:], id) }

// pair is the two answers that the conversation in view ends with; nil: there are none, or one of
// them was kept.
func (s *session) pair() *pair {
	q := s.pairs[s.conversation.ID]
	if q == nil || s.tree.message(q.ids[0]) == nil || s.tree.message(q.ids[1]) == nil || !q.holds(s.tree.leaf()) {
		return nil
	}
	return q
}

// inPair reports whether a message is one of two answers side by side.
func (s *session) inPair(id int64) bool { return s.pair().holds(id) }

// sides are two answers in view.
type sides struct {
	*sidebyside.View
	ids [2]int64
}

// sendTwice sends what the composer holds, and has it answered twice; second is the model of the
// second answer, "": the chosen one.
func (p *Panel) sendTwice(second string) {
	if p.editing == 0 {
		p.sendBy(func(r chat.AnswerRequest) { p.answerTwice(r, second) })
	}
}

// offerSendTwice asks which model is to make the second answer to what is written.
func (p *Panel) offerSendTwice() {
	if !p.composer.holds() {
		p.Tell("Write a message first.")
		p.Focus(p.composer.entry)
		return
	}
	p.offerTwice(p.composer.twice, p.sendTwice)
}

// twiceAgain has the message before an answer, or a message, answered twice more.
func (p *Panel) twiceAgain(id int64) {
	m := p.tree.message(id)
	if m == nil || p.running != nil || !p.ready() {
		return
	}
	after := m.ID
	if m.Role == chat.RoleAssistant {
		after = m.Parent
	}
	conversation := p.conversation.ID
	var over fyne.CanvasObject = p.composer.view
	if b := p.bubbles[id]; b != nil {
		over = b.foot.button(twiceName)
	}
	p.offerTwice(over, func(second string) {
		p.answerTwice(chat.AnswerRequest{Conversation: conversation, After: after}, second)
	})
}

// offerTwice asks which model makes the second answer, where there are several.
func (p *Panel) offerTwice(over fyne.CanvasObject, run func(second string)) {
	c := fyne.CurrentApp().Driver().CanvasForObject(p.view)
	others := p.otherModels()
	if c == nil || len(others) == 0 {
		run("")
		return
	}
	name := p.modelName(p.choices.Model)
	items := []*fyne.MenuItem{fyne.NewMenuItem("Both by "+kit.Brief(name), func() { run("") }), fyne.NewMenuItemSeparator()}
	for _, m := range others {
		items = append(items, fyne.NewMenuItem("The second one by "+kit.Brief(m.Title()), func() { run(m.ID) }))
	}
	kit.ShowMenu(p.Keys, c, items, positionAbove(over, items), 0)
}

// answerTwice has a message answered twice at the same time.
func (p *Panel) answerTwice(r chat.AnswerRequest, second string) {
	if p.running != nil {
		return
	}
	q := &pair{names: [2]string{"First answer", "Second answer"}, by: [2]string{p.choices.Model, cmp.Or(second, p.choices.Model)}, keep: -1}
	if second != "" && second != p.choices.Model {
		q.names = [2]string{p.modelName(p.choices.Model), p.modelName(second)}
	}
	ctx, cancel := context.WithCancel(p.Life)
	first, other := p.newAnswer(r, p.choices.Model, cancel), p.newAnswer(r, second, cancel)
	if second == "" {
		other.model = first.model
	}
	first.beside, other.which = other, 1
	first.again = func(r chat.AnswerRequest) { p.answerTwice(r, second) }
	ask := chat.TwiceRequest{AnswerRequest: r, Second: second}
	ask.MayDrop = p.mayDrop[r.Conversation]
	for i, a := range []*answer{first, other} {
		stop := make(chan struct{})
		ask.Stop[i], a.halt = stop, sync.OnceFunc(func() { close(stop) })
	}
	p.flow.Stick = true
	p.pairs[r.Conversation] = q
	takes := [2]func(chat.AnswerStep){p.onceStored(r.Conversation, first.take), p.onceStored(r.Conversation, other.take)}
	ended := p.follow(first)
	p.Work(func(context.Context) {
		two, err := p.conversations.AnswerTwice(ctx, ask, func(i int, s chat.AnswerStep) { takes[i](s) })
		cancel()
		close(ended)
		p.Do(func() { p.answeredTwice(first, ask, two, err) })
	})
}

// followPair notes the messages of two answers under way as soon as they are known.
func (p *Panel) followPair() {
	for a := p.running; a != nil; a = a.beside {
		q := p.pairs[a.conversation]
		id, _, _ := a.sofar()
		if q == nil || id == 0 || q.ids[a.which] == id {
			continue
		}
		q.ids[a.which] = id
		p.forgetRows(q.ids[0], q.ids[1])
	}
}

// answeredTwice follows the end of both answers.
func (p *Panel) answeredTwice(a *answer, r chat.TwiceRequest, two [2]chat.Message, err error) {
	q := p.pairs[a.conversation]
	if q != nil {
		q.ids = [2]int64{two[0].ID, two[1].ID}
	}
	if two[1].ID == 0 {
		delete(p.pairs, a.conversation) // there is one at most
	}
	p.forgetRows(two[0].ID, two[1].ID)
	var same *chat.SameAnswersError
	if errors.As(err, &same) {
		p.answered(a, r.AnswerRequest, two[0], nil)
		p.sayTheSame(a.conversation, same)
		return
	}
	p.answered(a, r.AnswerRequest, two[0], err)
	if q != nil && q.keep >= 0 && p.pair() == q {
		p.keepAnswer(q.keep)
	}
}

// sayTheSame says that two answers would be equal, and has one written where there is none yet.
func (p *Panel) sayTheSame(conversation string, same *chat.SameAnswersError) {
	if p.conversation.ID != conversation {
		p.ShowError(same)
		return
	}
	said := "There is one answer: "
	if !p.answeredBy(same.Asked, p.choices.Model) {
		said = "One answer is written: "
		p.answer(chat.AnswerRequest{Conversation: conversation, After: same.Asked}, "", "")
	}
	if same.Quoted {
		p.notice.Say(said+same.Error()+".", "Choose another model", func() {
			p.notice.Hide()
			p.chooseModel()
		})
		p.view.Refresh()
		return
	}
	p.notice.Say(said+same.Error()+".", "Settings of this chat", func() {
		p.notice.Hide()
		if !p.panes.options {
			p.toggleOptions()
		}
		p.view.Refresh()
	})
	p.view.Refresh()
}

// answeredBy reports whether a message has a complete answer of a model.
func (p *Panel) answeredBy(asked int64, model string) bool {
	return slices.ContainsFunc(p.tree.next[asked], func(id int64) bool {
		m := p.tree.message(id)
		return m.State == chat.MessageComplete && m.Reply != nil && m.Reply.Model == model
	})
}

// newSides shows two answers in the row of one.
func (p *Panel) newSides(row int64, q *pair) *sidebyside.View {
	var answers [2]sidebyside.Answer
	for i, id := range q.ids {
		m := p.tree.message(id)
		answers[i] = sidebyside.Answer{Name: q.names[i], Content: p.newBubble(id), Writing: m.State == chat.MessageWriting && p.writesHere()}
	}
	v := sidebyside.New(sidebyside.Host{Keys: p.Keys, Stop: p.stopAnswer, Keep: func(which int) {
		p.keepAnswer(which)
		p.Focus(p.composer.entry)
	}}, answers)
	p.beside[row] = sides{v, q.ids}
	return v
}

// rowOf is the row in which a message is shown: two answers side by side have one.
func (p *Panel) rowOf(id int64) int64 {
	for row, s := range p.beside {
		if slices.Contains(s.ids[:], id) {
			return row
		}
	}
	return id
}

// dropRow forgets what a row showed.
func (p *Panel) dropRow(row int64) {
	if s, ok := p.beside[row]; ok {
		delete(p.beside, row)
		delete(p.bubbles, s.ids[0])
		delete(p.bubbles, s.ids[1])
		return
	}
	delete(p.bubbles, row)
}

// forgetRows has the rows of messages drawn anew.
func (p *Panel) forgetRows(ids ...int64) {
	for _, id := range ids {
		p.flow.Forget(p.rowOf(id))
	}
}

// seen tells a row which part of it is in view.
func (p *Panel) seen(row int64, top, bottom float32) {
	s, ok := p.beside[row]
	if !ok {
		p.bubbles[row].seen(top, bottom)
		return
	}
	for i, id := range s.ids {
		y := s.Top(i)
		p.bubbles[id].seen(top-y, bottom-y)
	}
}

// stopAnswer ends one of the two answers under way.
func (p *Panel) stopAnswer(which int) {
	for a := p.running; a != nil; a = a.beside {
		if a.which == which && a.halt != nil {
			a.halt()
		}
	}
}

// keepAnswer goes on with one of two answers; the other one stays as a branch. One that is still
// being written is stopped.
func (p *Panel) keepAnswer(which int) {
	q, conversation := p.pair(), p.conversation.ID
	if q == nil {
		return
	}
	if p.writesHere() {
		q.keep = which
		p.stopAnswer(1 - which)
		return
	}
	before, asked, writes := p.tree.leaf(), p.choices.Model, p.choices.Model
	if p.modelChoice(q.by[which]).Model.ID != "" { // it is still here
		writes = q.by[which]
	}
	show := func(leaf int64, now *pair, model string) error {
		if err := p.conversations.SetLeaf(conversation, leaf); err != nil {
			return err
		}
		p.goOnWith(conversation, model)
		delete(p.pairs, conversation)
		if now != nil {
			p.pairs[conversation] = now
		}
		if p.conversation.ID == conversation {
			p.forgetRows(q.ids[0], q.ids[1])
			p.flow.Stick = true
			p.reload()
		}
		return nil
	}
	if err := show(q.ids[which], nil, writes); err != nil {
		p.ShowError(err)
		return
	}
	said := "The arrows below this answer lead to the other one."
	if writes != asked {
		said = kit.Brief(p.modelName(writes)) + " answers in this chat from now on. " + said
	}
	p.noteUndo(said, func() error {
		p.notice.Hide()
		q.keep = -1
		return show(before, q, asked)
	})
	p.notice.Say(said, undoName(), p.undo) // above the chat, where it covers nothing
	p.view.Refresh()
}

// goOnWith has another model answer in the conversation in view from now on. It is loaded with the
// next message.
func (p *Panel) goOnWith(conversation, model string) {
	if p.conversation.ID != conversation || p.choices.Model == model {
		return
	}
	p.kept(p.session.change(func(x *chat.Choices) { x.Model = model }))
	p.picker.Offer(p.picker.Models, model)
	p.options.show()
	p.refresh()
}

// pairKey does something with two answers that are selected.
func (p *Panel) pairKey(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.Key1, fyne.Key2:
		which := 0
		if e.Name == fyne.Key2 {
			which = 1
		}
		p.keepAnswer(which) // the keyboard stays: the field would get the digit
	case fyne.KeyLeft, fyne.KeyRight: // there is no other branch to turn to
	default:
		return false
	}
	return true
}

// twiceName is what the button of two answers is called.
const twiceName = "Two answers side by side"

// twiceAction offers two answers where a message has one, or none.
func (p *Panel) twiceAction(m chat.Message) action {
	return action{name: twiceName, icon: sidebyside.Icon(), key: fyne.KeyB, run: func() { p.twiceAgain(m.ID) }, rare: true}
}

// newTwiceButton sends what is written and asks for two answers.
func newTwiceButton(k *kit.Keyboard, run func()) *kit.Button {
	return kit.NewIconButton(k, sidebyside.Icon(), twiceKey, run)
}

// twiceKey names the shortcut.
const twiceKey = "Send and get two answers side by side"
