package server

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"inglenook/app/chat"
)

// responseJSON is an answer of /v1/responses. Its fields tell what was asked for too.
type responseJSON struct {
	ID           string          `json:"id"`
	Object       string          `json:"object"`
	Created      int64           `json:"created_at"`
	Completed    *int64          `json:"completed_at"`
	Status       string          `json:"status"` // "in_progress", "completed", "incomplete" or "failed"
	Incomplete   *reasonJSON     `json:"incomplete_details"`
	Error        any             `json:"error"`
	Model        string          `json:"model"`
	Output       []outputItem    `json:"output"`
	Usage        *responseUsage  `json:"usage"`
	Instructions *string         `json:"instructions"`
	MaxTokens    *int            `json:"max_output_tokens"`
	Temperature  float64         `json:"temperature"`
	TopP         float64         `json:"top_p"`
	Tools        []responsesTool `json:"tools"`
	Choice       json.RawMessage `json:"tool_choice"`
	Parallel     bool            `json:"parallel_tool_calls"`
	Text         any             `json:"text"`
	Reasoning    any             `json:"reasoning"`
	Metadata     json.RawMessage `json:"metadata"`
	Truth        *truth          `json:"inglenook,omitempty"`

	Previous    *string `json:"previous_response_id"` // always null, and what follows always the same
	Truncation  string  `json:"truncation"`
	Store       bool    `json:"store"`
	Background  bool    `json:"background"`
	Tier        string  `json:"service_tier"`
	TopLogprobs int     `json:"top_logprobs"`
	Presence    float64 `json:"presence_penalty"`
	Frequency   float64 `json:"frequency_penalty"`
	MaxCalls    *int    `json:"max_tool_calls"`
	Safety      *string `json:"safety_identifier"`
	CacheKey    *string `json:"prompt_cache_key"`
}

type reasonJSON struct {
	Reason string `json:"reason"`
}

type responseUsage struct {
	Input  int `json:"input_tokens"`
	Inputs struct {
		Cached int `json:"cached_tokens"`
	} `json:"input_tokens_details"`
	Output  int `json:"output_tokens"`
	Outputs struct {
		Reasoning int `json:"reasoning_tokens"`
	} `json:"output_tokens_details"`
	Total int `json:"total_tokens"`
}

// outputItem is a message, thinking, or a call of a tool.
type outputItem struct {
	Type      string       `json:"type"`
	ID        string       `json:"id"`
	Status    string       `json:"status"`
	Role      string       `json:"role,omitempty"`
	Content   []outputPart `json:"content,omitzero"`
	Summary   []struct{}   `json:"summary,omitzero"` // of thinking; always empty
	CallID    string       `json:"call_id,omitempty"`
	Name      string       `json:"name,omitempty"`
	Arguments *string      `json:"arguments,omitempty"`
}

type outputPart struct {
	Type        string         `json:"type"`
	Text        string         `json:"text"`
	Annotations []struct{}     `json:"annotations,omitzero"` // of a message; always empty
	Logprobs    []tokenLogprob `json:"logprobs,omitzero"`    // of a message; empty unless they were asked for
}

// response is the beginning of an answer.
func (r *responsesRequest) response(model string, now time.Time) responseJSON {
	out := responseJSON{
		ID: newID("resp_"), Object: "response", Created: now.Unix(), Status: "in_progress", Model: model, Output: []outputItem{},
		Instructions: orNull(r.Instructions), MaxTokens: r.MaxTokens, Temperature: 1, TopP: 1, Tools: append([]responsesTool{}, r.Tools...),
		Choice: json.RawMessage(`"auto"`), Parallel: r.Parallel == nil || *r.Parallel, Metadata: json.RawMessage(`{}`),
		Text: map[string]any{"format": map[string]string{"type": "text"}}, Reasoning: map[string]any{"effort": nil, "summary": nil},
		Truncation: "disabled", Tier: "default",
	}
	if r.TopLogprobs != nil {
		out.TopLogprobs = *r.TopLogprobs
	}
	if r.Temperature != nil {
		out.Temperature = *r.Temperature
	}
	if r.TopP != nil {
		out.TopP = *r.TopP
	}
	if isGiven(r.Choice) {
		out.Choice = r.Choice
	}
	if isGiven(r.Metadata) {
		out.Metadata = r.Metadata
	}
	if r.Text != nil && r.Text.Format != nil {
		out.Text = r.Text
	}
	if r.Reasoning != nil {
		out.Reasoning = map[string]any{"effort": orNull(r.Reasoning.Effort), "summary": nil}
	}
	return out
}

// responding is a request to /v1/responses under way: items, one after the other.
type responding struct {
	stream
	w       *chat.Writer
	note    string // about thinking that could not be chosen; "": nothing
	streams bool
	body    responseJSON
	n       int // of events

	open   *outputItem // that grows
	text   strings.Builder
	likely []tokenLogprob // of the message that is open, or will be next
	told   int            // of them those that were sent
}

// say sends an event.
func (r *responding) say(name string, v map[string]any) error {
	if !r.streams {
		return nil
	}
	v["sequence_number"] = r.n
	r.n++
	return r.named(name, v)
}

// part sends an event about the open item, or about a part of it.
func (r *responding) part(name string, v map[string]any) error {
	v["output_index"] = len(r.body.Output)
	if r.open.Type != "function_call" || strings.HasPrefix(name, "response.function") {
		v["item_id"] = r.open.ID
	}
	if r.open.Type != "function_call" {
		v["content_index"] = 0
	}
	return r.say(name, v)
}

