package documents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/held"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/documents/index"
	"inglenook/documents/store"
	"inglenook/pipeline"
	"inglenook/remote"
)

// embedder is a model of the pool as documents.Embedder. It is borrowed until it is
// closed.
type embedder struct {
	id        string
	how       string // the end of the id: of what kind and length the vectors are
	probe     probe  // tells the model of a server; nil for one here
	entry     library.Entry
	task      string // that the model is open for, one of the Task constants
	open      pool.Opened[pipeline.Embedder]
	counter   pipeline.TokenCounter
	info      pipeline.EmbedderInfo
	prompts   prompts
	special   int // tokens that the model adds to every text
	added     int // those and the prompt of passages
	questions *questions
	device    string // of the last call
	weights   string // how they are held, as in the flag --weights
	chosen    bool   // nobody asked for that, and nothing is noted of it

	spare []func() // release the models that were borrowed before

	// note hears of addresses of the server that fail, and work again; nil: nobody does.
	note func(string)

	// outage tells that the server fails and is awaited: why, as the end of a sentence, and "" when it
	// works again; nil: it is not awaited.
	outage  func(why string)
	worked  bool // the server answered, and did not fail for good since
	awaited bool // it was told that it fails

	// first is called with the first passages, before any is embedded; nil for nothing.
	first func(ctx context.Context, passages []string) error
}

// borrow opens a model for passages or for questions of collections, which task says, with
// weights held as for the vectors that they have.
func (s *Service) borrow(ctx context.Context, entry library.Entry, task string, t devices.Target, from []store.Collection, report func(base.Progress)) (*embedder, error) {
	where, err := s.pool.Choose(ctx, t, &entry, report)
	if err != nil {
		return nil, err
	}
	kept, err := heldFor(ctx, entry, from)
	if err != nil {
		return nil, err
	}
	if t.Weights != "" && kept.Weights != "" && t.Weights != kept.Weights {
		return nil, otherWeights(kept.Weights)
	}
	chosen := t.Weights == "" && kept.Weights == "" && where.Device == "cpu"
	if t.Weights = cmp.Or(t.Weights, kept.Weights); chosen {
		t.Weights = held.EightBits
	}
	open, err := s.pool.OpenEmbedder(ctx, entry, t, pipeline.EmbedderOptions{Weights: t.Weights, Task: entry.Task(task)}, report)
	if err != nil {
		return nil, err
	}
	e, err := newEmbedder(ctx, entry, open, s.questions)
	if err != nil {
		open.Release()
		return nil, err
	}
	e.task, e.weights, e.chosen = task, cmp.Or(t.Weights, held.AsInFile), chosen
	return e, nil
}

func newEmbedder(ctx context.Context, entry library.Entry, open pool.Opened[pipeline.Embedder], q *questions) (*embedder, error) {
	counter, ok := open.Model.(pipeline.TokenCounter)
	if !ok {
		return nil, errors.New("the embedder cannot count tokens")
	}
	info := open.Model.Info()
	e := &embedder{entry: entry, open: open, counter: counter, info: info, prompts: promptsOf(entry.Name, info), questions: q}
	begin, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	if e.special, err = e.ofNothing(ctx, pipeline.EmbedRequest{NoPrompt: true}); err != nil {
		return nil, err
	}
	if e.added, err = e.ofNothing(ctx, e.prompts.passage); err != nil {
		return nil, err
	}
	e.how = e.howOf(info.Dimension)
	e.id = begin + e.how
	return e, nil
}

// howOf is the end of the id where vectors have a length.
func (e *embedder) howOf(dimension int) string {
	how := fmt.Sprintf("%s %d", strings.Join(e.info.Pooling, "+"), dimension)
	if p := e.prompts.passage; p.Prompt != "" || p.PromptName != "" {
		how += fmt.Sprintf(" %q", p.Prompt+p.PromptName)
	}
	return how
}

// begin is how the id begins: with the model.
func (e *embedder) begin(ctx context.Context) (string, error) {
	if p, ok := e.open.Model.(prober); ok {
		e.probe = packed(p.Probe())
		return idOf(e.entry.Architecture, e.probe.print()), nil // others of a team may call the server something else
	}
	print, err := e.entry.Fingerprint(ctx)
	return idOf(e.entry.Name, print), err
}

// idOf is how the ids of a model's embedders begin; print is made of its files, or of its
// vectors.
func idOf(name, print string) string { return name + "@" + print + " " }

