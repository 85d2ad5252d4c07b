package chat

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/pipeline"
)

// ErrNoChatTemplate says that a model can continue texts and not converse.
var ErrNoChatTemplate = errors.New("it has no chat template, so it was probably not made for chats")

// Writer is an open model that writes text. It makes as many answers at once as it has
// sequences; several chats with the same model and options share it.
type Writer struct {
	life    *base.Lifetime
	devices *devices.Service
	library *library.Service
	model   pipeline.Writer
	release func()
	drafter drafter

	stamp string // of the model's files

	Model library.Model
	Load  time.Duration // 0 when the model was open already
	// Notices are sentences about a device that failed or was not trusted while
	// the model was opened; what happens later comes with the tokens.
	Notices []string
	// Notes are sentences about the guesses that were asked for and cannot be made: answers are
	// the same without.
	Notes []string
}

// OpenChat opens a model for writing. A model that needs more memory than there
// is gets refused before its weights are read.
func (s *Service) OpenChat(ctx context.Context, o pool.WriterOptions, report func(base.Progress)) (*Writer, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	e, err := s.library.Usable(ctx, o.Model)
	if err != nil {
		return nil, err
	}
	if !e.CanWrite() {
		return nil, fmt.Errorf("%s cannot write text: it is made for %s; use it in %s, or choose a language model", e.Name, library.KindInWords(e.Kind), e.BelongsTo())
	}
	if e.Kind == library.KindText && !o.Plain {
		return nil, fmt.Errorf("%s cannot chat: %w; choose an instruct or chat model", e.Name, ErrNoChatTemplate)
	}
	open, err := s.pool.OpenWriter(ctx, e, o, report)
	if err != nil {
		return nil, err
	}
	info := open.Model.Info()
	notices := append(open.Notices, info.Notices...)
	s.devices.LogWork("open chat", e.ID, info.Device, 0, open.Load, info.Fallbacks, notices)
	d, why, err := s.openDrafter(ctx, open.Model, o, report)
	if err != nil {
		open.Release()
		return nil, err
	}
	var notes []string
	if why != "" {
		notes = append(notes, why)
		s.log.Warn("guesses", "model", e.ID, "notice", why)
	}
	notices = append(notices, d.notices...)
	return &Writer{life: s.life, devices: s.devices, library: s.library, model: open.Model, release: open.Release, drafter: d, stamp: e.Stamp, Model: e.Model, Load: open.Load, Notices: notices, Notes: notes}, nil
}

// Info describes the open model.
func (c *Writer) Info() ChatInfo { return c.model.Info() }

// Plan returns the prompt that Reply sends for a conversation. What does not fit is
// left out, and the prompt names it.
func (c *Writer) Plan(ctx context.Context, messages []PromptMessage, o ReplyOptions) (pipeline.Prompt, error) {
	ctx, done, err := c.life.Begin(ctx)
	if err != nil {
		return pipeline.Prompt{}, err
	}
	defer done()
	return c.model.Plan(ctx, messages, o)
}

// Reply answers a prompt of Plan token by token. Ending the loop early is fine.
func (c *Writer) Reply(ctx context.Context, p pipeline.Prompt, o ReplyOptions) iter.Seq2[Token, error] {
	o = c.drafter.in(o)
	o.Profile = true // for what the devices had to do
	return c.tokens(ctx, func(ctx context.Context) iter.Seq2[Token, error] { return c.model.Reply(ctx, p, o) })
}

// Behind returns a prompt of Plan behind tokens that this model read or wrote before.
func (c *Writer) Behind(p pipeline.Prompt, before []int32) (pipeline.Prompt, error) {
	m, ok := c.model.(interface {
		Behind(p pipeline.Prompt, before []int32) (pipeline.Prompt, error)
	})
	if !ok {
		return p, fmt.Errorf("%s is a model of a server, which takes no tokens; send texts instead", c.Model.Name)
	}
	return m.Behind(p, before)
}

// pairing is a model that can be had to make two answers in passes that they share.
type pairing interface {
	Pair(ctx context.Context, p pipeline.Prompt, o ReplyOptions) (together bool, single func(), err error)
}

// Pair prepares two answers to a prompt of Plan at the same time, and reads it; single ends that.
// together reports whether the model makes them so, and not one after the other. A model of a
// server is simply asked twice.
func (c *Writer) Pair(ctx context.Context, p pipeline.Prompt, o ReplyOptions) (together bool, single func(), err error) {
	m, ok := c.model.(pairing)
	if !ok {
		return true, func() {}, nil
	}
	ctx, done, err := c.life.Begin(ctx)
	if err != nil {
		return false, func() {}, err
	}
	defer done()
	return m.Pair(ctx, p, o)
}

// Answer plans and replies at once.
func (c *Writer) Answer(ctx context.Context, messages []PromptMessage, o ReplyOptions) iter.Seq2[Token, error] {
	o = c.drafter.in(o)
	o.Profile = true
	return c.tokens(ctx, func(ctx context.Context) iter.Seq2[Token, error] {
		return pipeline.Answer(ctx, c.model, messages, o)
	})
}

// tokens makes an answer end with the application, and writes down how it went.
func (c *Writer) tokens(ctx context.Context, answer func(context.Context) iter.Seq2[Token, error]) iter.Seq2[Token, error] {
	return func(yield func(Token, error) bool) {
		ctx, done, err := c.life.Begin(ctx)
		if err != nil {
			yield(Token{ID: -1}, err)
			return
		}
		defer done()
		defer c.devices.Awake()()
		c.library.Used(c.Model.ID)
		start := time.Now()
		for t, err := range answer(ctx) {
			if f := t.Finished; f != nil {
				c.devices.LogWork("chat", c.Model.ID, f.Device, f.Tokens, time.Since(start), f.Fallbacks, f.Notices)
				c.devices.Note(devices.Work{Job: "chat", Model: c.Model.ID, Took: time.Since(start), Rate: base.PerSecond(f.Tokens, f.Took)}, f.Profile)
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// Close lets the model go. No answer may be under way.
func (c *Writer) Close() {
	c.release()
	c.drafter.release()
}

// Answer is a whole answer.
type Answer struct {
	Text     string
	Thinking string
	Calls    []ToolCall // tools that the model asks for
	IDs      []int32
	Logprobs []pipeline.Logprob // if they were asked for
	Started  pipeline.Started
	Finished pipeline.Finished
}

// Collect reads an answer to its end. each, if not nil, sees every token first.
// On an error the answer holds what there was.
func Collect(tokens iter.Seq2[Token, error], each func(Token)) (Answer, error) {
	var a Answer
	var text, thinking strings.Builder
	var failed error
	for t, err := range tokens {
		failed = errors.Join(failed, err)
		if each != nil {
			each(t)
		}
		if t.ID >= 0 {
			a.IDs = append(a.IDs, t.ID)
		}
		a.Logprobs = append(a.Logprobs, t.Logprobs...)
		if t.Call != nil {
			a.Calls = append(a.Calls, *t.Call)
		}
		if t.Thinking {
			thinking.WriteString(t.Text)
		} else {
			text.WriteString(t.Text)
		}
		if t.Started != nil {
			a.Started = *t.Started
		}
		if t.Finished != nil {
			a.Finished = *t.Finished
		}
	}
	a.Text, a.Thinking = text.String(), thinking.String()
	return a, failed
}
