package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"

	"inglenook/app/chat"
)

// chatRequest is the body of /v1/chat/completions, as far as it is heeded. Fields
// that would change the answer and cannot are refused; others are left alone.
type chatRequest struct {
	Model         string    `json:"model"`
	Messages      []message `json:"messages"`
	Stream        bool      `json:"stream"`
	StreamOptions *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	MaxTokens           *int `json:"max_tokens"`
	MaxCompletionTokens *int `json:"max_completion_tokens"`
	sampling
	Stop   list            `json:"stop"`
	N      *int            `json:"n"`
	Format *responseFormat `json:"response_format"`
	Effort string          `json:"reasoning_effort"`

	Tools    []toolJSON      `json:"tools"`
	Choice   json.RawMessage `json:"tool_choice"`
	Parallel *bool           `json:"parallel_tool_calls"` // false: at most one call

	Logprobs    bool `json:"logprobs"`
	TopLogprobs *int `json:"top_logprobs"`

	Goes   bool `json:"continue_final_message"` // which is what is done with one of the assistant anyway
	Begins bool `json:"add_generation_prompt"`

	Schema json.RawMessage `json:"json_schema"` // that the answer follows, in llama.cpp's form

	Functions json.RawMessage `json:"functions"`
	Audio     json.RawMessage `json:"audio"`
	Grammar   json.RawMessage `json:"grammar"`
}

