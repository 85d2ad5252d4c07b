package server

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"inglenook/app/chat"
)

// responsesRequest is the body of /v1/responses, as far as it is heeded. Nothing is
// kept here, so each request holds its whole conversation.
type responsesRequest struct {
	Model        string   `json:"model"`
	Input        items    `json:"input"`
	Instructions string   `json:"instructions"`
	Stream       bool     `json:"stream"`
	MaxTokens    *int     `json:"max_output_tokens"`
	Temperature  *float64 `json:"temperature"`
	TopP         *float64 `json:"top_p"`
	Reasoning    *struct {
		Effort string `json:"effort"`
	} `json:"reasoning"`
	Text *struct {
		Format *struct {
			Type   string          `json:"type"`
			Schema json.RawMessage `json:"schema"`
		} `json:"format"`
	} `json:"text"`
	Tools    []responsesTool `json:"tools"`
	Choice   json.RawMessage `json:"tool_choice"`
	Parallel *bool           `json:"parallel_tool_calls"`
	Metadata json.RawMessage `json:"metadata"`

	Previous     json.RawMessage `json:"previous_response_id"`
	Conversation json.RawMessage `json:"conversation"`
	Background   json.RawMessage `json:"background"`
	Prompt       json.RawMessage `json:"prompt"`

	Include     []string `json:"include"` // of what is known here only messageLogprobs
	TopLogprobs *int     `json:"top_logprobs"`
}

// messageLogprobs is the wish for how likely the tokens of messages were.
const messageLogprobs = "message.output_text.logprobs"

// responsesTool is a tool in the form of /v1/responses.
type responsesTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Strict      *bool           `json:"strict"`
}

// item is a message, what was thought, a call of a tool, or what came of one.
type item struct {
	Type      string  `json:"type"` // "": a message
	Role      string  `json:"role"`
	Content   parts   `json:"content"`
	CallID    string  `json:"call_id"`
	Name      string  `json:"name"`
	Arguments string  `json:"arguments"`
	Output    content `json:"output"`
}

// items are items, or one text of the user.
type items []item

// UnmarshalJSON implements json.Unmarshaler.
func (l *items) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		return json.Unmarshal(data, (*[]item)(l))
	}
	var one *string
	if err := json.Unmarshal(data, &one); err != nil || one == nil {
		return err
	}
	*l = items{{Role: "user", Content: parts(*one)}}
	return nil
}

// parts are a text, or the texts of an item in a list.
type parts string

// UnmarshalJSON implements json.Unmarshaler.
func (p *parts) UnmarshalJSON(data []byte) error {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		return json.Unmarshal(data, (*string)(p))
	}
	var list []struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	var b strings.Builder
	for _, x := range list {
		switch x.Type {
		case "input_text", "output_text", "text", "reasoning_text", "summary_text", "refusal":
			b.WriteString(x.Text + x.Refusal)
		default:
			return absent("input", "a part of the input is no text; the models here read text alone, and nothing is fetched")
		}
	}
	*p = parts(b.String())
	return nil
}

// messages puts the items into the form of /v1/chat/completions.
func (r *responsesRequest) messages() (out []message, err error) {
	if r.Instructions != "" {
		out = append(out, message{Role: "system", Content: content(r.Instructions)})
	}
	thought := ""
	for _, x := range r.Input {
		last := len(out) - 1
		switch x.Type {
		case "", "message":
			out = append(out, message{Role: x.Role, Content: content(x.Content), Thinking: thought})
			thought = ""
		case "reasoning":
			thought = string(x.Content)
		case "function_call":
			if last < 0 || out[last].Role != "assistant" {
				out = append(out, message{Role: "assistant", Thinking: thought})
				thought, last = "", last+1
			}
			out[last].Calls = append(out[last].Calls, toolCallJSON{ID: x.CallID, Function: toolFunctionJSON{x.Name, x.Arguments}})
		case "function_call_output":
			out = append(out, message{Role: "tool", CallID: x.CallID, Content: x.Output})
		default:
			return nil, absent("input", "an item of the input is of another type than message, reasoning, function_call and function_call_output; leave it out")
		}
	}
	return out, nil
}

// ask checks a request and puts it into our form.
func (r *responsesRequest) ask() (q ask, err error) {
	for name, raw := range map[string]json.RawMessage{"previous_response_id": r.Previous, "conversation": r.Conversation, "background": r.Background, "prompt": r.Prompt} {
		if isGiven(raw) {
			return q, absent(name, "%s is not supported, because nothing is kept here; send the whole conversation as input", name)
		}
	}
	wanted := slices.Contains(r.Include, messageLogprobs) || r.TopLogprobs != nil && *r.TopLogprobs > 0
	if err := q.logprobs("top_logprobs", wanted, r.TopLogprobs); err != nil {
		return q, err
	}
	list, err := r.messages()
	if err != nil {
		return q, err
	}
	if len(r.Input) == 0 {
		return q, wrong("input", "input has to be a text, or a list of items")
	}
	if q.messages, err = conversation(list); err != nil {
		return q, err
	}
	q.sampling = sampling{Temperature: r.Temperature, TopP: r.TopP}
	if r.Reasoning != nil {
		q.effort = r.Reasoning.Effort
	}
	if q.options.MaxTokens, err = limit(r.MaxTokens); err != nil {
		return q, err
	}
	if r.Text != nil && r.Text.Format != nil {
		f := responseFormat{Type: r.Text.Format.Type}
		f.Schema = &struct {
			Schema json.RawMessage `json:"schema"`
		}{r.Text.Format.Schema}
		if err = f.set(&q.options); err != nil {
			return q, err
		}
	}
	for _, t := range r.Tools {
		if t.Type != "function" {
			return q, absent("tools", "a tool is of another type than function; leave it out")
		}
		q.options.Tools = append(q.options.Tools, chat.Tool{Name: t.Name, Description: t.Description, Parameters: t.Parameters})
	}
	if err = checkTools(q.options.Tools); err != nil {
		return q, err
	}
	q.oneCall = r.Parallel != nil && !*r.Parallel
	if err = q.choose(r.Choice); err != nil {
		return q, err
	}
	return q, q.checkForms()
}

// responses answers a conversation in the form of /v1/responses, whole or as a stream.
func (c *call) responses() error {
	var r responsesRequest
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
	return c.withWriter(m, false, func(w *chat.Writer) error {
		var note string
		q.effort, note = effortFor(q.effort, w.Info().Thinking)
		out := responding{stream: stream{c}, w: w, note: note, streams: r.Stream, body: r.response(c.shown(m), time.Now())}
		return out.answer(q)
	})
}
