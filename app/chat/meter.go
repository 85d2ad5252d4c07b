package chat

import (
	"context"
	"errors"
	"slices"

	"inglenook/pipeline"

	"inglenook/app/base"
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
	draft := Message{Role: RoleUser, Text: r.Draft, Attachments: r.Attachments}
	c.Leaf = r.After
	preset := s.Preset(x.Preset)
	list := sentOf(systemOf(c, preset), append(c.Path(), draft))
	h, release := s.use()
	if h == nil || x.Model != "" && h.options != x.chatOptions() {
		if release != nil {
			release()
		}
		return estimate(list, draft, x.Context), nil
	}
	defer release()
	_, exact := h.chat.model.(counter)
	m := Meter{Context: h.chat.Info().Context, Exact: exact}
	if err := s.countDraft(ctx, h, draft, &m); err != nil {
		return Meter{}, err
	}
	m.Prompt, m.Room = m.Draft, m.Context-m.Draft
	if len(list) == 0 || m.Room <= 0 { // what is too long alone need not be seen with the rest
		return m, nil
	}
	if !onlyText(list) {
		// Sending it is refused, with a sentence. Until then the texts are estimated.
		guess := estimate(list, draft, m.Context)
		m.Prompt, m.Room, m.Exact = guess.Prompt, guess.Room, false
		return m, nil
	}
	p, dropped, err := h.plan(ctx, list, h.replyOptions(x, preset))
	var long *pipeline.TooLongError
	if errors.As(err, &long) {
		p.PromptTokens, err = long.Tokens, nil
	}
	m.Prompt, m.Room, m.Dropped = p.PromptTokens, m.Context-p.PromptTokens, dropped
	return m, err
}

// onlyText reports whether no message has a part of another kind, as a newer version of
// the program may write them.
func onlyText(list []sent) bool {
	return !slices.ContainsFunc(list, func(s sent) bool {
		return slices.ContainsFunc(s.Parts, func(p pipeline.Part) bool { return p.Kind != pipeline.PartText })
	})
}

// countDraft counts what is being written; attachments once for all times.
func (s *Service) countDraft(ctx context.Context, h *loaded, draft Message, m *Meter) (err error) {
	if draft.Text != "" {
		if m.Draft, err = h.count(ctx, draft.Text); err != nil {
			return err
		}
	}
	for _, a := range draft.Attachments {
		n, err := s.counts.of(ctx, h, a.Text)
		if err != nil {
			return err
		}
		m.Draft += n
		m.Attached = append(m.Attached, n)
	}
	return nil
}

// metered is the conversation that a draft belongs to.
func (s *Service) metered(r MeterRequest) (Conversation, Choices, error) {
	if r.Conversation == "" {
		return Conversation{}, r.Choices, nil
	}
	c, err := s.Conversation(r.Conversation)
	return c, ChoicesOf(c), err
}

// systemOf is the system prompt: the conversation's own, or else the preset's.
func systemOf(c Conversation, p base.Preset) string {
	if c.System != "" {
		return c.System
	}
	return p.System
}

// estimate is a meter without a model.
func estimate(list []sent, draft Message, context int) Meter {
	m := Meter{Context: context, Draft: aboutTokens(draft.Text)}
	for _, a := range draft.Attachments {
		m.Draft += aboutTokens(a.Text)
		m.Attached = append(m.Attached, aboutTokens(a.Text))
	}
	if context == 0 {
		m.Context = usualContext
	}
	for _, p := range list {
		m.Prompt += len(p.Text())/bytesPerToken + bytesPerToken
	}
	m.Room = m.Context - m.Prompt
	return m
}

// usualContext is that of a model that is opened without a number, as far as it can
// see so much.
const usualContext = 4096
