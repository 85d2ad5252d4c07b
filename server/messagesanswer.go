package server

import (
	"encoding/json"
	"net/http"

	"inglenook/app/chat"
)

// messaging is a request to /v1/messages under way.
type messaging struct {
	*call
	w    *chat.Writer
	q    ask
	note string // about thinking that could not be chosen; "": nothing
	head messageJSON
}

// messageJSON is an answer in Anthropic's form, and how a stream of one begins.
type messageJSON struct {
	ID      string       `json:"id"`
	Type    string       `json:"type"`
	Role    string       `json:"role"`
	Model   string       `json:"model"`
	Content []any        `json:"content"`
	Reason  *string      `json:"stop_reason"`
	Stop    *string      `json:"stop_sequence"`
	Usage   messageUsage `json:"usage"`
	Truth   *truth       `json:"inglenook,omitempty"`
}

// messageUsage counts tokens as Anthropic does: input are those that were not read before.
type messageUsage struct {
	Input   int `json:"input_tokens"`
	Created int `json:"cache_creation_input_tokens"` // always 0
	Cached  int `json:"cache_read_input_tokens"`
	Output  int `json:"output_tokens"`
}

// textBlock and thinkingBlock are pieces of an answer.
type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type thinkingBlock struct {
	Type      string `json:"type"`
	Thinking  string `json:"thinking"`
	Signature string `json:"signature"` // always empty: nobody checks it here
}

// toolBlock is a call of a tool.
type toolBlock struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// blockOf is a piece of an answer with a text.
func blockOf(thinking bool, text string) any {
	if thinking {
		return thinkingBlock{"thinking", text, ""}
	}
	return textBlock{"text", text}
}

// whole sends an answer at once.
func (r *messaging) whole() error {
	got, err := r.answer(r.w, r.q, func(chat.Token) error { return nil })
	if err != nil {
		return err
	}
	out := r.head
	if got.Thinking != "" {
		out.Content = append(out.Content, blockOf(true, got.Thinking))
	}
	if got.Text != "" {
		out.Content = append(out.Content, blockOf(false, got.Text))
	}
	for _, call := range got.Calls {
		out.Content = append(out.Content, toolBlock{"tool_use", call.ID, call.Name, json.RawMessage(call.Arguments)})
	}
	reason := stopReason(got)
	out.Reason, out.Stop, out.Usage = &reason, orNull(got.Finished.Stop), messageUsageOf(got)
	out.Truth = r.truth(got)
	r.tell(*out.Truth)
	return r.writeJSON(http.StatusOK, out)
}

// stream sends an answer as Anthropic's events.
func (r *messaging) stream() error {
	out := messageStream{stream: stream{r.call}, head: r.head, n: -1}
	got, err := r.answer(r.w, r.q, out.token)
	if err == nil {
		err = out.shut()
	}
	if err != nil {
		return out.fail(err)
	}
	return out.end(got, r.truth(got))
}

// messageStream writes blocks, one after the other, each with a beginning, pieces
// and an end.
type messageStream struct {
	stream
	head   messageJSON
	n      int  // of the last block that was begun; -1: none was
	open   bool // it has not ended
	thinks bool // it is thinking
}

// token sends what a token adds.
func (s *messageStream) token(t chat.Token) error {
	if t.Started != nil {
		s.head.Usage = messageUsageOf(chat.Answer{Started: *t.Started})
		if err := s.named("message_start", map[string]any{"message": s.head}); err != nil {
			return err
		}
	}
	if t.Call != nil {
		return s.tool(*t.Call)
	}
	if t.Text == "" {
		return nil
	}
	if !s.open || t.Thinking != s.thinks {
		s.thinks = t.Thinking
		if err := s.start(blockOf(s.thinks, "")); err != nil {
			return err
		}
	}
	delta := map[string]string{"type": "text_delta", "text": t.Text}
	if s.thinks {
		delta = map[string]string{"type": "thinking_delta", "thinking": t.Text}
	}
	return s.named("content_block_delta", map[string]any{"index": s.n, "delta": delta})
}

// tool sends a call of a tool, which is a block of its own.
func (s *messageStream) tool(call chat.ToolCall) error {
	if err := s.start(toolBlock{"tool_use", call.ID, call.Name, json.RawMessage("{}")}); err != nil {
		return err
	}
	delta := map[string]string{"type": "input_json_delta", "partial_json": call.Arguments}
	if err := s.named("content_block_delta", map[string]any{"index": s.n, "delta": delta}); err != nil {
		return err
	}
	return s.shut()
}

// start ends the block that is open and begins another one.
func (s *messageStream) start(block any) error {
	if err := s.shut(); err != nil {
		return err
	}
	s.n, s.open = s.n+1, true
	return s.named("content_block_start", map[string]any{"index": s.n, "content_block": block})
}

// shut ends the block that is open.
func (s *messageStream) shut() error {
	if !s.open {
		return nil
	}
	s.open = false
	return s.named("content_block_stop", map[string]any{"index": s.n})
}

// end says why the answer ended.
func (s *messageStream) end(got chat.Answer, where *truth) error {
	s.call.note.Device = where.Device
	reason := map[string]any{"stop_reason": stopReason(got), "stop_sequence": orNull(got.Finished.Stop)}
	if err := s.named("message_delta", map[string]any{"delta": reason, "usage": messageUsageOf(got), "inglenook": where}); err != nil {
		return err
	}
	return s.named("message_stop", map[string]any{})
}

// truth is that of a complete answer.
func (r *messaging) truth(got chat.Answer) *truth {
	t := truthOfAnswer(r.w, got)
	if r.note != "" {
		t.Notes = append(t.Notes, r.note)
	}
	return &t
}

func messageUsageOf(a chat.Answer) messageUsage {
	return messageUsage{Input: a.Started.PromptTokens - a.Started.Reused, Cached: a.Started.Reused, Output: a.Finished.Tokens}
}

// stopReason is why an answer ended, as Anthropic says it.
func stopReason(a chat.Answer) string {
	switch {
	case len(a.Calls) > 0 && a.Finished.Reason == chat.FinishStop:
		return "tool_use"
	case a.Finished.Stop != "":
		return "stop_sequence"
	case a.Finished.Reason == chat.FinishStop:
		return "end_turn"
	case a.Finished.Reason == chat.FinishContext:
		return "model_context_window_exceeded"
	case a.Finished.Reason == chat.FinishFiltered:
		return "refusal"
	}
	return "max_tokens"
}
