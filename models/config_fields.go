package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"inglenook/engine"
)

// fields reads values out of a JSON object and keeps the first error.
type fields struct {
	m       map[string]any
	spelled map[string]string // names of the fields of m in messages
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

// find returns the first of several spellings that is present and not null.
func (f *fields) find(names []string) (string, any) {
	for _, n := range names {
		if v, ok := f.m[n]; ok && v != nil {
			return f.label(n), v
		}
	}
	return f.label(names...), nil
}

// label returns how messages name a field, or its spellings.
func (f *fields) label(names ...string) string {
	if s := f.spelled[names[0]]; s != "" {
		return s
	}
	return strings.Join(names, " or ")
}

// size reads an integer from 1 to limit under any of its spellings.
func (f *fields) size(limit int, names ...string) int {
	name, v := f.find(names)
	if v == nil {
		f.fail("%s is missing", name)
		return 1
	}
	return f.whole(name, v, 1, limit)
}

// sizeOr is size with a default for an absent value; it also accepts 0.
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

// positions reads how many positions a text may have. A GGUF file must state it;
// a config.json without it gets the family's usual number.
func (f *fields) positions(usual int) int {
	const name = "max_position_embeddings"
	if f.m[name] != nil || f.spelled != nil {
		return f.size(maxPositions, name)
	}
	f.notes = append(f.notes, fmt.Sprintf("config.json does not say how long a text may be (%s): %d tokens are assumed, which is usual for this family", name, usual))
	return usual
}

// quantized returns the program that quantized the weights in a way that is not read.
func (f *fields) quantized() string {
	method := f.quantizer()
	if method == "mxfp4" && f.text("model_type") == "gpt_oss" {
		return ""
	}
	return method
}

// quantizer returns the program that quantized the weights. MLX writes no method.
func (f *fields) quantizer() string {
	v := f.m["quantization_config"]
	q, ok := v.(map[string]any)
	f.refuse(v != nil && !ok, fmt.Sprintf("quantization_config is %s, not an object", brief(v)))
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

// activation reads the name of an activation function, GELU if absent.
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

// maxArchitecture bounds the name of an architecture, in bytes. It is shown in many
// places.
const maxArchitecture = 200

// architecture returns the first entry of "architectures", or its value if it is
// not a list.
func (f *fields) architecture() string {
	v := f.m["architectures"]
	if list, ok := v.([]any); ok {
		if len(list) == 0 {
			return ""
		}
		v = list[0]
	}
	s, ok := v.(string)
	if !ok && v != nil || len(s) > maxArchitecture {
		f.fail("architectures holds %s, not a name", brief(v))
	}
	return s
}

// labels counts the classes: the entries of id2label, or num_labels, or two if
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

// brief quotes a JSON value for a message, shortened.
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

// wholeNumber returns a number as config.json represents it.
func wholeNumber(n int) json.Number { return json.Number(strconv.Itoa(n)) }

// flagOr reads true or false.
func (f *fields) flagOr(def bool, names ...string) bool {
	name, v := f.find(names)
	if v == nil {
		return def
	}
	b, ok := v.(bool)
	if !ok {
		f.fail("%s is %s, neither true nor false", name, brief(v))
	}
	return b
}

// number reads a number from low to high.
func (f *fields) number(def, low, high float64, names ...string) float64 {
	name, v := f.find(names)
	if v == nil {
		return def
	}
	x, ok := float(v)
	if !ok {
		f.fail("%s is %s, not a number", name, brief(v))
		return def
	}
	if !(x >= low && x <= high) {
		f.fail("%s is %v, which is outside %v to %v", name, x, low, high)
		return def
	}
	return x
}

// numbers reads a list of n numbers from low to high, nil if absent.
func (f *fields) numbers(name string, n int, low, high float64) []float32 {
	v, there := f.m[name]
	if !there || v == nil {
		return nil
	}
	list, ok := v.([]any)
	if !ok || len(list) != n {
		f.fail("%s is %s, not a list of %d numbers", name, brief(v), n)
		return nil
	}
	xs := make([]float32, n)
	for i, e := range list {
		x, ok := float(e)
		if !ok || !(x >= low && x <= high) {
			f.fail("%s holds %s, not a number from %v to %v", name, brief(e), low, high)
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

// in reads the object under name, an empty one if absent. done passes its errors
// on to f.
func (f *fields) in(name string) (inner *fields, done func()) {
	m, ok := f.m[name].(map[string]any)
	if v := f.m[name]; !ok && v != nil {
		f.fail("%s is %s, not an object", name, brief(v))
	}
	inner = &fields{m: m, spelled: f.spelled, where: f.where + name + ": "}
	return inner, func() {
		if f.err == nil {
			f.err = inner.err
		}
	}
}

// inWrapper ends the architectures whose config.json describes a language model
// as one part: the others read pictures or sound, and are not used.
const inWrapper = "ForConditionalGeneration"

// textModel returns the fields of the language model within such a config.json.
func (f *fields) textModel() *fields {
	text, done := f.in("text_config")
	done()
	f.refuse(text.m == nil, "text_config is missing, which describes the language model")
	if text.err = f.err; text.err != nil {
		text.m = map[string]any{}
	}
	for _, key := range []string{"tie_word_embeddings", "quantization_config", "quantization", "auto_map"} {
		if v, there := f.m[key]; there && text.m[key] == nil {
			text.m[key] = v
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
