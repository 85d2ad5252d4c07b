package chat

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"inglenook/pipeline"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/guide"
	"inglenook/app/library"
	"inglenook/app/tools"
	"inglenook/chats"
)

// Answer answers a message of a conversation, and keeps every token as it comes;
// report hears of each step, of one at a time.
//
// A model without a chat template continues the conversation as one text: all
// messages as they stand, each of the person's on a line of its own.
//
// When ctx ends the work ends at once and the text so far stays, in a message in the
// state "stopped": that is no error. When the program ends meanwhile the message is
// "interrupted", as after an end that nobody could see coming. Where something fails,
// the text so far stays in a message in the state "failed", with the error, which
// is returned, too. An [OverflowError] asks before anything is left out.
func (s *Service) Answer(ctx context.Context, r AnswerRequest, report func(AnswerStep)) (Message, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return Message{}, err
	}
	defer done()
	defer s.devices.Awake()()
	store, err := s.Open()
	if err != nil {
		return Message{}, err
	}
	if report == nil {
		report = func(AnswerStep) {}
	}
	w := &answering{talks: s, store: store, ask: r, report: report}
	if m, asks, err := w.question(ctx); !asks {
		return m, err
	}
	c, err := store.Conversation(r.Conversation)
	if err != nil {
		return Message{}, err
	}
	if said := w.forGuide(ctx, c, ChoicesOf(c).Model); said.text != "" {
		if m, ok := answerLike(c, w.asked, said.text); ok {
			return m, &SameAnswersError{Asked: w.asked, Quoted: true, Again: true}
		}
		return w.say(ctx, said)
	}
	if err := s.take(ctx, func() { w.step(AnswerStep{Stage: StageWaiting}) }); err != nil {
		return w.end(ctx, err)
	}
	defer s.leave()
	p, m, err := w.plan(ctx, w.offerTools)
	if p == nil {
		return m, err
	}
	return w.write(ctx, p)
}

// answering is an answer that is being made.
type answering struct {
	talks  *Service
	store  *chats.Store
	ask    AnswerRequest
	report func(AnswerStep)

	asked    int64   // the person's message
	after    int64   // what the answer follows: asked, or in a continued one what that followed
	begun    Message // what the answer begins with
	replaces int64   // the answer that this one goes on with, and takes the place of; 0: none
	writer   *chats.Writer
	reply    ReplyRecord
	ready    time.Time     // when the model began to read; zero: it did not
	thinks   time.Time     // since when it thinks; zero: it did not
	counted  bool          // tokens came one by one
	warned   bool          // that the disk does not take it
	guided   guide.Writing // what the tiny guide writes

	offered []tools.Tool // tools that the model may ask for
	calls   []ToolCall   // that it asks for now
	round   int          // of calls
	uses    int          // of tools so far

	unsearched error  // why the documents could not be searched
	missing    string // that they do not answer the question
	nearest    []Part // the passages that come nearest to it then
	second     bool   // it is the second of two answers
	own        []Part // the passages that were found for this answer, where those of the question are for another model
	said       said   // by the program in the model's place
}

func (w *answering) step(s AnswerStep) {
	s.Asked = w.asked
	if w.writer != nil {
		s.Answer = w.writer.ID()
	}
	w.report(s)
}

// addQuestion finds, or adds, the message that is to be answered, with its passages.
func (w *answering) addQuestion(ctx context.Context) error {
	r := w.ask
	c, err := w.store.Conversation(r.Conversation)
	if err != nil {
		return err
	}
	if !blank(r.Parts) {
		return w.add(r.After, w.retrieve(ctx, c, r.After, r.Parts))
	}
	if r.Continue == 0 {
		w.asked, w.after = r.After, r.After
		m, err := messageOf(c, r.After)
		if err != nil {
			return err
		}
		if m.Role != RoleUser {
			return errors.New("only a message of yours can be answered; choose one, or write one")
		}
		if parts := w.retrieve(ctx, c, m.Parent, m.Parts); len(parts) > len(m.Parts) {
			return w.add(m.Parent, parts)
		}
		return nil
	}
	m, err := messageOf(c, r.Continue)
	switch {
	case err != nil:
		return err
	case m.Role != RoleAssistant || m.Reply != nil && ByProgram(m.Reply.Reason):
		return errors.New("only an answer of a model can be continued; choose one")
	}
	w.asked, w.after = m.Parent, m.Parent
	if !blank(m.Parts) { // of thoughts alone a new answer has to be made
		w.begun = Message{Role: RoleAssistant, Parts: m.Parts, Thinking: m.Thinking}
	}
	if (!blank(m.Parts) || m.Thinking == "") && cut(c, m) {
		w.replaces = m.ID
	}
	return nil
}

