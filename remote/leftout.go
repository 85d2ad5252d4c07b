package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"inglenook/sampling"
)

// optional are the fields of a request without which it still asks for the same answer in the
// same form. Texts at which to stop are looked for here then.
var optional = []string{
	"temperature", "top_p", "top_k", "min_p", "typical_p", "repeat_penalty", "frequency_penalty", "presence_penalty", "seed", "logit_bias",
	"stop", "max_tokens", "max_completion_tokens", "ignore_eos", "reasoning_effort", "chat_template_kwargs", "add_generation_prompt", "continue_final_message", "stream_options",
}

// leftOut are the fields that a server has refused for a model. They are not sent again.
type leftOut struct {
	mu    sync.Mutex
	names []string
}

// known are the fields that were refused before.
func (l *leftOut) known() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.names)
}

func (l *leftOut) add(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Contains(l.names, name) {
		l.names = append(l.names, name)
	}
}

// fitting makes a request without what the server has refused before. Where it refuses another
// field now, that one is left out too, and the request made once more. The answer tells which
// of those are missing that change it. begin is how long the server may take to begin to answer.
func (a *answer) fitting(ctx context.Context, r *replica, path string, in map[string]any, begin time.Duration) (*body, error) {
	in = maps.Clone(in)
	a.without, a.stopper = nil, nil
	for _, name := range a.w.refused.known() {
		a.leaveOut(in, name)
	}
	var refused []string
	for {
		body, err := r.open(ctx, path, in, begin, r.t.dead)
		name := refusedField(err, in)
		switch {
		case err == nil:
			for _, name := range refused {
				a.w.refused.add(name)
			}
			return body, nil
		case name == "":
			return nil, err
		}
		refused = append(refused, name)
		a.leaveOut(in, name)
	}
}

// leaveOut takes a field out of a request, and puts its newer name there where it has one.
func (a *answer) leaveOut(in map[string]any, name string) {
	value, there := in[name]
	if !there {
		return
	}
	delete(in, name)
	switch name {
	case "max_tokens":
		in["max_completion_tokens"] = value
	case "stream_options": // only counts are missed
	case "stop":
		a.stopper, _ = sampling.NewStopper(a.o.Stop) // a text that cannot be one was refused before
	default:
		a.without = append(a.without, name)
	}
}

// withoutNote is a sentence about the fields that were left out; "": there are none.
func (a *answer) withoutNote() string {
	if len(a.without) == 0 {
		return ""
	}
	return fmt.Sprintf("%s takes no %s, so the answer was made without", a.w.s.name, strings.Join(a.without, ", "))
}

// refusal is what a server said when it did not want what it was sent, or failed at that.
type refusal struct {
	said []byte
	kind error // errRefused or errFailed
}

func (r *refusal) Error() string { return r.kind.Error() }

// Unwrap makes it one of its kind.
func (r *refusal) Unwrap() error { return r.kind }

// errFailed: the server did not say that it refuses what it was sent.
var errFailed = errors.New("failed")

// refusedField is the field of a request that an error names, of those that can be left out;
// "": it is another error.
func refusedField(err error, in map[string]any) string {
	var why *refusal
	if !errors.As(err, &why) {
		return ""
	}
	sent := func(name string) bool { return in[name] != nil && slices.Contains(optional, name) }
	var form struct {
		Error struct {
			Param string `json:"param"`
		} `json:"error"`
	}
	if json.Unmarshal(why.said, &form) == nil && sent(form.Error.Param) {
		return form.Error.Param
	}
	for _, name := range words.FindAllString(string(why.said), -1) {
		if sent(name) {
			return name
		}
	}
	return ""
}

var words = regexp.MustCompile(`\w+`)
