package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/chattemplate"
	"inglenook/pipeline/decoding"
	"inglenook/pipeline/memory"
	"inglenook/pipeline/placement"
	"inglenook/pipeline/words"
	"inglenook/sampling"
	"inglenook/tokenizer"
	"inglenook/weights"
)

// GeneratorOptions belong to OpenWriter; the zero value fits a chat.
type GeneratorOptions struct {
	WeightsFile string // a certain .safetensors or .gguf file of the folder
	Hold
	// IDsOnly opens no tokenizer, so the checkpoint need not have one. Then
	// only CompleteIDs writes, and its tokens have no text.
	IDsOnly bool
	// ChunkTokens of a prompt are read in one pass; 0 for 512.
	ChunkTokens int
	// Available returns the bytes of memory that may be used; nil, or 0, where that
	// is unknown. A model that needs more is refused before it is loaded, and
	// before another device takes over from one that failed.
	Available func() int64
	// Prove compares a short pass on the device with the CPU's before the
	// device is trusted with this model. For that the weights are read twice.
	// There is no comparison if the CPU has no room for the weights.
	Prove    bool
	Progress func(done, total int64) // bytes of weights
}

const (
	defaultContext     = 4096
	defaultChunkTokens = 512
)

// Generator is the Writer that computes on this machine, with a causal language
// model. It may be used from several goroutines. As many answers are made at once as it
// has seats; the others wait.
type Generator struct {
	info     GeneratorInfo
	tok      *tokenizer.Tokenizer   // nil: ids only
	template *chattemplate.Template // nil: none
	set      *weights.Set
	ends     []int32          // ascending
	tags     map[int32]string // as from thinkingTags
	context  int
	vocab    int
	whole    bool // it answers the last message alone, which it reads whole
	wordList wordList

	seats   seats
	closing sync.Mutex

	life context.Context // ends with Close
	end  context.CancelFunc
}

// GeneratorInfo describes an open Writer.
type GeneratorInfo struct {
	Architecture string
	Context      int      // tokens
	Sequences    int      // answers that are made at once
	ModelContext int      // tokens that the model was made for
	Chat         bool     // has a chat template
	Thinking     Thinking // what a person can choose of its thinking
	Tools        bool     // its chat template teaches calls of tools in a form that is known here
	Sampling     Sampling // what the model's makers suggest, else what fits most models
	Stated       bool     // Sampling is the makers'
	Device       string   // at first; each answer tells where it was made
	Fallbacks    []engine.Fallback
	// Notices are sentences about devices that failed while the model was opened.
	Notices []string
	// Notes are sentences about what is not as one may expect.
	Notes []string
	// Local returns how the model is held in the memory of this computer, or
	// nil if it is on another one.
	Local *LocalInfo
}

// Thinking is what a model's chat template lets a person choose of its thinking.
type Thinking uint8

// The choices. With ThinkingSwitch the variable enable_thinking turns it on or off, with
// ThinkingEffort reasoning_effort is low, medium or high.
const (
	ThinkingFixed Thinking = iota
	ThinkingSwitch
	ThinkingEffort
)

// thinkingOf returns what a chat template offers that reads these switches.
func thinkingOf(reads func(name string) bool) Thinking {
	switch {
	case reads("enable_thinking"):
		return ThinkingSwitch
	case reads("reasoning_effort"):
		return ThinkingEffort
	}
	return ThinkingFixed
}

// samplingOf is how tokens of a model are chosen where nobody says otherwise.
func samplingOf(c models.Config, g words.Generation) Sampling {
	if c.TextToText && !g.Stated {
		return sampling.Likeliest()
	}
	return g.Sampling
}

// LocalInfo describes the files of a model, and how it is held on this computer.
type LocalInfo struct {
	Format      string // "safetensors" or "gguf"
	Parameters  int64
	Vocab       int    // token ids
	WeightBytes int64  // as in the files
	DType       string // of most weights in the files: "F32", "Q8_0" …
	Weights     string // how they are held: "auto" (as in the files), "q8_0", "q4_k"
	KV          string // "f16" …
	Memory      memory.Needs
	Proof       placement.Proof
}

