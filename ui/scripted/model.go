package scripted

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"inglenook/app/base"
	"inglenook/app/chat"
)

// Model is how answers are made.
type Model struct {
	Rate        float64                       // tokens a second; 0: as fast as they are taken
	Reply       func(asked string) string     // the answer; nil: the words of the question, backwards
	Longer      int                           // words that the second of two answers has more
	Thought     string                        // before each answer
	Thinks      chat.Thinking                 // what a person can choose of it
	Temperature float64                       // of the model's makers; 0: they say nothing
	Most        int                           // tokens that it can be given; 0: nobody knows
	Context     int                           // tokens; 0: 4096
	Denser      int                           // times the tokens of a text are more than they are guessed to be; 0: once
	Opening     time.Duration                 // how long loading takes
	Reading     time.Duration                 // how long reading the prompt takes
	Fails       func(tokens int) error        // after so many tokens; nil: it works
	Hold        func(ctx context.Context)     // before the answer; may be nil
	Asked       func(r chat.AnswerRequest)    // is told each request; may be nil
	Without     []string                      // sentences about tool servers that answers go without
	Tool        *chat.ToolQuestion            // that it asks for before it answers; nil: none
	Counts      func(r chat.MeterRequest) int // tokens of all but the draft; nil: none
}

// tokens cuts a text into pieces of about four bytes, at characters.
func tokens(text string) []string {
	var list []string
	runes := []rune(text)
	for len(runes) > 0 {
		n := min(4, len(runes))
		list = append(list, string(runes[:n]))
		runes = runes[n:]
	}
	return list
}

func backwards(text string) string {
	words := strings.Fields(text)
	slices.Reverse(words)
	return strings.Join(words, " ")
}

// Models lists the models.
func (t *Conversations) Models(context.Context) ([]chat.ModelChoice, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := slices.Clone(t.choices)
	for i := range list {
		list[i].Loaded = t.loaded != nil && t.loaded.Model.ID == list[i].Model.ID
		if own := chat.DefaultSampling(); t.Model.Temperature > 0 {
			own.Temperature = t.Model.Temperature
			list[i].Model.Sampling = &own
		}
		list[i].Model.Thinking, list[i].Model.Tools = t.Model.Thinks, !list[i].Model.Tiny()
	}
	return list, nil
}

// Loaded returns the loaded model.
func (t *Conversations) Loaded() (chat.Loaded, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.loaded == nil {
		return chat.Loaded{}, false
	}
	return *t.loaded, true
}

// Load loads the model of the choices.
func (t *Conversations) Load(ctx context.Context, x chat.Choices, report func(base.Progress)) error {
	const steps = 10
	for i := range steps {
		report(base.Progress{Stage: base.StageLoading, Done: int64(i) << 27, Total: steps << 27, Unit: "bytes"})
		if !pause(ctx, t.Model.Opening/steps) {
			return ctx.Err()
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.choices, func(c chat.ModelChoice) bool { return c.Model.ID == x.Model })
	if i < 0 {
		return errors.New("there is no model " + x.Model)
	}
	info := chat.ChatInfo{Context: t.context(), Local: &chat.LocalInfo{KV: "f16"}, Device: "cpu", Sampling: chat.DefaultSampling(), Thinking: t.Model.Thinks}
	t.loaded = &chat.Loaded{Model: t.choices[i].Model, Info: info, Choices: x, Plain: t.choices[i].Plain, Since: time.Now()}
	return nil
}

// Unload lets the model go.
func (t *Conversations) Unload() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.loaded = nil
}

func (t *Conversations) context() int {
	if t.Model.Context > 0 {
		return t.Model.Context
	}
	return 4096
}

// Rooms gives it a GiB, and a KiB for each token.
func (t *Conversations) Rooms(context.Context, chat.Choices) (list []chat.Room, err error) {
	for n := 512; t.Model.Most > 0; n *= 2 {
		n = min(n, t.Model.Most)
		list = append(list, chat.Room{Context: n, Bytes: 1<<30 + int64(n)<<10})
		if n == t.Model.Most {
			break
		}
	}
	return list, nil
}

// Meter counts four bytes as a token.
func (t *Conversations) Meter(_ context.Context, r chat.MeterRequest) (chat.Meter, error) {
	_, loaded := t.Loaded()
	m := chat.Meter{Context: t.context(), Exact: loaded}
	for _, p := range r.Draft {
		n := len(tokens(p.Text))
		if loaded {
			n *= max(1, t.Model.Denser)
		}
		m.Draft += n
		if p.Kind == chat.PartPassage {
			m.Passages = append(m.Passages, n)
		}
	}
	m.Prompt = m.Draft
	if t.Model.Counts != nil {
		m.Prompt += t.Model.Counts(r)
	}
	m.Room = m.Context - m.Prompt
	if m.Room < 0 {
		m.Dropped = []int64{1}
	}
	return m, nil
}

