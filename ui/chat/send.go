package chat

import (
	"context"
	"errors"
	"slices"
	"time"

	"inglenook/app/chat"
	"inglenook/app/tools"
	"inglenook/ui/chat/sources"
	"inglenook/ui/kit"
)

// send sends what the composer holds: a new message, or an edited one.
func (p *Panel) send() {
	p.sendBy(func(r chat.AnswerRequest) { p.answer(r, "", "") })
}

// sendBy sends what the composer holds to what answers it.
func (p *Panel) sendBy(answer func(chat.AnswerRequest)) {
	d := p.composer.draft()
	if p.running != nil && d.holds() {
		p.Tell("It is still answering: Escape stops it.")
		return
	}
	if p.running != nil || !d.holds() && p.editing == 0 {
		return
	}
	if !p.ready() {
		return
	}
	if p.composer.asks.wait(func() { p.sendBy(answer) }) {
		return
	}
	if p.composer.tooLong() {
		p.askTooLong()
		return
	}
	if p.mayBeTooLong(d) {
		p.loadAndCount(d, func() { p.sendNow(d, answer) })
		return
	}
	p.sendNow(d, answer)
}

// sendNow sends a draft that the model has room for.
func (p *Panel) sendNow(d draft, answer func(chat.AnswerRequest)) {
	if _, gone := p.asked(); gone && p.choices.Collection != "" {
		p.notice.Say("The documents that this chat asks were removed.", "Ask without them", func() { p.composer.asks.choose("") })
		p.view.Refresh()
		return
	}
	if p.editing != 0 {
		p.sendEdited(d)
		return
	}
	id, err := p.store()
	if err != nil {
		p.ShowError(err)
		return
	}
	p.notice.Hide()
	r := chat.AnswerRequest{Conversation: id, After: p.tree.leaf(), Parts: d.parts(), Retrieved: p.sees(d)}
	if !r.Retrieved {
		d.passages = sources.Picked{}
		r.Parts = d.parts()
	}
	p.sending[id] = d
	p.composer.fill(draft{})
	p.flow.Stick = true
	answer(r)
}

// mayBeTooLong reports whether a draft could be longer than the model can read, though its
// length by a guess is not: no model has counted it yet. A text has at most as many tokens as
// bytes; the other half is for what is sent with it.
func (p *Panel) mayBeTooLong(d draft) bool {
	m, x := p.composer.meter.last, p.choices
	if m.Exact || d.bytes() < max(m.Context, leastContext)/2 {
		return false
	}
	l, ok := p.conversations.Loaded()
	return !ok || l.Model.ID != x.Model || l.Choices.Target.Usual() != x.Target.Usual() // else no model counts it
}

// leastContext is what a model can read at least, where its files do not say how much it is.
const leastContext = 512

// loadAndCount loads the model and has it count a draft, which stays in the field until then.
// Where nobody changed it meanwhile it is sent, or said to be too long.
func (p *Panel) loadAndCount(d draft, send func()) {
	conversation, editing := p.conversation.ID, p.editing
	same := func() bool {
		now := p.composer.draft()
		return p.running == nil && p.conversation.ID == conversation && p.editing == editing && now.text == d.text && slices.EqualFunc(now.files, d.files, chat.Part.SameFile)
	}
	p.whenLoaded = func() {
		r := p.meter(d)
		p.Work(func(ctx context.Context) {
			m, err := p.conversations.Meter(ctx, r)
			p.Do(func() {
				if !same() {
					return
				}
				p.composer.showMeter(m, err)
				p.composer.refresh()
				if err == nil && p.composer.tooLong() {
					p.askTooLong()
				} else {
					send()
				}
			})
		})
	}
	if p.loading == nil {
		p.load()
	}
}