// OpenWriter opens a checkpoint for writing text and prepares its weights. The
// Writer is a *Generator.
func OpenWriter(ctx context.Context, checkpoint fs.FS, bs []engine.Backend, o GeneratorOptions) (Writer, error) {
	g, err := openGenerator(ctx, checkpoint, bs, o)
	if err != nil {
		return nil, err
	}
	return g, nil
}

func openGenerator(ctx context.Context, checkpoint fs.FS, bs []engine.Backend, o GeneratorOptions) (*Generator, error) {
	g := newGenerator()
	if err := g.open(ctx, checkpoint, bs, o); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g, nil
}

func newGenerator() *Generator {
	g := &Generator{}
	g.life, g.end = context.WithCancel(context.Background())
	return g
}

func (g *Generator) open(ctx context.Context, checkpoint fs.FS, bs []engine.Backend, o GeneratorOptions) error {
	kv, err := cacheType(o.KV)
	if err != nil {
		return err
	}
	quantize, err := weightType(o.Weights)
	if err != nil {
		return err
	}
	s, err := openSource(checkpoint, o.WeightsFile, quantize)
	if err != nil {
		return err
	}
	g.set = s.set
	if s.config.Headless {
		return fmt.Errorf("%s has no output layer, so it cannot write; choose a language model", s.config.Architecture)
	}
	if !o.IDsOnly {
		if err := g.openText(ctx, s); err != nil {
			return err
		}
	}
	if g.context, err = contextFor(o.Context, s.config.MaxTokens); err != nil {
		return err
	}
	decoder, err := models.LoadDecoder(s.config, s.set)
	if err != nil {
		return err
	}
	s.config = decoder.Config()
	chunk := o.ChunkTokens
	if chunk <= 0 {
		chunk = defaultChunkTokens
	}
	model, err := decoding.NewDecoder(decoder, kv, g.context, min(chunk, g.context), placement.NewList(bs, o.Available))
	if err != nil {
		return err
	}
	g.vocab, g.whole = s.config.Vocab, s.config.TextToText
	g.describe(s, kv, o)
	if err := g.sit(model, o.Sequences); err != nil {
		return errors.Join(err, model.Close())
	}
	return g.load(ctx, model, o)
}

// sit makes a seat for each answer that can be made at once.
func (g *Generator) sit(model *decoding.Decoder, wish int) error {
	n := max(wish, 1)
	if n > decoding.MostSequences {
		return fmt.Errorf("%d answers at once are too many; choose %d at most", n, decoding.MostSequences)
	}
	if n > 1 && model.Alone() {
		n = 1
		g.info.Notes = append(g.info.Notes, "this model makes its answers one after the other, because it remembers what it reads in a form that several answers cannot share a pass with")
	}
	g.info.Sequences = n
	if n == 1 {
		g.seats.add(decoding.NewHistory(model, g.context, model.Chunk))
		return nil
	}
	if err := model.Sequences(n); err != nil {
		return err
	}
	for _, s := range decoding.NewGroup(model).Sequences() {
		g.seats.add(decoding.NewHistory(s, g.context, model.Chunk))
	}
	return nil
}

// openText opens what turns text into ids and back.
func (g *Generator) openText(ctx context.Context, s source) (err error) {
	w := s.words()
	if g.tok, err = w.Tokenizer(); err != nil {
		return err
	}
	g.info.Notes = append(g.info.Notes, g.tok.Warnings()...)
	g.template, err = w.ChatTemplate(g.tok)
	if err != nil && !errors.Is(err, chattemplate.ErrMissing) {
		g.info.Notes = append(g.info.Notes, fmt.Sprintf("the chat template cannot be used: %v", err))
	}
	written, err := w.Generation()
	if err != nil {
		return err
	}
	g.info.Notes = append(g.info.Notes, written.Notes...)
	g.ends, g.tags = endIDs(ctx, g.tok, g.template, written.Ends), thinkingTags(g.tok)
	g.info.Tools = g.template != nil && g.template.Calls() != nil && !hasChannels(g.tok)
	g.info.Chat, g.info.Sampling, g.info.Stated = g.template != nil, samplingOf(s.config, written), written.Stated
	return nil
}

