package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"time"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/judge"
	"inglenook/pipeline/modules"
	"inglenook/pipeline/placement"
	"inglenook/pipeline/smallfile"
	"inglenook/tokenizer"
	"inglenook/vecmath"
)

// RerankerOptions change what the checkpoint says; the zero value changes nothing.
type RerankerOptions struct {
	WeightsFile string
	Weights     string // how weights are held, as in GeneratorOptions
	// Pooling scores by the cosine of two vectors instead of a classification
	// head: that of the query and that of the document. A vector is made of the
	// states of the last layer, one state a token:
	//
	//	cls     the state of the first token
	//	mean    the mean of all states, those of special tokens too
	//	pooler  the checkpoint's pooler: tanh(W·cls + b), [hidden]
	//
	// The other modes of EmbedderOptions work as they do there. What the module list
	// has behind its pooling (dense layers, layer norms) follows. The prompts named
	// "query" and "document" are put before the texts where the checkpoint has them.
	Pooling []string
	// Form is the name of the form in which a language model is asked, one of Forms.
	// "": the checkpoint tells, or it is no language model that ranks.
	Form        string
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
	asker     *judge.Asker   // of a language model that ranks; else nil
	head      *engine.Tensor // [outputs, hidden], the head of its own that it may have
	untrusted string         // as in RerankerInfo
	maxLength int
	special   int // tokens that the pair template, or the prompt, adds

	embedder *embedder // instead of enc
	headless bool      // the embedder stands in for a head that the checkpoint lacks
}

// RerankerInfo describes an open reranker.
type RerankerInfo struct {
	Architecture string
	Method       string // CrossEncoder or Cosine
	Activation   string // applied to a cross-encoder's logit
	Form         string // in which a language model is asked, for people; "": it is none
	MaxLength    int
	Parameters   int64
	WeightBytes  int64
	DType        string
	Pooling      []string // of Cosine
	Proof        placement.Proof
	// Untrusted is a clause that says why the scores are not to be relied on: the
	// model failed the self-test of opening. It is "" where it passed.
	Untrusted string
}

// RerankRequest says how to score.
type RerankRequest struct {
	Progress func(done, total int) // passages, a long document being several
	Beside   []string              // other questions; where vectors are compared, these cost no second reading of the documents
}

