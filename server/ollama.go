package server

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"inglenook/app/chat"
	"inglenook/app/library"
)

// ollamaRequest is the body of Ollama's /api/chat and /api/generate, as far as it is heeded.
type ollamaRequest struct {
	Model     string          `json:"model"`
	Messages  []ollamaMessage `json:"messages"` // of chat
	Prompt    string          `json:"prompt"`   // of generate, and what follows
	System    string          `json:"system"`
	Raw       bool            `json:"raw"`
	Stream    *bool           `json:"stream"` // nil: true
	Format    json.RawMessage `json:"format"` // "json", or a schema
	Think     json.RawMessage `json:"think"`  // true, false, or how much
	KeepAlive keepAlive       `json:"keep_alive"`
	Options   ollamaOptions   `json:"options"`

	Tools []toolJSON `json:"tools"` // of chat

	Logprobs    bool `json:"logprobs"`
	TopLogprobs *int `json:"top_logprobs"`

	Images   json.RawMessage `json:"images"`
	Suffix   json.RawMessage `json:"suffix"`
	Template json.RawMessage `json:"template"`
	Context  []int32         `json:"context"` // of generate: the tokens of an earlier answer, which this one goes on from
}

// keepAlive is how long a model shall stay in memory: "5m", or seconds. We heed 0 alone.
type keepAlive struct{ now bool } // close it now

// UnmarshalJSON implements json.Unmarshaler.
func (k *keepAlive) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		text = string(data) // a number
	}
	if text == "" { // or null
		return nil
	}
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		k.now = seconds == 0
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return wrong("keep_alive", "\"keep_alive\" has to be a time such as \"5m\", or a number of seconds")
	}
	k.now = d == 0
	return nil
}

type ollamaOptions struct {
	sampling
	Stop    list `json:"stop"`
	Predict *int `json:"num_predict"` // below 0: no limit
}

// ollamaMessage is one of a conversation.
type ollamaMessage struct {
	Role     string          `json:"role"`
	Content  string          `json:"content"`
	Thinking string          `json:"thinking,omitempty"`
	Calls    []ollamaCall    `json:"tool_calls,omitempty"`
	ToolName string          `json:"tool_name,omitempty"` // of the role tool
	Images   json.RawMessage `json:"images,omitempty"`
}

// ollamaCall is a call of a tool. Ollama's have no ids.
type ollamaCall struct {
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // an object
	} `json:"function"`
}

// ollamaPiece is a line of an answer, or all of it.
type ollamaPiece struct {
	Model    string         `json:"model"`
	Created  time.Time      `json:"created_at"`
	Message  *ollamaMessage `json:"message,omitempty"`  // of chat
	Response *string        `json:"response,omitempty"` // of generate
	Thinking string         `json:"thinking,omitempty"` // likewise
	Done     bool           `json:"done"`
	Reason   string         `json:"done_reason,omitempty"`
	Logprobs []tokenLogprob `json:"logprobs,omitempty"`
	Context  []int32        `json:"context,omitempty"` // of generate, with the last line: what was read and written, for the next request
	*ollamaTimes
	Truth *truth `json:"inglenook,omitempty"`
}

// ollamaTimes come with the last line. Times are in nanoseconds.
type ollamaTimes struct {
	Total      time.Duration `json:"total_duration"`
	Load       time.Duration `json:"load_duration"`
	Prompt     int           `json:"prompt_eval_count"`
	PromptTime time.Duration `json:"prompt_eval_duration"`
	Tokens     int           `json:"eval_count"`
	TokenTime  time.Duration `json:"eval_duration"`
}

// ask checks a request and puts it into our form. chats says that it is a conversation.
func (r *ollamaRequest) ask(chats bool) (q ask, err error) {
	for name, raw := range map[string]json.RawMessage{"images": r.Images, "suffix": r.Suffix, "template": r.Template} {
		if isGiven(raw) {
			return q, absent(name, "%s is not supported in this version; leave it out", name)
		}
	}
	q.before = r.Context
	if q.messages, err = r.conversation(chats); err != nil {
		return q, err
	}
	if err = q.logprobs("top_logprobs", r.Logprobs, r.TopLogprobs); err != nil {
		return q, err
	}
	if err = checkStops(r.Options.Stop); err != nil {
		return q, err
	}
	q.sampling, q.options.Stop = r.Options.sampling, r.Options.Stop
	if n := r.Options.Predict; n != nil && *n >= 0 {
		if q.options.MaxTokens, err = limit(n); err != nil {
			return q, wrong("num_predict", "num_predict is %d; give a number of tokens above 0, or -1", *n)
		}
	}
	switch format := strings.TrimSpace(string(r.Format)); {
	case !isGiven(r.Format):
	case format == `"json"`:
		q.options.JSON = true
	case strings.HasPrefix(format, "{"):
		q.options.JSONSchema = r.Format
	default:
		return q, wrong("format", `format has to be "json" or a JSON schema`)
	}
	if chats {
		if q.options.Tools, err = toolsOf(r.Tools); err != nil {
			return q, err
		}
	}
	return q, q.checkForms()
}

// conversation is that of a chat, or the one message of a text.
func (r *ollamaRequest) conversation(chats bool) ([]chat.PromptMessage, error) {
	if chats {
		var list []message
		results := 0
		for _, m := range r.Messages {
			if isGiven(m.Images) {
				return nil, absent("messages", "a message has images; the models here read text alone")
			}
			x := message{Role: m.Role, Content: content(m.Content), Thinking: m.Thinking, Name: m.ToolName}
			for i, call := range m.Calls {
				x.Calls = append(x.Calls, toolCallJSON{ID: "call" + strconv.Itoa(i), Function: toolFunctionJSON{call.Function.Name, string(call.Function.Arguments)}})
			}
			if m.Role == "tool" { // the results come in the order of the calls
				x.CallID = "call" + strconv.Itoa(results)
				results++
			} else {
				results = 0
			}
			list = append(list, x)
		}
		return conversation(list)
	}
	var out []chat.PromptMessage
	if r.System != "" {
		out = append(out, chat.TextMessage("system", r.System))
	}
	return append(out, chat.TextMessage("user", r.Prompt)), nil
}

