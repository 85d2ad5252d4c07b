package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"inglenook/hub/fault"
	"inglenook/pipeline"
)

// A request has at most so many texts and bytes of them: what small servers take, and
// small enough that replicas end at about the same time.
const (
	requestTexts = 16
	requestBytes = 128 << 10

	leastTexts = 2 // where several replicas share the work
	restPieces = 4 // in which each replica could do its part of what is left
)

const mostDimension = 1 << 16

// usualContext is how long texts may be where the server does not say it.
const usualContext = 512

// Embedder turns texts into vectors on a server.
type Embedder struct {
	s *Server
	m Model

	mu    sync.Mutex
	known map[*replica]bool // gave the first vectors of all
	first [][]float32       // of the probe
	finer float64           // how many tokens the model has for one that is estimated, at least 1
}

// OpenEmbedder asks a server for one vector, which shows that the model is there and how
// long its vectors are.
func (s *Server) OpenEmbedder(ctx context.Context, m Model) (*Embedder, error) {
	e := &Embedder{s: s, m: m, known: map[*replica]bool{}, finer: 1}
	err := s.once(ctx, func(r *replica) (bool, error) { return false, e.prove(ctx, r) })
	if err != nil {
		return nil, err
	}
	return e, nil
}

// prove embeds the probe on a replica that was not asked yet, or failed since.
func (e *Embedder) prove(ctx context.Context, r *replica) error {
	e.mu.Lock()
	known := e.known[r]
	e.mu.Unlock()
	if known {
		return nil
	}
	got, tokens, err := e.request(ctx, r, probeTexts())
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.first == nil:
		e.first = got
		e.m.Dimension = len(got[0])
		e.finer = finerThan(tokens, probeTexts())
	case !SameModel(got, e.first):
		return fault.New(fault.ErrServer, nil, "%s has another model under the name %s than before, or than the other addresses of %s: its vectors do not fit together; start the same model there", r.at.Host(), e.m.ID, e.s.name)
	}
	e.known[r] = true
	return nil
}

// doubt has a replica proven again before its next vectors.
func (e *Embedder) doubt(r *replica) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.known, r)
}

// Probe is the vectors of fixed texts, which tell the model.
func (e *Embedder) Probe() [][]float32 { return e.first }

// Info implements pipeline.Embedder.
func (e *Embedder) Info() pipeline.EmbedderInfo {
	info := pipeline.EmbedderInfo{Architecture: e.m.ID, Dimension: e.m.Dimension, MaxLength: e.m.Context, PoolingStated: true}
	if info.MaxLength == 0 {
		info.MaxLength = usualContext
	}
	return info
}

// Close implements pipeline.Embedder.
func (e *Embedder) Close() error { return e.s.Close() }

// CountTokens implements pipeline.TokenCounter by an estimate. Models with few words of
// their own have more tokens than others; what the server counted of the probe tells that.
func (e *Embedder) CountTokens(ctx context.Context, texts []string, r pipeline.EmbedRequest) ([]int, error) {
	counts := make([]int, len(texts))
	for i, t := range texts {
		counts[i] = int(math.Ceil(e.finer * float64(countTokens(r.Prompt+t))))
	}
	return counts, ctx.Err()
}

// Embed implements pipeline.Embedder.
func (e *Embedder) Embed(ctx context.Context, texts []string, r pipeline.EmbedRequest) (pipeline.Embeddings, error) {
	start := time.Now()
	if len(texts) == 0 {
		return pipeline.Embeddings{}, errors.New("there are no texts to embed; give at least one")
	}
	if r.PromptName != "" {
		return pipeline.Embeddings{}, fmt.Errorf("the server %s does not say which prompts %s has; give the prompt itself", e.s.name, e.m.ID)
	}
	if r.Prompt != "" {
		with := make([]string, len(texts))
		for i, t := range texts {
			with[i] = r.Prompt + t
		}
		texts = with
	}
	out := pipeline.Embeddings{Vectors: make([][]float32, len(texts)), Tokens: make([]int, len(texts)), Truncated: make([]bool, len(texts)), Device: e.s.device()}
	notices, err := e.s.shareTexts(ctx, texts, out.Tokens, r.Progress, func(ctx context.Context, rep *replica, p piece) (int, error) {
		if err := e.prove(ctx, rep); err != nil {
			return 0, err
		}
		vectors, tokens, err := e.request(ctx, rep, texts[p.from:p.to])
		if errors.Is(err, errTooLong) {
			vectors, tokens, err = e.beginnings(ctx, rep, texts[p.from:p.to], out.Truncated[p.from:p.to])
		}
		if err != nil {
			e.doubt(rep)
			return 0, err
		}
		copy(out.Vectors[p.from:p.to], vectors)
		return tokens, nil
	})
	out.Took, out.Notices = time.Since(start), notices
	return out, err
}

