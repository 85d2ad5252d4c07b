package chat

import (
	"context"
	"errors"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/chat"
	"inglenook/app/documents"
	"inglenook/ui/chat/sources"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// lookPause is how long a person pauses before passages are looked for.
const lookPause = 300 * time.Millisecond

// asker finds the passages that go with a question while it is written, and shows them
// above the field. What was found belongs to the session.
type asker struct {
	panel.Host
	session   *session
	documents Documents
	host      askerHost
	shelf     *sources.Shelf
	button    *kit.Button // chooses documents where none are asked

	chooses bool   // the documents to ask are being chosen
	then    func() // what waits until they are, and what goes with the question is known; nil: nothing
	thenIn  string // the conversation in which that waits

	pause  *time.Timer
	end    context.CancelFunc // of the search under way
	number int                // of the last search
	meter  chat.Meter         // what the passages take
}

// askerHost is what an asker asks of the field it stands above.
type askerHost struct {
	written func() string
	measure func() // counts anew what the message takes
	resized func()
	chosen  func() // other documents are asked, or none
	write   func() // gives the field the keyboard
	open    func(p chat.Part, sentence string)
	failed  func(error)
}

func newAsker(d panel.Host, s *session, library Documents, h askerHost) *asker {
	a := &asker{Host: d, session: s, documents: library, host: h}
	a.button = kit.NewQuietButton(d.Keys, "Ask documents", theme.SearchIcon(), a.ask)
	a.button.Tip = "Ask your documents"
	a.shelf = sources.NewShelf(sources.ShelfHost{
		Keys: d.Keys, Choose: func(at fyne.CanvasObject) { a.list(func() { a.menu(at) }) },
		Remove: func() { a.choose("") }, Decide: a.decide, Open: h.open, Resized: h.resized,
	})
	return a
}

// list asks for the collections again; then, where it is not nil, runs once they are known.
func (a *asker) list(then func()) {
	a.Work(func(ctx context.Context) {
		all, err := a.documents.Collections(ctx)
		a.Do(func() {
			if err != nil {
				a.chooses, a.then = false, nil
				a.host.failed(err)
				return
			}
			a.session.collections = append([]documents.Collection{}, all...) // not nil: they are known now
			a.show()
			if then != nil {
				then()
			}
		})
	})
}

// ask chooses documents for the conversation: the only ones, or those that the person
// chooses. Where there are none it leads to where they are added.
func (a *asker) ask() {
	a.chooses = true
	conversation := a.session.conversation.ID
	a.list(func() {
		a.chooses = false
		if a.session.conversation.ID != conversation { // another chat is in view now
			a.then = nil
			return
		}
		switch all := a.session.collections; {
		case len(all) == 0:
			a.GoTo(panel.Documents)
		case len(all) == 1 && a.session.choices.Collection == "":
			a.choose(all[0].ID)
		case a.session.choices.Collection == "":
			a.menu(a.button)
		default:
			a.menu(a.shelf.View)
		}
		if a.session.choices.Collection == "" { // the person chooses first, or adds some
			a.then = nil
		}
		a.settled()
	})
}

// wait has something wait until it is known which documents are asked, and what goes with a
// question of which the person chose passages; false: that is known.
func (a *asker) wait(then func()) bool {
	if a.chooses || a.session.passages.Busy && a.session.passages.Edited() && a.question() != "" {
		a.then, a.thenIn = then, a.session.conversation.ID
		return true
	}
	return false
}

// settled runs what waits, unless another conversation is in view by now.
func (a *asker) settled() {
	then := a.then
	if a.then = nil; then != nil && a.thenIn == a.session.conversation.ID {
		then()
	}
}

func (a *asker) menu(over fyne.CanvasObject) {
	sources.ShowMenu(over, a.session.collections, a.session.choices.Collection, sources.MenuHost{
		Keys:   a.Keys,
		Choose: a.choose, Add: func() { a.GoTo(panel.Documents) },
	})
}

// choose has the conversation ask another collection; "": none.
func (a *asker) choose(id string) {
	a.session.passages = sources.Picked{}
	if err := a.session.change(func(x *chat.Choices) { x.Collection = id }); err != nil {
		a.host.failed(err)
		return
	}
	a.host.chosen()
	a.look()
	a.host.measure()
	a.host.write()
}

// decide leaves a passage out, or has it go along.
func (a *asker) decide(part chat.Part, goes bool) {
	a.session.passages.Decide(part, goes)
	a.meter.Passages = nil // until they are counted
	a.show()
	a.host.measure()
}

// look follows the text: what goes with it is looked for once the person pauses.
func (a *asker) look() {
	a.stop()
	question := a.question()
	if question == "" {
		a.then = nil
		a.session.passages = sources.Picked{}
		a.show()
		return
	}
	if p := &a.session.passages; p.Question != question {
		p.Busy = true
	}
	a.show()
	a.pause = time.AfterFunc(lookPause, func() { a.Do(a.find) })
}

// question is what documents are asked, as it is written; "": nothing.
func (a *asker) question() string {
	question := a.host.written()
	if a.session.choices.Collection == "" || a.session.editsAnswer() || strings.TrimSpace(question) == "" {
		return ""
	}
	return question
}

// stop ends the search under way and the one that would follow.
func (a *asker) stop() {
	a.number++
	if a.pause != nil {
		a.pause.Stop()
	}
	if a.end != nil {
		a.end()
		a.end = nil
	}
}

// find looks for the passages of what is written.
func (a *asker) find() {
	a.stop()
	number, question := a.number, a.question()
	if question == "" {
		return
	}
	ctx, end := context.WithCancel(a.Life)
	a.end = end
	r := chat.RetrieveRequest{MeterRequest: a.session.meter(draft{text: question}), Question: question}
	a.Work(func(context.Context) {
		found, err := a.session.conversations.Retrieve(ctx, r)
		end()
		a.Do(func() {
			if number != a.number || errors.Is(err, context.Canceled) {
				return
			}
			a.session.passages.Take(question, found, err)
			a.meter.Passages = nil
			a.show()
			a.host.measure()
			a.settled()
		})
	})
}

// weigh shows what the passages take of what the model can read.
func (a *asker) weigh(m chat.Meter) {
	if len(m.Passages) > 0 || len(a.meter.Passages) > 0 {
		a.meter = m
		a.show()
	}
}

// show shows what is asked and what was found.
func (a *asker) show() {
	s := a.session
	kit.Show(a.button, s.choices.Collection == "" && !s.editsAnswer())
	label := "Ask documents"
	if s.collections != nil && len(s.collections) == 0 {
		label = "Add documents first"
	}
	if a.button.Text != label {
		a.button.SetText(label)
	}
	if s.choices.Collection == "" || s.editsAnswer() {
		a.shelf.Hide()
		a.host.resized()
		return
	}
	c, gone := s.asked()
	name := c.Name
	if gone {
		name = "Removed documents"
	} else if name == "" {
		name = "Documents"
	}
	shares := a.meter.Passages
	if len(shares) != len(s.passages.Parts()) {
		shares = nil // they belong to other passages
	}
	a.shelf.Show(sources.Asked{Name: name, Gone: gone, Shares: shares, Context: a.meter.Context}, &s.passages)
	a.host.resized()
}

// openPassage shows a passage in its document, with one sentence of it marked; "": the one
// that was found to answer best.
func (p *Panel) openPassage(part chat.Part, sentence string) {
	p.Work(func(ctx context.Context) {
		r, err := p.conversations.Found(ctx, part)
		p.Do(func() {
			if err != nil {
				p.ShowError(err)
				return
			}
			if s, ok := chat.SourceOf(part); ok && sentence == "" {
				sentence = part.Text[s.Best.Start:s.Best.End]
			}
			if at := strings.Index(r.Text, sentence); sentence != "" && at >= 0 {
				r.Best = documents.Span{Start: at, End: at + len(sentence)}
			}
			if r.Matches = nil; r.Best.End > r.Best.Start {
				r.Matches = []documents.Span{r.Best}
			}
			p.ShowPassage(r)
		})
	})
}

// askAnyway has the model answer a question that the documents do not, beside what the program
// answered itself. Where the conversation went on since, the question is asked anew at its
// end: a branch would hide what was said after it.
func (p *Panel) askAnyway(m chat.Message) {
	question := p.tree.message(m.Parent)
	if question == nil || p.running != nil || !p.ready() {
		return
	}
	r := chat.AnswerRequest{Conversation: p.conversation.ID, After: m.Parent, Anyway: true}
	if m.ID != p.tree.leaf() {
		r.After, r.Parts = p.tree.leaf(), question.Parts
	}
	p.flow.Stick = true
	p.answer(r, "", "")
}

// searchDocuments looks for the answer to a question in the Documents room.
func (p *Panel) searchDocuments(m chat.Message) {
	question, in := p.tree.message(m.Parent), p.choices.Collection
	if in == chat.AllCollections {
		in = ""
	}
	if question != nil {
		p.SearchDocuments(in, question.Text())
	}
}