// Close releases the model.
func (e *embedder) Close() {
	e.open.Release()
	for _, release := range e.spare {
		release()
	}
}

// change has another model make the vectors. The tokenizer of the one before goes on
// counting.
func (e *embedder) change(to pool.Opened[pipeline.Embedder], weights string) {
	e.spare = append(e.spare, e.open.Release)
	e.open, e.weights = to, weights
}

// ID implements documents.Embedder.
func (e *embedder) ID() string { return e.id }

// Dimension implements documents.Embedder.
func (e *embedder) Dimension() int { return e.info.Dimension }

// MaxTokens implements documents.Embedder.
func (e *embedder) MaxTokens() int { return e.info.MaxLength - e.added }

// CountTokens implements documents.Embedder.
func (e *embedder) CountTokens(texts []string) ([]int, error) {
	counts, err := e.counter.CountTokens(context.Background(), texts, pipeline.EmbedRequest{NoPrompt: true})
	for i := range counts {
		counts[i] -= e.special
	}
	return counts, err
}

// ofNothing is how many tokens an empty text has.
func (e *embedder) ofNothing(ctx context.Context, r pipeline.EmbedRequest) (int, error) {
	counts, err := e.counter.CountTokens(ctx, []string{""}, r)
	if err != nil {
		return 0, err
	}
	return counts[0], nil
}

// EmbedPassages implements documents.Embedder.
func (e *embedder) EmbedPassages(ctx context.Context, texts []string) ([][]float32, error) {
	if first := e.first; first != nil && len(texts) > 0 {
		if err := first(ctx, texts); err != nil {
			return nil, base.InContext(ctx, err)
		}
		e.first = nil
	}
	r := e.prompts.passage
	if e.outage != nil {
		r.Progress, r.Outage = e.answered, e.awaits
	}
	got, err := e.embed(ctx, library.TaskPassages, texts, r)
	if err != nil {
		e.worked = false
		if err = base.InContext(ctx, err); remote.OfServer(err) {
			err = &index.ModelError{Err: err}
		}
		return nil, err
	}
	e.device = got.Device
	for _, n := range got.Notices {
		if e.note != nil {
			e.note(n + ".")
		}
	}
	return got.Vectors, nil
}

// answered notes that the server works.
func (e *embedder) answered(int, int) {
	e.worked = true
	if e.awaited {
		e.awaited = false
		e.outage("")
	}
}

// awaits is told why the server fails, and reports whether it is awaited: where it worked before.
func (e *embedder) awaits(why string) bool {
	if e.worked {
		e.awaited = true
		e.outage(why)
	}
	return e.worked
}

// EmbedQuery implements documents.Embedder. Questions are asked again and again while
// somebody types, so the last vectors are kept.
func (e *embedder) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	key := e.id + " " + e.weights
	if v, ok := e.questions.get(key, text); ok {
		return v, nil
	}
	got, err := e.embed(ctx, library.TaskQuestions, []string{text}, e.prompts.query)
	if err != nil {
		return nil, base.InContext(ctx, err)
	}
	e.questions.put(key, text, got.Vectors[0])
	return got.Vectors[0], nil
}

// embed embeds texts for a task, which has to be that of the open model where this has several.
func (e *embedder) embed(ctx context.Context, task string, texts []string, r pipeline.EmbedRequest) (pipeline.Embeddings, error) {
	if open := e.entry.Task(e.task); open != e.entry.Task(task) {
		return pipeline.Embeddings{}, fmt.Errorf("%s is open for %s and cannot be asked for %s; open it again", e.entry.Name, open, task)
	}
	return e.open.Model.Embed(ctx, texts, r)
}

// mostQuestions is how many vectors of questions are kept.
const mostQuestions = 256

// questions are the vectors of the last questions, by embedder and text.
type questions struct {
	mu      sync.Mutex
	vectors map[[2]string][]float32
	order   [][2]string // the oldest first
}

func newQuestions() *questions { return &questions{vectors: map[[2]string][]float32{}} }

func (q *questions) get(id, text string) ([]float32, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	v, ok := q.vectors[[2]string{id, text}]
	return v, ok
}

func (q *questions) put(id, text string, v []float32) {
	q.mu.Lock()
	defer q.mu.Unlock()
	key := [2]string{id, text}
	if _, ok := q.vectors[key]; !ok {
		q.order = append(q.order, key)
	}
	q.vectors[key] = v
	for len(q.order) > mostQuestions {
		delete(q.vectors, q.order[0])
		q.order = q.order[1:]
	}
}