// Scores are one value a document, in the order of the documents.
type Scores struct {
	Values    []float32
	Tokens    []int     // over all windows of the document
	Windows   []int     // parts that a long document was split into; the best one counts
	Cut       []bool    // longer than the model reads: what follows did not count; nil where windows are read
	Beside    []float32 // of each question of the request's Beside the value of the document that fits it best; nil where no vectors are compared
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
// its Info. Then the reranker is asked one obvious question: see
// RerankerInfo.Untrusted.
func OpenReranker(ctx context.Context, checkpoint fs.FS, bs []engine.Backend, o RerankerOptions) (Reranker, error) {
	r, err := openReranker(ctx, checkpoint, bs, o)
	if err != nil {
		return nil, err
	}
	if err := r.selfTest(ctx); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func openReranker(ctx context.Context, checkpoint fs.FS, bs []engine.Backend, o RerankerOptions) (*reranker, error) {
	if len(o.Pooling) > 0 && o.Form != "" {
		return nil, errors.New("a pooling compares vectors and a form asks a language model; state only one of the two")
	}
	if len(o.Pooling) == 0 {
		if r, err := openAsked(ctx, checkpoint, bs, o); !errors.Is(err, judge.ErrNone) {
			return r, err
		}
	}
	if len(o.Pooling) == 0 && classifies(checkpoint, o.WeightsFile) {
		return openCrossEncoder(ctx, checkpoint, bs, o)
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

// NewCosineReranker scores by the cosine of vectors of an embedder that is open already, which stays open when the
// reranker is no longer used. headless: the embedder stands in for a head that the checkpoint lacks. It is nil for an
// embedder that does not compute here.
func NewCosineReranker(ctx context.Context, e Embedder, headless bool) (Reranker, error) {
	own, ok := e.(*embedder)
	if !ok {
		return nil, nil
	}
	r := &reranker{embedder: own, maxLength: own.maxLength, headless: headless}
	own.trust.Lock()
	defer own.trust.Unlock()
	if !own.trust.tested { // once, as when a reranker is opened
		if err := r.selfTest(ctx); err != nil {
			return nil, err
		}
		own.trust.tested, own.trust.untrusted = true, r.untrusted
	}
	r.untrusted = own.trust.untrusted
	return r, nil
}

// classifies reports whether a checkpoint is an encoder with a head for labels. What is
// wrong with another one says whoever opens it.
func classifies(checkpoint fs.FS, weightsFile string) bool {
	s, err := openSource(checkpoint, weightsFile, engine.F32)
	if err == nil {
		s.close()
	}
	return s.config.Head == models.Logits && !s.config.Causal
}

func openCrossEncoder(ctx context.Context, checkpoint fs.FS, bs []engine.Backend, o RerankerOptions) (*reranker, error) {
	quantize, err := weightType(o.Weights)
	if err != nil {
		return nil, err
	}
	s, err := openSource(checkpoint, o.WeightsFile, quantize)
	if err != nil {
		return nil, err
	}
	label, err := s.relevance()
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	enc, err := newEncoder(s, placement.NewList(bs, o.Available), o.BatchTokens)
	if err != nil {
		return nil, err
	}
	r := &reranker{enc: enc, label: label}
	if err := r.open(ctx, checkpoint, o); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *reranker) open(ctx context.Context, checkpoint fs.FS, o RerankerOptions) (err error) {
	if r.act, err = scoreActivation(checkpoint, r.enc.config.Labels); err != nil {
		return err
	}
	if err := r.enc.openTokenizer(false); err != nil {
		return err
	}
	empty, err := r.enc.tok.EncodePair("", "", tokenizer.Options{})
	if err != nil {
		return err
	}
	if err := r.leaveRoom(len(empty.IDs), r.enc.config.MaxTokens, r.enc.tok.ModelMaxLength(), o.MaxLength); err != nil {
		return err
	}
	return r.enc.load(ctx, r.record, o.Progress, o.Prove)
}

// leaveRoom settles how long a pair may be, and of how many tokens its texts are no part.
func (r *reranker) leaveRoom(special int, limits ...int) error {
	r.special, r.maxLength = special, longest(limits...)
	if r.maxLength < r.special+2 {
		return fmt.Errorf("%d tokens leave no room for a query and a document; allow more", r.maxLength)
	}
	return nil
}

func (r *reranker) record(g *engine.Graph, b models.Batch) *engine.Tensor {
	if r.asker != nil {
		return recordAnswer(g, b, r.enc.reader, r.head)
	}
	return r.enc.model.Forward(g, b, models.Logits)
}

// scoreActivation returns the function that the checkpoint applies to its
// logits. sentence-transformers has kept it in three places, of which its own file
// counts first; without any of them it is a sigmoid for one label and none for several.
func scoreActivation(checkpoint fs.FS, labels int) (engine.Activation, error) {
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
	for _, class := range []string{own.Activation, config.Nested.Activation, config.Legacy} {
		if class != "" {
			return modules.Activation(class)
		}
	}
	if labels > 1 {
		return engine.None, nil
	}
	return engine.Sigmoid, nil
}

// Info describes the reranker.
func (r *reranker) Info() RerankerInfo {
	if r.embedder != nil {
		e := r.embedder.Info()
		return RerankerInfo{
			Architecture: e.Architecture, Method: Cosine, MaxLength: e.MaxLength,
			Parameters: e.Parameters, WeightBytes: e.WeightBytes, DType: e.DType, Pooling: e.Pooling, Proof: e.Proof, Untrusted: r.untrusted,
		}
	}
	form := ""
	if r.asker != nil {
		form = r.asker.Name
	}
	return RerankerInfo{
		Architecture: r.enc.config.Architecture, Method: CrossEncoder, Form: form, Activation: r.activation(), MaxLength: r.maxLength,
		Parameters: r.enc.parameters, WeightBytes: r.enc.weightBytes, DType: r.enc.dtype, Proof: r.enc.proof, Untrusted: r.untrusted,
	}
}

// activation names the function from outputs to the score.
func (r *reranker) activation() string {
	if r.softmax() {
		return "softmax"
	}
	return r.act.String()
}

// softmax reports whether the score is the share of one label among several, and
// not a value of its own.
func (r *reranker) softmax() bool { return r.label.labels > 1 && r.act == engine.None }

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
	if len(s.Values) > 1 && slices.Min(s.Values) == slices.Max(s.Values) {
		s.Notes = append(s.Notes, "all texts have the same score, so their order says nothing")
	}
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
	if note := r.label.note(); r.asker == nil && note != "" {
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
	if r.asker != nil {
		return applyScore(r.act, r.asker.Value(row))
	}
	if r.softmax() {
		return r.label.probability(row)
	}
	return applyScore(r.act, row[r.label.label])
}

func newScores(method string, n int) Scores {
	return Scores{Method: method, Values: make([]float32, n), Tokens: make([]int, n), Windows: make([]int, n)}
}

// applyScore applies the activation to one logit.
func applyScore(act engine.Activation, logit float32) float32 {
	x := float64(logit)
	switch act {
	case engine.Sigmoid:
		x = 1 / (1 + math.Exp(-x))
	case engine.Tanh:
		x = math.Tanh(x)
	case engine.ReLU:
		x = max(0, x)
	case engine.SiLU:
		x /= 1 + math.Exp(-x)
	case engine.GELU:
		x *= (1 + math.Erf(x/math.Sqrt2)) / 2
	}
	return float32(x)
}

// scoreCosine compares the embeddings of the query and the documents.
func (r *reranker) scoreCosine(ctx context.Context, query string, documents []string, req RerankRequest) (Scores, error) {
	s := newScores(Cosine, len(documents))
	q, err := r.embedder.Embed(ctx, []string{query}, r.role("query", nil)) // alone, so that its last bits do not depend on Beside
	if err != nil {
		return s, err
	}
	d, err := r.embedder.Embed(ctx, documents, r.role("document", req.Progress))
	if err != nil {
		return s, err
	}
	for i, v := range d.Vectors {
		s.Values[i], s.Tokens[i], s.Windows[i] = float32(vecmath.Cosine(q.Vectors[0], v)), d.Tokens[i], 1
	}
	s.Cut = d.Truncated
	if len(req.Beside) > 0 {
		beside, err := r.embedder.Embed(ctx, req.Beside, r.role("query", nil))
		if err != nil {
			return s, err
		}
		s.Beside = BestOfEach(beside.Vectors, d.Vectors, documents)
	}
	if note := cutNote(d.Truncated, r.maxLength); note != "" {
		s.Notes = append(s.Notes, note)
	}
	if r.headless {
		s.Notes = append(s.Notes, fmt.Sprintf("this model compares vectors: the score of a text is the cosine of its vector and that of the question (pooling: %s)", strings.Join(r.embedder.Info().Pooling, ", ")))
	}
	s.Device, s.Fallbacks, s.Notices, s.Profile = d.Device, d.Fallbacks, append(q.Notices, d.Notices...), d.Profile
	return s, nil
}

// BestOfEach returns for each question the highest cosine of its vector and those of the documents
// that are not blank.
func BestOfEach(questions, vectors [][]float32, documents []string) []float32 {
	best := make([]float32, len(questions))
	for k, question := range questions {
		best[k] = -1
		for i, v := range vectors {
			if !IsBlank(documents[i]) {
				best[k] = max(best[k], float32(vecmath.Cosine(question, v)))
			}
		}
	}
	return best
}

// cutNote says which texts were cut at a number of tokens.
func cutNote(cut []bool, tokens int) string {
	var which []int
	for i, c := range cut {
		if c {
			which = append(which, i+1)
		}
	}
	switch len(which) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("text %d is longer than the model reads: its first %d tokens were used", which[0], tokens)
	}
	return fmt.Sprintf("%s are longer than the model reads: the first %d tokens of each were used", textsNamed(which), tokens)
}

// role uses the checkpoint's prompt of that name where it has one.
func (r *reranker) role(name string, progress func(done, total int)) EmbedRequest {
	req := EmbedRequest{Progress: progress}
	if _, ok := r.embedder.mods.Prompts[name]; ok {
		req.PromptName = name
	}
	return req
}

// relevance selects the output of a classifier that is the score of a document. A single
// output is the score itself. Of several labels, the score is that of the one that means
// relevant: its probability, unless the checkpoint states another activation.
type relevance struct {
	labels int
	label  int    // by its index
	name   string // of one of several, quoted for messages
}

// relevant are the names of labels that speak for a document.
var relevant = []string{"relevant", "entailment", "yes", "true", "positive"}

// relevance finds the label by its name. Of two labels without such a name it is the
// second, as classifiers are trained.
func (s source) relevance() (relevance, error) {
	labels := s.config.Labels
	if labels == 1 {
		return relevance{labels: 1}, nil
	}
	names, err := s.labels()
	if err != nil {
		return relevance{}, err
	}
	var found []int
	for i, name := range names {
		if slices.Contains(relevant, strings.ToLower(name)) {
			found = append(found, i)
		}
	}
	if len(found) == 0 && labels == 2 {
		found = []int{1}
	}
	if len(found) != 1 {
		return relevance{}, fmt.Errorf("this classifier has %d labels (%.100q), and not one of them says that a document is relevant (%s), so it cannot rank documents; choose a reranker (a cross-encoder with one label)",
			labels, names, strings.Join(relevant, ", "))
	}
	name := fmt.Sprintf("number %d", found[0])
	if s := names[found[0]]; s != "" {
		name = fmt.Sprintf("%.40q", s)
	}
	return relevance{labels, found[0], name}, nil
}

// note returns a sentence on which label is the score, or "" if there is only one.
func (r relevance) note() string {
	if r.labels == 1 {
		return ""
	}
	return fmt.Sprintf("this classifier has %d labels: the score is the probability of the label %s", r.labels, r.name)
}

// probability is the softmax of the label's output.
func (r relevance) probability(row []float32) float32 {
	most, sum := float64(slices.Max(row)), 0.0
	for _, x := range row {
		sum += math.Exp(float64(x) - most)
	}
	return float32(math.Exp(float64(row[r.label])-most) / sum)
}
