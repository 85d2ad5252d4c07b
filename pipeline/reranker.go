package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"time"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/modules"
	"inglenook/pipeline/placement"
	"inglenook/pipeline/smallfile"
	"inglenook/tokenizer"
)

// RerankerOptions change what the checkpoint says; the zero value changes nothing.
type RerankerOptions struct {
	WeightsFile string
	Weights     string // how weights are held, as in GeneratorOptions
	// Pooling scores with the cosine of pooled vectors (as in EmbedderOptions)
	// instead of a classification head.
	Pooling     []string
	MaxLength   int // tokens of a query–document pair
	BatchTokens int
	Available   func() int64 // as in EmbedderOptions
	Prove       bool         // as in GeneratorOptions
	Progress    func(done, total int64)
}

// The two ways to score a document.
const (
	CrossEncoder = "cross-encoder" // the model reads query and document together
	Cosine       = "cosine"        // the cosine of two embeddings
)

// reranker is the Reranker that computes on the backends.
type reranker struct {
	enc       *encoder // of a cross-encoder
	act       engine.Activation
	label     relevance
	maxLength int
	special   int // tokens that the pair template adds

	embedder *embedder // instead of enc
	headless bool      // the embedder stands in for a head that the checkpoint lacks
}

// RerankerInfo describes an open reranker.
type RerankerInfo struct {
	Architecture string
	Method       string // CrossEncoder or Cosine
	Activation   string // applied to a cross-encoder's logit
	MaxLength    int
	Parameters   int64
	WeightBytes  int64
	DType        string
	Pooling      []string // of Cosine
	Proof        placement.Proof
}

// RerankRequest says how to score.
type RerankRequest struct {
	Progress func(done, total int) // passages, a long document being several
}

// Scores are one value a document, in the order of the documents.
type Scores struct {
	Values    []float32
	Tokens    []int // over all windows of the document
	Windows   []int // parts that a long document was split into; the best one counts
	Notes     []string
	Method    string
	Took      time.Duration
	Device    string
	Fallbacks []engine.Fallback
	Notices   []string // as in Embeddings
	Profile   placement.Profile
}

// OpenReranker opens a cross-encoder; a checkpoint without a classification
// head, or one for which a pooling is asked, scores by cosine and says so in
// its Info.
func OpenReranker(ctx context.Context, checkpoint fs.FS, bs []engine.Backend, o RerankerOptions) (Reranker, error) {
	config, err := readConfig(checkpoint)
	if err == nil && config.Head == models.Logits && !config.Causal && len(o.Pooling) == 0 {
		return openCrossEncoder(ctx, checkpoint, config, bs, o)
	}
	e, err := openEmbedder(ctx, checkpoint, bs, EmbedderOptions{
		WeightsFile: o.WeightsFile, Weights: o.Weights, Pooling: o.Pooling, MaxLength: o.MaxLength, BatchTokens: o.BatchTokens,
		Available: o.Available, Prove: o.Prove, Progress: o.Progress,
	})
	if err != nil {
		return nil, err
	}
	return &reranker{embedder: e, maxLength: e.maxLength, headless: len(o.Pooling) == 0}, nil
}

func openCrossEncoder(ctx context.Context, checkpoint fs.FS, config models.Config, bs []engine.Backend, o RerankerOptions) (Reranker, error) {
	label, err := readRelevance(checkpoint, config.Labels)
	if err != nil {
		return nil, err
	}
	act, err := scoreActivation(checkpoint)
	if err != nil {
		return nil, err
	}
	enc, err := openEncoder(checkpoint, o.WeightsFile, o.Weights, placement.NewList(bs, o.Available), o.BatchTokens)
	if err != nil {
		return nil, err
	}
	r := &reranker{enc: enc, act: act, label: label}
	if err := r.open(ctx, checkpoint, o); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *reranker) open(ctx context.Context, checkpoint fs.FS, o RerankerOptions) error {
	if err := r.enc.openTokenizer(checkpoint, false); err != nil {
		return err
	}
	empty, err := r.enc.tok.EncodePair("", "", tokenizer.Options{})
	if err != nil {
		return err
	}
	r.special = len(empty.IDs)
	r.maxLength = longest(r.enc.config.MaxTokens, r.enc.tok.ModelMaxLength(), o.MaxLength)
	if r.maxLength < r.special+2 {
		return fmt.Errorf("%d tokens leave no room for a query and a document; allow more", r.maxLength)
	}
	return r.enc.load(ctx, r.record, o.Progress, o.Prove)
}

func (r *reranker) record(g *engine.Graph, b models.Batch) *engine.Tensor {
	return r.enc.model.Forward(g, b, models.Logits)
}

