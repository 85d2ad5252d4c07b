package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"inglenook/app/chat"
	"inglenook/app/library"
	"inglenook/app/pool"
)

// messagesRequest is the body of /v1/messages and of its count_tokens, in
// Anthropic's form, as far as it is heeded.
type messagesRequest struct {
	Model       string   `json:"model"`
	System      blocks   `json:"system"`
	Messages    []turn   `json:"messages"`
	MaxTokens   *int     `json:"max_tokens"`
	Stream      bool     `json:"stream"`
	Stop        list     `json:"stop_sequences"`
	Temperature *float64 `json:"temperature"`
	TopP        *float64 `json:"top_p"`
	TopK        *int     `json:"top_k"`
	Thinking    *struct {
		Type string `json:"type"`
	} `json:"thinking"`
	Output *struct {
		Effort string `json:"effort"`
		Format *struct {
			Type   string          `json:"type"`
			Schema json.RawMessage `json:"schema"`
		} `json:"format"`
	} `json:"output_config"`

	Tools  []messageTool `json:"tools"`
	Choice *struct {
		Type    string `json:"type"`
		Name    string `json:"name"`
		OneCall bool   `json:"disable_parallel_tool_use"`
	} `json:"tool_choice"`
	Servers json.RawMessage `json:"mcp_servers"`
}

// messageTool is a tool in Anthropic's form.
type messageTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"input_schema"`
}

// turn is one message in Anthropic's form.
type turn struct {
	Role    string `json:"role"`
	Content blocks `json:"content"`
}

// block is a piece of a message.
type block struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Thinking string `json:"thinking"`

	ID    string          `json:"id"` // of tool_use: a call
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`

	CallID string `json:"tool_use_id"` // of tool_result: what came of a call
	Result blocks `json:"content"`
}

// blocks are pieces of a message, or one text.
type blocks []block

// UnmarshalJSON implements json.Unmarshaler.
func (b *blocks) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		return json.Unmarshal(data, (*[]block)(b))
	}
	var one *string
	if err := json.Unmarshal(data, &one); err != nil || one == nil {
		return err
	}
	*b = blocks{{Type: "text", Text: *one}}
	return nil
}

// texts joins the texts, and what was thought before them. A block that is neither
// is refused: no address in one is ever fetched.
func (b blocks) texts(field string) (text, thinking string, err error) {
	var said, thought []string
	for _, x := range b {
		switch x.Type {
		case "text":
			said = append(said, x.Text)
		case "thinking":
			thought = append(thought, x.Thinking)
		case "redacted_thinking": // nobody here can read it
		case "tool_use", "tool_result": // conversation reads them
		default:
			return "", "", absent(field, "a block is no text; the models here read text alone, and nothing is fetched")
		}
	}
	return strings.Join(said, "\n"), strings.Join(thought, "\n"), nil
}

// ask checks a request and puts it into our form.
func (r *messagesRequest) ask() (q ask, err error) {
	if isGiven(r.Servers) {
		return q, absent("mcp_servers", "mcp_servers is not supported in this version; leave it out")
	}
	if err = r.offer(&q); err != nil {
		return q, err
	}
	if q.messages, err = r.conversation(); err != nil {
		return q, err
	}
	if err = checkStops(r.Stop); err != nil {
		return q, err
	}
	q.options.Stop = r.Stop
	q.sampling = sampling{Temperature: r.Temperature, TopP: r.TopP, TopK: r.TopK}
	if r.Output == nil || r.Output.Format == nil {
		return q, nil
	}
	if r.Output.Format.Type != "json_schema" || !isGiven(r.Output.Format.Schema) {
		return q, wrong("output_config", "output_config.format has to be of the type json_schema, with a schema")
	}
	q.options.JSONSchema = r.Output.Format.Schema
	return q, q.checkForms()
}

// offer sets the tools, and which of them has to be called.
func (r *messagesRequest) offer(q *ask) error {
	for _, t := range r.Tools {
		if t.Type != "" && t.Type != "custom" {
			return absent("tools", "a tool is one that a server of Anthropic runs; leave it out")
		}
		q.options.Tools = append(q.options.Tools, chat.Tool{Name: t.Name, Description: t.Description, Parameters: t.Schema})
	}
	if err := checkTools(q.options.Tools); err != nil || r.Choice == nil {
		return err
	}
	q.oneCall = r.Choice.OneCall
	switch r.Choice.Type {
	case "auto":
	case "none":
		q.options.Tools = nil
	case "any":
		return q.force(chat.AnyTool)
	case "tool":
		return q.force(r.Choice.Name)
	default:
		return wrong("tool_choice", "the type of tool_choice has to be auto, any, tool or none")
	}
	return nil
}

