package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"inglenook/engine"
	"inglenook/models/nn"
)

// Config is what config.json says about a checkpoint, checked for sense.
type Config struct {
	Architecture string // "BertModel"
	ModelType    string // "bert"
	Head         Output // what the architecture is meant to give

	Vocab        int
	Hidden       int
	Layers       int
	Heads        int
	Intermediate int // width of the feed-forward layer
	Positions    int // rows of the position table
	MaxTokens    int // longest text
	TypeVocab    int // rows of the token type table; 0 = none
	PadID        int // where positions are counted from it
	Labels       int // classes of a classification head
	Epsilon      float32
	Activation   engine.Activation
	Quantized    string   // what quantized the weights in a way that is not read: "gptq", "MLX"; empty: nothing
	Notes        []string // sentences for a person about what is not as one may expect

	// What follows belongs to decoders.
	Causal   bool // LoadDecoder builds it, not Load
	GGUF     bool // the weights come from a GGUF file, which stores some of them another way
	KVHeads  int
	HeadSize int
	Span     []Span // what each layer sees
	Tied     bool   // the head is the table of word vectors where none is stored

	ScoreScale float32 // factor of the attention scores; 0 = 1/√HeadSize

	design any // encoderDesign or decoderDesign: what the family read beyond this
}

// encoderDesign builds the network of an encoder, and decoderDesign that of a
// decoder. A family has one of them, which holds what it alone reads from the
// config.
type (
	encoderDesign interface {
		build(Config, nn.Builder) *encoder
	}
	decoderDesign interface {
		build(Config, nn.Builder) (network, error)
	}
)

// Span says what the queries of one layer see.
type Span struct {
	Window int      // the last so many positions; 0 = all
	Rope   *nn.Rope // how positions turn queries and keys; nil = not at all
}

// Limits of sizes in config.json: several times those of any published model
// of these families, and small enough that no product of two overflows.
const (
	maxVocab     = 1 << 24
	maxHidden    = 1 << 16
	maxLayers    = 1 << 10
	maxPositions = 1 << 24
)

// maxConfigBytes bounds config.json; the largest real ones (many labels) are
// far below.
const maxConfigBytes = 16 << 20

// ParseConfig reads config.json. Both today's and older spellings are
// understood; sizes that cannot be are refused in one sentence.
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
	c := fam.read(f)
	c.Architecture, c.ModelType, c.Quantized, c.Notes = arch, modelType, f.quantized(), f.notes
	if _, ok := c.design.(decoderDesign); ok {
		return c.decoder(f), f.err
	}
	return c.encoder(f), f.err
}

// encoder checks together what was read one by one, and completes it.
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

// fields reads values out of a JSON object and keeps the first mistake.
type fields struct {
	m       map[string]any
	spelled map[string]string // other names in messages, for those of m
	where   string            // in front of messages
	notes   []string
	err     error
}

func parseFields(data []byte) (*fields, error) {
	if len(data) > maxConfigBytes {
		return nil, fmt.Errorf("config.json is %d bytes long, more than any real one; get the checkpoint again", len(data))
	}
	d := json.NewDecoder(bytes.NewReader(PlainJSON(data)))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("config.json is not valid JSON (%w); get the checkpoint again", err)
	}
	if m == nil {
		return nil, errors.New("config.json holds no object; get the checkpoint again")
	}
	if d.More() {
		return nil, errors.New("config.json has something after its object; get the checkpoint again")
	}
	return &fields{m: m, where: "config.json: "}, nil
}

func (f *fields) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("%s%w", f.where, fmt.Errorf(format, args...))
	}
}

func (f *fields) refuse(bad bool, why string) {
	if bad {
		f.fail("%s", why)
	}
}

// find returns the first of several spellings that is there and not null.
func (f *fields) find(names []string) (string, any) {
	for _, n := range names {
		if v, ok := f.m[n]; ok && v != nil {
			return f.says(n), v
		}
	}
	return f.says(names...), nil
}

// says is what messages call a field, or its spellings.
func (f *fields) says(names ...string) string {
	if s := f.spelled[names[0]]; s != "" {
		return s
	}
	return strings.Join(names, " or ")
}

// size reads a whole number from 1 to limit under any of its spellings.
func (f *fields) size(limit int, names ...string) int {
	name, v := f.find(names)
	if v == nil {
		f.fail("%s is missing", name)
		return 1
	}
	return f.whole(name, v, 1, limit)
}

// sizeOr is size with a default for an absent value, and 0 allowed.
func (f *fields) sizeOr(def, limit int, names ...string) int {
	name, v := f.find(names)
	if v == nil {
		return def
	}
	return f.whole(name, v, 0, limit)
}

