package remote

import (
	"context"
	"errors"
	"math"
	"time"

	"inglenook/pipeline"
	"inglenook/vecmath"
)

// scorer is the Reranker of a server: a model there scores pairs, or an embedder gives
// vectors whose cosines are the scores.
type scorer struct {
	s         *Server
	m         Model
	embedder  *Embedder // else nil
	untrusted string
}

// OpenReranker opens a model of a server to score texts, and asks it one obvious question
// as pipeline.OpenReranker does.
func (s *Server) OpenReranker(ctx context.Context, m Model) (pipeline.Reranker, error) {
	r := &scorer{s: s, m: m}
	if m.Kind == Embedding {
		e, err := s.OpenEmbedder(ctx, m)
		if err != nil {
			return nil, err
		}
		r.embedder = e
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
	out := pipeline.Scores{Values: make([]float32, len(documents)), Tokens: make([]int, len(documents)), Windows: make([]int, len(documents)), Method: pipeline.CrossEncoder, Device: r.s.device()}
	notices, err := r.s.shareTexts(ctx, documents, out.Tokens, q.Progress, func(ctx context.Context, rep *replica, p piece) (int, error) {
		values, tokens, err := r.request(ctx, rep, query, documents[p.from:p.to])
		if err != nil {
			return 0, err
		}
		copy(out.Values[p.from:p.to], values)
		return tokens, nil
	})
	for i := range out.Windows {
		out.Windows[i] = 1
	}
	out.Took, out.Notices = time.Since(start), notices
	return out, err
}

// cosines scores by vectors.
func (r *scorer) cosines(ctx context.Context, query string, documents []string, q pipeline.RerankRequest) (pipeline.Scores, error) {
	got, err := r.embedder.Embed(ctx, append([]string{query}, documents...), pipeline.EmbedRequest{Progress: func(done, total int) {
		if q.Progress != nil && total > 1 {
			q.Progress(min(done, len(documents)), len(documents))
		}
	}})
	if err != nil {
		return pipeline.Scores{}, err
	}
	out := pipeline.Scores{Tokens: got.Tokens[1:], Method: pipeline.Cosine, Took: got.Took, Device: got.Device, Notices: got.Notices}
	for _, v := range got.Vectors[1:] {
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
			Results []ranked `json:"results"`
			Usage   usage    `json:"usage"`
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