// scoreActivation returns the function that the checkpoint applies to its
// logit. sentence-transformers has kept it in three places; without any of them
// it is a sigmoid.
func scoreActivation(checkpoint fs.FS) (engine.Activation, error) {
	var config struct {
		Legacy string `json:"sbert_ce_default_activation_function"`
		Nested struct {
			Activation string `json:"activation_fn"`
		} `json:"sentence_transformers"`
	}
	var own struct {
		Activation string `json:"activation_fn"`
	}
	if _, err := smallfile.JSON(checkpoint, "config.json", &config); err != nil {
		return 0, err
	}
	if _, err := smallfile.JSON(checkpoint, "config_sentence_transformers.json", &own); err != nil {
		return 0, err
	}
	for _, class := range []string{config.Nested.Activation, config.Legacy, own.Activation} {
		if class != "" {
			return modules.Activation(class)
		}
	}
	return engine.Sigmoid, nil
}

// Info describes the reranker.
func (r *reranker) Info() RerankerInfo {
	if r.embedder != nil {
		e := r.embedder.Info()
		return RerankerInfo{
			Architecture: e.Architecture, Method: Cosine, MaxLength: e.MaxLength,
			Parameters: e.Parameters, WeightBytes: e.WeightBytes, DType: e.DType, Pooling: e.Pooling, Proof: e.Proof,
		}
	}
	return RerankerInfo{
		Architecture: r.enc.config.Architecture, Method: CrossEncoder, Activation: r.activation(), MaxLength: r.maxLength,
		Parameters: r.enc.parameters, WeightBytes: r.enc.weightBytes, DType: r.enc.dtype, Proof: r.enc.proof,
	}
}

// activation names the function from outputs to the score.
func (r *reranker) activation() string {
	if r.label.labels > 1 {
		return "softmax"
	}
	return r.act.String()
}

// Close frees the weights and the tokenizer.
func (r *reranker) Close() error {
	if r.embedder != nil {
		return r.embedder.Close()
	}
	return r.enc.close()
}

// Score implements Reranker. A document that does not fit
// beside the query is split into overlapping windows and takes its best one's score.
func (r *reranker) Score(ctx context.Context, query string, documents []string, req RerankRequest) (Scores, error) {
	start := time.Now()
	if strings.TrimSpace(query) == "" {
		return Scores{}, errors.New("the query is empty; write what you are looking for")
	}
	if len(documents) == 0 {
		return Scores{}, errNoTexts
	}
	score := r.scorePairs
	if r.embedder != nil {
		score = r.scoreCosine
	}
	s, err := score(ctx, query, documents, req)
	if err != nil {
		return Scores{}, err
	}
	s.Notes = append(s.Notes, textNotes(documents)...)
	s.Took = time.Since(start)
	return s, nil
}

// scorePairs runs the cross-encoder over every window of every document.
func (r *reranker) scorePairs(ctx context.Context, query string, documents []string, req RerankRequest) (Scores, error) {
	s := newScores(CrossEncoder, len(documents))
	query, cut, err := r.fitQuery(query)
	if err != nil {
		return s, err
	}
	if cut {
		s.Notes = append(s.Notes, fmt.Sprintf("the query is long: its first %d tokens were used, to leave room for the documents", r.queryRoom()))
	}
	if note := r.label.note(); note != "" {
		s.Notes = append(s.Notes, note)
	}
	pairs, owner, err := r.pairs(ctx, query, documents)
	if err != nil {
		return s, err
	}
	done := 0
	ran, err := r.enc.batches(ctx, pairs, r.record, func(i int, row []float32) error {
		doc, value := owner[i], r.score(row)
		s.Tokens[doc] += len(pairs[i].IDs)
		if s.Windows[doc]++; s.Windows[doc] == 1 || value > s.Values[doc] {
			s.Values[doc] = value
		}
		if done++; req.Progress != nil {
			req.Progress(done, len(pairs))
		}
		return nil
	})
	s.Device, s.Fallbacks, s.Notices, s.Profile = ran.Device(), ran.Fallbacks, ran.Notices, ran.Profile
	return s, err
}

// score is that of a document, from the classifier's outputs.
func (r *reranker) score(row []float32) float32 {
	if r.label.labels > 1 {
		return r.label.probability(row)
	}
	return applyScore(r.act, row[0])
}

func newScores(method string, n int) Scores {
	return Scores{Method: method, Values: make([]float32, n), Tokens: make([]int, n), Windows: make([]int, n)}
}

// queryRoom is how many tokens of the query are read: half of a pair.
func (r *reranker) queryRoom() int { return (r.maxLength - r.special) / 2 }