// pause waits; false: the context ended.
func pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// Answer answers as the model's script says.
func (t *Conversations) Answer(ctx context.Context, r chat.AnswerRequest, report func(chat.AnswerStep)) (chat.Message, error) {
	if t.Model.Asked != nil {
		t.Model.Asked(r)
	}
	r, missing, err := t.search(ctx, r, report)
	if err != nil {
		return chat.Message{}, err
	}
	var asked, answer int64
	var question string
	var x chat.Choices
	err = t.change(r.Conversation, func(c *record) error {
		x = chat.ChoicesOf(c.Conversation)
		begin := chat.Message{Role: chat.RoleAssistant, State: chat.MessageWriting}
		switch {
		case r.Continue != 0:
			m := c.message(r.Continue)
			begin.Parent, begin.Parts, begin.Thinking = m.Parent, m.Parts, m.Thinking
			question = "on and on"
		case len(r.Parts) > 0:
			asked = c.add(chat.Message{Parent: r.After, Role: chat.RoleUser, Parts: r.Parts})
			begin.Parent, question = asked, c.message(asked).Text()
		default:
			asked, begin.Parent, question = r.After, r.After, c.message(r.After).Text()
		}
		if t.Model.Context > 0 && len(tokens(question)) > t.Model.Context && !r.MayDrop {
			return &chat.OverflowError{Asked: asked, Dropped: []int64{c.Messages[0].ID}, Needed: len(tokens(question)), Context: t.Model.Context}
		}
		answer = c.add(begin)
		return nil
	})
	if err != nil {
		report(chat.AnswerStep{Asked: asked})
		return chat.Message{}, err
	}
	if missing != "" {
		return t.missing(r.Conversation, answer, missing)
	}
	if len(t.Model.Without) > 0 {
		report(chat.AnswerStep{Stage: chat.StageTools, Asked: asked, Unreached: t.Model.Without})
	}
	report(chat.AnswerStep{Stage: chat.StageOpening, Asked: asked, Answer: answer})
	if l, ok := t.Loaded(); !ok || l.Model.ID != x.Model {
		err = t.Load(ctx, x, func(p base.Progress) {
			report(chat.AnswerStep{Stage: chat.StageOpening, Done: p.Done, Total: p.Total})
		})
	}
	if t.Model.Hold != nil {
		t.Model.Hold(ctx)
	}
	for i := range 4 {
		report(chat.AnswerStep{Stage: base.StageReading, Done: int64(i * 64), Total: 256})
		if err == nil && !pause(ctx, t.Model.Reading/4) {
			err = ctx.Err()
		}
	}
	if err == nil {
		t.useTool(ctx, r, answer, report)
		err = ctx.Err()
	}
	written := 0
	if err == nil {
		written, err = t.write(ctx, r.Conversation, answer, question, report)
	}
	if err == nil {
		t.check(ctx, r.Conversation, answer, report)
	}
	return t.finish(r.Conversation, answer, written, err)
}

// write writes the answer to a question.
func (t *Conversations) write(ctx context.Context, id string, answer int64, question string, report func(chat.AnswerStep)) (int, error) {
	reply := backwards
	if t.Model.Reply != nil {
		reply = t.Model.Reply
	}
	return t.say(ctx, id, answer, reply(question), time.Now(), report)
}

// say writes a text as the answer, token by token, after what the model thinks.
func (t *Conversations) say(ctx context.Context, id string, answer int64, text string, began time.Time, report func(chat.AnswerStep)) (int, error) {
	thoughts := tokens(t.Model.Thought)
	all := append(thoughts, tokens(text)...)
	for i, token := range all {
		if t.Model.Fails != nil {
			if err := t.Model.Fails(i); err != nil {
				return i, err
			}
		}
		due := time.Duration(0)
		if t.Model.Rate > 0 {
			due = time.Until(began.Add(time.Duration(float64(i) / t.Model.Rate * float64(time.Second))))
		}
		if !pause(ctx, due) {
			return i, ctx.Err()
		}
		step := chat.AnswerStep{Stage: chat.StageWriting, Done: int64(i + 1), Text: token}
		if i < len(thoughts) {
			step.Text, step.Thinking = "", token
		}
		_ = t.change(id, func(c *record) error {
			m := c.message(answer)
			m.Parts = m.WithText(m.Text() + step.Text)
			m.Thinking += step.Thinking
			return nil
		})
		report(step)
	}
	return len(all), nil
}

// finish closes an answer.
func (t *Conversations) finish(id string, answer int64, written int, failed error) (out chat.Message, err error) {
	changing := t.change(id, func(c *record) error {
		m := c.message(answer)
		r := &chat.ReplyRecord{Model: "org/talker", ModelName: "talker", Device: "cpu", PromptTokens: 60, Reused: 40, Tokens: written, FirstToken: 120 * time.Millisecond, Took: time.Second, Rate: 42.5, Reason: chat.FinishStop, Seed: 7}
		if m.Reply != nil {
			r.Claims = m.Reply.Claims
		}
		m.State, m.Reply = chat.MessageComplete, r
		switch {
		case errors.Is(failed, context.Canceled):
			m.State, r.Reason = chat.MessageStopped, chat.FinishCancelled
		case failed != nil:
			m.State, r.Reason, r.Error, err = chat.MessageFailed, "error", failed.Error(), failed
		}
		c.Updated, c.Model = time.Now(), r.Model
		out = *m
		return nil
	})
	return out, errors.Join(err, changing)
}
