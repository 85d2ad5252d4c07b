package chat

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"inglenook/pipeline"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
)

// Meter tells what of the context a message would take that is being written.
// Without a loaded model it estimates. Counts are remembered, so that typing
// costs what is being typed.
func (s *Service) Meter(ctx context.Context, r MeterRequest) (Meter, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return Meter{}, err
	}
	defer done()
	c, x, err := s.metered(r)
	if err != nil {
		return Meter{}, err
	}
	draft := Message{Role: RoleUser, Parts: r.Draft}
	c.Leaf = r.After
	preset := s.Preset(x.Preset)
	path := c.Path()
	if blank(r.Draft) && len(path) > 0 && path[len(path)-1].Role != RoleUser { // else that one is to be answered
		draft.Parts = Content(toCome)
	}
	talk := Talk{System: systemOf(c, preset), Messages: append(path, draft), Documents: x.Collection != ""}
	if s.modelOf(x) == library.StarterChat {
		talk.Messages, r.Draft = ownTalk(talk.Messages), withoutWeight(r.Draft)
	}
	h, release := s.use()
	if h == nil || x.Model != "" && h.options != x.chatOptions() {
		if release != nil {
			release()
		}
		return guessed(talk, x.Model, r.Draft, s.contextOf(ctx, x)), nil
	}
	defer release()
	talk.Tools = h.teachesTools()
	list := talk.sent(h.chat.small(), false)
	_, exact := h.chat.model.(counter)
	m := Meter{Context: h.chat.Info().Context, Exact: exact}
	if err := s.countDraft(ctx, h, r.Draft, &m); err != nil {
		return Meter{}, err
	}
	m.Prompt, m.Room = m.Draft, m.Context-m.Draft
	if len(list) == 0 || m.Room <= 0 { // what is too long alone need not be seen with the rest
		return m, nil
	}
	if !onlyText(list) {
		// Sending it is refused, with a sentence. Until then the texts are estimated.
		guess := estimate(list, r.Draft, m.Context)
		m.Prompt, m.Room, m.Exact = guess.Prompt, guess.Room, false
		return m, nil
	}
	p, err := h.chat.PlanTalk(ctx, talk, h.replyOptions(x, preset))
	var long *pipeline.TooLongError
	if errors.As(err, &long) {
		p.PromptTokens, err = long.Tokens, nil
	}
	m.Prompt, m.Room, m.Dropped, m.LeftOut = p.PromptTokens, m.Context-p.PromptTokens, p.Dropped, p.LeftOut
	return m, err
}

// toCome stands for a message of which nothing is written yet. Without one the last answer would
// be counted as one that goes on, with all that was thought for it, and the first letter typed
// would make the chat shorter.
const toCome = "…"

// onlyText reports whether no message has a part of another kind, as a newer version of
// the program may write them.
func onlyText(list []sent) bool {
	return !slices.ContainsFunc(list, func(s sent) bool {
		return slices.ContainsFunc(s.Parts, func(p pipeline.Part) bool { return p.Kind != pipeline.PartText })
	})
}

// countDraft counts what is being written; files and passages once for all times.
func (s *Service) countDraft(ctx context.Context, h *loaded, draft []Part, m *Meter) error {
	for _, p := range draft {
		count := h.count
		if p.Kind != PartText {
			count = func(ctx context.Context, text string) (int, error) { return s.counts.of(ctx, h, text) }
		}
		n, err := count(ctx, p.Text)
		if err != nil {
			return err
		}
		m.add(p, n)
	}
	return nil
}

// withoutWeight returns the parts of a draft with what the guide does not read as empty ones.
func withoutWeight(draft []Part) []Part {
	draft = slices.Clone(draft)
	for i, p := range draft {
		if p.Kind != PartText {
			draft[i].Text = ""
		}
	}
	return draft
}

// add counts the tokens of a part of the draft.
func (m *Meter) add(p Part, tokens int) {
	m.Draft += tokens
	switch p.Kind {
	case PartFile:
		m.Attached = append(m.Attached, tokens)
	case PartPassage:
		m.Passages = append(m.Passages, tokens)
	}
}

// metered is the conversation that a draft belongs to, and the choices for what answers it. The window
// knows which model that will be where the one that was chosen is gone, or another one answered last.
func (s *Service) metered(r MeterRequest) (Conversation, Choices, error) {
	if r.Conversation == "" {
		return Conversation{}, r.Choices, nil
	}
	c, err := s.Conversation(r.Conversation)
	x := ChoicesOf(c)
	if r.Choices.Model != "" {
		x.Model, x.Target = r.Choices.Model, r.Choices.Target
	}
	return c, x, err
}

