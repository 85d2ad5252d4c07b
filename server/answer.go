package server

import (
	"context"
	"errors"
	"math"
	"net/http"
	"slices"

	"inglenook/app/chat"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/server/outbox"
)

// ask is what a language model is asked for.
type ask struct {
	messages []chat.PromptMessage
	options  chat.ReplyOptions
	sampling sampling
	oneCall  bool     // at most one call of a tool counts
	before   []int32  // tokens that come before the messages
	read     *[]int32 // not nil: gets the tokens of the prompt
	effort   string   // of thinking, as OpenAI names it; "": the model's own
}

// withWriter waits for a turn with a model, opens it, and hands it over. Chats
// and texts share it, so that what one has read is read for the other too.
func (c *call) withWriter(m library.Model, plain bool, use func(*chat.Writer) error) error {
	ctx := c.r.Context()
	leave, err := c.queues.enter(ctx, m.ID, c.o.Target.Sequences)
	if err != nil {
		return err
	}
	defer leave()
	w, err := c.open(m, pool.WriterOptions{Plain: plain, Draft: c.o.Draft})
	if err != nil {
		return err
	}
	defer w.Close()
	return use(w)
}

// open opens a model that writes, in the context of the options or in the model's own if that is
// less: one model's limit is no reason to refuse all requests to it.
func (c *call) open(m library.Model, o pool.WriterOptions) (*chat.Writer, error) {
	o.Model, o.Target = m.ID, c.o.Target
	if m.MaxLength > 0 {
		o.Context = min(o.Context, m.MaxLength)
	}
	return c.app.OpenChat(c.r.Context(), o, nil)
}

// answer makes one answer and hands each token over. An error of each ends it.
func (c *call) answer(w *chat.Writer, q ask, each func(chat.Token) error) (chat.Answer, error) {
	ctx, cancel := context.WithCancel(c.r.Context())
	defer cancel()
	info := w.Info()
	how, err := q.sampling.over(info.Sampling)
	if err != nil {
		return chat.Answer{}, err
	}
	q.options.Sampling, q.options.Chosen = &how, q.sampling.chosen()
	if err := q.think(info.Thinking); err != nil {
		return chat.Answer{}, err
	}
	note := ""
	if !info.Tools {
		if note, err = q.withoutTools(); err != nil {
			return chat.Answer{}, err
		}
	}
	prompt, err := w.Plan(ctx, q.messages, q.options)
	if err != nil {
		return chat.Answer{}, notPlanned(ctx, err)
	}
	if len(prompt.Dropped) > 0 { // a server leaves nothing out in silence
		f := wrong("messages", "the messages have %d tokens, and the context has %d; send less, or start the server with a larger --context", prompt.AllTokens, prompt.Context)
		f.code = "context_length_exceeded"
		return chat.Answer{}, f
	}
	if len(q.before) > 0 {
		if prompt, err = w.Behind(prompt, q.before); err != nil {
			return chat.Answer{}, notPlanned(ctx, err)
		}
	}
	if q.read != nil {
		*q.read = prompt.IDs
	}
	var gone error
	begun, calls, before := false, 0, c.note.Tokens
	tokens := w.Reply(ctx, prompt, q.options)
	got, err := chat.Collect(func(yield func(chat.Token, error) bool) {
		for t, err := range tokens {
			if err != nil && !begun && t.Finished == nil {
				err = notPlanned(ctx, err)
			}
			if t.Started != nil {
				begun = true
				c.tell(truthOf(t.Started.Device, t.Started.Fallbacks, w.Notices, nil))
			}
			if t.Call != nil {
				calls++
				t.Call.ID = newCallID()
				if calls > 1 && q.oneCall {
					t.Call = nil
				}
			}
			if t.ID >= 0 {
				c.note.Tokens++
				c.activity.progress(c)
			}
			if !yield(t, err) || gone != nil {
				return
			}
		}
	}, func(t chat.Token) {
		if gone == nil {
			gone = each(t)
		}
		if gone == nil && c.out != nil && c.out.Full() {
			c.out.Cut()
			gone = outbox.ErrNotTaken
		}
	})
	c.note.PromptTokens += got.Started.PromptTokens
	c.note.CachedTokens += got.Started.Reused
	c.note.Tokens = before + got.Finished.Tokens
	if took := got.Finished.Took.Seconds(); took > 0 {
		c.note.Rate = math.Round(10*float64(got.Finished.Tokens)/took) / 10
	}
	if note != "" {
		got.Finished.Notices = append(got.Finished.Notices, note)
	}
	if gone != nil {
		return got, gone
	}
	return got, err
}

// notPlanned says that a request cannot be answered as it is, where neither its
// client nor the server has left.
func notPlanned(ctx context.Context, err error) error {
	var long *chat.TooLongError
	var missing *library.UnavailableError
	if ctx.Err() != nil || errors.As(err, &long) || errors.As(err, &missing) || errors.Is(err, chat.ErrClosed) {
		return err
	}
	return wrong("", "%s", err.Error())
}

// think sets how long the model thinks, by what its template knows.
func (q *ask) think(choice chat.Thinking) error {
	if q.effort == "" {
		return nil
	}
	switch choice {
	case chat.ThinkingEffort:
		q.options.Variables = map[string]any{"reasoning_effort": q.effort}
	case chat.ThinkingSwitch:
		q.options.Variables = map[string]any{"enable_thinking": q.effort != "none" && q.effort != "minimal"}
	default:
		return absent("reasoning_effort", "this model does not let anybody choose how it thinks; leave reasoning_effort out")
	}
	return nil
}

// truthOfAnswer is that of a complete answer.
func truthOfAnswer(w *chat.Writer, a chat.Answer) truth {
	notices, notes := slices.Concat(w.Notices, a.Finished.OfDevices()), slices.Concat(w.Notes, a.Finished.Unguessed)
	t := truthOf(a.Finished.Device, a.Finished.Fallbacks, notices, notes)
	t.Ended, t.Seed = a.Finished.Reason, a.Started.Seed
	return t
}

// usage is how many tokens were read and written.
type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
	Details    struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

// add counts an answer. The prompt of several answers counts once.
func (u *usage) add(a chat.Answer) {
	if u.Prompt == 0 {
		u.Prompt, u.Details.Cached = a.Started.PromptTokens, a.Started.Reused
	}
	u.Completion += a.Finished.Tokens
	u.Total = u.Prompt + u.Completion
}

// finish is why an answer ended, as OpenAI says it: whatever but a filter cut it off is "length".
func finish(a chat.Answer) string {
	switch {
	case len(a.Calls) > 0 && a.Finished.Reason == chat.FinishStop:
		return "tool_calls"
	case a.Finished.Reason == chat.FinishStop:
		return "stop"
	case a.Finished.Reason == chat.FinishFiltered:
		return chat.FinishFiltered
	}
	return "length"
}

// notOneAnswer refuses a number of answers that is none.
func notOneAnswer(n *int) (int, error) {
	const most = 8
	if n == nil {
		return 1, nil
	}
	if *n < 1 || *n > most {
		return 0, &fault{status: http.StatusBadRequest, kind: kindRequest, param: "n", sentence: "n has to be from 1 to 8"}
	}
	return *n, nil
}
