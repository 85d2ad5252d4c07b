package family

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"inglenook/engine"
)

// Fields reads values out of a JSON object and keeps the first error.
type Fields struct {
	Values  map[string]any
	Spelled map[string]string // how messages name a value; nil in config.json, which they quote
	Where   string            // in front of messages
	Notes   []string          // sentences for the user
	Err     error             // the first
}

// ParseFields returns the fields of a config.json.
func ParseFields(data []byte) (*Fields, error) {
	if len(data) > maxConfigBytes {
		return nil, fmt.Errorf("config.json is %d bytes long, more than any real one; get the checkpoint again", len(data))
	}
	d := json.NewDecoder(bytes.NewReader(PlainJSON(data)))
	d.UseNumber()
	var m map[string]any
	var kind *json.UnmarshalTypeError
	if err := d.Decode(&m); errors.As(err, &kind) {
		return nil, fmt.Errorf("config.json holds a value of the kind %q, not an object; get the checkpoint again", kind.Value)
	} else if err != nil {
		return nil, fmt.Errorf("config.json is not valid JSON (%w); get the checkpoint again", err)
	}
	if m == nil {
		return nil, errors.New("config.json holds no object; get the checkpoint again")
	}
	if d.More() {
		return nil, errors.New("config.json has something after its object; get the checkpoint again")
	}
	return &Fields{Values: m, Where: "config.json: "}, nil
}

// Fail records an error, if it is the first.
func (f *Fields) Fail(format string, args ...any) {
	if f.Err == nil {
		f.Err = fmt.Errorf("%s%w", f.Where, fmt.Errorf(format, args...))
	}
}

// Refuse records an error if something is bad.
func (f *Fields) Refuse(bad bool, why string) {
	if bad {
		f.Fail("%s", why)
	}
}

// find returns the first of several spellings that is present and not null.
func (f *Fields) find(names []string) (string, any) {
	for _, n := range names {
		if v, ok := f.Values[n]; ok && v != nil {
			return f.Label(n), v
		}
	}
	return f.Label(names...), nil
}

// Label returns how messages name a field, or its spellings.
func (f *Fields) Label(names ...string) string {
	if s := f.Spelled[names[0]]; s != "" {
		return s
	}
	return strings.Join(names, " or ")
}

// Size reads an integer from 1 to limit under any of its spellings.
func (f *Fields) Size(limit int, names ...string) int {
	name, v := f.find(names)
	if v == nil {
		f.Fail("%s is missing", name)
		return 1
	}
	return f.Whole(name, v, 1, limit)
}

// SizeOr is size with a default for an absent value; it also accepts 0.
func (f *Fields) SizeOr(def, limit int, names ...string) int {
	name, v := f.find(names)
	if v == nil {
		return def
	}
	return f.Whole(name, v, 0, limit)
}

// Whole reads v, an integer from low to limit.
func (f *Fields) Whole(name string, v any, low, limit int) int {
	n, ok := v.(json.Number)
	if !ok {
		f.Fail("%s is %s, not a number", name, Brief(v))
		return low
	}
	i, err := n.Int64()
	if err != nil {
		x, ferr := n.Float64()
		if ferr != nil || x != float64(int64(x)) {
			f.Fail("%s is %s, not a whole number", name, n)
			return low
		}
		i = int64(x)
	}
	if i < int64(low) || i > int64(limit) {
		f.Fail("%s is %d, which is outside %d to %d", name, i, low, limit)
		return low
	}
	return int(i)
}

// Epsilon reads a small positive number.
func (f *Fields) Epsilon(def float64, names ...string) float32 {
	name, v := f.find(names)
	if v == nil {
		return float32(def)
	}
	n, ok := v.(json.Number)
	if !ok {
		f.Fail("%s is %s, not a number", name, Brief(v))
		return float32(def)
	}
	x, err := n.Float64()
	if err != nil || !(x > 0 && x < 1) {
		f.Fail("%s is %s, which is no small positive number", name, n)
		return float32(def)
	}
	return float32(x)
}

// Positions reads how many positions a text may have. A GGUF file must state it;
// a config.json without it gets the family's usual number.
func (f *Fields) Positions(usual int) int {
	const name = "max_position_embeddings"
	if f.Values[name] != nil || f.Spelled != nil {
		return f.Size(MaxPositions, name)
	}
	f.Notes = append(f.Notes, fmt.Sprintf("config.json does not say how long a text may be (%s): %d tokens are assumed, which is usual for this family", name, usual))
	return usual
}

