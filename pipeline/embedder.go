package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/modules"
	"inglenook/pipeline/placement"
	"inglenook/tokenizer"
)

// EmbedderOptions change what the checkpoint says; the zero value changes nothing.
type EmbedderOptions struct {
	WeightsFile string   // a certain .safetensors file of the folder
	Weights     string   // how weights are held, as in GeneratorOptions
	Task        string   // one of those that the checkpoint has weights for; "": its usual one
	Pooling     []string // cls, mean, max, last, mean_sqrt_len, weighted_mean, or pooler alone
	NoNormalize bool     // leave out the final L2 normalization
	MaxLength   int      // tokens; longer texts are cut and marked
	BatchTokens int      // tokens in one forward pass
	// Available returns the bytes of memory that are free; nil, or 0: unknown. It
	// is asked before the model is loaded, and before another device takes over
	// from one that failed.
	Available func() int64
	Prove     bool // as in GeneratorOptions
	Progress  func(done, total int64)
}

// embedder is the Embedder that computes on the backends.
type embedder struct {
	enc       *encoder
	mods      *modules.List
	maxLength int
	trust     trust // as a reranker
}

// trust is what the self-test of a reranker said of an embedder, which several may use.
type trust struct {
	sync.Mutex
	tested    bool
	untrusted string
}

// EmbedderInfo describes an open embedder.
type EmbedderInfo struct {
	Architecture  string
	Dimension     int
	MaxLength     int // tokens
	Parameters    int64
	WeightBytes   int64
	DType         string
	Pooling       []string
	PoolingStated bool // false: the checkpoint does not say how to pool; the mean was taken
	Normalize     bool
	Prompts       map[string]string
	Proof         placement.Proof
	Notes         []string // sentences about what is not as one may expect
}

// EmbedRequest says how to embed; the zero value uses the checkpoint's default
// prompt and reports no progress.
type EmbedRequest struct {
	Prompt     string // put before each text
	PromptName string // one of the checkpoint's prompts; Prompt wins
	NoPrompt   bool   // not even the checkpoint's default one
	Progress   func(done, total int)

	// Outage is told why a server fails, as the end of a sentence such as "fails (status 500)", once
	// before each of some more tries, which take up to 45 s; its answer is whether to try. nil: the
	// failure is an error at once.
	Outage func(why string) (await bool)
}

// Embeddings are the vectors [texts][dimension] in the order of the texts.
type Embeddings struct {
	Vectors   [][]float32
	Tokens    []int  // of each text, special tokens and prompt included
	Truncated []bool // longer than MaxLength and cut there
	Notes     []string
	Took      time.Duration
	Device    string
	Fallbacks []engine.Fallback
	Notices   []string // sentences about devices that failed
	Profile   placement.Profile
	Match     *Match // of pictures; nil: the model was trained by shares of a softmax
}

// Match is how a model such as SigLIP turns the cosine of a text and a picture into the
// probability that they belong together: the sigmoid of Scale·cosine + Bias.
type Match struct{ Scale, Bias float64 }

// OpenEmbedder opens a checkpoint for embedding and prepares its weights.
func OpenEmbedder(ctx context.Context, checkpoint fs.FS, bs []engine.Backend, o EmbedderOptions) (Embedder, error) {
	e, err := openEmbedder(ctx, checkpoint, bs, o)
	if err != nil {
		return nil, err
	}
	return e, nil
}