// add adds the person's message.
func (w *answering) add(after int64, parts []Part) error {
	id, err := w.store.Add(w.ask.Conversation, Message{Parent: after, Role: RoleUser, Parts: w.talks.counts.withTokens(parts)})
	w.asked, w.after = id, id
	return w.saved(err)
}

// saved filters an error of the store. What could not be written yet
// ([chats.ErrUnsaved]) stays in memory and is written later: the person is told once,
// and the answer goes on.
func (w *answering) saved(err error) error {
	if !errors.Is(err, chats.ErrUnsaved) {
		return err
	}
	if !w.warned {
		w.warned = true
		w.step(AnswerStep{Notice: err.Error()})
		w.reply.Notices = append(w.reply.Notices, err.Error())
	}
	return nil
}

// question adds what is asked to the conversation. asks reports whether a model is needed: else
// the message is the answer, or err says why there is none.
func (w *answering) question(ctx context.Context) (m Message, asks bool, err error) {
	if err := w.addQuestion(ctx); err != nil {
		return Message{}, false, err
	}
	w.step(AnswerStep{}) // which tells what was asked
	switch {
	case ctx.Err() != nil:
		m, err = w.end(ctx, ctx.Err())
	case w.unsearched != nil:
		err = &UnsearchedError{Asked: w.asked, Err: w.unsearched}
	case w.missing != "":
		m, err = w.sayMissing(ctx)
	default:
		return Message{}, true, nil
	}
	return m, false, err
}

// planned is what an answer is made from.
type planned struct {
	model   *loaded
	release func() // of the model
	talk    Talk
	prompt  pipeline.Prompt
	options ReplyOptions
}

// plan opens the model and sees what fits. Where there is nothing to be made from, the message is
// what became of the answer. The caller has the turn, and releases the model.
func (w *answering) plan(ctx context.Context, offer func(context.Context, *loaded, Choices, *ReplyOptions) error) (*planned, Message, error) {
	t := w.talks
	c, err := w.store.Conversation(w.ask.Conversation)
	if err != nil {
		return nil, Message{}, err
	}
	x := ChoicesOf(c)
	w.reply.Model = x.Model
	start := time.Now()
	h, release, err := t.load(ctx, x, w.opening)
	if err != nil {
		m, err := w.end(ctx, err)
		return nil, m, err
	}
	w.writes(h.chat)
	if h.since.After(start) {
		w.tell(h.chat.Notices...)
	}
	preset := t.Preset(x.Preset)
	p := &planned{model: h, release: release, options: h.replyOptions(x, preset)}
	if p.options.Sampling == nil && x.Model == library.StarterChat && blank(w.ask.Parts) && w.ask.Continue == 0 {
		otherwise := DefaultSampling() // it takes the likeliest words, which were an answer already
		p.options.Sampling = &otherwise
	}
	if err := offer(ctx, h, x, &p.options); err != nil {
		release()
		m, err := w.end(ctx, err)
		return nil, m, err
	}
	c.Leaf = w.after
	p.talk = w.talk(ctx, h, c, x, p.options)
	prompt, err := w.prompt(ctx, h.chat, p)
	if err != nil {
		release()
		m, err := w.end(ctx, err)
		return nil, m, err
	}
	if err := w.overflow(prompt, p.options); err != nil {
		release()
		return nil, Message{}, err
	}
	w.reply.Dropped = len(prompt.Dropped)
	p.prompt = prompt.Prompt
	return p, Message{}, nil
}

// overflow is an [OverflowError] where messages would be left out and nobody has agreed to that; nil: there are none.
func (w *answering) overflow(p Planned, o ReplyOptions) error {
	if len(p.Dropped) == 0 || w.ask.MayDrop {
		return nil
	}
	return &OverflowError{Asked: w.asked, Dropped: p.Dropped, Needed: p.AllTokens, Context: p.Context, Room: pipeline.WantedRoom(p.Context, o.MaxTokens)}
}

// talk is what a model gets of a conversation.
func (w *answering) talk(ctx context.Context, h *loaded, c Conversation, x Choices, o ReplyOptions) Talk {
	t := Talk{System: systemOf(c, w.talks.Preset(x.Preset)), Messages: c.Path(), Documents: x.Collection != "", Tools: h.teachesTools()}
	if x.Model == library.StarterChat && w.ask.Continue == 0 && len(t.Messages) > 0 {
		t.Messages = ownTalk(t.Messages)
	}
	if w.said.text == "" && (blank(w.ask.Parts) || w.second) {
		find := retrieval{Service: w.talks, collection: x.Collection, talk: t}
		find.with(h.chat, o)
		t.Messages = w.searchAgain(ctx, t.Messages, find)
	}
	return t
}