// beginnings embeds texts of which one at least is too long for the model, one by one. Of one
// that is too long it reads the beginning, as models here do.
func (e *Embedder) beginnings(ctx context.Context, rep *replica, texts []string, truncated []bool) (vectors [][]float32, tokens int, err error) {
	e.mu.Lock()
	most := roomFor("", e.Info().MaxLength, e.finer)
	e.mu.Unlock()
	for i, text := range texts {
		read, room := text, min(most, countTokens(text))
		got, n, err := e.request(ctx, rep, []string{read})
		for errors.Is(err, errTooLong) && room > leastRoom {
			read, truncated[i] = windows(text, room)[0], true
			got, n, err = e.request(ctx, rep, []string{read})
			room = room * 3 / 4
		}
		if err != nil {
			return nil, 0, err
		}
		vectors, tokens = append(vectors, got[0]), tokens+n
	}
	return vectors, tokens, nil
}

// piece is a run of texts that go into one request.
type piece struct{ from, to int }

// split makes pieces for so many replicas: several for each, so that one that is slower
// or begins later does fewer. They get smaller towards the end, so that none waits long for
// the last.
func split(texts []string, replicas int) (list []piece) {
	most := func(from int) int {
		if replicas == 1 {
			return requestTexts
		}
		return max(leastTexts, min(requestTexts, (len(texts)-from)/(replicas*restPieces)))
	}
	p, bytes := piece{}, 0
	for i, t := range texts {
		if p.to > p.from && (p.to-p.from >= most(p.from) || bytes+len(t) > requestBytes) {
			list, p, bytes = append(list, p), piece{i, i}, 0
		}
		p.to, bytes = i+1, bytes+len(t)
	}
	return append(list, p)
}

// spreadTokens tells each text its share of the tokens that the server counted. Where it
// counted none, the estimates have to do.
func spreadTokens(counts []int, texts []string, total int) {
	sum := 0
	for i, t := range texts {
		counts[i] = countTokens(t)
		sum += counts[i]
	}
	if total <= 0 {
		return
	}
	given, upTo := 0, 0
	for i := range counts {
		upTo += counts[i]
		share := total*upTo/sum - given
		given, counts[i] = given+share, share
	}
}

type embedRequest struct {
	Model string   `json:"model,omitempty"`
	Input []string `json:"input"`
}

// request embeds texts with one request, and checks what comes back.
func (e *Embedder) request(ctx context.Context, r *replica, texts []string) (vectors [][]float32, tokens int, err error) {
	switch e.s.form {
	case TEI:
		var list [][]float32
		err = r.ask(ctx, "/embed", map[string]any{"inputs": texts, "truncate": true}, &list, r.t.stall)
		vectors = list
	case Ollama:
		var answer struct {
			Embeddings [][]float32 `json:"embeddings"`
			Tokens     int         `json:"prompt_eval_count"`
		}
		err = r.ask(ctx, "/api/embed", embedRequest{e.m.ID, texts}, &answer, r.t.stall)
		vectors, tokens = answer.Embeddings, answer.Tokens
	default:
		var answer struct {
			Data []struct {
				Index     *int            `json:"index"`
				Embedding json.RawMessage `json:"embedding"`
			} `json:"data"`
			Usage usage `json:"usage"`
		}
		if err = r.ask(ctx, e.s.prefix+"/embeddings", embedRequest{e.m.ID, texts}, &answer, r.t.stall); err != nil {
			break
		}
		tokens = answer.Usage.Prompt
		if len(answer.Data) != len(texts) {
			return nil, 0, r.protocol("gives %d vectors for %d texts", len(answer.Data), len(texts))
		}
		vectors = make([][]float32, len(texts))
		for i, d := range answer.Data {
			at := i
			if d.Index != nil {
				at = *d.Index
			}
			if at < 0 || at >= len(texts) || vectors[at] != nil {
				return nil, 0, r.protocol("gives vectors without saying properly which text each is of")
			}
			if err := json.Unmarshal(d.Embedding, &vectors[at]); err != nil {
				return nil, 0, r.protocol("gives vectors in a form that is not known here (%s)", r.plain(err.Error()))
			}
		}
	}
	if err != nil {
		return nil, 0, err
	}
	return vectors, tokens, e.check(r, texts, vectors)
}

// check refuses vectors that cannot be those of the texts.
func (e *Embedder) check(r *replica, texts []string, vectors [][]float32) error {
	if len(vectors) != len(texts) {
		return r.protocol("gives %d vectors for %d texts", len(vectors), len(texts))
	}
	e.mu.Lock()
	want := 0
	if len(e.first) > 0 {
		want = len(e.first[0])
	}
	e.mu.Unlock()
	for _, v := range vectors {
		if want == 0 {
			want = len(v)
		}
		switch {
		case len(v) == 0:
			return r.protocol("gives an empty vector")
		case len(v) > mostDimension:
			return r.protocol("gives a vector of %d numbers, which is more than any model has", len(v))
		case len(v) != want:
			return r.protocol("gives vectors of %d numbers where those before had %d, so it has another model now; start the same model there, or open this one again", len(v), want)
		}
		for _, x := range v {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return r.protocol("gives vectors with values that are no numbers; its model is damaged, or overflows")
			}
		}
	}
	return nil
}