// Quantized returns the program that quantized the weights in a way that is not read.
func (f *Fields) Quantized() string {
	method := f.Quantizer()
	if packing, refused := f.Packing(); method == "MLX" && packing != nil {
		return ""
	} else if refused != "" {
		return refused
	}
	if method == "mxfp4" && f.Text("model_type") == "gpt_oss" {
		return ""
	}
	return method
}

// Quantizer returns the program that quantized the weights. MLX writes no method. What it
// quantized anew may still state the method of the checkpoint before.
func (f *Fields) Quantizer() string {
	v := f.Values["quantization_config"]
	q, ok := v.(map[string]any)
	f.Refuse(v != nil && !ok, fmt.Sprintf("quantization_config is %s, not an object", Brief(v)))
	if anew, _ := f.Values["quantization"].(map[string]any); anew["bits"] != nil {
		return "MLX"
	}
	if method, _ := q["quant_method"].(string); method != "" {
		return method
	}
	if q["bits"] != nil {
		return "MLX"
	}
	return ""
}

// Text reads a text, empty if absent.
func (f *Fields) Text(name string) string {
	v, ok := f.Values[name]
	if !ok || v == nil {
		return ""
	}
	s, ok := v.(string)
	if !ok {
		f.Fail("%s is %s, not a text", name, Brief(v))
	}
	return s
}

// Texts reads a list of texts, nil if absent.
func (f *Fields) Texts(name string) (list []string) {
	v, there := f.Values[name]
	all, ok := v.([]any)
	f.Refuse(there && v != nil && !ok, fmt.Sprintf("%s is %s, not a list", name, Brief(v)))
	for _, e := range all {
		s, ok := e.(string)
		f.Refuse(!ok, fmt.Sprintf("%s holds %s, not a text", name, Brief(e)))
		list = append(list, s)
	}
	return list
}

// TextsFor reads the texts that an object has under some names, nil if it is absent and "" for a
// name that is.
func (f *Fields) TextsFor(name string, keys []string) []string {
	v := f.Values[name]
	all, ok := v.(map[string]any)
	if v == nil || !ok {
		f.Refuse(v != nil, fmt.Sprintf("%s is %s, not an object", name, Brief(v)))
		return nil
	}
	list := make([]string, len(keys))
	for i, key := range keys {
		text, ok := all[key].(string)
		f.Refuse(!ok && all[key] != nil, fmt.Sprintf("%s holds %s, not a text", name, Brief(all[key])))
		list[i] = text
	}
	return list
}

// Activation reads the name of an activation function, GELU if absent.
func (f *Fields) Activation(names ...string) engine.Activation {
	return f.ActivationOr(engine.GELU, names...)
}

// ActivationOr reads the name of an activation function.
func (f *Fields) ActivationOr(def engine.Activation, names ...string) engine.Activation {
	name, v := f.find(names)
	if v == nil {
		return def
	}
	s, _ := v.(string)
	a, ok := activations[s]
	if !ok {
		f.Fail("%s %s is not supported (only %s)", name, Brief(v), quotedList(slices.Sorted(maps.Keys(activations))))
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

// quotedList returns names in quotes, with commas between them.
func quotedList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	return strings.Join(quoted, ", ")
}

// maxArchitecture bounds the name of an architecture, in bytes. It is shown in many
// places.
const maxArchitecture = 200

// Architecture returns the first entry of "architectures", or its value if it is
// not a list.
func (f *Fields) Architecture() string {
	v := f.Values["architectures"]
	if list, ok := v.([]any); ok {
		if len(list) == 0 {
			return ""
		}
		v = list[0]
	}
	s, ok := v.(string)
	if !ok && v != nil || len(s) > maxArchitecture {
		f.Fail("architectures holds %s, not a name", Brief(v))
	}
	return s
}

// labels counts the classes: the entries of id2label, or num_labels, or two if
// neither is stated, as the reference library does.
func (f *Fields) labels() int {
	v := f.Values["id2label"]
	m, ok := v.(map[string]any)
	f.Refuse(!ok && v != nil, fmt.Sprintf("id2label is %s, not an object", Brief(v)))
	if len(m) > 0 {
		return len(m)
	}
	return f.SizeOr(2, 1<<20, "num_labels", "_num_labels")
}

// Brief quotes a JSON value for a message, shortened.
func Brief(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%T", v)
	}
	if len(b) > 40 {
		return string(bytes.ToValidUTF8(b[:40], nil)) + "…"
	}
	return string(b)
}

// WholeNumber returns a number as config.json represents it.
func WholeNumber(n int) json.Number { return json.Number(strconv.Itoa(n)) }

// FlagOr reads true or false.
func (f *Fields) FlagOr(def bool, names ...string) bool {
	name, v := f.find(names)
	if v == nil {
		return def
	}
	b, ok := v.(bool)
	if !ok {
		f.Fail("%s is %s, neither true nor false", name, Brief(v))
	}
	return b
}

