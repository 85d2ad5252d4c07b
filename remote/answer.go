package remote

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strings"
	"time"

	"inglenook/pipeline"
	"inglenook/remote/pieces"
	"inglenook/sampling"
	"inglenook/sampling/grammar"
)

// answer is one reply while it is read.
type answer struct {
	w     *Writer
	p     pipeline.Prompt
	o     pipeline.ReplyOptions
	yield func(pipeline.Token, error) bool

	began   time.Time
	awaited func() // ends what tells that the answer is awaited
	last    time.Time
	started bool
	left    bool // the caller ended the loop
	first   time.Time
	tokens  int
	bytes   int
	usage   pieces.Usage
	said    string // the server's word for why it ended; "": it goes on
	reason  string // in our words
	calls   pieces.Calls
	think   thinking
	looper  sampling.Looper
	notices []string          // why it ended
	without []string          // fields that the server does not take
	stopper *sampling.Stopper // looks for texts at which to stop, where the server does not; else nil
	stopped bool              // it found one
	text    strings.Builder   // of an answer that is to follow a schema
}

func newAnswer(w *Writer, p pipeline.Prompt, o pipeline.ReplyOptions, yield func(pipeline.Token, error) bool) *answer {
	return &answer{w: w, p: p, o: o, yield: yield, began: time.Now(), awaited: func() {}, think: newThinking()}
}

// errLeft: the caller ended the loop.
var errLeft = errors.New("left")

// errEnough: the answer is longer than it may be.
var errEnough = errors.New("enough")

// read reads an answer from one replica.
func (a *answer) read(ctx context.Context, r *replica, path string, in map[string]any, begin time.Duration) error {
	a.usage, a.said, a.reason, a.notices, a.calls, a.think = pieces.Usage{}, "", "", nil, pieces.Calls{}, newThinking() // of one that failed
	a.text.Reset()
	body, err := a.fitting(ctx, r, path, in, begin)
	if err != nil {
		return err
	}
	defer body.Close()
	body.lines = true
	wordless := time.AfterFunc(r.t.first, func() { body.cancel(errWordless) })
	defer wordless.Stop()
	ollama := a.w.s.form == Ollama
	parse := pieces.OpenAI
	if ollama {
		parse = pieces.Ollama
	}
	events := pieces.NewEvents(body, !ollama, pieces.Limits{Line: r.t.line, All: r.t.answer})
	for {
		data, err := events.Next()
		var piece pieces.Piece
		if err == nil {
			piece, err = parse(data)
		}
		var failed *pieces.Failed
		switch {
		case err == nil:
		case errors.Is(err, pieces.ErrDone), a.said != "" && !errors.As(err, &failed):
			return a.complete(r) // also where nothing follows, or only what says nothing
		case !a.started && len(events.Stray()) > 0 && ctx.Err() == nil:
			return a.whole(r, events.Stray())
		default:
			return a.broken(r, body, data, events.Stray(), err)
		}
		switch err := a.take(piece); {
		case errors.Is(err, errEnough):
			return nil
		case err != nil:
			return err
		case piece.Done:
			return a.complete(r)
		case a.said != "":
			body.patience(r.t.rest)
			wordless.Reset(r.t.rest)
		case piece.Says():
			body.patience(r.t.stall)
			wordless.Reset(r.t.words)
		}
	}
}

// whole takes an answer that comes whole although it was asked for in events.
func (a *answer) whole(r *replica, data []byte) error {
	piece, err := pieces.OpenAI(data)
	if err != nil || !piece.Says() && piece.End == "" {
		return r.noEvents(data)
	}
	if err := a.take(piece); err != nil && !errors.Is(err, errEnough) {
		return err
	}
	return a.complete(r)
}

// broken is the error about an answer that ended before its end.
func (a *answer) broken(r *replica, body *body, data, stray []byte, err error) error {
	var failed *pieces.Failed
	switch {
	case errors.As(err, &failed):
		return r.failed(failed.Said)
	case errors.Is(err, pieces.ErrTooLong):
		return r.protocol("sends an answer without end, so it was stopped")
	case len(data) > 0 && a.started && !strings.ContainsAny(string(data[:1]), "{[<"): // words in the place of data
		return r.failed(data)
	case len(data) > 0:
		return r.notJSON(data, err)
	case len(stray) > 0 && a.started && body.ctx.Err() == nil:
		return r.failed(stray)
	}
	return body.fault(err)
}