// conversation puts the messages into our form. Those of one role that follow each
// other are one, as Anthropic has it.
func (r *messagesRequest) conversation() (out []chat.PromptMessage, err error) {
	if len(r.Messages) == 0 || len(r.Messages) > maxMessages {
		return nil, wrong("messages", "messages has to be a list of 1 to %d messages", maxMessages)
	}
	system, _, err := r.System.texts("system")
	if err != nil {
		return nil, err
	}
	if system != "" {
		out = append(out, chat.TextMessage("system", system))
	}
	for _, m := range r.Messages {
		if m.Role != "user" && m.Role != "assistant" && m.Role != "system" { // a remark within a conversation is a system message of its own
			return nil, wrong("messages", "a role has to be user, assistant or system")
		}
		text, thinking, err := m.Content.texts("messages")
		if err != nil {
			return nil, err
		}
		calls, results, err := m.Content.calls()
		if err != nil {
			return nil, err
		}
		if out = append(out, results...); len(results) > 0 && text == "" {
			continue
		}
		if last := len(out) - 1; last >= 0 && out[last].Role == m.Role {
			text = out[last].Text() + "\n" + text
			calls = append(out[last].Calls, calls...)
			out = out[:last]
		}
		x := chat.TextMessage(m.Role, text)
		x.Thinking, x.Calls = thinking, calls
		out = append(out, x)
	}
	return out, nil
}

// calls returns the calls of tools, and what came of calls as messages of their own.
func (b blocks) calls() (calls []chat.ToolCall, results []chat.PromptMessage, err error) {
	for _, x := range b {
		switch x.Type {
		case "tool_use":
			if x.Name == "" || !isObject(string(x.Input)) {
				return nil, nil, wrong("messages", "a block of tool_use needs a name, and an input that is an object")
			}
			calls = append(calls, chat.ToolCall{ID: callID(x.ID), Name: x.Name, Arguments: string(x.Input)})
		case "tool_result":
			text, _, err := x.Result.texts("messages")
			if err != nil {
				return nil, nil, err
			}
			m := chat.TextMessage("tool", text)
			m.CallID = callID(x.CallID)
			results = append(results, m)
		}
	}
	return calls, results, nil
}

// think says how long to think, in OpenAI's words, for a model with this choice;
// the note says where there is none.
func (r *messagesRequest) think(choice chat.Thinking) (effort, note string) {
	if r.Thinking != nil {
		effort = map[string]string{"disabled": "none", "enabled": "medium", "adaptive": "medium"}[r.Thinking.Type]
	}
	if r.Output != nil && r.Output.Effort != "" && effort != "none" {
		effort = r.Output.Effort
	}
	return effortFor(effort, choice)
}

// effortFor is the effort that a model with this choice can be asked for.
func effortFor(wanted string, choice chat.Thinking) (effort, note string) {
	switch effort = wanted; {
	case effort == "":
	case choice == chat.ThinkingFixed:
		return "", "This model lets nobody choose whether and how it thinks."
	case choice == chat.ThinkingEffort && effort == "none":
		return "low", "This model cannot leave its thinking out; it was asked for little."
	case effort == "max" || effort == "xhigh":
		return "high", ""
	}
	return effort, ""
}

// messages answers a conversation in Anthropic's form, whole or as a stream.
func (c *call) messages() error {
	var r messagesRequest
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
	if r.MaxTokens == nil {
		return wrong("max_tokens", "max_tokens is missing; say how long the answer may be")
	}
	if q.options.MaxTokens, err = limit(r.MaxTokens); err != nil {
		return err
	}
	return c.withWriter(m, false, func(w *chat.Writer) error {
		var note string
		q.effort, note = r.think(w.Info().Thinking)
		run := messaging{call: c, w: w, q: q, note: note, head: messageJSON{ID: newID("msg_"), Type: "message", Role: "assistant", Model: c.shown(m), Content: []any{}}}
		if r.Stream {
			return run.stream()
		}
		return run.whole()
	})
}

// countTokens tells how many tokens a request to /v1/messages would have. It
// waits for no answer that is under way.
func (c *call) countTokens() error {
	var r messagesRequest
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
	n, err := c.countPrompt(m, q)
	if err != nil {
		return err
	}
	return c.writeJSON(http.StatusOK, map[string]int{"input_tokens": n})
}

// countPrompt returns how many tokens a prompt has, also of one that does not fit.
func (c *call) countPrompt(m library.Model, q ask) (int, error) {
	ctx := c.r.Context()
	w, err := c.open(m, pool.WriterOptions{})
	if err != nil {
		return 0, err
	}
	defer w.Close()
	p, err := w.Plan(ctx, q.messages, q.options)
	var long *chat.TooLongError
	switch {
	case errors.As(err, &long):
		return long.AllTokens, nil
	case err != nil:
		return 0, notPlanned(ctx, err)
	}
	return p.AllTokens, nil
}