// responseFormat says what an answer looks like.
type responseFormat struct {
	Type   string          `json:"type"`
	Own    json.RawMessage `json:"schema"` // of json_object, in llama.cpp's form
	Schema *struct {
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}

// ask checks a request and puts it into our form.
func (r *chatRequest) ask() (q ask, err error) {
	for name, raw := range map[string]json.RawMessage{"functions": r.Functions, "audio": r.Audio, "grammar": r.Grammar} {
		if isGiven(raw) {
			return q, absent(name, "%s is not supported in this version; leave it out", name)
		}
	}
	if r.Goes && r.Begins {
		return q, wrong("continue_final_message", "continue_final_message and add_generation_prompt contradict each other; set one of them")
	}
	if q.messages, err = conversation(r.Messages); err != nil {
		return q, err
	}
	if err = checkStops(r.Stop); err != nil {
		return q, err
	}
	q.sampling, q.effort = r.sampling, r.Effort
	q.options.Stop = r.Stop
	if q.options.MaxTokens, err = limit(r.MaxCompletionTokens, r.MaxTokens); err != nil {
		return q, err
	}
	if err = r.Format.set(&q.options); err != nil {
		return q, err
	}
	if isGiven(r.Schema) {
		q.options.JSONSchema = r.Schema
	}
	if err = q.logprobs("top_logprobs", r.Logprobs, r.TopLogprobs); err != nil {
		return q, err
	}
	if q.options.Tools, err = toolsOf(r.Tools); err != nil {
		return q, err
	}
	q.oneCall = r.Parallel != nil && !*r.Parallel
	if err = q.choose(r.Choice); err != nil {
		return q, err
	}
	return q, q.checkForms()
}

// set makes an answer follow the format.
func (f *responseFormat) set(o *chat.ReplyOptions) error {
	if f == nil {
		return nil
	}
	switch f.Type {
	case "text", "":
	case "json_object":
		if o.JSON = !isGiven(f.Own); !o.JSON {
			o.JSONSchema = f.Own
		}
	case "json_schema":
		if f.Schema == nil || len(bytes.TrimSpace(f.Schema.Schema)) == 0 {
			return wrong("response_format", "response_format has no schema; put it into json_schema.schema")
		}
		o.JSONSchema = f.Schema.Schema
	default:
		return wrong("response_format", "the type of response_format has to be text, json_object or json_schema")
	}
	return nil
}

type chatMessage struct {
	Role     string         `json:"role"`
	Content  *string        `json:"content"` // null where there are calls alone
	Thinking string         `json:"reasoning_content,omitempty"`
	Refusal  *string        `json:"refusal"`
	Calls    []toolCallJSON `json:"tool_calls,omitempty"`
}

// chatMessageOf is an answer as a message.
func chatMessageOf(a chat.Answer) chatMessage {
	m := chatMessage{Role: "assistant", Content: &a.Text, Thinking: a.Thinking}
	if len(a.Calls) > 0 && a.Text == "" {
		m.Content = nil
	}
	for _, c := range a.Calls {
		m.Calls = append(m.Calls, toolCallJSON{ID: c.ID, Type: "function", Function: toolFunctionJSON{c.Name, c.Arguments}})
	}
	return m
}

type chatChoice struct {
	Index    int           `json:"index"`
	Message  chatMessage   `json:"message"`
	Finish   string        `json:"finish_reason"`
	Logprobs *chatLogprobs `json:"logprobs"`
}

// chatCompletions answers a conversation, whole or as a stream.
func (c *call) chatCompletions() error {
	var r chatRequest
	if err := c.read(&r); err != nil {
		return err
	}
	m, err := c.writes(r.Model, false)
	if err != nil {
		return err
	}
	q, err := r.ask()
	if err != nil {
		return err
	}
	n, err := notOneAnswer(r.N)
	if err != nil {
		return err
	}
	head := header{ID: newID("chatcmpl-"), Created: time.Now().Unix(), Model: c.shown(m), Build: build()}
	return c.withWriter(m, false, func(w *chat.Writer) error {
		q.effort, c.remark = effortFor(q.effort, w.Info().Thinking)
		if r.Stream {
			head.Object = "chat.completion.chunk"
			return c.streamChat(w, q, n, head, r.StreamOptions != nil && r.StreamOptions.IncludeUsage)
		}
		head.Object = "chat.completion"
		return c.wholeChat(w, q, n, head)
	})
}

// wholeChat sends n answers at once.
func (c *call) wholeChat(w *chat.Writer, q ask, n int, head header) error {
	out := struct {
		header
		Choices []chatChoice `json:"choices"`
		Usage   usage        `json:"usage"`
		Timings timings      `json:"timings"`
		Truth   truth        `json:"inglenook"`
	}{header: head}
	for i := range n {
		q.sampling.more = uint64(i)
		got, err := c.answer(w, q, func(chat.Token) error { return nil })
		if err != nil {
			return err
		}
		out.Choices = append(out.Choices, chatChoice{Index: i, Message: chatMessageOf(got), Finish: finish(got), Logprobs: chatLogprobsOf(got.Logprobs)})
		out.Usage.add(got)
		out.Truth, out.Timings = truthOfAnswer(w, got).with(c.remark), timingsOf(got)
	}
	c.tell(out.Truth)
	return c.writeJSON(http.StatusOK, out)
}

// delta is what a piece of a stream adds. Absent is what it does not add; the first piece
// says who speaks, beside a content of null.
type delta struct {
	Role     string         `json:"role,omitempty"`
	Content  **string       `json:"content,omitempty"`
	Thinking string         `json:"reasoning_content,omitempty"`
	Calls    []toolCallJSON `json:"tool_calls,omitempty"`
}

// said is a text as a delta has it.
func said(text string) **string {
	p := &text
	return &p
}

type chatPiece struct {
	Index    int           `json:"index"`
	Delta    delta         `json:"delta"`
	Finish   *string       `json:"finish_reason"`
	Logprobs *chatLogprobs `json:"logprobs"`
}

type chatChunk struct {
	header
	Choices []chatPiece `json:"choices"`
	Usage   *usage      `json:"usage,omitempty"`
	Timings *timings    `json:"timings,omitempty"` // beside usage
	Truth   *truth      `json:"inglenook,omitempty"`
}

// streamChat sends n answers piece by piece, one after the other.
func (c *call) streamChat(w *chat.Writer, q ask, n int, head header, withUsage bool) error {
	out := stream{c}
	var used usage
	var last timings
	for i := range n {
		var scores []chat.Logprob // that no piece has yet
		piece := func(d delta, end *string, t *truth) error {
			x := chatPiece{Index: i, Delta: d, Finish: end, Logprobs: chatLogprobsOf(scores)}
			scores = nil
			return out.event(chatChunk{header: head, Choices: []chatPiece{x}, Truth: t})
		}
		q.sampling.more = uint64(i)
		calls := 0
		got, err := c.answer(w, q, func(t chat.Token) error {
			if t.Started != nil {
				if err := piece(delta{Role: "assistant", Content: new(*string)}, nil, nil); err != nil {
					return err
				}
			}
			scores = append(scores, t.Logprobs...)
			switch {
			case t.Call != nil: // first what is called, then with what, and nothing else beside them
				index := calls
				calls++
				if err := piece(delta{Calls: []toolCallJSON{{&index, t.Call.ID, "function", toolFunctionJSON{Name: t.Call.Name}}}}, nil, nil); err != nil {
					return err
				}
				return piece(delta{Calls: []toolCallJSON{{Index: &index, Function: toolFunctionJSON{Arguments: t.Call.Arguments}}}}, nil, nil)
			case t.Text == "":
				return nil
			case t.Thinking:
				return piece(delta{Thinking: t.Text}, nil, nil)
			}
			return piece(delta{Content: said(t.Text)}, nil, nil)
		})
		if err != nil {
			return out.fail(err)
		}
		used.add(got)
		last = timingsOf(got)
		why, where := finish(got), truthOfAnswer(w, got).with(c.remark)
		c.note.Device = where.Device
		if err := piece(delta{}, &why, &where); err != nil {
			return err
		}
	}
	if withUsage {
		if err := out.event(chatChunk{header: head, Choices: []chatPiece{}, Usage: &used, Timings: &last}); err != nil {
			return err
		}
	}
	return out.raw([]byte("[DONE]"))
}