// complete refuses an answer without a word.
func (a *answer) complete(r *replica) error {
	if a.tokens == 0 && a.reason != pipeline.FinishLength && a.reason != pipeline.FinishFiltered && a.reason != pipeline.FinishOther {
		return r.protocol("ended its answer without a word; ask again, or see its own log")
	}
	return nil
}

// take hands one piece of an answer on.
func (a *answer) take(p pieces.Piece) error {
	if a.said != "" { // it has ended, and only counts may follow
		p = pieces.Piece{Usage: p.Usage, Done: p.Done}
	}
	if p.Usage.Prompt > 0 || p.Usage.Completion > 0 {
		a.usage = p.Usage
	}
	if p.End != "" {
		a.said = p.End
		a.reason = a.finish(p.End)
	}
	a.calls.Add(p.Calls)
	if p.Thinking != "" && !a.give(pipeline.Token{ID: -1, Text: p.Thinking, Thinking: true}) {
		return errLeft
	}
	if p.Text != "" && !a.write(a.think.push(p.Text)) {
		return errLeft
	}
	if a.stopped {
		a.tokens++
		a.reason = pipeline.FinishStop
		return errEnough
	}
	if !p.Says() {
		return nil
	}
	a.tokens++
	a.bytes += len(p.Text) + len(p.Thinking)
	for _, c := range p.Calls {
		a.bytes += len(c.Function.Name) + len(c.Function.Arguments)
	}
	return a.enough(p)
}

// write hands text of the answer on, up to a text at which to stop, where the server does not look for
// those. It reports whether the caller wants more.
func (a *answer) write(list []sampling.Segment) bool {
	for _, s := range list {
		if a.o.JSONSchema != nil && !s.Thinking {
			a.text.WriteString(s.Text)
		}
		if a.stopper != nil && !s.Thinking {
			if s.Text, a.stopped = a.stopper.Push(s.Text); s.Text == "" {
				continue
			}
		}
		if !a.give(pipeline.Token{ID: -1, Text: s.Text, Thinking: s.Thinking}) {
			return false
		}
	}
	return true
}

// An answer has no more tokens than pieces, but where something on the way cuts its words up,
// and its tokens are shorter than this by far on an average. So one that exceeds a limit by both
// goes on although it should not.
const bytesPerToken = 16

// mostWritten is how many tokens an answer may have where nobody says how many.
const mostWritten = 1 << 17

// enough ends an answer that does not end.
func (a *answer) enough(p pieces.Piece) error {
	most := a.o.MaxTokens
	if most == 0 {
		most = a.w.m.Context
	}
	if most == 0 {
		most = mostWritten
	}
	if a.tokens > most && a.bytes > bytesPerToken*(most+64) {
		if a.reason = pipeline.FinishLength; a.o.MaxTokens == 0 {
			a.reason = pipeline.FinishOther
			a.notices = append(a.notices, fmt.Sprintf("%s wrote much more than %s can see at once, so its answer was ended here", a.w.s.name, plural(most, "token")))
		} else {
			a.notices = append(a.notices, fmt.Sprintf("%s goes on beyond %s, which were allowed, so its answer was ended here", a.w.s.name, plural(most, "token")))
		}
		return errEnough
	}
	if len(p.Calls) > 0 || a.o.IgnoreEnd {
		return nil
	}
	h := fnv.New32a()
	_, _ = io.WriteString(h, p.Text+"\x00"+p.Thinking)
	if words := a.bytes > 2*a.tokens; a.looper.Push(int32(h.Sum32())) && words { // a line of 300 dashes, one by one, is no loop
		a.reason = pipeline.FinishRepeats
		return errEnough
	}
	return nil
}

// finish is why an answer ended, in our words. It keeps a sentence about what people should know.
func (a *answer) finish(said string) string {
	switch strings.ToLower(said) {
	case "stop", "eos", "eos_token", "end_turn", "stop_sequence", "tool_calls", "tool_use", "function_call", "load":
		return pipeline.FinishStop
	case "length", "max_tokens":
		return pipeline.FinishLength
	case "content_filter", "safety", "refusal":
		a.notices = append(a.notices, fmt.Sprintf("a filter of %s ended the answer, or took words out of it", a.w.s.name))
		return pipeline.FinishFiltered
	}
	a.notices = append(a.notices, fmt.Sprintf("%s ended the answer for a reason that is not known here (%s), so it may not be whole", a.w.s.name, a.w.s.word(said)))
	return pipeline.FinishOther
}