// Number reads a number from low to high.
func (f *Fields) Number(def, low, high float64, names ...string) float64 {
	name, v := f.find(names)
	if v == nil {
		return def
	}
	x, ok := float(v)
	if !ok {
		f.Fail("%s is %s, not a number", name, Brief(v))
		return def
	}
	if !(x >= low && x <= high) {
		f.Fail("%s is %v, which is outside %v to %v", name, x, low, high)
		return def
	}
	return x
}

// Numbers reads a list of n numbers from low to high, nil if absent.
func (f *Fields) Numbers(name string, n int, low, high float64) []float32 {
	v, there := f.Values[name]
	if !there || v == nil {
		return nil
	}
	list, ok := v.([]any)
	if !ok || len(list) != n {
		f.Fail("%s is %s, not a list of %d numbers", name, Brief(v), n)
		return nil
	}
	xs := make([]float32, n)
	for i, e := range list {
		x, ok := float(e)
		if !ok || !(x >= low && x <= high) {
			f.Fail("%s holds %s, not a number from %v to %v", name, Brief(e), low, high)
			return nil
		}
		xs[i] = float32(x)
	}
	return xs
}

func float(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	x, err := n.Float64()
	return x, err == nil
}

// In reads the object under name, an empty one if absent. done passes its errors
// on to f.
func (f *Fields) In(name string) (inner *Fields, done func()) {
	m, ok := f.Values[name].(map[string]any)
	if v := f.Values[name]; !ok && v != nil {
		f.Fail("%s is %s, not an object", name, Brief(v))
	}
	inner = &Fields{Values: m, Spelled: f.Spelled, Where: f.Where + name + ": "}
	return inner, func() {
		if f.Err == nil {
			f.Err = inner.Err
		}
	}
}

// TextTower reads the config of the half of a model for texts and pictures that reads texts.
// usual has the reference library's sizes where it states none.
func (f *Fields) TextTower(usual Config) Config {
	c := Config{
		Vocab:        f.SizeOr(usual.Vocab, MaxVocab, "vocab_size"),
		Hidden:       f.SizeOr(usual.Hidden, MaxHidden, "hidden_size"),
		Layers:       f.SizeOr(usual.Layers, MaxLayers, "num_hidden_layers"),
		Heads:        f.SizeOr(usual.Heads, MaxHidden, "num_attention_heads"),
		Intermediate: f.SizeOr(usual.Intermediate, MaxInner, "intermediate_size"),
		Positions:    f.SizeOr(usual.Positions, MaxPositions, "max_position_embeddings"),
		Epsilon:      f.Epsilon(float64(usual.Epsilon), "layer_norm_eps"),
		Activation:   f.ActivationOr(usual.Activation, "hidden_act"),
		Head:         Pooled,
	}
	c.MaxTokens = c.Positions
	for _, size := range []int{c.Vocab, c.Hidden, c.Layers, c.Heads, c.Intermediate} {
		f.Refuse(size == 0, "a size of the half that reads texts is 0")
	}
	c.Heads = max(1, c.Heads)
	return c
}

// InWrapper ends the architectures whose config.json describes a language model
// as one part: the others read pictures or sound, and are not used.
const InWrapper = "ForConditionalGeneration"

// TextModel returns the fields of the language model within such a config.json.
func (f *Fields) TextModel() *Fields {
	text, done := f.In("text_config")
	done()
	f.Refuse(text.Values == nil, "text_config is missing, which describes the language model")
	if text.Err = f.Err; text.Err != nil {
		text.Values = map[string]any{}
	}
	for _, key := range []string{"tie_word_embeddings", "quantization_config", "quantization", "auto_map"} {
		if v, there := f.Values[key]; there && text.Values[key] == nil {
			text.Values[key] = v
		}
	}
	return text
}

// PlainJSON returns Python's JSON with NaN, Infinity and -Infinity, which are
// not valid JSON, replaced by strings. A reader that needs a number there
// rejects the string; other fields are unaffected.
func PlainJSON(data []byte) []byte {
	var out []byte
	rest, inText := data, false
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case !inText && (c == 'N' || c == 'I' || c == '-'):
			for _, word := range []string{"NaN", "Infinity", "-Infinity"} {
				if !bytes.HasPrefix(rest[i:], []byte(word)) {
					continue
				}
				out = append(out, rest[:i]...)
				out = append(append(append(out, '"'), word...), '"')
				rest, i = rest[i+len(word):], -1
				break
			}
		}
	}
	if out == nil {
		return data
	}
	return append(out, rest...)
}
