package remote

import (
	"encoding/json"
	"fmt"
	"strings"

	"inglenook/pipeline"
)

// usage is what a server counted.
type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

// message is a turn in OpenAI's form.
type message struct {
	Role    string    `json:"role"`
	Content string    `json:"content"`
	Calls   []callOut `json:"tool_calls,omitempty"`
	CallID  string    `json:"tool_call_id,omitempty"`
	Name    string    `json:"name,omitempty"`
}

// callOut is a call that was made before.
type callOut struct {
	ID       string `json:"id,omitempty"`
	Type     string `json:"type,omitempty"`
	Function struct {
		Name      string `json:"name"`
		Arguments any    `json:"arguments"`
	} `json:"function"`
}

// openAIRequest has what is not at its usual value, because some servers refuse fields
// that they do not know.
func (w *Writer) openAIRequest(p pipeline.Prompt, o pipeline.ReplyOptions) map[string]any {
	in := map[string]any{"model": w.m.ID, "stream": true, "stream_options": map[string]any{"include_usage": true}}
	if o.Plain {
		in["prompt"] = joined(p.Messages)
	} else {
		in["messages"] = openAIMessages(p.Messages)
		if n := len(p.Messages); n > 0 && p.Messages[n-1].Role == "assistant" && len(p.Messages[n-1].Calls) == 0 {
			in["add_generation_prompt"], in["continue_final_message"] = false, true // for vLLM and SGLang; others continue it anyway
		}
	}
	if o.MaxTokens > 0 {
		in["max_tokens"] = o.MaxTokens
	}
	if len(o.Stop) > 0 {
		in["stop"] = o.Stop
	}
	if o.IgnoreEnd {
		in["ignore_eos"] = true
	}
	if o.JSONSchema != nil {
		in["response_format"] = map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "answer", "strict": true, "schema": json.RawMessage(o.JSONSchema)}}
	} else if o.JSON {
		in["response_format"] = map[string]any{"type": "json_object"}
	}
	tools(in, o)
	if effort, ok := o.Variables["reasoning_effort"]; ok {
		in["reasoning_effort"] = effort
	}
	if think, ok := o.Variables["enable_thinking"]; ok {
		in["chat_template_kwargs"] = map[string]any{"enable_thinking": think}
	}
	samplingFields(in, o.Sampling)
	return in
}

// tools adds the tools that may be called.
func tools(in map[string]any, o pipeline.ReplyOptions) {
	if len(o.Tools) == 0 {
		return
	}
	var list []any
	for _, t := range o.Tools {
		f := map[string]any{"name": t.Name, "description": t.Description, "parameters": map[string]any{"type": "object", "properties": map[string]any{}}}
		if len(t.Parameters) > 0 {
			f["parameters"] = t.Parameters
		}
		list = append(list, map[string]any{"type": "function", "function": f})
	}
	in["tools"] = list
	switch o.ToolChoice {
	case "":
	case pipeline.AnyTool:
		in["tool_choice"] = "required"
	default:
		in["tool_choice"] = map[string]any{"type": "function", "function": map[string]any{"name": o.ToolChoice}}
	}
}

// samplingFields adds how tokens are chosen. Without a choice the server's own holds.
func samplingFields(in map[string]any, s *pipeline.Sampling) {
	if s == nil {
		return
	}
	in["temperature"], in["top_p"] = s.Temperature, s.TopP
	optional := func(name string, value, neutral float64) {
		if value != neutral {
			in[name] = value
		}
	}
	if s.Temperature > 0 { // else they change nothing
		if s.TopK > 0 {
			in["top_k"] = s.TopK
		}
		optional("min_p", s.MinP, 0)
		if s.TypicalP > 0 {
			optional("typical_p", s.TypicalP, 1)
		}
	}
	if s.RepeatPenalty > 0 {
		optional("repeat_penalty", s.RepeatPenalty, 1)
	}
	optional("frequency_penalty", s.FrequencyPenalty, 0)
	optional("presence_penalty", s.PresencePenalty, 0)
	if s.Seed != 0 {
		in["seed"] = s.Seed & (1<<31 - 1) // servers differ in how large it may be
	}
	if len(s.LogitBias) > 0 {
		bias := map[string]float32{}
		for id, x := range s.LogitBias {
			bias[fmt.Sprint(id)] = max(-100, min(100, x))
		}
		in["logit_bias"] = bias
	}
}

func openAIMessages(chat []pipeline.Message) []message {
	list := make([]message, 0, len(chat))
	for _, m := range chat {
		out := message{Role: m.Role, Content: m.Text(), CallID: m.CallID, Name: m.Name}
		for i, c := range m.Calls {
			x := callOut{ID: callID(c.ID, i), Type: "function"}
			x.Function.Name, x.Function.Arguments = c.Name, c.Arguments
			out.Calls = append(out.Calls, x)
		}
		list = append(list, out)
	}
	return list
}

