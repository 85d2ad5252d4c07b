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
	refused leftOut
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
		if o.Waiting != nil {
			_, a.awaited = Awaiting(w.s.t.told, func(awaited time.Duration) { o.Waiting(w.s.name, awaited) })
			defer a.awaited()
		}
		waits := func(sentence string) bool {
			a.left = !yield(pipeline.Token{ID: -1, Notice: sentence}, nil)
			return !a.left
		}
		err = w.s.once(ctx, waits, func(r *replica, others bool) (bool, error) {
			begin := r.t.dead
			if others {
				begin = r.t.begin
			}
			err := a.read(ctx, r, path, in, begin)
			return a.started, err
		})
		a.end(ctx, err)
	}
}

// request is what is sent for a prompt, and where.
func (w *Writer) request(p pipeline.Prompt, o pipeline.ReplyOptions) (path string, in map[string]any, err error) {
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