// systemOf is the system prompt: the conversation's own, or else the preset's.
func systemOf(c Conversation, p base.Preset) string {
	if c.System != "" {
		return c.System
	}
	return p.System
}

// estimate is a meter without a model; context is 0 where that is not known.
func estimate(list []sent, draft []Part, context int) Meter {
	m := Meter{Context: context}
	for _, p := range draft {
		m.add(p, aboutTokens(p.Text))
	}
	for _, p := range list {
		m.Prompt += len(p.Text())/bytesPerToken + bytesPerToken
	}
	if context > 0 {
		m.Room = m.Context - m.Prompt
	}
	return m
}

// guessed is a meter without a model, for a talk of which an answer of the same model may be a
// part: what was counted for that answer tells what came before it, and how many bytes a token of
// this model has.
func guessed(t Talk, model string, draft []Part, context int) Meter {
	m := estimate(t.sent(false, false), draft, context)
	last := len(t.Messages) - 1
	for ; last >= 0; last-- {
		if r := t.Messages[last].Reply; r != nil && r.Model == model && r.PromptTokens > 0 && !usesTools(t.Messages[last]) {
			break
		}
	}
	if last < 0 {
		return m.within(t)
	}
	answer := t.Messages[last]
	if answer.Reply.Dropped > 0 { // what was counted for it is not all that there is
		return m.within(t)
	}
	before, after := t, t
	before.Messages, after.Messages, after.System, after.Documents = t.Messages[:last], t.Messages[last+1:], "", false
	bytes, said := 0, len(answer.Text())
	for _, s := range before.sent(false, false) {
		bytes += len(s.Text())
	}
	wrote := float64(answer.Reply.Tokens) // of which what it thought is not sent again
	wrote *= float64(said) / float64(max(1, said+len(answer.Thinking)))
	m.Prompt = answer.Reply.PromptTokens + int(wrote)
	perToken := float64(bytes+said) / float64(max(1, m.Prompt))
	for _, s := range after.sent(false, false) {
		m.Prompt += int(float64(len(s.Text()))/max(1, perToken)) + bytesPerToken
	}
	if context > 0 {
		m.Room = m.Context - m.Prompt
	}
	return m.within(t)
}

// within returns the meter of a talk that leaves too little room for an answer while its new message
// is not too long: the oldest messages will be left out, so the chat is full, as it is said to be once
// the model counts it, and not too long to go on.
func (m Meter) within(t Talk) Meter {
	if len(t.Messages) > 1 && m.Context > 0 && m.Draft < m.Context && m.Prompt > m.Context-pipeline.WantedRoom(m.Context, 0) {
		m.Prompt, m.Room = m.Context, 0
	}
	return m
}

// contextOf returns how much the model of the choices will see at once when it is opened, as
// its files say; 0: that is not known.
func (s *Service) contextOf(ctx context.Context, x Choices) int {
	if x.Model == "" {
		return x.Context
	}
	model, err := s.library.Find(ctx, x.Model)
	if err != nil || model.MaxLength <= 0 {
		return x.Context
	}
	return min(model.MaxLength, cmp.Or(x.Context, usualContext))
}

// Room is a context that a model can be given, in tokens, and what it then takes.
type Room struct {
	Context int
	Bytes   int64 // of weights, cache and work; 0: unknown
}

// leastRoom is the smallest context that is offered.
const leastRoom = 512

// Rooms are the contexts that the model of the choices can be given: powers of two and the
// most that it was made for, the smallest first. There are none where that is not known.
func (s *Service) Rooms(ctx context.Context, x Choices) ([]Room, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	e, err := s.library.Find(ctx, x.Model)
	if err != nil || e.MaxLength <= 0 {
		return nil, err
	}
	where, err := s.pool.Choose(ctx, devices.Target{Device: x.Device}, &e, nil)
	if err != nil {
		return nil, err
	}
	var list []Room
	for n := leastRoom; ; n *= 2 {
		hold := x.Hold
		hold.Context = min(n, e.MaxLength)
		list = append(list, Room{hold.Context, s.pool.Wanted(ctx, e, where, hold).Bytes})
		if n >= e.MaxLength || ctx.Err() != nil {
			return list, ctx.Err()
		}
	}
}

// usualContext is that of a model that is opened without a number, as far as it can
// see so much.
const usualContext = 4096