// callID gives a call a name, which this form wants, where its model gave none.
func callID(id string, i int) string {
	if id != "" {
		return id
	}
	return fmt.Sprintf("call_%d", i)
}

// joined is a plain text to continue.
func joined(chat []pipeline.Message) string {
	var b strings.Builder
	for _, m := range chat {
		b.WriteString(m.Text())
	}
	return b.String()
}

// pieceOf is one event of an answer.
type pieceOf struct {
	text, thinking string
	calls          []callPart
	reason         string
	usage          usage
	done           bool // nothing follows
}

// callPart is a piece of a call.
type callPart struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // a piece of text; of Ollama an object
	} `json:"function"`
}

// piece reads one event.
func (c *client) piece(data []byte, ollama bool) (pieceOf, error) {
	if ollama {
		return c.ollamaPiece(data)
	}
	var e struct {
		Error   json.RawMessage `json:"error"`
		Choices []struct {
			Text  string `json:"text"` // of /completions
			Delta struct {
				Content   *string    `json:"content"`
				Reasoning *string    `json:"reasoning_content"`
				Thought   *string    `json:"reasoning"`
				Calls     []callPart `json:"tool_calls"`
			} `json:"delta"`
			Reason string `json:"finish_reason"`
		} `json:"choices"`
		Usage *usage `json:"usage"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return pieceOf{}, c.notJSON(data, err)
	}
	if len(e.Error) > 0 && string(e.Error) != "null" {
		return pieceOf{}, c.failed(data)
	}
	var p pieceOf
	if e.Usage != nil {
		p.usage = *e.Usage
	}
	if len(e.Choices) == 0 {
		return p, nil
	}
	x := e.Choices[0]
	p.text, p.calls, p.reason = x.Text, x.Delta.Calls, finish(x.Reason)
	if x.Delta.Content != nil {
		p.text += *x.Delta.Content
	}
	switch {
	case x.Delta.Reasoning != nil:
		p.thinking = *x.Delta.Reasoning
	case x.Delta.Thought != nil:
		p.thinking = *x.Delta.Thought
	}
	return p, nil
}

// failed is the error that a server tells in the middle of an answer.
func (c *client) failed(data []byte) error {
	return c.protocol("ended its answer with an error: %s; its own log may say more", c.reason(data))
}

// finish is why an answer ended, in our words; "": it goes on.
func finish(reason string) string {
	switch reason {
	case "":
		return ""
	case "length", "max_tokens":
		return pipeline.FinishLength
	}
	return pipeline.FinishStop
}

// callParts are the calls of an answer, put together.
type callParts struct {
	list  []pipeline.ToolCall
	index []int
}

// Limits of calls, so that a server cannot fill the memory.
const (
	mostCalls     = 64
	mostArguments = 1 << 20
	mostUnread    = 4 << 10 // bytes of a call that cannot be read
)

func (c *callParts) add(parts []callPart) {
	for i, p := range parts {
		at := i
		if p.Index != nil {
			at = *p.Index
		}
		k := -1
		for j, x := range c.index {
			if x == at {
				k = j
			}
		}
		if k < 0 || p.Index == nil {
			if len(c.list) == mostCalls {
				return
			}
			c.list, c.index = append(c.list, pipeline.ToolCall{}), append(c.index, at)
			k = len(c.list) - 1
		}
		call := &c.list[k]
		if p.ID != "" {
			call.ID = p.ID
		}
		call.Name += p.Function.Name
		text := string(p.Function.Arguments)
		var inner string
		if json.Unmarshal(p.Function.Arguments, &inner) == nil {
			text = inner
		}
		if len(call.Arguments)+len(text) <= mostArguments {
			call.Arguments += text
		}
	}
}

// done returns the calls that can be made, those with a name and arguments that are JSON, and the
// others as texts.
func (c *callParts) done() (list []pipeline.ToolCall, unread []string) {
	for _, x := range c.list {
		if strings.TrimSpace(x.Arguments) == "" || x.Arguments == "null" {
			x.Arguments = "{}"
		}
		if x.Name != "" && json.Valid([]byte(x.Arguments)) {
			list = append(list, x)
			continue
		}
		text := strings.TrimSpace(x.Name + " " + x.Arguments)
		if len(text) > mostUnread {
			text = strings.ToValidUTF8(text[:mostUnread], "") + "…"
		}
		unread = append(unread, text)
	}
	return list, unread
}
