package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"

	"inglenook/app/chat"
)

// completionRequest is the body of /v1/completions, as far as it is heeded.
type completionRequest struct {
	Model         string  `json:"model"`
	Prompt        prompts `json:"prompt"`
	Stream        bool    `json:"stream"`
	StreamOptions *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	MaxTokens *int `json:"max_tokens"`
	sampling
	Stop   list `json:"stop"`
	N      *int `json:"n"`
	BestOf *int `json:"best_of"`

	Logprobs *int `json:"logprobs"` // how many likely tokens are listed in the place of each

	Suffix json.RawMessage `json:"suffix"`
	Echo   bool            `json:"echo"`
}

// prompts are texts, or the token ids of texts.
type prompts struct {
	texts []string
	ids   [][]int32
}

// UnmarshalJSON implements json.Unmarshaler: a text, texts, ids, or lists of ids.
func (p *prompts) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	var one *string
	if !bytes.HasPrefix(data, []byte("[")) {
		if err := json.Unmarshal(data, &one); err != nil || one == nil {
			return err
		}
		p.texts = []string{*one}
		return nil
	}
	switch first := bytes.TrimSpace(data[1:]); {
	case bytes.HasPrefix(first, []byte("[")):
		return json.Unmarshal(data, &p.ids)
	case bytes.HasPrefix(first, []byte(`"`)), bytes.HasPrefix(first, []byte("]")):
		return json.Unmarshal(data, &p.texts)
	}
	p.ids = make([][]int32, 1)
	return json.Unmarshal(data, &p.ids[0])
}

// usualTokens is OpenAI's limit of /v1/completions where none is given.
const usualTokens = 16

// completions continues texts.
func (c *call) completions() error {
	var r completionRequest
	if err := c.read(&r); err != nil {
		return err
	}
	m, err := c.writes(r.Model, true)
	if err != nil {
		return err
	}
	for name, given := range map[string]bool{"suffix": isGiven(r.Suffix), "echo": r.Echo, "best_of": r.BestOf != nil && *r.BestOf != 1} {
		if given {
			return absent(name, "%s is not supported in this version; leave it out", name)
		}
	}
	q := ask{sampling: r.sampling, options: chat.ReplyOptions{Plain: true, Stop: r.Stop}}
	n, err := notOneAnswer(r.N)
	if err != nil {
		return err
	}
	if err := q.logprobs("logprobs", r.Logprobs != nil, r.Logprobs); err != nil {
		return err
	}
	if err := checkStops(r.Stop); err != nil {
		return err
	}
	if r.MaxTokens == nil {
		r.MaxTokens = new(int)
		*r.MaxTokens = usualTokens
	}
	if q.options.MaxTokens, err = limit(r.MaxTokens); err != nil {
		return err
	}
	const most = 32
	texts, err := c.texts(m.ID, r.Prompt, "prompt", most)
	if err != nil {
		return err
	}
	head := header{ID: newID("cmpl-"), Object: "text_completion", Created: time.Now().Unix(), Model: c.shown(m), Build: build()}
	return c.withWriter(m, true, func(w *chat.Writer) error {
		run := completion{call: c, w: w, q: q, n: n, head: head, usage: r.StreamOptions != nil && r.StreamOptions.IncludeUsage}
		if r.Stream {
			return run.stream(texts)
		}
		return run.whole(texts)
	})
}

// completion is a request under way.
type completion struct {
	*call
	w     *chat.Writer
	q     ask
	n     int
	head  header
	usage bool
}

type textChoice struct {
	Index    int           `json:"index"`
	Text     string        `json:"text"`
	Finish   *string       `json:"finish_reason"`
	Logprobs *textLogprobs `json:"logprobs"`
}

type textAnswer struct {
	header
	Choices []textChoice `json:"choices"`
	Usage   *usage       `json:"usage,omitempty"`
	Truth   *truth       `json:"inglenook,omitempty"`
}

// each makes all answers, one after the other.
func (r *completion) each(texts []string, token func(index int, t chat.Token) error, end func(index int, a chat.Answer, t truth) error) (all usage, err error) {
	for i, text := range texts {
		r.q.messages = []chat.PromptMessage{chat.TextMessage("user", text)}
		var used usage
		for k := range r.n {
			r.q.sampling.more = uint64(k)
			index := i*r.n + k
			got, err := r.answer(r.w, r.q, func(t chat.Token) error { return token(index, t) })
			if err == nil {
				used.add(got)
				err = end(index, got, truthOfAnswer(r.w, got))
			}
			if err != nil {
				return all, err
			}
		}
		all.Prompt += used.Prompt
		all.Completion += used.Completion
		all.Total += used.Total
		all.Details.Cached += used.Details.Cached
	}
	return all, nil
}

func (r *completion) whole(texts []string) error {
	out := textAnswer{header: r.head}
	all, err := r.each(texts, func(int, chat.Token) error { return nil }, func(index int, a chat.Answer, t truth) error {
		why := finish(a)
		out.Choices = append(out.Choices, textChoice{Index: index, Text: a.Thinking + a.Text, Finish: &why, Logprobs: textLogprobsOf(a.Logprobs, new(int))})
		out.Truth = &t
		return nil
	})
	if err != nil {
		return err
	}
	out.Usage = &all
	r.tell(*out.Truth)
	return r.writeJSON(http.StatusOK, out)
}

func (r *completion) stream(texts []string) error {
	out := stream{r.call}
	piece := func(x textChoice, t *truth) error {
		return out.event(textAnswer{header: r.head, Choices: []textChoice{x}, Truth: t})
	}
	from := 0 // where the next token begins
	all, err := r.each(texts, func(index int, t chat.Token) error {
		if t.Text == "" && t.Logprobs == nil {
			return nil
		}
		return piece(textChoice{Index: index, Text: t.Text, Logprobs: textLogprobsOf(t.Logprobs, &from)}, nil)
	}, func(index int, a chat.Answer, t truth) error {
		why := finish(a)
		from = 0
		return piece(textChoice{Index: index, Finish: &why}, &t)
	})
	if err != nil {
		return out.fail(err)
	}
	if r.usage {
		if err := out.event(textAnswer{header: r.head, Choices: []textChoice{}, Usage: &all}); err != nil {
			return err
		}
	}
	return out.raw([]byte("[DONE]"))
}
