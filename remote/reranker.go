package remote

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"inglenook/hub/fault"
	"inglenook/pipeline"
	"inglenook/remote/pieces"
	"inglenook/vecmath"
)

// scorer is the Reranker of a server: a model there scores pairs, or an embedder gives
// vectors whose cosines are the scores.
type scorer struct {
	s         *Server
	m         Model
	embedder  *Embedder // else nil
	untrusted string

	mu    sync.Mutex
	finer float64           // how many tokens the model has for one that is estimated, at least 1
	first []float32         // scores of the proof that all replicas have to give
	holds map[*replica]bool // it gave them, and did not fail since
}

// proofQuestion is asked of each of several replicas about the texts of the probe.
const proofQuestion = "When did people first walk on the moon?"

// sameScore is by how much of the first one's lead two replicas with one model may differ: other
// number types differ less. Scores on another scale, such as logits beside probabilities, differ more.
const sameScore = 0.1

// prove makes sure that a replica scores as the others do, before it gets texts for the first time,
// and after it failed.
func (r *scorer) prove(ctx context.Context, rep *replica) error {
	if len(r.s.replicas) == 1 {
		return nil
	}
	rep.proving.Lock()
	defer rep.proving.Unlock()
	r.mu.Lock()
	held := r.holds[rep]
	r.mu.Unlock()
	if held {
		return nil
	}
	got, _, err := r.request(ctx, rep, proofQuestion, probeTexts())
	if err != nil {
		return unproven(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.first == nil {
		r.first = got
	}
	most := sameScore * math.Abs(float64(r.first[1]-r.first[0]))
	for i, v := range got {
		if math.Abs(float64(v-r.first[i])) > most {
			return fault.New(fault.ErrServer, nil, "%s scores texts in another way than the other addresses of %s, so it has another model under the name %s; start the same model there", rep.at.Host(), r.s.name, r.m.ID)
		}
	}
	r.holds[rep] = true
	return nil
}

// doubt has a replica proven again before its next texts.
func (r *scorer) doubt(rep *replica) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.holds, rep)
}

// OpenReranker opens a model of a server to score texts, and asks it one obvious question
// as pipeline.OpenReranker does.
func (s *Server) OpenReranker(ctx context.Context, m Model) (pipeline.Reranker, error) {
	r := &scorer{s: s, m: m, finer: 1, holds: map[*replica]bool{}}
	if m.Kind == Embedding && !m.Scores {
		e, err := s.OpenEmbedder(ctx, m)
		if err != nil {
			return nil, err
		}
		r.embedder = e
	} else {
		for _, rep := range s.replicas { // the first that answers decides
			if r.prove(ctx, rep) == nil || ctx.Err() != nil {
				break
			}
		}
	}
	var err error
	if r.untrusted, err = pipeline.Distrusted(ctx, r); err != nil {
		return nil, err
	}
	return r, nil
}

// Info implements pipeline.Reranker.
func (r *scorer) Info() pipeline.RerankerInfo {
	info := pipeline.RerankerInfo{Architecture: r.m.ID, Method: pipeline.CrossEncoder, MaxLength: r.m.Context, Untrusted: r.untrusted}
	if r.embedder != nil {
		info.Method = pipeline.Cosine
	}
	return info
}

// Close implements pipeline.Reranker.
func (r *scorer) Close() error { return r.s.Close() }

// Score implements pipeline.Reranker.
func (r *scorer) Score(ctx context.Context, query string, documents []string, q pipeline.RerankRequest) (pipeline.Scores, error) {
	start := time.Now()
	if len(documents) == 0 {
		return pipeline.Scores{}, errors.New("there is nothing to score; give at least one document")
	}
	if r.embedder != nil {
		return r.cosines(ctx, query, documents, q)
	}
	for smaller := 1; ; smaller *= 2 {
		r.mu.Lock()
		room := roomFor(query, r.m.Context, r.finer*float64(smaller))
		r.mu.Unlock()
		out, err := r.parts(ctx, query, documents, room, q)
		out.Took = time.Since(start)
		if !errors.Is(err, errTooLong) || room <= leastRoom || smaller == 8 || r.m.Context == 0 {
			return out, err
		} // else the estimate was too low
	}
}