// prompt is what the model is to read. Where the program answers in its place, that is nothing.
func (w *answering) prompt(ctx context.Context, c *Writer, p *planned) (Planned, error) {
	if w.said.text != "" {
		return Planned{}, nil
	}
	return c.PlanTalk(ctx, p.talk.with(w.begun), p.options)
}

// opening tells how far the opening of a model is.
func (w *answering) opening(p base.Progress) {
	stage := StageOpening
	if p.Stage == base.StageTesting {
		stage = p.Stage
	}
	w.step(AnswerStep{Stage: stage, Done: p.Done, Total: p.Total})
}

// writes notes which model writes.
func (w *answering) writes(c *Writer) {
	w.reply.Model, w.reply.ModelName, w.reply.Device = c.Model.ID, c.Model.Title(), c.Info().Device
}

// settle lets what an earlier answer read be kept before another conversation takes the cache.
func (w *answering) settle(h *loaded) {
	if k := &w.talks.cache; h.last == w.ask.Conversation {
		k.settle(0)
	} else {
		k.settle(keepPatience)
	}
}

// reading has the reading of the prompt told.
func (w *answering) reading(o ReplyOptions) ReplyOptions {
	o.Progress = func(done, total int) {
		w.step(AnswerStep{Stage: base.StageReading, Done: int64(done), Total: int64(total)})
	}
	o.Waiting = func(server string, since time.Duration) {
		w.step(AnswerStep{Stage: StageServer, Server: server, Done: int64(since.Seconds())})
	}
	return o
}

// write makes the answer and has what the model read for it kept.
func (w *answering) write(ctx context.Context, p *planned) (Message, error) {
	k, h, conversation := &w.talks.cache, p.model, w.ask.Conversation
	w.settle(h)
	if err := w.begin(); err != nil {
		p.release()
		return Message{}, err
	}
	w.step(AnswerStep{Stage: base.StageReading})
	o := w.reading(p.options)
	prefix, recalled := k.recall(h, conversation)
	o.Prefix = prefix

	w.ready = time.Now()
	h.last = conversation
	failed := w.speak(ctx, h.chat, p.prompt, o)
	recalled()
	o.Prefix = nil
	for failed == nil && len(w.calls) > 0 {
		failed = w.goOn(ctx, h, p.talk, o)
	}
	if failed == nil {
		if c, err := w.store.Conversation(w.ask.Conversation); err == nil {
			w.check(ctx, c)
			w.compare(c)
		}
	}
	m, err := w.end(ctx, failed)
	k.keep(ctx, h, p.release, conversation)
	return m, err
}

// compare tells where the answer in a conversation has the words of an earlier one to the same question.
func (w *answering) compare(c Conversation) {
	if w.ask.Continue != 0 {
		return
	}
	answer, err := messageOf(c, w.writer.ID())
	if err != nil || strings.TrimSpace(answer.Text()) == "" {
		return
	}
	c.Messages = slices.DeleteFunc(slices.Clone(c.Messages), func(m Message) bool { return m.ID == answer.ID })
	if _, ok := answerLike(c, w.after, answer.Text()); ok {
		w.tell("The answer has the same words as an earlier one. “Choice of words”, moved towards “Creative”, gives others.")
	}
}

// answerLike finds a complete answer to a message that has a text.
func answerLike(c Conversation, asked int64, text string) (Message, bool) {
	i := slices.IndexFunc(c.Messages, func(m Message) bool {
		return m.Parent == asked && m.Role == RoleAssistant && m.State == MessageComplete && m.Text() == text
	})
	if i < 0 {
		return Message{}, false
	}
	return c.Messages[i], true
}

