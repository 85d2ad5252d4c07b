package remote

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"inglenook/pipeline"
)

// Writer is a language model of a server.
type Writer struct {
	s       *Server
	m       Model
	context int
}

// contextUnknown is taken for the context of a model where neither its server nor the
// person says how much it sees.
const contextUnknown = 8192

// OpenWriter returns a model that writes. context is how much of it is used; 0: all. No
// connection is opened: the first answer does that.
func (s *Server) OpenWriter(m Model, context int) *Writer {
	w := &Writer{s: s, m: m, context: context}
	if most := m.Context; w.context == 0 || most > 0 && w.context > most {
		w.context = most
	}
	if w.context == 0 {
		w.context = contextUnknown
	}
	return w
}

// Info implements pipeline.Writer.
func (w *Writer) Info() pipeline.GeneratorInfo {
	info := pipeline.GeneratorInfo{
		Architecture: w.m.ID, Context: w.context, ModelContext: max(w.m.Context, w.context), Sequences: len(w.s.replicas),
		Chat: true, Tools: true, Sampling: pipeline.DefaultSampling(), Device: w.s.device(),
	}
	if w.m.Context == 0 {
		info.Notes = []string{fmt.Sprintf("The server does not say how much %s can see at once, so %d tokens are assumed.", w.m.ID, w.context)}
	}
	return info
}

// Close implements pipeline.Writer.
func (w *Writer) Close() error { return w.s.Close() }

// Reply implements pipeline.Writer. Where an address fails before the answer has begun,
// another one of the server is asked.
func (w *Writer) Reply(ctx context.Context, p pipeline.Prompt, o pipeline.ReplyOptions) iter.Seq2[pipeline.Token, error] {
	return func(yield func(pipeline.Token, error) bool) {
		a := newAnswer(w, p, o, yield)
		path, in, err := w.request(p, o)
		if err != nil {
			yield(pipeline.Token{ID: -1}, err)
			return
		}
		err = w.s.once(ctx, func(r *replica) (bool, error) {
			err := a.read(ctx, r, path, in)
			return a.started, err
		})
		a.end(ctx, err)
	}
}

// request is what is sent for a prompt, and where.
func (w *Writer) request(p pipeline.Prompt, o pipeline.ReplyOptions) (path string, in any, err error) {
	switch {
	case w.s.form == Ollama && o.Sampling != nil && len(o.Sampling.LogitBias) > 0:
		return "", nil, errors.New("Ollama takes no biases of tokens; leave them out")
	case w.s.form == TEI:
		return "", nil, fmt.Errorf("%s is a server of text-embeddings-inference, which does not write; choose a language model", w.s.name)
	case w.s.form == Ollama && o.Plain:
		return "/api/generate", w.ollamaRequest(p, o), nil
	case w.s.form == Ollama:
		return "/api/chat", w.ollamaRequest(p, o), nil
	case o.Plain:
		return w.s.prefix + "/completions", w.openAIRequest(p, o), nil
	}
	return w.s.prefix + "/chat/completions", w.openAIRequest(p, o), nil
}

// answer is one reply while it is read.
type answer struct {
	w     *Writer
	p     pipeline.Prompt
	o     pipeline.ReplyOptions
	yield func(pipeline.Token, error) bool

	began   time.Time
	last    time.Time
	started bool
	left    bool // the caller ended the loop
	first   time.Time
	tokens  int
	usage   usage
	reason  string
	wrote   bool // a text came
	calls   callParts
	think   thinking
}

func newAnswer(w *Writer, p pipeline.Prompt, o pipeline.ReplyOptions, yield func(pipeline.Token, error) bool) *answer {
	return &answer{w: w, p: p, o: o, yield: yield, began: time.Now(), think: newThinking()}
}

// errLeft: the caller ended the loop.
var errLeft = errors.New("left")

// read reads an answer from one replica.
func (a *answer) read(ctx context.Context, r *replica, path string, in any) error {
	body, err := r.open(ctx, path, in, r.t.first, r.t.stall)
	if err != nil {
		return err
	}
	defer body.Close()
	ollama := a.w.s.form == Ollama
	events := newEvents(body, !ollama)
	for {
		data, err := events.next()
		switch {
		case errors.Is(err, errDone), isEnd(err) && a.reason != "":
			return a.complete(r)
		case err != nil && len(events.stray) > 0 && !a.started:
			return r.noEvents(events.stray)
		case err != nil:
			return body.fault(err)
		}
		piece, err := r.piece(data, ollama)
		if err != nil {
			return err
		}
		if err := a.take(piece); err != nil {
			return err
		}
		if piece.done {
			return a.complete(r)
		}
	}
}

// complete refuses an answer without a word.
func (a *answer) complete(r *replica) error {
	if a.tokens == 0 && a.reason != pipeline.FinishLength {
		return r.protocol("ended its answer without a word; ask again, or see its own log")
	}
	return nil
}

// take hands one piece of an answer on.
func (a *answer) take(p pieceOf) error {
	if p.usage.Prompt > 0 || p.usage.Completion > 0 {
		a.usage = p.usage
	}
	if p.reason != "" {
		a.reason = p.reason
	}
	a.calls.add(p.calls)
	if p.thinking != "" {
		if !a.give(pipeline.Token{ID: -1, Text: p.thinking, Thinking: true}) {
			return errLeft
		}
	}
	if p.text != "" {
		a.wrote = true
		for _, s := range a.think.push(p.text) {
			if !a.give(pipeline.Token{ID: -1, Text: s.Text, Thinking: s.Thinking}) {
				return errLeft
			}
		}
	}
	if p.text != "" || p.thinking != "" || len(p.calls) > 0 {
		a.tokens++
	}
	return nil
}

// give yields a token; the first one says how the answer began.
func (a *answer) give(t pipeline.Token) bool {
	now := time.Now()
	if !a.started {
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
	for _, s := range a.think.flush() {
		if !a.give(pipeline.Token{ID: -1, Text: s.Text, Thinking: s.Thinking}) {
			return
		}
	}
	if err == nil {
		calls, unread := a.calls.done()
		for _, text := range unread { // as with a model here, what looks like a call and is none stays text
			if a.wrote {
				text = "\n\n" + text
			}
			if a.wrote = true; !a.give(pipeline.Token{ID: -1, Text: text}) {
				return
			}
		}
		for _, c := range calls {
			if !a.give(pipeline.Token{ID: -1, Call: &c}) {
				return
			}
		}
	}
	f := &pipeline.Finished{Reason: a.reason, Tokens: a.tokens, Device: a.w.s.device()}
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