// parts scores documents by their best part of at most room tokens.
func (r *scorer) parts(ctx context.Context, query string, documents []string, room int, q pipeline.RerankRequest) (pipeline.Scores, error) {
	out := pipeline.Scores{Values: make([]float32, len(documents)), Tokens: make([]int, len(documents)), Windows: make([]int, len(documents)), Method: pipeline.CrossEncoder, Device: r.s.device()}
	var parts []string
	var of []int // the document of each part
	for i, d := range documents {
		cut := windows(d, room)
		out.Windows[i], out.Values[i] = len(cut), float32(math.Inf(-1))
		for _, p := range cut {
			parts, of = append(parts, p), append(of, i)
		}
	}
	values, tokens := make([]float32, len(parts)), make([]int, len(parts))
	progress := func(done, total int) {
		if q.Progress != nil {
			q.Progress(done*len(documents)/total, len(documents))
		}
	}
	notices, err := r.s.shareTexts(ctx, parts, tokens, progress, nil, func(ctx context.Context, rep *replica, p piece) (int, error) {
		if err := r.prove(ctx, rep); err != nil {
			return 0, err
		}
		got, counted, err := r.request(ctx, rep, query, parts[p.from:p.to])
		if err != nil {
			r.doubt(rep)
			return 0, err
		}
		copy(values[p.from:p.to], got)
		r.learn(counted, query, parts[p.from:p.to])
		return counted, nil
	})
	for i, d := range of {
		out.Values[d] = max(out.Values[d], values[i])
		out.Tokens[d] += tokens[i]
	}
	out.Notices = notices
	return out, err
}

// learn keeps what a server counted, for later cuts: each document is read beside the query.
func (r *scorer) learn(tokens int, query string, documents []string) {
	read := slices.Clone(documents)
	for range documents {
		read = append(read, query)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finer = max(r.finer, finerThan(tokens, read))
}

// cosines scores by vectors.
func (r *scorer) cosines(ctx context.Context, query string, documents []string, q pipeline.RerankRequest) (pipeline.Scores, error) {
	asked := 1 + len(q.Beside)
	got, err := r.embedder.Embed(ctx, slices.Concat([]string{query}, q.Beside, documents), pipeline.EmbedRequest{Progress: func(done, total int) {
		if q.Progress != nil && total > 1 {
			q.Progress(min(done, len(documents)), len(documents))
		}
	}})
	if err != nil {
		return pipeline.Scores{}, err
	}
	vectors := got.Vectors[asked:]
	out := pipeline.Scores{Beside: pipeline.BestOfEach(got.Vectors[1:asked], vectors, documents), Tokens: got.Tokens[asked:], Method: pipeline.Cosine, Took: got.Took, Device: got.Device, Notices: got.Notices}
	for _, v := range vectors {
		out.Values = append(out.Values, float32(vecmath.Cosine(got.Vectors[0], v)))
		out.Windows = append(out.Windows, 1)
	}
	return out, nil
}

type rerankRequest struct {
	Model     string   `json:"model,omitempty"`
	Query     string   `json:"query"`
	Documents []string `json:"documents"`
}

// ranked is a result in the form of Jina and Cohere, or of text-embeddings-inference.
type ranked struct {
	Index     *int     `json:"index"`
	Relevance *float64 `json:"relevance_score"`
	Score     *float64 `json:"score"`
}

func (r *scorer) request(ctx context.Context, rep *replica, query string, documents []string) (values []float32, tokens int, err error) {
	var list []ranked
	switch r.s.form {
	case Ollama:
		return nil, 0, rep.protocol("cannot score texts, because Ollama has no way to ask for that; use an embedding model there, or a reranker elsewhere")
	case TEI:
		err = rep.ask(ctx, "/rerank", map[string]any{"query": query, "texts": documents, "truncate": true}, &list, rep.t.stall)
	default:
		var answer struct {
			Results []ranked     `json:"results"`
			Usage   pieces.Usage `json:"usage"`
		}
		err = rep.ask(ctx, r.s.prefix+"/rerank", rerankRequest{r.m.ID, query, documents}, &answer, rep.t.stall)
		list, tokens = answer.Results, max(answer.Usage.Prompt, answer.Usage.Total)
	}
	if err != nil {
		return nil, 0, err
	}
	if len(list) != len(documents) {
		return nil, 0, rep.protocol("gives %d scores for %d texts", len(list), len(documents))
	}
	values, have := make([]float32, len(documents)), make([]bool, len(documents))
	for _, x := range list {
		score := x.Relevance
		if score == nil {
			score = x.Score
		}
		if x.Index == nil || *x.Index < 0 || *x.Index >= len(documents) || have[*x.Index] || score == nil {
			return nil, 0, rep.protocol("gives scores without saying properly which text each is of")
		}
		if v := float32(*score); math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil, 0, rep.protocol("gives scores that are no numbers; its model is damaged, or overflows")
		}
		values[*x.Index], have[*x.Index] = float32(*score), true
	}
	return values, tokens, nil
}