// item sends an event about a whole item.
func (r *responding) item(name string, x outputItem) error {
	return r.say(name, map[string]any{"output_index": len(r.body.Output), "item": x})
}

// answer makes the answer and sends it.
func (r *responding) answer(q ask) error {
	got, err := r.call.answer(r.w, q, r.token)
	if err == nil {
		err = r.shut()
	}
	if err != nil {
		if r.began {
			f := faultOf(err)
			r.body.Status, r.body.Error = "failed", map[string]string{"code": cmp.Or(f.code, "server_error"), "message": f.sentence}
			_ = r.say("response.failed", map[string]any{"response": r.body}) // whoever has left does not read it
		}
		return err
	}
	return r.end(got)
}

// token sends what a token adds.
func (r *responding) token(t chat.Token) error {
	if t.Started != nil {
		for _, name := range []string{"response.created", "response.in_progress"} {
			if err := r.say(name, map[string]any{"response": r.body}); err != nil {
				return err
			}
		}
	}
	if !t.Thinking {
		r.likely = append(r.likely, logprobsOf(t.Logprobs)...)
	}
	switch {
	case t.Call != nil:
		return r.called(*t.Call)
	case t.Text == "":
		return nil
	}
	kind, part, delta := "message", outputPart{Type: "output_text", Annotations: []struct{}{}, Logprobs: []tokenLogprob{}}, "response.output_text.delta"
	if t.Thinking {
		kind, part, delta = "reasoning", outputPart{Type: "reasoning_text"}, "response.reasoning_text.delta"
	}
	if r.open == nil || r.open.Type != kind {
		if err := r.start(kind, part); err != nil {
			return err
		}
	}
	r.text.WriteString(t.Text)
	v := map[string]any{"delta": t.Text}
	if !t.Thinking {
		v["logprobs"] = append([]tokenLogprob{}, r.likely[r.told:]...)
		r.told = len(r.likely)
	}
	return r.part(delta, v)
}

// start ends the item that is open and begins a message or thinking.
func (r *responding) start(kind string, part outputPart) error {
	if err := r.shut(); err != nil {
		return err
	}
	x := outputItem{Type: kind, ID: newID("msg_"), Status: "in_progress", Role: "assistant", Content: []outputPart{}}
	if kind == "reasoning" {
		x.ID, x.Role, x.Summary = newID("rs_"), "", []struct{}{}
	}
	if err := r.item("response.output_item.added", x); err != nil {
		return err
	}
	x.Content = []outputPart{part}
	r.open = &x
	return r.part("response.content_part.added", map[string]any{"part": part})
}

// shut ends the item that is open.
func (r *responding) shut() error {
	if r.open == nil {
		return nil
	}
	x := r.open
	x.Content[0].Text, x.Status = r.text.String(), "completed"
	r.text.Reset()
	if x.Type == "message" {
		x.Content[0].Logprobs = append(x.Content[0].Logprobs, r.likely...)
		r.likely, r.told = nil, 0
	}
	done, v := "response.output_text.done", map[string]any{"text": x.Content[0].Text, "logprobs": x.Content[0].Logprobs}
	if x.Type == "reasoning" {
		done, v = "response.reasoning_text.done", map[string]any{"text": x.Content[0].Text}
	}
	if err := r.part(done, v); err != nil {
		return err
	}
	if err := r.part("response.content_part.done", map[string]any{"part": x.Content[0]}); err != nil {
		return err
	}
	r.open = nil
	return r.add(*x)
}

// add ends an item that is complete.
func (r *responding) add(x outputItem) error {
	err := r.item("response.output_item.done", x)
	r.body.Output = append(r.body.Output, x)
	return err
}

// called sends a call of a tool.
func (r *responding) called(call chat.ToolCall) error {
	if err := r.shut(); err != nil {
		return err
	}
	x := outputItem{Type: "function_call", ID: newID("fc_"), Status: "in_progress", CallID: call.ID, Name: call.Name, Arguments: new(string)}
	if err := r.item("response.output_item.added", x); err != nil {
		return err
	}
	r.open = &x
	err := r.part("response.function_call_arguments.delta", map[string]any{"delta": call.Arguments})
	if err == nil {
		err = r.part("response.function_call_arguments.done", map[string]any{"arguments": call.Arguments, "name": call.Name})
	}
	r.open = nil
	if err != nil {
		return err
	}
	x.Arguments, x.Status = &call.Arguments, "completed"
	return r.add(x)
}

// end sends how the answer ended, or all of it.
func (r *responding) end(got chat.Answer) error {
	where := truthOfAnswer(r.w, got)
	if r.note != "" {
		where.Notes = append(where.Notes, r.note)
	}
	now, b := time.Now().Unix(), &r.body
	b.Truth, b.Status, b.Completed = &where, "completed", &now
	if got.Finished.Reason != chat.FinishStop {
		b.Status, b.Incomplete, b.Completed = "incomplete", &reasonJSON{"max_output_tokens"}, nil
		if got.Finished.Reason == chat.FinishFiltered {
			b.Incomplete.Reason = chat.FinishFiltered
		}
		if n := len(b.Output); n > 0 {
			b.Output[n-1].Status = "incomplete"
		}
	}
	u := responseUsage{Input: got.Started.PromptTokens, Output: got.Finished.Tokens, Total: got.Started.PromptTokens + got.Finished.Tokens}
	u.Inputs.Cached = got.Started.Reused
	b.Usage = &u
	if !r.streams {
		r.tell(where)
		return r.writeJSON(http.StatusOK, b)
	}
	r.call.note.Device = where.Device
	return r.say("response."+b.Status, map[string]any{"response": b})
}
