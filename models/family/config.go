package family

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"inglenook/engine"
	"inglenook/models/nn"
	"inglenook/weights"
)

// Config is the content of a checkpoint's config.json, checked for consistency.
type Config struct {
	Architecture string // "BertModel"
	OtherHead    string // the architecture that the config names, if its head is not supported and only its body is used
	ModelType    string // "bert"
	Head         Output // the output that the architecture is meant for

	Vocab        int
	Hidden       int
	Layers       int
	Heads        int
	Intermediate int    // width of the feed-forward layer
	Positions    int    // rows of the position table
	PositionType string // the one of config.json that the family computes; "" = absolute
	MaxTokens    int    // longest text
	TypeVocab    int    // rows of the token type table; 0 = none
	PadID        int    // padding id from which positions are counted, or with which texts are padded
	PadTo        int    // tokens to which texts are padded, as in training; 0 = not at all
	Width        int    // columns of a pooler's vector; 0 = Hidden
	Picture      int    // pixels of the sides of pictures that it reads, too; 0 = none
	PicturesOnly bool   // it reads pictures and no texts
	Labels       int    // classes of a classification head
	Epsilon      float32
	Activation   engine.Activation
	Quantized    string           // what quantized the weights in a way that is not read: "gptq"; empty: nothing
	Packing      *weights.Packing // how MLX quantized the weights; nil: it did not
	Tasks        []string         // for each of which the checkpoint has an adapter
	Instructions []string         // what texts for each task begin with; nil: it does not say
	Adapter      *weights.Adapter // the one that is added to its weights; nil: none
	Notes        []string         // sentences for the user about anything unexpected

	// The fields below belong to decoders.
	Causal   bool // LoadDecoder builds it, not Load
	Headless bool // of a Causal one: it has no output layer, so it reads and cannot write
	// TextToText: of a Causal one: it reads a text whole, and then writes from the token
	// Start on.
	TextToText bool
	Start      int
	OwnCode    bool // the checkpoint comes with code of its own, which may attend in another way
	GGUF       bool // the weights come from a GGUF file, which stores some of them differently
	KVHeads    int
	HeadSize   int
	Span       []Span // what each layer sees
	Drafts     int    // GGUF: layers behind the others that draft tokens
	Tied       bool   // without a stored head, the table of word vectors serves as the head

	ScoreScale float32 // factor of the attention scores; 0 = 1/√HeadSize

	Design any // encoders.Design or decoders.Design: fields that only the family reads
}

// Span is what the queries of one layer see.
type Span struct {
	Window int      // number of last positions; 0 = all
	Rope   *nn.Rope // how positions rotate queries and keys; nil = not at all
}

// Limits of sizes in config.json: several times those of any published model of
// these families, and small enough that no product of two overflows.
const (
	MaxVocab     = 1 << 24
	MaxHidden    = 1 << 16
	MaxLayers    = 1 << 10
	MaxPositions = 1 << 24
)

// maxConfigBytes bounds config.json; the largest real ones (many labels) are
// far below.
const maxConfigBytes = 16 << 20

// FinishEncoder checks the fields against each other and completes the config.
func (c Config) FinishEncoder(f *Fields) Config {
	if strings.HasSuffix(c.Architecture, classifies) {
		c.Head = Logits
	}
	if strings.HasSuffix(c.Architecture, "ForTokenClassification") {
		c.Head = Marks
	}
	if c.Guesses() {
		c.Tied = f.FlagOr(true, "tie_word_embeddings")
	}
	c.Labels = f.labels()
	f.Refuse(f.FlagOr(false, "is_decoder"), "is_decoder is set: a decoder is not an encoder of this family")
	if kind, known := f.Text("position_embedding_type"), cmp.Or(c.PositionType, "absolute"); kind != "" && kind != known {
		f.Fail("position_embedding_type %q is not supported (only %q)", kind, known)
	}
	if f.Err == nil && c.HeadSize == 0 && c.Hidden%c.Heads != 0 {
		f.Fail("%d hidden columns do not divide into %d attention heads", c.Hidden, c.Heads)
	}
	if f.Err == nil && c.MaxTokens < 1 {
		f.Fail("%d positions leave no room for a token", c.Positions)
	}
	return c
}

// For returns the config of a checkpoint that is opened for one of its tasks; "" is its usual one.
func (c Config) For(task string) (Config, error) {
	if task == "" {
		return c, nil
	}
	i := slices.Index(c.Tasks, task)
	switch {
	case i >= 0:
		adapter := *c.Adapter
		adapter.Index, c.Adapter = i, &adapter
		return c, nil
	case len(c.Tasks) == 0:
		return c, fmt.Errorf("this model has no tasks to choose from, and %.40q is asked for; leave the task out", task)
	}
	return c, fmt.Errorf("this model has no task %.40q; it has: %s", task, strings.Join(c.Tasks, ", "))
}

// Guesses reports whether an encoder's architecture has a head for the words of gaps.
func (c Config) Guesses() bool {
	return strings.HasSuffix(c.Architecture, "ForMaskedLM") || strings.HasSuffix(c.Architecture, "ForPreTraining")
}

// Refused returns the error for weights that do not fit config.json.
func (c Config) Refused(err error) error {
	if c.Quantized != "" {
		return QuantizedError(c.Quantized)
	}
	var vocabulary *weights.VocabularyError
	if errors.As(err, &vocabulary) { // no weights of any architecture
		return err
	}
	return fmt.Errorf("%s: %w", c.Architecture, err)
}

// QuantizedError returns the error for weights quantized by the named method,
// which is not supported.
func QuantizedError(by string) error {
	return fmt.Errorf("config.json says that the weights are quantized by %.40q, which this version does not read: choose a revision with F32, F16 or BF16 weights, or a GGUF file", by)
}
