package remote

import (
	"encoding/json"

	"inglenook/pipeline"
)

// ollamaRequest is what Ollama's /api/chat and /api/generate take. The context is said,
// because Ollama leaves out the beginning of what does not fit its own.
func (w *Writer) ollamaRequest(p pipeline.Prompt, o pipeline.ReplyOptions) map[string]any {
	options := map[string]any{"num_ctx": w.context}
	samplingFields(options, o)
	if o.MaxTokens > 0 {
		options["num_predict"] = o.MaxTokens
	}
	if len(o.Stop) > 0 {
		options["stop"] = o.Stop
	}
	in := map[string]any{"model": w.m.ID, "stream": true, "options": options}
	if o.Plain {
		in["prompt"], in["raw"] = joined(p.Messages), true
		return in
	}
	messages := openAIMessages(p.Messages)
	for i := range messages {
		for k, c := range p.Messages[i].Calls { // arguments are an object here
			messages[i].Calls[k].Function.Arguments = json.RawMessage(c.Arguments)
		}
	}
	in["messages"] = messages
	if o.JSONSchema != nil {
		in["format"] = json.RawMessage(o.JSONSchema)
	} else if o.JSON {
		in["format"] = "json"
	}
	tools(in, o)
	delete(in, "tool_choice") // it has none
	if think, ok := o.Variables["enable_thinking"]; ok {
		in["think"] = think
	}
	return in
}
