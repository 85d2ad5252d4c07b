package remote

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"inglenook/hub/fault"
	"inglenook/pipeline"
)

const mostDimension = 1 << 16

// usualContext is how long texts may be where the server does not say it.
const usualContext = 512

// Embedder turns texts into vectors on a server.
type Embedder struct {
	s      *Server
	m      Model
	proofs *proofs

	// Changed is told when a replica has another model than before; nil: nobody is.
	Changed func()

	mu    sync.Mutex
	finer float64 // how many tokens the model has for one that is estimated, at least 1
}

// OpenEmbedder asks the addresses of a server for vectors, which shows that the model is
// there, how long its vectors are, and whether all have the same.
func (s *Server) OpenEmbedder(ctx context.Context, m Model) (*Embedder, error) {
	e := &Embedder{s: s, m: m, proofs: newProofs(), finer: 1}
	var errs []error
	for tries := 1; ; tries++ {
		errs = nil
		var failed []string
		for _, a := range e.askAll(ctx) {
			if a.err == nil {
				e.proofs.seen[a.r] = a.got
				continue
			}
			errs = append(errs, a.err)
			failed = append(failed, s.wentOn(a.r, a.err))
			a.r.tell(true)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if e.choose(nil) {
			e.m.Dimension = len(e.proofs.first[0])
			e.proofs.down = failed
			return e, nil
		}
		last := errs[len(errs)-1]
		if tries == s.t.tries || !slices.ContainsFunc(errs, temporary) || fault.Wait(last) > s.t.most || errors.Is(last, fault.ErrUnreachable) && tries > 1 || errors.Is(last, errSilent) {
			return nil, s.down(errs)
		}
		if !pause(ctx, waitFor(last, s.t, tries)) {
			return nil, context.Cause(ctx)
		}
	}
}

// Probe is the vectors of fixed texts, which tell the model.
func (e *Embedder) Probe() [][]float32 { return e.proofs.first }

// learn keeps how many tokens the server counted in texts.
func (e *Embedder) learn(tokens int, texts []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.finer = max(e.finer, finerThan(tokens, texts))
}

// tokensPerEstimate is how many tokens the model has for one that is estimated.
func (e *Embedder) tokensPerEstimate() float64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.finer
}

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
	counts, finer := make([]int, len(texts)), e.tokensPerEstimate()
	for i, t := range texts {
		counts[i] = int(math.Ceil(finer * float64(countTokens(r.Prompt+t))))
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
	var failing despite
	notices, err := e.s.shareTexts(ctx, texts, out.Tokens, r.Progress, failing.awaits(r.Outage), func(ctx context.Context, rep *replica, p piece) (int, error) {
		before := e.proofs.proven(rep)
		if err := e.prove(ctx, rep); err != nil {
			return 0, err
		}
		vectors, tokens, err := e.proven(ctx, rep, texts[p.from:p.to])
		if errors.Is(err, errTooLong) {
			vectors, tokens, err = e.beginnings(ctx, rep, texts[p.from:p.to], out.Truncated[p.from:p.to])
		}
		failing.tried(!before, err)
		if err != nil {
			e.proofs.doubt(rep)
			if refuses(err) { // the texts are at fault only where the server still takes others
				if broken := e.prove(ctx, rep); broken != nil {
					err = broken
				}
			}
			return 0, err
		}
		copy(out.Vectors[p.from:p.to], vectors)
		return tokens, nil
	})
	out.Took, out.Notices = time.Since(start), append(e.proofs.told(), notices...)
	return out, err
}

// beginnings embeds texts of which one at least is too long for the model, one by one. Of one
// that is too long it reads the beginning, as models here do.
func (e *Embedder) beginnings(ctx context.Context, rep *replica, texts []string, truncated []bool) (vectors [][]float32, tokens int, err error) {
	most := roomFor("", e.Info().MaxLength, e.tokensPerEstimate())
	for i, text := range texts {
		read, room := text, min(most, countTokens(text))
		got, n, err := e.proven(ctx, rep, []string{read})
		for errors.Is(err, errTooLong) && room > leastRoom {
			read, truncated[i] = windows(text, room)[0], true
			got, n, err = e.proven(ctx, rep, []string{read})
			room = room * 3 / 4
		}
		if err != nil {
			return nil, 0, err
		}
		vectors, tokens = append(vectors, got[0]), tokens+n
	}
	return vectors, tokens, nil
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
