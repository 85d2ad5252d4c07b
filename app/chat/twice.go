package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"inglenook/app/base"
)

// TwiceRequest asks for two answers to one message, as branches beside each other. Tools are
// not offered for them.
type TwiceRequest struct {
	AnswerRequest                    // Continue and Approve are of no use here
	Second        string             // id of the model that makes the second answer; "": the one that makes the first
	Stop          [2]<-chan struct{} // closed to end one of them alone; may be nil
}

// SameAnswersError says that both answers would have the same words, because the model always
// takes the likeliest one. The person's message is in the conversation already and nothing else
// happened.
type SameAnswersError struct {
	Asked  int64 // the message that was to be answered
	Makers bool  // the makers of the model want it so, and nobody chose otherwise
	Quoted bool  // the tiny guide only quotes, or says what is true of the program
	Again  bool  // it is not two answers, but a second one
}

func (e *SameAnswersError) Error() string {
	if e.Again {
		return "the tiny guide would say the same again; choose a larger model to get another answer"
	}
	if e.Quoted {
		return "two would be the same, because the tiny guide does not make its answer up; choose a larger model for one of them"
	}
	if e.Makers {
		return "two would be the same, because this model always takes the likeliest words, as its makers suggest; move “Choice of words” towards “Creative” to get two"
	}
	return "two would be the same, because this chat always takes the likeliest words; move “Choice of words” towards “Creative” to get two"
}

// AnswerTwice makes two answers at the same time, as Answer makes one: every token is kept as it
// comes, and report hears of each step of answer 0 or 1, of one at a time for each. The first one is in
// view then. What goes wrong with one of them is in its message; an error is about both, and
// then there is one message at most.
func (s *Service) AnswerTwice(ctx context.Context, r TwiceRequest, report func(answer int, step AnswerStep)) (two [2]Message, err error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return two, err
	}
	defer done()
	defer s.devices.Awake()()
	store, err := s.Open()
	if err != nil {
		return two, err
	}
	var t twice
	for i := range t.each {
		t.each[i] = &answering{talks: s, store: store, ask: r.AnswerRequest, report: func(x AnswerStep) { report(i, x) }}
	}
	first := t.each[0]
	asks := false
	if two[0], asks, err = first.question(ctx); !asks {
		return two, err
	}
	if err := t.quoted(ctx, r); err != nil {
		return two, err
	}
	if err := s.take(ctx, func() { first.step(AnswerStep{Stage: StageWaiting}) }); err != nil {
		two[0], err = first.end(ctx, err)
		return two, err
	}
	defer s.leave()
	p, m, err := first.plan(ctx, first.withoutTools)
	if p == nil {
		two[0] = m
		return two, err
	}
	return t.write(ctx, r, p)
}

// quoted finds out what the program answers itself, where one of two models is the guide. Two answers of
// the guide would be the same quotations.
func (t *twice) quoted(ctx context.Context, r TwiceRequest) error {
	first, second := t.each[0], t.each[1]
	c, err := first.store.Conversation(r.Conversation)
	if err != nil {
		return err
	}
	model := ChoicesOf(c).Model
	second.asked = first.asked
	first.said = first.forGuide(ctx, c, model)
	second.second = true
	second.said = second.forGuide(ctx, c, cmp.Or(r.Second, model))
	if first.said.text != "" && second.said.text != "" {
		return &SameAnswersError{Asked: first.asked, Quoted: true}
	}
	return nil
}

// twice is two answers to one message.
type twice struct{ each [2]*answering }

// withoutTools says that no tools are offered, where the person chose them.
func (w *answering) withoutTools(_ context.Context, h *loaded, x Choices, _ *ReplyOptions) error {
	if x.Tools && h.teachesTools() {
		w.tell("Two answers side by side are written without tools.")
	}
	return nil
}

// write makes both answers, and has what the model read for them kept.
func (t *twice) write(ctx context.Context, r TwiceRequest, p *planned) (two [2]Message, err error) {
	first, second, h := t.each[0], t.each[1], p.model
	same := r.Second == "" || r.Second == h.chat.Model.ID
	if same && h.likeliest(p.options) {
		p.release()
		return two, &SameAnswersError{Asked: first.asked, Makers: p.options.Sampling == nil}
	}
	k := &first.talks.cache
	first.settle(h)
	claims := second.reply.Claims // of what the program says
	second.asked, second.after, second.reply = first.asked, first.after, first.reply
	second.reply.Claims = claims
	var plans [2]*planned
	single := func() {}
	plans[0] = p
	if same {
		second.own = first.own
		plans[1], single, err = t.pair(ctx, p)
	} else {
		plans[1], err = second.other(ctx, r.Second)
	}
	if err == nil {
		err = t.begin()
	}
	if err != nil {
		single()
		p.release()
		return t.failed(ctx, err)
	}
	if first.said.text == "" { // else it reads nothing, and its cache stays as it is
		h.last = r.Conversation
	}
	var all sync.WaitGroup
	for i, w := range t.each {
		all.Go(func() { two[i] = w.beside(ctx, plans[i], r.Stop[i]) })
	}
	all.Wait()
	single()
	if !same {
		plans[1].release()
	}
	if first.said.text != "" {
		p.release()
		return two, nil
	}
	k.keep(ctx, h, p.release, r.Conversation)
	return two, nil
}

