package remote

import (
	"encoding/json"
	"fmt"
	"strings"

	"inglenook/pipeline"
)

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
	samplingFields(in, o)
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