// describe fills in what is known before the weights are read.
func (g *Generator) describe(s source, kv engine.DType, o GeneratorOptions) {
	i, c := &g.info, s.config
	i.Architecture, i.ModelContext, i.Context = c.Architecture, c.MaxTokens, g.context
	i.Notes = slices.Concat(i.Notes, c.Notes, s.set.Notes())
	local := &LocalInfo{Format: "safetensors", Vocab: c.Vocab, Weights: cmp.Or(o.Weights, asStored), KV: kv.String()}
	local.Parameters, local.WeightBytes, local.DType = measure(s.set)
	if s.set.Meta() != nil {
		local.Format = "gguf"
	}
	i.Local = local
	if g.tok == nil {
		return
	}
	if g.template != nil {
		i.Thinking = thinkingOf(g.template.Reads)
	}
	if top := int(g.tok.MaxID()); top >= c.Vocab {
		i.Notes = append(i.Notes, fmt.Sprintf("the tokenizer has ids up to %d and the model only %d: a text with the others cannot be read", top, c.Vocab))
	}
}

// load reads the weights, if they fit.
func (g *Generator) load(ctx context.Context, model *decoding.Decoder, o GeneratorOptions) error {
	if err := model.Divide(); err != nil {
		return err
	}
	needs, _, err := model.Needs()
	if err != nil {
		return err
	}
	if g.tok == nil {
		needs.Text = memory.OfText(0)
	}
	if o.Available != nil {
		if needs, err = model.Spare(needs, o.Available()); err != nil {
			return err
		}
		if cost := needs.Cost(); cost != "" {
			g.info.Notes = append(g.info.Notes, cost)
		}
	}
	if g.info.Local.Proof, err = model.List.Load(ctx, model, o.Progress, o.Prove); err != nil {
		return err
	}
	_, report, err := model.Needs() // where it runs after all
	if err != nil {
		return err
	}
	var on placement.Outcome
	on.Saw(report)
	g.info.Local.Memory, g.info.Device, g.info.Fallbacks, g.info.Notices = needs, on.Device(), on.Fallbacks, model.Notices()
	return nil
}

// contextFor is the context for a wish (0 = none) and what the model can see.
func contextFor(wish, most int) (int, error) {
	switch {
	case wish == 0:
		return min(most, defaultContext), nil
	case wish < 2:
		return 0, fmt.Errorf("a context of %d tokens has no room for a question and an answer; choose a larger one", wish)
	case wish > most:
		return 0, fmt.Errorf("this model was made for a context of at most %d tokens, and %d are asked for; choose a smaller one", most, wish)
	}
	return wish, nil
}

// Info implements Writer.
func (g *Generator) Info() GeneratorInfo {
	i := g.info
	i.Notes, i.Notices, i.Fallbacks = slices.Clone(i.Notes), slices.Clone(i.Notices), slices.Clone(i.Fallbacks)
	if i.Local != nil {
		local := *i.Local
		i.Local = &local
	}
	return i
}

// errIDsOnly is about a generator that was opened without its tokenizer.
var errIDsOnly = errors.New("this model was opened without its tokenizer, so it works with token ids only")

// ErrClosed is the error of a Generator after Close.
var ErrClosed = errors.New("the model has been closed; open it again")

// begin waits for this caller's turn, and returns the seat that has read most of ids. The
// context that it returns ends with ctx and with Close. The caller has to call done.
func (g *Generator) begin(ctx context.Context, ids []int32) (_ context.Context, s *seat, done func(), err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(g.life, func() { cancel(ErrClosed) })
	leave := func() {
		stop()
		cancel(nil)
	}
	if s, err = g.seats.take(ctx, ids, nil); err != nil {
		leave()
		return nil, nil, nil, err
	}
	done = func() {
		g.seats.give(s)
		leave()
	}
	if g.life.Err() != nil {
		done()
		return nil, nil, nil, ErrClosed
	}
	return ctx, s, done, nil
}

// Forget empties the caches, so that the next answers read their prompts again. It
// waits for answers under way.
func (g *Generator) Forget() {
	g.seats.each(func(s *seat) { s.history.Cut(0) })
}

// Close ends the answers that are being made, waits for their loops, and frees the
// weights, the caches and the tokenizer. It must not be called inside such a loop.
func (g *Generator) Close() error {
	g.end()
	errs := g.seats.close()
	g.closing.Lock()
	defer g.closing.Unlock()
	if g.tok != nil {
		errs = append(errs, g.tok.Close())
	}
	if g.set != nil {
		errs = append(errs, g.set.Close())
		g.set = nil
	}
	return errors.Join(errs...)
}
