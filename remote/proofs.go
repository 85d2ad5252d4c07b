package remote

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"inglenook/hub/fault"
)

// proofs are what is known of the models that the replicas have.
type proofs struct {
	mu    sync.Mutex
	first [][]float32              // vectors of the probe that all have to give
	seen  map[*replica][][]float32 // those that each gave last
	holds map[*replica]bool        // it has that model, and did not fail since
	notes []string                 // of replicas that have another model, once
	down  []string                 // of those that did not answer at first, once
}

func newProofs() *proofs {
	return &proofs{seen: map[*replica][][]float32{}, holds: map[*replica]bool{}}
}

func (p *proofs) proven(r *replica) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.holds[r]
}

// doubt has a replica proven again before its next vectors.
func (p *proofs) doubt(r *replica) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.holds, r)
}

// told returns the notices that were not told yet.
func (p *proofs) told() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	notes := append(p.down, p.notes...)
	p.down, p.notes = nil, nil
	return notes
}

// prove makes sure that a replica has the model of the others, before it gets texts for the
// first time, and after it failed. Its later requests prove themselves.
func (e *Embedder) prove(ctx context.Context, r *replica) error {
	r.proving.Lock()
	defer r.proving.Unlock()
	if e.proofs.proven(r) {
		return nil
	}
	got, err := e.probe(ctx, r)
	if err != nil {
		return unproven(err)
	}
	e.proofs.mu.Lock()
	defer e.proofs.mu.Unlock()
	e.proofs.seen[r] = got
	if SameModel(got, e.proofs.first) {
		e.proofs.holds[r] = true
		return nil
	}
	return e.changed(r)
}

// unproven is the error about a replica that did not answer the probe. A refusal is its own
// failure then: these are texts that every model can read.
func unproven(err error) error {
	if refuses(err) {
		return fault.New(fault.ErrServer, nil, "%v, because it takes no text any more", err)
	}
	return err
}

// proven embeds texts with one request that proves itself: the last text is one of the probe.
// A model that changes while it works, or gives one vector for all, shows there.
func (e *Embedder) proven(ctx context.Context, r *replica, texts []string) (vectors [][]float32, tokens int, err error) {
	n, proof := len(texts), probeTexts()[0]
	got, tokens, err := e.request(ctx, r, append(slices.Clip(texts), proof), e.m.Dimension)
	if err != nil {
		return nil, 0, err
	}
	if !SameModel(got[n:], e.proofs.first[:1]) {
		return nil, 0, e.changed(r)
	}
	counts := make([]int, n+1)
	spreadTokens(counts, append(slices.Clip(texts), proof), tokens)
	if tokens > 0 {
		tokens -= counts[n]
	}
	return got[:n], tokens, nil
}

// changed tells that a replica has another model, and returns the error about it.
func (e *Embedder) changed(r *replica) error {
	if e.Changed != nil {
		e.Changed()
	}
	return e.otherModel(r)
}

// otherModel is the error about a replica whose vectors do not fit.
func (e *Embedder) otherModel(r *replica) error {
	return fault.New(fault.ErrServer, nil, "%s has another model under the name %s than before, or than the other addresses of %s: its vectors do not fit together; start the same model there", r.at.Host(), e.m.ID, e.s.name)
}

// probe asks a replica for the vectors of the probe.
func (e *Embedder) probe(ctx context.Context, r *replica) ([][]float32, error) {
	start := time.Now()
	got, tokens, err := e.request(ctx, r, probeTexts(), 0)
	if err != nil {
		return nil, err
	}
	if slices.Equal(got[0], got[1]) {
		return nil, r.notUsable("the same vector for texts that say different things")
	}
	r.pace.took(time.Since(start), weightOf(probeTexts()), len(got))
	e.learn(tokens, probeTexts())
	return got, nil
}

// probed is what came of asking one replica.
type probed struct {
	r    *replica
	got  [][]float32
	err  error
	took time.Duration
}

// askAll asks all replicas that may work at once. It waits for the first answer, and then
// for the others no longer than it took many times over.
func (e *Embedder) askAll(ctx context.Context) (answers []probed) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	able := e.s.able()
	ended := make(chan probed, len(able))
	for _, r := range able {
		r.begin()
		go func() {
			start := time.Now()
			got, err := e.probe(ctx, r)
			r.end(err)
			ended <- probed{r, got, err, time.Since(start)}
		}()
	}
	var enough <-chan time.Time
	for len(answers) < len(able) {
		select {
		case a := <-ended:
			answers = append(answers, a)
			if a.err == nil && enough == nil {
				enough = time.After(max(e.s.t.patient, slower*a.took))
			}
		case <-enough:
			cancel(fault.New(fault.ErrUnreachable, nil, "no answer came, where others took much less; see whether it still works"))
		}
	}
	return answers
}

// choose takes the model that most replicas have, or of as many the one that the address
// has which was named first. like, which may be nil, is the one that is wanted.
func (e *Embedder) choose(like [][]float32) bool {
	p := e.proofs
	p.mu.Lock()
	defer p.mu.Unlock()
	best, most := [][]float32(nil), 0
	for _, r := range e.s.replicas {
		got, ok := p.seen[r]
		if !ok || like != nil && !SameModel(got, like) {
			continue
		}
		n := 0
		for _, other := range p.seen {
			if SameModel(got, other) {
				n++
			}
		}
		if n > most {
			best, most = got, n
		}
	}
	if best == nil {
		return false
	}
	p.first, p.notes, p.holds = best, nil, map[*replica]bool{}
	for _, r := range e.s.replicas {
		switch got, ok := p.seen[r]; {
		case !ok:
		case SameModel(got, best):
			p.holds[r] = true
			r.works()
		default:
			err := e.otherModel(r)
			p.notes = append(p.notes, fmt.Sprintf("%s of %s is left out, and the others go on: %v", r.at.Host(), e.s.name, err))
			r.leave(err)
			r.tell(true)
		}
	}
	return true
}

// Like returns the embedder with the model that gave the vectors of a probe earlier, where
// an address has it; false: none has.
func (e *Embedder) Like(probe [][]float32) (*Embedder, bool) {
	e.proofs.mu.Lock()
	seen, down := maps.Clone(e.proofs.seen), slices.Clone(e.proofs.down)
	e.proofs.mu.Unlock()
	out := &Embedder{s: e.s, m: e.m, proofs: newProofs(), finer: e.tokensPerEstimate(), Changed: e.Changed}
	out.proofs.seen, out.proofs.down = seen, down
	if !out.choose(probe) {
		return nil, false
	}
	out.m.Dimension = len(out.proofs.first[0])
	return out, true
}
