package chat

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"inglenook/app/tools"
)

// maxRounds is how often a model may ask for tools in one answer. Then it has to answer.
const maxRounds = 8

// Tools runs tools. *tools.Service is one.
type Tools interface {
	Offered(ctx context.Context) (list []tools.Tool, notes []string, err error)
	Call(ctx context.Context, t tools.Tool, arguments string, limit int) (tools.Result, error)
	Allowed(conversation string, t tools.Tool) bool
	Allow(conversation string, t tools.Tool, v tools.Verdict) error
}

// ToolQuestion asks the person whether a tool may run.
type ToolQuestion struct {
	Tool      tools.Tool
	Arguments string // a JSON object
}

// teachesTools reports whether the model knows what calls of tools are.
func (h *loaded) teachesTools() bool { return h.chat.Info().Tools && !h.plain() }

// offerTools has the model offered tools, where the person chose that for the chat.
func (w *answering) offerTools(ctx context.Context, h *loaded, x Choices, o *ReplyOptions) error {
	switch {
	case !x.Tools || w.ask.Approve == nil:
		return nil
	case !h.teachesTools():
		w.tell(fmt.Sprintf("%s cannot use tools, so it answers without them.", h.chat.Model.Title()))
		return nil
	}
	w.step(AnswerStep{Stage: StageTools})
	list, notes, err := w.talks.tools.Offered(ctx)
	if err != nil {
		return err
	}
	if len(notes) > 0 {
		w.reply.Notices = append(w.reply.Notices, notes...)
		w.step(AnswerStep{Stage: StageTools, Unreached: notes})
	}
	w.offered = list
	for _, t := range list {
		o.Tools = append(o.Tools, Tool{Name: t.Called, Description: t.Description, Parameters: t.Parameters})
	}
	return nil
}

// goOn runs the tools that the model asks for, and has it write on with their results.
func (w *answering) goOn(ctx context.Context, h *loaded, talk Talk, o ReplyOptions) error {
	calls := w.calls
	w.calls = nil
	w.round++
	for i, call := range calls {
		if err := w.use(ctx, h, call, fmt.Sprintf("call%02d%03d", w.round, i)); err != nil {
			return err
		}
	}
	if w.round >= maxRounds {
		o.Tools = nil
		if w.round > maxRounds { // it goes on asking although none is offered
			return fmt.Errorf("the model asked for tools %d times and did not answer; ask it something smaller, or switch tools off for this chat", maxRounds)
		}
	}
	c, err := w.store.Conversation(w.ask.Conversation)
	if err != nil {
		return err
	}
	begun, err := messageOf(c, w.writer.ID())
	if err != nil {
		return err
	}
	p, err := h.chat.PlanTalk(ctx, talk.with(begun), o)
	if err != nil {
		return err
	}
	return w.speak(ctx, h.chat, p.Prompt, o)
}

// use runs one call, where the person allows it, and keeps what it came to.
func (w *answering) use(ctx context.Context, h *loaded, call ToolCall, id string) error {
	u := ToolUse{Called: call.Name, Tool: call.Name, ID: id, Arguments: cmp.Or(call.Arguments, "{}"), Round: w.round}
	at := slices.IndexFunc(w.offered, func(t tools.Tool) bool { return t.Called == call.Name })
	switch {
	case at < 0:
		u.State, u.Result = ToolFailed, "There is no tool of this name."
	default:
		t := w.offered[at]
		u.Server, u.Tool = t.Server, t.Name
		w.step(AnswerStep{Stage: StageTools})
		allowed, err := w.mayRun(ctx, t, u.Arguments)
		if err != nil {
			return err
		}
		if !allowed {
			u.State, u.Result = ToolRefused, "The person did not allow this call. Answer without it, or ask what to do instead."
			break
		}
		r, err := w.talks.tools.Call(ctx, t, u.Arguments, roomForResult(h))
		if err != nil {
			return err
		}
		if u.Result = r.Text; r.Failed {
			u.State = ToolFailed
		}
	}
	if err := w.saved(w.writer.Add(u.Part())); err != nil {
		return err
	}
	w.uses++
	w.step(AnswerStep{Stage: StageTools, Tools: w.uses})
	return nil
}

// mayRun asks the person, unless that was settled before.
func (w *answering) mayRun(ctx context.Context, t tools.Tool, arguments string) (bool, error) {
	conversation := w.ask.Conversation
	if w.talks.tools.Allowed(conversation, t) {
		return true, nil
	}
	v := w.ask.Approve(ctx, ToolQuestion{Tool: t, Arguments: arguments})
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err := w.talks.tools.Allow(conversation, t, v); err != nil {
		w.tell(err.Error())
	}
	return v != tools.Refuse, nil
}

// roomForResult is how many bytes of a result a model gets: a quarter of its context.
func roomForResult(h *loaded) int {
	return min(tools.MaxResult, max(500, h.chat.Info().Context/4*bytesPerToken))
}