// ready reports whether there is a model to answer; if not, it says what to do.
func (p *Panel) ready() bool {
	m, chosen := p.picker.Model()
	if chosen {
		if why, ok := p.picker.Fits(m); !ok {
			p.notice.Fail(why)
			return false
		}
		return true
	}
	if len(p.picker.Models) == 0 {
		p.notice.Say("There is no language model on this computer yet.", "Open a model folder…", p.openModelFolder)
	} else {
		p.notice.Say("Choose a language model first.", "Choose a model", p.chooseModel)
	}
	p.view.Refresh()
	return false
}

// answer has the model answer. Text and thought are what the answer begins with,
// where an earlier one goes on.
func (p *Panel) answer(r chat.AnswerRequest, text, thought string) {
	if p.running != nil {
		return
	}
	ctx, cancel := context.WithCancel(p.Life)
	a := p.newAnswer(r, p.choices.Model, cancel)
	a.text.WriteString(text)
	a.thought.WriteString(thought)
	a.again = func(r chat.AnswerRequest) { p.answer(r, text, thought) }
	r.MayDrop = p.mayDrop[r.Conversation]
	r.Approve = p.approver(a)
	delete(p.pairs, r.Conversation)
	take := p.onceStored(r.Conversation, a.take)
	ended := p.follow(a)
	p.Work(func(context.Context) {
		m, err := p.conversations.Answer(ctx, r, take)
		cancel()
		close(ended)
		p.Do(func() { p.answered(a, r, m, err) })
	})
}

// newAnswer is an answer that a model is about to make.
func (p *Panel) newAnswer(r chat.AnswerRequest, model string, cancel context.CancelFunc) *answer {
	return &answer{conversation: r.Conversation, title: p.conversation.Title, model: p.modelChoice(model).Model.Title(), after: r.After, parts: r.Parts, cancel: cancel, began: time.Now()}
}

// follow takes note that an answer is under way, and the one beside it, and draws what comes of
// them until ended is closed.
func (p *Panel) follow(first *answer) (ended chan struct{}) {
	p.notice.Hide() // it was about what came before
	p.options.keepSystem()
	if p.modelGone() {
		p.keepChoices()
	}
	p.begin(first)
	if len(first.parts) > 0 && p.writesHere() {
		p.followAnswer()
		p.flow.Reload()
	}
	p.refresh()
	ended = make(chan struct{})
	p.Work(func(context.Context) {
		t := time.NewTicker(redraw)
		defer t.Stop()
		for i := 1; ; i++ {
			select {
			case <-t.C:
				for a := first; a != nil; a = a.beside {
					switch {
					case a.due():
						p.Do(func() { p.showStep(a) })
					case i%emberBeat == 0 && a.silent():
						p.Do(func() { p.beat(a) })
					}
				}
			case <-ended:
				return
			}
		}
	})
	return ended
}

// showStep draws what came since the last time.
func (p *Panel) showStep(a *answer) {
	if !p.runs(a) {
		return
	}
	step, text, thought, notices := a.look()
	known := a.shown
	a.shown = step
	for _, n := range notices {
		p.Tell(n)
	}
	if step.Stage == chat.StageWriting && known.Stage != chat.StageWriting {
		p.ModelsChanged()
	}
	p.note(a, step.Answer)
	p.followPair()
	if p.conversation.ID == a.conversation {
		if step.Stage == chat.StageEnded && known.Stage != chat.StageEnded {
			p.forgetRows(step.Answer) // it has other buttons now
			p.reload()
		} else if step.Asked != known.Asked || step.Answer != known.Answer || step.Tools != known.Tools {
			p.reload()
		} else if b := p.bubbles[a.place()]; b != nil {
			b.grow(text, thought, a)
		}
	}
	p.refreshWork()
}

// beat has the embers glow in the place of an answer of which nothing has come yet.
func (p *Panel) beat(a *answer) {
	if b := p.bubbles[a.place()]; b != nil && p.runs(a) && kit.Moves() {
		b.embers.beat()
	}
}