// fitQuery cuts a query that would leave the documents no room.
func (r *reranker) fitQuery(query string) (string, bool, error) {
	enc, err := r.enc.tok.Encode(query, readTyped(tokenizer.Options{NoSpecial: true, Attributes: true, MaxLength: r.queryRoom() + 1}))
	if err != nil {
		return "", false, err
	}
	if len(enc.IDs) <= r.queryRoom() {
		return query, false, nil
	}
	return query[:enc.Offsets[r.queryRoom()-1][1]], true, nil
}

// pairs encodes the query with every window of every document; owner[i] is the
// document of pair i.
func (r *reranker) pairs(ctx context.Context, query string, documents []string) (pairs []tokenizer.Encoding, owner []int, err error) {
	tok := r.enc.tok
	q, err := tok.Encode(query, readTyped(tokenizer.Options{NoSpecial: true}))
	if err != nil {
		return nil, nil, err
	}
	docs, err := tok.EncodeBatch(ctx, documents, readTyped(tokenizer.Options{NoSpecial: true, Attributes: true}))
	if err != nil {
		return nil, nil, err
	}
	room := r.maxLength - r.special - len(q.IDs)
	for d, enc := range docs {
		for _, w := range windows(enc.Offsets, room, len(documents[d])) {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			p, err := tok.EncodePair(query, documents[d][w[0]:w[1]], readTyped(tokenizer.Options{MaxLength: r.maxLength}))
			if err != nil {
				return nil, nil, fmt.Errorf("text %d: %w", d+1, err)
			}
			pairs, owner = append(pairs, p), append(owner, d)
		}
	}
	return pairs, owner, nil
}

// windows cuts a text of the given token offsets into byte ranges of at most
// room tokens. The ranges overlap by a quarter and end between words if
// possible.
func windows(offsets [][2]int, room, length int) [][2]int {
	if len(offsets) <= room {
		return [][2]int{{0, length}}
	}
	var out [][2]int
	for from := 0; ; {
		to := min(from+room, len(offsets))
		if to == len(offsets) {
			return append(out, [2]int{offsets[from][0], length})
		}
		to = wordStart(offsets, to, from+room*3/4+1)
		out = append(out, [2]int{offsets[from][0], offsets[to-1][1]})
		from = wordStart(offsets, max(from+1, to-room/4), from+1)
	}
}

// wordStart moves i back to a token that begins after a gap in the text, but
// not below low. It returns i itself if there is no such token.
func wordStart(offsets [][2]int, i, low int) int {
	for j := i; j >= low && j > 0; j-- {
		if offsets[j][0] > offsets[j-1][1] {
			return j
		}
	}
	return i
}

// applyScore applies the activation to one logit.
func applyScore(act engine.Activation, x float32) float32 {
	switch act {
	case engine.Sigmoid:
		return float32(1 / (1 + math.Exp(-float64(x))))
	case engine.Tanh:
		return float32(math.Tanh(float64(x)))
	case engine.ReLU:
		return max(0, x)
	}
	return x
}

// scoreCosine compares the embeddings of the query and the documents.
func (r *reranker) scoreCosine(ctx context.Context, query string, documents []string, req RerankRequest) (Scores, error) {
	s := newScores(Cosine, len(documents))
	q, err := r.embedder.Embed(ctx, []string{query}, r.role("query", nil))
	if err != nil {
		return s, err
	}
	d, err := r.embedder.Embed(ctx, documents, r.role("document", req.Progress))
	if err != nil {
		return s, err
	}
	for i, v := range d.Vectors {
		s.Values[i], s.Tokens[i], s.Windows[i] = cosine(q.Vectors[0], v), d.Tokens[i], 1
		if d.Truncated[i] {
			s.Notes = append(s.Notes, fmt.Sprintf("text %d is longer than the model reads: its first %d tokens were used", i+1, d.Tokens[i]))
		}
	}
	if r.headless {
		s.Notes = append(s.Notes, fmt.Sprintf("this model is no cross-encoder: the scores are cosines of its vectors (pooling: %s)", strings.Join(r.embedder.Info().Pooling, ", ")))
	}
	s.Device, s.Fallbacks, s.Notices, s.Profile = d.Device, d.Fallbacks, append(q.Notices, d.Notices...), d.Profile
	return s, nil
}

// role uses the checkpoint's prompt of that name where it has one.
func (r *reranker) role(name string, progress func(done, total int)) EmbedRequest {
	req := EmbedRequest{Progress: progress}
	if _, ok := r.embedder.mods.Prompts[name]; ok {
		req.PromptName = name
	}
	return req
}

// cosine returns the cosine of two vectors, or 0 if one has no length.
func cosine(a, b []float32) float32 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return float32(ab / math.Sqrt(aa*bb))
}
