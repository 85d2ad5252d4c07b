package remote

import (
	"context"
	"time"

	"inglenook/pipeline"
)

// countTime is how long a server may take to count tokens: the estimate has to do where
// that takes longer.
const countTime = 2 * time.Second

// counted is what servers answer that are asked for the tokens of a text.
type counted struct {
	Count  int   `json:"count"` // of vLLM
	Tokens []any `json:"tokens"`
}

func (c counted) n() int { return max(c.Count, len(c.Tokens)) }

// counts tells in which form a server counts tokens. Only those are asked that are known
// to do it.
func (c *client) counts(ctx context.Context, f Found) string {
	var got counted
	var in any
	switch f.Server {
	case "llamacpp":
		in = map[string]any{"content": "a b"}
	case "vllm":
		in = map[string]any{"model": f.Models[0].ID, "prompt": "a b"}
	default:
		return ""
	}
	if c.ask(ctx, "/tokenize", in, &got, countTime) != nil || got.n() == 0 {
		return ""
	}
	if f.Server == "vllm" {
		return countsVLLM
	}
	return countsLlama
}

// count asks for the tokens of a prompt as the model reads it, with those of the template
// and the tools. 0: the server does not count, or does not answer now.
func (w *Writer) count(ctx context.Context, p pipeline.Prompt, o pipeline.ReplyOptions) int {
	if w.s.counts == "" {
		return 0
	}
	ctx, cancel := context.WithTimeout(ctx, countTime)
	defer cancel()
	r := w.s.able()[0]
	in := w.openAIRequest(p, o)
	for _, of := range []string{"stream", "stream_options", "max_tokens", "response_format", "tool_choice"} {
		delete(in, of) // the answer
	}
	if w.s.counts == countsLlama {
		in = llamaCount(ctx, r, in, o.Plain)
	}
	var got counted
	if in == nil || r.ask(ctx, "/tokenize", in, &got, countTime) != nil {
		return 0
	}
	return got.n()
}

// llamaCount is the question to llama-server, which first writes a conversation as the
// model reads it; nil: it does not.
func llamaCount(ctx context.Context, r *replica, in map[string]any, plain bool) map[string]any {
	text, _ := in["prompt"].(string)
	if !plain {
		var written struct {
			Prompt string `json:"prompt"`
		}
		if r.ask(ctx, "/apply-template", in, &written, countTime) != nil || written.Prompt == "" {
			return nil
		}
		text = written.Prompt
	}
	return map[string]any{"content": text, "add_special": true, "parse_special": true}
}