// speak has the model write until it ends, or asks for tools.
func (w *answering) speak(ctx context.Context, c *Writer, p pipeline.Prompt, o ReplyOptions) error {
	for token, err := range c.Reply(ctx, p, o) {
		if err == nil {
			err = w.take(token)
		} else {
			err = errors.Join(err, w.take(token))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// begin adds the answer's message to the conversation. It takes the place of one that goes on.
func (w *answering) begin() (err error) {
	w.writer, err = w.store.Begin(w.ask.Conversation, w.after, w.begun)
	if err := w.saved(err); err != nil {
		return err
	}
	for _, p := range w.own {
		if err := w.saved(w.writer.Add(p)); err != nil {
			return err
		}
	}
	if w.replaces == 0 {
		return nil
	}
	return w.saved(w.store.DeleteMessage(w.ask.Conversation, w.replaces))
}

// cut reports whether an answer ended before its end, and nothing follows it: a copy that goes
// on may take its place.
func cut(c Conversation, m Message) bool {
	if m.State == MessageComplete && (m.Reply == nil || !slices.Contains([]string{FinishLength, FinishContext, FinishOther}, m.Reply.Reason)) {
		return false
	}
	return !slices.ContainsFunc(c.Messages, func(next Message) bool { return next.Parent == m.ID })
}

// take keeps a token and tells of it.
func (w *answering) take(t Token) error {
	r := &w.reply
	if t.Notice != "" {
		w.tell(t.Notice)
	}
	if s := t.Started; s != nil {
		r.PromptTokens, r.Reused, r.Seed, r.Device = s.PromptTokens, s.Reused, s.Seed, s.Device
		if r.FirstToken == 0 {
			r.FirstToken = time.Since(w.ready)
		}
		r.Fallbacks = addFallbacks(r.Fallbacks, s.Fallbacks)
	}
	if t.ID >= 0 {
		r.Tokens++
		w.counted = true
	}
	if t.Call != nil {
		w.calls = append(w.calls, *t.Call)
	}
	if f := t.Finished; f != nil {
		r.Reason, r.Stop, r.Device = f.Reason, f.Stop, f.Device
		if !w.counted { // a server gives texts, and says at the end how many tokens they were
			r.Tokens += f.Tokens
		}
		r.Rate, r.DraftGain = base.PerSecond(f.Tokens, f.Took), f.Gain
		if rate := Speed(r); rate > 0 {
			w.talks.devices.Wrote(r.Model, rate)
		}
		r.Fallbacks = addFallbacks(r.Fallbacks, f.Fallbacks)
	}
	if r.Model == library.StarterChat && !t.Thinking {
		t.Text = w.guided.Take(t.Text, t.Finished != nil)
	}
	if err := w.saved(w.writer.Append(t.Text, t.Thinking)); err != nil {
		return err
	}
	s := AnswerStep{Stage: StageWriting, Done: int64(r.Tokens)}
	w.clock(t)
	if t.Thinking {
		s.Thinking = t.Text
	} else {
		s.Text = t.Text
	}
	w.step(s)
	return nil
}

// clock measures how long the model thinks.
func (w *answering) clock(t Token) {
	if !t.Thinking {
		return
	}
	if w.thinks.IsZero() {
		w.thinks = time.Now()
	}
	w.reply.Thought = time.Since(w.thinks)
}

// tell passes sentences about a device or memory on.
func (w *answering) tell(notices ...string) {
	for _, n := range notices {
		w.reply.Notices = append(w.reply.Notices, n)
		w.step(AnswerStep{Notice: n})
	}
}

func addFallbacks(list []chats.Fallback, more []devices.Fallback) []chats.Fallback {
	for _, f := range more {
		one := chats.Fallback{Op: f.Op.String(), Reason: f.Reason}
		if !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	return list
}

// inWords is what a person reads below a question that failed. Tokens mean nothing there.
func inWords(failed error) string {
	var long *pipeline.TooLongError
	if !errors.As(failed, &long) {
		return failed.Error()
	}
	if times := float64(long.Tokens) / float64(max(1, long.Context)); times >= 2 {
		return fmt.Sprintf("this text is about %.0f times longer than the model can read; send a part of it, or search it in Documents", times)
	}
	return "this message is longer than the model can read at once; shorten it, or give the model more room"
}

// end finishes the message, which is begun now if the answer came to nothing.
func (w *answering) end(ctx context.Context, failed error) (Message, error) {
	state := MessageComplete
	switch {
	case failed == nil:
	case ctx.Err() != nil:
		if state, failed = MessageStopped, nil; errors.Is(context.Cause(ctx), base.ErrClosing) {
			state = MessageInterrupted
		}
		w.reply.Reason = FinishCancelled
	default:
		state = MessageFailed
		w.reply.Error, w.reply.Reason = inWords(failed), pipeline.FinishError
	}
	if w.writer == nil {
		if err := w.begin(); err != nil {
			return Message{}, errors.Join(failed, err)
		}
	}
	if !w.ready.IsZero() {
		w.reply.Took = time.Since(w.ready)
	}
	if err := w.saved(w.writer.Finish(state, &w.reply)); err != nil {
		return Message{}, errors.Join(failed, err)
	}
	c, err := w.store.Conversation(w.ask.Conversation)
	if err != nil {
		return Message{}, errors.Join(failed, err)
	}
	m, err := messageOf(c, w.writer.ID())
	return m, errors.Join(failed, err)
}
