package models

import (
	"strings"

	"inglenook/engine"
	"inglenook/models/nn"
)

// Config is the content of a checkpoint's config.json, checked for consistency.
type Config struct {
	Architecture string // "BertModel"
	ModelType    string // "bert"
	Head         Output // the output that the architecture is meant for

	Vocab        int
	Hidden       int
	Layers       int
	Heads        int
	Intermediate int // width of the feed-forward layer
	Positions    int // rows of the position table
	MaxTokens    int // longest text
	TypeVocab    int // rows of the token type table; 0 = none
	PadID        int // padding id from which positions are counted
	Labels       int // classes of a classification head
	Epsilon      float32
	Activation   engine.Activation
	Quantized    string   // what quantized the weights in a way that is not read: "gptq", "MLX"; empty: nothing
	Notes        []string // sentences for the user about anything unexpected

	// The fields below belong to decoders.
	Causal   bool // LoadDecoder builds it, not Load
	Headless bool // of a Causal one: it has no output layer, so it reads and cannot write
	OwnCode  bool // the checkpoint comes with code of its own, which may attend in another way
	GGUF     bool // the weights come from a GGUF file, which stores some of them differently
	KVHeads  int
	HeadSize int
	Span     []Span // what each layer sees
	Drafts   int    // GGUF: layers behind the others that draft tokens and are not used
	Tied     bool   // without a stored head, the table of word vectors serves as the head

	ScoreScale float32 // factor of the attention scores; 0 = 1/√HeadSize

	design any // encoderDesign or decoderDesign: fields that only the family reads
}

// encoderDesign builds the network of an encoder, and decoderDesign that of a
// decoder. A family has one of them, which holds the fields of the config that
// only the family reads.
type (
	encoderDesign interface {
		build(Config, nn.Builder) *encoder
	}
	decoderDesign interface {
		build(Config, nn.Builder) (network, error)
	}
)

// Span is what the queries of one layer see.
type Span struct {
	Window int      // number of last positions; 0 = all
	Rope   *nn.Rope // how positions rotate queries and keys; nil = not at all
}

// Limits of sizes in config.json: several times those of any published model of
// these families, and small enough that no product of two overflows.
const (
	maxVocab     = 1 << 24
	maxHidden    = 1 << 16
	maxLayers    = 1 << 10
	maxPositions = 1 << 24
)

// maxConfigBytes bounds config.json; the largest real ones (many labels) are
// far below.
const maxConfigBytes = 16 << 20

// ParseConfig reads config.json in today's and older spellings. It rejects
// impossible sizes in one sentence.
func ParseConfig(data []byte) (Config, error) {
	f, err := parseFields(data)
	if err != nil {
		return Config{}, err
	}
	modelType, known := f.text("model_type"), ""
	if f.m["auto_map"] == nil { // the checkpoint's own code may compute something else under a known model_type
		known = modelType
	}
	arch := f.architecture()
	if arch == "" {
		known = modelType
	}
	fam, arch, err := familyOf(arch, known)
	if f.err != nil {
		return Config{}, f.err
	}
	if err != nil {
		return Config{}, err
	}
	if strings.HasSuffix(arch, inWrapper) {
		f = f.textModel()
	}
	c := fam.read(f)
	c.Architecture, c.ModelType, c.Quantized, c.Notes = arch, modelType, f.quantized(), f.notes
	if _, ok := c.design.(decoderDesign); ok {
		c.OwnCode = f.m["auto_map"] != nil
		f.refuse(!f.flagOr(true, "is_causal"), "is_causal is off: a language model that attends in both directions is not supported")
		if c.Headless = fam.bare(arch); c.Headless {
			c.Tied = true // nothing asks for the missing head
		}
		return c.decoder(f), f.err
	}
	return c.encoder(f), f.err
}

// encoder checks the fields against each other and completes the config.
func (c Config) encoder(f *fields) Config {
	if strings.HasSuffix(c.Architecture, "ForSequenceClassification") {
		c.Head = Logits
	}
	c.Labels = f.labels()
	f.refuse(f.flagOr(false, "is_decoder"), "is_decoder is set: a decoder is not an encoder of this family")
	if kind := f.text("position_embedding_type"); kind != "" && kind != "absolute" {
		f.fail("position_embedding_type %q is not supported (only \"absolute\")", kind)
	}
	if f.err == nil && c.Hidden%c.Heads != 0 {
		f.fail("%d hidden columns do not divide into %d attention heads", c.Hidden, c.Heads)
	}
	if f.err == nil && c.MaxTokens < 1 {
		f.fail("%d positions leave no room for a token", c.Positions)
	}
	return c
}