// give yields a token; the first one says how the answer began.
func (a *answer) give(t pipeline.Token) bool {
	now := time.Now()
	if !a.started {
		a.awaited()
		a.started, a.first = true, now
		t.Started = &pipeline.Started{Plan: a.p.Plan, Took: now.Sub(a.began), Device: a.w.s.device()}
		if a.usage.Prompt > 0 {
			t.Started.PromptTokens = a.usage.Prompt
		}
	} else {
		t.Took = now.Sub(a.last)
	}
	a.last = now
	if !a.yield(t, nil) {
		a.left = true
	}
	return !a.left
}

// end yields what is left, and how the answer ended.
func (a *answer) end(ctx context.Context, err error) {
	if a.left {
		return
	}
	a.awaited()
	if !a.write(a.think.flush()) {
		return
	}
	if a.stopper != nil {
		if held := a.stopper.Flush(); held != "" && !a.give(pipeline.Token{ID: -1, Text: held}) {
			return
		}
	}
	if err == nil {
		err = a.ask()
	}
	if err == nil {
		err = a.follows()
	}
	if a.left {
		return
	}
	if note := a.withoutNote(); note != "" {
		a.notices = append(a.notices, note)
	}
	if err == nil {
		for _, n := range a.notices {
			if !a.give(pipeline.Token{ID: -1, Notice: n}) {
				return
			}
		}
	}
	f := &pipeline.Finished{Reason: a.reason, Tokens: a.tokens, Device: a.w.s.device(), Notices: a.notices}
	if a.usage.Completion > 0 {
		f.Tokens = a.usage.Completion
	}
	if a.started {
		f.Took = time.Since(a.first)
	}
	switch {
	case err == nil && f.Reason == "":
		f.Reason = pipeline.FinishStop
	case err != nil && ctx.Err() != nil:
		f.Reason, err = pipeline.FinishCancelled, context.Cause(ctx)
	case err != nil:
		f.Reason = pipeline.FinishError
	}
	t := pipeline.Token{ID: -1, Finished: f}
	switch {
	case a.started && a.usage.Prompt > 0: // servers count the prompt at the end
		t.Started = &pipeline.Started{Plan: a.p.Plan, Took: a.first.Sub(a.began), Device: a.w.s.device()}
		t.Started.PromptTokens = a.usage.Prompt
	case !a.started && err == nil:
		t.Started = &pipeline.Started{Plan: a.p.Plan, Took: time.Since(a.began), Device: a.w.s.device()}
	}
	a.yield(t, err)
}

// follows is an error if an answer that its server ended is not what its schema allows: some servers
// leave the schema unread.
func (a *answer) follows() error {
	if a.o.JSONSchema == nil || a.reason != pipeline.FinishStop && a.reason != "" || a.stopped || len(a.o.Stop) > 0 || a.text.Len() == 0 {
		return nil
	}
	judged, err := grammar.Follows(a.o.JSONSchema, a.text.String())
	switch {
	case err == nil:
		return nil
	case !judged:
		a.notices = append(a.notices, fmt.Sprintf("whether the answer follows the schema was not checked: %v", err))
		return nil
	}
	return fmt.Errorf("%s gave an answer that does not follow the schema, so it may not know schemas: %w", a.w.s.name, err)
}

// ask hands the tools on that the model asks for. What cannot be called is told, and an error
// where there is nothing beside it.
func (a *answer) ask() error {
	asked := a.calls.Done(a.o.Tools)
	for _, c := range asked.Calls {
		if !a.give(pipeline.Token{ID: -1, Call: &c}) {
			return nil
		}
	}
	var why string
	switch {
	case asked.Broken:
		why = "asked for a tool in a form that cannot be read, so that was not called"
	case len(asked.Unknown) > 0:
		why = fmt.Sprintf("asked for the tool %s, which was not offered, so that was not called", a.w.s.word(asked.Unknown[0]))
	default:
		return nil
	}
	if !a.started {
		return a.w.s.replicas[0].protocol("%s, and wrote nothing else; ask again, or choose another model", why)
	}
	a.notices = append(a.notices, fmt.Sprintf("%s of %s %s", a.w.m.ID, a.w.s.name, why))
	return nil
}