// pair prepares two answers of one model. It reads the prompt for both.
func (t *twice) pair(ctx context.Context, p *planned) (*planned, func(), error) {
	w := t.each[0]
	w.step(AnswerStep{Stage: base.StageReading})
	o := w.reading(p.options)
	prefix, recalled := w.talks.cache.recall(p.model, w.ask.Conversation)
	o.Prefix = prefix
	together, single, err := p.model.chat.Pair(ctx, p.prompt, o)
	recalled()
	if err != nil {
		return nil, single, err
	}
	if !together {
		w.tell("This model writes its answers one after the other.")
	}
	q := *p
	if s := q.options.Sampling; s != nil && s.Seed != 0 { // else each takes one by chance
		other := *s
		other.Seed++
		q.options.Sampling = &other
	}
	return &q, single, nil
}

// other prepares the answer of another model.
func (w *answering) other(ctx context.Context, model string) (*planned, error) {
	t := w.talks
	c, err := w.store.Conversation(w.ask.Conversation)
	if err != nil {
		return nil, err
	}
	x := ChoicesOf(c)
	x.Model = model
	x.Context = 0 // each as is usual for it
	chat, err := t.OpenChat(ctx, x.chatOptions(), w.opening)
	if err != nil {
		return nil, err
	}
	h := &loaded{chat: chat, options: x.chatOptions(), since: time.Now()}
	q := &planned{model: h, release: chat.Close, options: h.replyOptions(x, t.Preset(x.Preset))}
	c.Leaf = w.after
	q.talk = w.talk(ctx, h, c, x, q.options)
	prompt, err := w.prompt(ctx, chat, q)
	if err == nil {
		err = w.overflow(prompt, q.options)
	}
	if err != nil {
		chat.Close()
		return nil, err
	}
	w.reply.Dropped = len(prompt.Dropped)
	w.writes(chat)
	w.tell(chat.Notices...)
	q.prompt = prompt.Prompt
	return q, nil
}

// failed is what comes of answers that could not be begun: one of them says why, unless the
// person is to be asked.
func (t *twice) failed(ctx context.Context, err error) (two [2]Message, _ error) {
	var over *OverflowError
	if errors.As(err, &over) {
		return two, err
	}
	for i, w := range t.each {
		if i == 0 || w.writer != nil {
			two[i], _ = w.end(ctx, err)
		}
	}
	if ctx.Err() != nil {
		err = nil
	}
	return two, err
}

// begin adds both messages to the conversation, and brings the first one into view.
func (t *twice) begin() error {
	for _, w := range t.each {
		if err := w.begin(); err != nil {
			return err
		}
	}
	first := t.each[0]
	if err := first.saved(first.store.SetLeaf(first.ask.Conversation, first.writer.ID())); err != nil {
		return err
	}
	for _, w := range t.each {
		w.step(AnswerStep{Stage: base.StageReading})
	}
	return nil
}

// beside makes one of the answers, until it ends or stop is closed. What the program says itself no model
// writes.
func (w *answering) beside(ctx context.Context, p *planned, stop <-chan struct{}) Message {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	w.ready = time.Now()
	if w.said.text != "" {
		return w.quoting(ctx)
	}
	failed := w.speak(ctx, p.model.chat, p.prompt, w.reading(p.options))
	if failed == nil && len(w.calls) > 0 {
		failed = errors.New("the model asked for a tool, and two answers side by side are written without tools; ask for one answer")
	}
	if failed == nil {
		if c, err := w.store.Conversation(w.ask.Conversation); err == nil {
			w.check(ctx, c)
		}
	}
	m, err := w.end(ctx, failed)
	if err != nil && m.ID == 0 {
		w.tell(fmt.Sprintf("An answer was not kept: %v.", err))
	}
	w.step(AnswerStep{Stage: StageEnded})
	return m
}

// quoting ends one of two answers with what the program says itself.
func (w *answering) quoting(ctx context.Context) Message {
	w.ready = time.Time{}
	m, err := w.end(ctx, w.put(w.said))
	if err != nil && m.ID == 0 {
		w.tell(fmt.Sprintf("An answer was not kept: %v.", err))
	}
	w.step(AnswerStep{Stage: StageEnded})
	return m
}

// likeliest reports whether the model would always take the likeliest word.
func (h *loaded) likeliest(o ReplyOptions) bool {
	how := h.chat.Info().Sampling
	if o.Sampling != nil {
		how = *o.Sampling
	}
	return how.Temperature == 0 || how.TopK == 1
}
