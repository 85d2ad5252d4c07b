package pieces

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// Piece is one event of an answer.
type Piece struct {
	Text, Thinking string
	Calls          []CallPart
	End            string // the server's word for why the answer ended; "": it goes on
	Usage          Usage
	Done           bool // nothing follows
}

// Says reports whether a piece is more than a sign of life.
func (p Piece) Says() bool { return p.Text != "" || p.Thinking != "" || len(p.Calls) > 0 }

// turn is what a model writes, a piece of it or all.
type turn struct {
	Content   content    `json:"content"`
	Reasoning *content   `json:"reasoning_content"`
	Thought   *content   `json:"reasoning"`
	Calls     []CallPart `json:"tool_calls"`
}

// choice is one of the answers to a request.
type choice struct {
	Index   int     `json:"index"`
	Text    content `json:"text"` // of /completions
	Delta   turn    `json:"delta"`
	Message turn    `json:"message"` // where it comes whole
	Reason  string  `json:"finish_reason"`
}

// OpenAI reads an event in OpenAI's form, or an answer that comes whole although it was asked
// for in events.
func OpenAI(data []byte) (Piece, error) {
	var e struct {
		Error   json.RawMessage `json:"error"`
		Choices []choice        `json:"choices"`
		Usage   Usage           `json:"usage"`

		// Errors of servers that do not say "error".
		Object  string          `json:"object"`
		Type    string          `json:"type"`
		Message json.RawMessage `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return Piece{}, err
	}
	if IsSaid(e.Error) || len(e.Choices) == 0 && (e.Object == "error" || e.Type == "error" || IsSaid(e.Message) || IsSaid(e.Detail)) {
		return Piece{}, &Failed{data}
	}
	p := Piece{Usage: e.Usage}
	at := slices.IndexFunc(e.Choices, func(c choice) bool { return c.Index == 0 }) // one answer was asked for
	if at < 0 {
		return p, nil
	}
	x := e.Choices[at]
	p.Text, p.Thinking, p.End = x.Text.text, x.Text.thinking, x.Reason
	for _, t := range []turn{x.Delta, x.Message} {
		p.Text += t.Content.text
		p.Thinking += t.Content.thinking
		p.Calls = append(p.Calls, t.Calls...)
		switch {
		case t.Reasoning != nil:
			p.Thinking += t.Reasoning.text
		case t.Thought != nil:
			p.Thinking += t.Thought.text
		}
	}
	return p, nil
}

// Ollama reads one line of an answer in Ollama's form.
func Ollama(data []byte) (Piece, error) {
	var e struct {
		Error    json.RawMessage `json:"error"`
		Response string          `json:"response"`
		Thinking string          `json:"thinking"`
		Message  struct {
			Content  string     `json:"content"`
			Thinking string     `json:"thinking"`
			Calls    []CallPart `json:"tool_calls"`
		} `json:"message"`
		Done    bool   `json:"done"`
		Reason  string `json:"done_reason"`
		Prompt  any    `json:"prompt_eval_count"`
		Written any    `json:"eval_count"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return Piece{}, err
	}
	if IsSaid(e.Error) {
		return Piece{}, &Failed{data}
	}
	p := Piece{
		Text: e.Response + e.Message.Content, Thinking: e.Thinking + e.Message.Thinking, Calls: e.Message.Calls,
		Usage: Usage{Prompt: count(e.Prompt), Completion: count(e.Written)}, Done: e.Done,
	}
	for i := range p.Calls {
		p.Calls[i].Index = nil // each is a whole call
	}
	if e.Done {
		if p.End = e.Reason; p.End == "" {
			p.End = "stop"
		}
	}
	return p, nil
}

// IsSaid reports whether a field says something: servers write nothing in several ways.
func IsSaid(raw json.RawMessage) bool {
	return len(raw) > 0 && !slices.Contains([]string{"null", "false", `""`, "{}", "[]"}, string(raw))
}

// content is a text, or a list of parts with texts, of which some are thoughts.
type content struct{ text, thinking string }

var errContent = errors.New("no text")

// UnmarshalJSON implements json.Unmarshaler.
func (c *content) UnmarshalJSON(data []byte) error {
	if string(data) == "null" || json.Unmarshal(data, &c.text) == nil {
		return nil
	}
	var parts []struct {
		Text     string   `json:"text"`
		Thinking *content `json:"thinking"`
	}
	if json.Unmarshal(data, &parts) != nil {
		return errContent
	}
	var text, thinking strings.Builder
	for _, p := range parts {
		text.WriteString(p.Text)
		if p.Thinking != nil {
			thinking.WriteString(p.Thinking.text)
		}
	}
	c.text, c.thinking = text.String(), thinking.String()
	return nil
}

// Usage is what a server counted, in tokens. What is no number of tokens counts as nothing.
type Usage struct{ Prompt, Completion, Total int }

// UnmarshalJSON implements json.Unmarshaler. It refuses nothing: an answer is no worse for odd counts.
func (u *Usage) UnmarshalJSON(data []byte) error {
	var x struct {
		Prompt     any `json:"prompt_tokens"`
		Completion any `json:"completion_tokens"`
		Total      any `json:"total_tokens"`
	}
	*u = Usage{}
	if json.Unmarshal(data, &x) == nil {
		*u = Usage{count(x.Prompt), count(x.Completion), count(x.Total)}
	}
	return nil
}

// mostCount is more tokens than any model sees.
const mostCount = 1 << 24

func count(v any) int {
	n, ok := v.(float64)
	if !ok || n < 0 || n > mostCount {
		return 0
	}
	return int(n)
}