func (f *fields) whole(name string, v any, low, limit int) int {
	n, ok := v.(json.Number)
	if !ok {
		f.fail("%s is %s, not a number", name, brief(v))
		return low
	}
	i, err := n.Int64()
	if err != nil {
		x, ferr := n.Float64()
		if ferr != nil || x != float64(int64(x)) {
			f.fail("%s is %s, not a whole number", name, n)
			return low
		}
		i = int64(x)
	}
	if i < int64(low) || i > int64(limit) {
		f.fail("%s is %d, which is outside %d to %d", name, i, low, limit)
		return low
	}
	return int(i)
}

// epsilon reads a small positive number.
func (f *fields) epsilon(def float64, names ...string) float32 {
	name, v := f.find(names)
	if v == nil {
		return float32(def)
	}
	n, ok := v.(json.Number)
	if !ok {
		f.fail("%s is %s, not a number", name, brief(v))
		return float32(def)
	}
	x, err := n.Float64()
	if err != nil || !(x > 0 && x < 1) {
		f.fail("%s is %s, which is no small positive number", name, n)
		return float32(def)
	}
	return float32(x)
}

// positions reads how many positions a text may have. A GGUF file has to say;
// for a config.json that does not, the family's usual number is assumed.
func (f *fields) positions(usual int) int {
	const name = "max_position_embeddings"
	if f.m[name] != nil || f.spelled != nil {
		return f.size(maxPositions, name)
	}
	f.notes = append(f.notes, fmt.Sprintf("config.json does not say how long a text may be (%s): %d tokens are assumed, which is usual for this family", name, usual))
	return usual
}

// quantized returns what quantized the weights. MLX writes no method.
func (f *fields) quantized() string {
	q, ok := f.m["quantization_config"].(map[string]any)
	if !ok {
		q, _ = f.m["quantization"].(map[string]any)
	}
	if method, _ := q["quant_method"].(string); method != "" {
		return method
	}
	if q["bits"] != nil {
		return "MLX"
	}
	return ""
}

func (f *fields) text(name string) string {
	v, ok := f.m[name]
	if !ok || v == nil {
		return ""
	}
	s, ok := v.(string)
	if !ok {
		f.fail("%s is %s, not a text", name, brief(v))
	}
	return s
}

// activation reads the name of an activation function, GELU where there is none.
func (f *fields) activation(names ...string) engine.Activation {
	return f.activationOr(engine.GELU, names...)
}

func (f *fields) activationOr(def engine.Activation, names ...string) engine.Activation {
	name, v := f.find(names)
	if v == nil {
		return def
	}
	s, _ := v.(string)
	a, ok := activations[s]
	if !ok {
		f.fail("%s %s is not supported", name, brief(v))
	}
	return a
}

// activations maps the spellings of config.json.
var activations = map[string]engine.Activation{
	"gelu": engine.GELU, "gelu_python": engine.GELU,
	"gelu_new": engine.GELUTanh, "gelu_pytorch_tanh": engine.GELUTanh, "gelu_fast": engine.GELUTanh, "gelu_python_tanh": engine.GELUTanh,
	"quick_gelu": engine.QuickGELU, "relu": engine.ReLU, "silu": engine.SiLU, "swish": engine.SiLU,
	"tanh": engine.Tanh, "sigmoid": engine.Sigmoid, "linear": engine.None,
}

// architecture returns the first entry of "architectures", or what stands there
// without a list.
func (f *fields) architecture() string {
	v := f.m["architectures"]
	if list, ok := v.([]any); ok {
		if len(list) == 0 {
			return ""
		}
		v = list[0]
	}
	s, ok := v.(string)
	if !ok && v != nil {
		f.fail("architectures holds %s, not a name", brief(v))
	}
	return s
}

// labels counts the classes: the entries of id2label, or num_labels; two where
// neither is stated, as the reference library does.
func (f *fields) labels() int {
	v := f.m["id2label"]
	m, ok := v.(map[string]any)
	f.refuse(!ok && v != nil, fmt.Sprintf("id2label is %s, not an object", brief(v)))
	if len(m) > 0 {
		return len(m)
	}
	return f.sizeOr(2, 1<<20, "num_labels", "_num_labels")
}

// brief quotes a JSON value for a message, cut short.
func brief(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%T", v)
	}
	if len(b) > 40 {
		return string(bytes.ToValidUTF8(b[:40], nil)) + "…"
	}
	return string(b)
}