func openEmbedder(ctx context.Context, checkpoint fs.FS, bs []engine.Backend, o EmbedderOptions) (*embedder, error) {
	root, err := transformerRoot(checkpoint)
	if err != nil {
		return nil, err
	}
	enc, err := openEncoder(root, o, placement.NewList(bs, o.Available))
	if err != nil {
		return nil, err
	}
	e := &embedder{enc: enc}
	if err := e.open(ctx, checkpoint, o); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// transformerRoot is the folder of the transformer module: old checkpoints
// keep it in one of its own (0_Transformer).
func transformerRoot(checkpoint fs.FS) (fs.FS, error) {
	if _, err := fs.Stat(checkpoint, "config.json"); err == nil {
		return checkpoint, nil
	}
	if _, err := fs.Stat(checkpoint, "0_Transformer/config.json"); err == nil {
		return fs.Sub(checkpoint, "0_Transformer")
	}
	return checkpoint, nil
}

func (e *embedder) open(ctx context.Context, checkpoint fs.FS, o EmbedderOptions) (err error) {
	if e.mods, err = e.enc.modules(checkpoint); err != nil {
		return err
	}
	e.addInstructions(o.Task)
	if err := e.enc.openTokenizer(e.mods.LowerCase); err != nil {
		return err
	}
	if err := e.override(o); err != nil {
		return err
	}
	if e.enc.reader != nil && !e.mods.Stated {
		return fmt.Errorf("%s is a language model that does not say how to pool, so it cannot embed or score texts; choose an embedding model, or state a pooling", e.enc.config.Architecture)
	}
	if e.enc.reader != nil && e.enc.config.OwnCode {
		return errOwnCode(e.enc.config)
	}
	stated := e.mods.MaxLength
	if stated == 0 {
		stated = e.enc.tok.ModelMaxLength()
	}
	e.maxLength = longest(e.enc.config.MaxTokens, stated, o.MaxLength)
	return e.enc.load(ctx, e.record(0), o.Progress, o.Prove)
}

// addInstructions adds to the prompts what texts for a task begin with. That of the task for
// which the checkpoint is opened is its default one.
func (e *embedder) addInstructions(task string) {
	c := e.enc.config
	if len(c.Tasks) == 0 {
		return
	}
	prompts := map[string]string{}
	for i, name := range c.Tasks {
		prompts[name] = ""
		if c.Instructions != nil {
			prompts[name] = c.Instructions[i]
		}
	}
	maps.Copy(prompts, e.mods.Prompts)
	e.mods.Prompts = prompts
	e.mods.DefaultPrompt = cmp.Or(task, e.mods.DefaultPrompt)
}

// override applies the options on top of the checkpoint's modules.
func (e *embedder) override(o EmbedderOptions) error {
	m := e.mods
	if o.NoNormalize {
		m.Steps = slices.DeleteFunc(m.Steps, func(s modules.Step) bool { _, is := s.(modules.Normalize); return is })
	}
	if len(o.Pooling) == 0 {
		return nil
	}
	before := len(m.Pooling)
	if slices.Equal(o.Pooling, []string{"pooler"}) {
		if !e.enc.model.Has(models.Pooled) {
			return errors.New("this checkpoint has no pooler; choose another pooling, such as cls or mean")
		}
		m.Pooling, m.Pooler = nil, true
	} else {
		modes, err := modules.PoolModes(o.Pooling)
		if err != nil {
			return err
		}
		m.Pooling = modes
	}
	if width := max(1, len(m.Pooling)); width != max(1, before) {
		if slices.ContainsFunc(m.Steps, func(s modules.Step) bool { _, norm := s.(modules.Normalize); return !norm }) {
			return errors.New("this checkpoint's dense layer needs its own pooling; leave the pooling as it is")
		}
		m.Dimension = e.enc.config.Hidden * width
	}
	m.Stated = true
	return nil
}

// Info implements Embedder.
func (e *embedder) Info() EmbedderInfo {
	info := EmbedderInfo{
		Architecture: e.enc.config.Architecture, Dimension: e.mods.Dimension, MaxLength: e.maxLength,
		Parameters: e.enc.parameters, WeightBytes: e.enc.weightBytes, DType: e.enc.dtype,
		PoolingStated: e.mods.Stated, Prompts: maps.Clone(e.mods.Prompts), Proof: e.enc.proof,
		Notes: slices.Concat(e.enc.config.Notes, e.enc.set.Notes()),
	}
	for _, mode := range e.mods.Pooling {
		info.Pooling = append(info.Pooling, mode.String())
	}
	if e.mods.Pooler {
		info.Pooling = []string{"pooler"}
	}
	for _, s := range e.mods.Steps {
		if _, is := s.(modules.Normalize); is {
			info.Normalize = true
		}
	}
	return info
}

// Close frees the weights and the tokenizer.
func (e *embedder) Close() error {
	if e.mods != nil {
		e.mods.Close()
	}
	return e.enc.close()
}

// Embed implements Embedder.
func (e *embedder) Embed(ctx context.Context, texts []string, r EmbedRequest) (Embeddings, error) {
	start := time.Now()
	if len(texts) == 0 {
		return Embeddings{}, errNoTexts
	}
	prompt, err := e.prompt(r)
	if err != nil {
		return Embeddings{}, err
	}
	encs, err := e.enc.tok.EncodeBatch(ctx, withPrompt(prompt, texts), e.tokens())
	if err != nil {
		return Embeddings{}, err
	}
	skip, err := e.promptTokens(prompt)
	if err != nil {
		return Embeddings{}, err
	}
	out := Embeddings{
		Vectors: make([][]float32, len(texts)), Tokens: make([]int, len(texts)), Truncated: make([]bool, len(texts)),
		Notes: textNotes(texts),
	}
	done := 0
	ran, err := e.enc.batches(ctx, e.enc.padded(encs), e.record(skip), func(i int, row []float32) error {
		out.Vectors[i], out.Tokens[i], out.Truncated[i] = row, len(encs[i].IDs), encs[i].Truncated
		done++
		if r.Progress != nil {
			r.Progress(done, len(texts))
		}
		return nil
	})
	if err != nil {
		return Embeddings{}, err
	}
	out.Device, out.Fallbacks, out.Notices, out.Profile, out.Took = ran.Device(), ran.Fallbacks, ran.Notices, ran.Profile, time.Since(start)
	return out, nil
}

// CountTokens implements TokenCounter.
func (e *embedder) CountTokens(ctx context.Context, texts []string, r EmbedRequest) ([]int, error) {
	prompt, err := e.prompt(r)
	if err != nil {
		return nil, err
	}
	encs, err := e.enc.tok.EncodeBatch(ctx, withPrompt(prompt, texts), tokenizer.Options{ParseSpecial: true})
	if err != nil {
		return nil, err
	}
	counts := make([]int, len(encs))
	for i, enc := range encs {
		counts[i] = len(enc.IDs)
	}
	return counts, nil
}

func withPrompt(prompt string, texts []string) []string {
	if prompt == "" {
		return texts
	}
	input := make([]string, len(texts))
	for i, t := range texts {
		input[i] = prompt + t
	}
	return input
}

func (e *embedder) tokens() tokenizer.Options {
	return readTyped(tokenizer.Options{MaxLength: e.maxLength})
}

// readTyped lets the tokenizer read a typed "[SEP]" as the control token. The
// reference library does the same, so vectors and scores from here and from
// elsewhere can be compared. It is harmless: neither an embedder nor a cross-encoder
// has a prompt that a control token could break out of.
func readTyped(o tokenizer.Options) tokenizer.Options {
	o.ParseSpecial = true
	return o
}

// prompt is the text to put before each text.
func (e *embedder) prompt(r EmbedRequest) (string, error) {
	if r.Prompt != "" || r.NoPrompt {
		return r.Prompt, nil
	}
	name := r.PromptName
	if name == "" {
		name = e.mods.DefaultPrompt
	}
	if name == "" {
		return "", nil
	}
	p, ok := e.mods.Prompts[name]
	if !ok {
		return "", fmt.Errorf("this checkpoint has no prompt named %q; it has: %s", name, strings.Join(slices.Sorted(maps.Keys(e.mods.Prompts)), ", "))
	}
	return p, nil
}

// promptTokens is how many leading tokens pooling leaves out.
func (e *embedder) promptTokens(prompt string) (int, error) {
	if prompt == "" || !e.mods.ExcludePrompt {
		return 0, nil
	}
	enc, err := e.enc.tok.Encode(prompt, e.tokens())
	if err != nil {
		return 0, err
	}
	return len(enc.IDs) - 1, nil // the closing special token belongs to the text
}

// record is the whole module list as one pass: transformer, pooling over all
// but the first skip tokens, and the steps after it. Result [texts, dimension].
func (e *embedder) record(skip int) recorder {
	m := e.mods
	return func(g *engine.Graph, b models.Batch) *engine.Tensor {
		var x *engine.Tensor
		switch {
		case m.Pooler:
			x = e.enc.model.Forward(g, b, models.Pooled)
		case skip == 0 && slices.Equal(m.Pooling, []engine.PoolMode{engine.PoolCLS}):
			x = e.enc.model.Forward(g, b, models.First)
		default:
			x = e.enc.model.Forward(g, b, models.Hidden)
			kept, starts := withoutPrompt(b.Starts, skip)
			if skip > 0 {
				x = g.Rows(x, g.Ints("after the prompt", kept))
			}
			x = g.Pool(x, g.Ints("pool starts", starts), m.Pooling...)
		}
		for _, s := range m.Steps {
			x = s.Record(g, x)
		}
		return x
	}
}

// withoutPrompt returns the rows that remain if each text loses its first skip
// tokens, and where each text starts among them. A text keeps at least its last
// token.
func withoutPrompt(starts []int32, skip int) (kept, newStarts []int32) {
	if skip == 0 {
		return nil, starts
	}
	newStarts = []int32{0}
	for i := range len(starts) - 1 {
		from := min(starts[i]+int32(skip), starts[i+1]-1)
		for row := from; row < starts[i+1]; row++ {
			kept = append(kept, row)
		}
		newStarts = append(newStarts, int32(len(kept)))
	}
	return kept, newStarts
}