// effort is how long to think, in OpenAI's words; "": as the model does by itself.
func (r *ollamaRequest) effort() string {
	switch s := strings.Trim(strings.TrimSpace(string(r.Think)), `"`); s {
	case "true":
		return "medium"
	case "false":
		return "none"
	case "null":
		return ""
	default:
		return s
	}
}

func (c *call) ollamaChat() error     { return c.ollamaWrite(true) }
func (c *call) ollamaGenerate() error { return c.ollamaWrite(false) }

// ollamaWrite answers a conversation or continues a text, in Ollama's form.
func (c *call) ollamaWrite(chats bool) error {
	begun := time.Now()
	var r ollamaRequest
	if err := c.read(&r); err != nil {
		return err
	}
	m, err := c.writes(untagged(r.Model), !chats)
	if err != nil {
		return err
	}
	run := ollamaAnswer{stream: stream{c}, model: m, chats: chats, raw: r.Raw, begun: begun}
	if chats && len(r.Messages) == 0 || !chats && r.Prompt == "" {
		return run.loadOrClose(r.KeepAlive)
	}
	q, err := r.ask(chats)
	if err != nil {
		return err
	}
	q.options.Plain = r.Raw || m.Kind == library.KindText
	return c.withWriter(m, q.options.Plain, func(w *chat.Writer) error {
		run.w, run.ready = w, time.Now()
		q.effort, run.note = effortFor(r.effort(), w.Info().Thinking)
		return run.write(q, r.Stream == nil || *r.Stream)
	})
}

// untagged is a model's name without the tag that Ollama's clients add.
func untagged(name string) string { return strings.TrimSuffix(name, ":latest") }

// ollamaAnswer is a request under way.
type ollamaAnswer struct {
	stream
	w     *chat.Writer
	model library.Model
	chats bool
	raw   bool // the text is continued as it is
	begun time.Time
	ready time.Time // the model was there
	note  string    // about thinking that could not be chosen; "": nothing
}

// piece is a line that adds a text.
func (r *ollamaAnswer) piece(text, thinking string) ollamaPiece {
	p := ollamaPiece{Model: r.shown(r.model), Created: time.Now().UTC()}
	if r.chats {
		p.Message = &ollamaMessage{Role: "assistant", Content: text, Thinking: thinking}
	} else {
		p.Response, p.Thinking = &text, thinking
	}
	return p
}

// calls adds calls of tools to a line.
func (r *ollamaAnswer) calls(p ollamaPiece, calls ...chat.ToolCall) ollamaPiece {
	for _, c := range calls {
		var x ollamaCall
		x.Function.Name, x.Function.Arguments = c.Name, json.RawMessage(c.Arguments)
		p.Message.Calls = append(p.Message.Calls, x)
	}
	return p
}

// write sends an answer, whole or as a stream of lines.
func (r *ollamaAnswer) write(q ask, streams bool) error {
	var read []int32
	if !r.chats && !r.raw {
		q.read = &read
	}
	got, err := r.answer(r.w, q, func(t chat.Token) error {
		var p ollamaPiece
		switch {
		case streams && t.Call != nil:
			p = r.calls(r.piece("", ""), *t.Call)
		case !streams || t.Text == "" && t.Logprobs == nil:
			return nil
		case t.Thinking:
			p = r.piece("", t.Text)
		default:
			p = r.piece(t.Text, "")
		}
		p.Logprobs = logprobsOf(t.Logprobs)
		return r.event(p)
	})
	if err != nil {
		return r.fail(err)
	}
	last := r.piece("", "")
	if !streams {
		last = r.calls(r.piece(got.Text, got.Thinking), got.Calls...)
		last.Logprobs = logprobsOf(got.Logprobs)
	}
	where := truthOfAnswer(r.w, got)
	if r.note != "" {
		where.Notes = append(where.Notes, r.note)
	}
	last.Done, last.Reason, last.Truth = true, finish(got), &where
	if last.Reason == "tool_calls" {
		last.Reason = "stop" // as Ollama has it
	}
	last.ollamaTimes = &ollamaTimes{
		Total: time.Since(r.begun), Load: r.ready.Sub(r.begun),
		Prompt: got.Started.PromptTokens, PromptTime: got.Started.Took,
		Tokens: got.Finished.Tokens, TokenTime: got.Finished.Took,
	}
	if len(read) > 0 {
		last.Context = slices.Concat(read, got.IDs)
	}
	r.tell(where)
	if streams {
		return r.event(last)
	}
	return r.writeJSON(http.StatusOK, last)
}

// loadOrClose is what a request without a text asks for: that a model is opened,
// or closed where it is kept for no time.
func (r *ollamaAnswer) loadOrClose(keep keepAlive) error {
	done := r.piece("", "")
	done.Done, done.Reason = true, "load"
	if keep.now {
		done.Reason = "unload"
		leave, err := r.queues.enter(r.r.Context(), r.model.ID, r.o.Target.Sequences)
		if err != nil {
			return err
		}
		_, err = r.app.CloseModel(r.model.ID)
		leave()
		if err != nil {
			return busy("%s", err.Error())
		}
	} else if err := r.withWriter(r.model, r.model.Kind == library.KindText, func(*chat.Writer) error { return nil }); err != nil {
		return err
	}
	return r.writeJSON(http.StatusOK, done)
}