// approver asks the person about the tools of an answer, in the window.
func (p *Panel) approver(a *answer) func(context.Context, chat.ToolQuestion) tools.Verdict {
	return func(ctx context.Context, q chat.ToolQuestion) tools.Verdict {
		said := make(chan tools.Verdict, 1)
		p.Do(func() {
			if p.running != a || ctx.Err() != nil {
				return
			}
			where := ""
			if p.conversation.ID != a.conversation {
				where = p.titleOf(a)
			}
			p.asks.Show(q, where, func(v tools.Verdict) {
				said <- v
				p.refreshWork()
				p.view.Refresh()
			})
			p.refreshWork()
			p.view.Refresh()
		})
		select {
		case v := <-said:
			return v
		case <-ctx.Done():
			return tools.Refuse
		}
	}
}

// titleOf names the chat that is answered: a new one gets its title from its first message.
func (p *Panel) titleOf(a *answer) string {
	if c, err := p.conversations.Conversation(a.conversation); err == nil {
		return c.Title
	}
	return a.title
}

// answered follows the end of an answer.
func (p *Panel) answered(a *answer, r chat.AnswerRequest, m chat.Message, err error) {
	if p.running != a {
		return
	}
	p.note(a, m.ID)
	p.end()
	if err != nil {
		p.giveBack(a)
	}
	delete(p.sending, a.conversation)
	p.asks.Hide()
	if p.conversation.ID == a.conversation {
		p.reload()
	} else {
		p.list.Reload()
		if err == nil && !a.ended {
			p.Tell("“" + kit.Brief(p.titleOf(a)) + "” is answered.")
		}
	}
	if m.Reply != nil && chat.ByProgram(m.Reply.Reason) && p.conversation.ID == a.conversation && p.flow.Stick {
		p.flow.Begin(slices.Index(p.tree.path, m.ID)) // it came at once, and is read from there
	}
	if m.Reply != nil && m.Reply.Device != "" {
		p.Ran(m.Reply.Device)
	}
	var over *chat.OverflowError
	var unsearched *chat.UnsearchedError
	var same *chat.SameAnswersError
	switch {
	case errors.As(err, &same) && p.conversation.ID == a.conversation:
		p.notice.Say(kit.Sentence(err.Error()), "Choose another model", func() {
			p.notice.Hide()
			p.chooseModel()
		})
	case errors.As(err, &unsearched) && p.conversation.ID == a.conversation:
		p.notice.Say(kit.Sentence(err.Error()), "Answer without documents", func() {
			p.notice.Hide()
			r.After, r.Parts, r.Anyway = unsearched.Asked, nil, true
			a.again(r)
		})
	case errors.As(err, &over) && p.conversation.ID == a.conversation:
		r.After, r.Parts = over.Asked, nil
		p.askOverflow(over, func() { a.again(r) })
	case errors.As(err, &over): // it is asked where the chat is in view
		p.Tell("“" + kit.Brief(p.titleOf(a)) + "” has become too long for the model. Open it to go on.")
	case err != nil && (m.State != chat.MessageFailed || p.conversation.ID != a.conversation):
		p.ShowError(err)
	}
	p.ModelsChanged()
	p.refresh()
}

// stop ends what is under way; false: nothing was.
func (p *Panel) stop() bool {
	switch {
	case p.loading != nil:
		p.loading.cancel()
	case p.running != nil:
		p.running.ended = true
		p.running.cancel()
	default:
		return false
	}
	return true
}

// redraw is how often a growing answer is drawn at most.
const redraw = 50 * time.Millisecond

// unanswered says of a chat that its last message waits: the program was closed before the model
// began, or the person ended that.
const unanswered = "Your last message has no answer yet."

// waits is the last message of the conversation in view where it has no answer; nil: it has one.
func (p *Panel) waits() *chat.Message {
	m := p.tree.message(p.tree.leaf())
	if m == nil || m.Role != chat.RoleUser || p.writesHere() {
		return nil
	}
	return m
}

// tellUnanswered says so of the conversation in view, unless there is something else to say.
func (p *Panel) tellUnanswered() {
	m := p.waits()
	if m == nil || p.notice.Message() != "" {
		return
	}
	p.notice.Say(unanswered, "Answer", func() { p.regenerate(m.ID) })
	p.view.Refresh()
}
