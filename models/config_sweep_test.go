package models

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"inglenook/models/decoders"
	"inglenook/models/encoders"
	"inglenook/weights"
)

// sweptConfigs are the checkpoints of [TestConfigSweep], one or more of each family.
var sweptConfigs = []string{
	"f16/bert-classifier", "heads/distilbert-classifier", "heads/roberta-classifier", "heads/mpnet-classifier",
	"heads/embedding-gemma", "heads/eurobert", "heads/eurobert-classifier", "heads/modernbert", "heads/modernbert-classifier",
	"heads/nomic-bert", "heads/gte", "heads/gte-own-code", "heads/electra", "heads/albert", "heads/jina",
	"heads/deberta", "heads/deberta-far", "heads/deberta-v2-apart", "heads/deberta-v3", "heads/deberta-v3-classifier",
	"decoders/llama", "decoders/llama-llama3", "decoders/llama-yarn", "decoders/llama-linear", "decoders/mistral", "decoders/qwen2", "decoders/qwen3", "decoders/qwen3_5", "decoders/smollm3",
	"decoders/phi", "decoders/phi3", "decoders/stablelm", "decoders/falcon-7b", "decoders/falcon-40b", "decoders/falcon-rw", "decoders/gemma", "decoders/gemma2", "decoders/gemma3",
	"decoders/gemma4", "decoders/gemma4-sharing",
	"decoders/gpt2", "decoders/gpt-neox", "decoders/qwen3-moe", "decoders/gpt-oss", "decoders/gpt-oss-mxfp4",
	"decoders/lfm2", "decoders/lfm2-moe", "decoders/qwen3_5-moe", "decoders/gemma4-moe",
	"decoders/ministral3", "decoders/granite", "decoders/granite-hybrid",
	"decoders/olmo2", "decoders/olmo3", "decoders/glm4", "decoders/ernie4_5", "decoders/exaone4", "decoders/exaone4-small", "decoders/hunyuan", "decoders/cohere", "decoders/cohere2",
	"text-to-text/t5", "text-to-text/flan-t5", "text-to-text/mt5", "heads/t5-encoder", "heads/clip", "heads/clip-text", "heads/clip-text-states",
	"heads/siglip", "heads/siglip-text", "heads/nomic-moe", "heads/jina-v3", "heads/jina-v3-tasks", "heads/deberta-v2-conv", "heads/bert-relative-key",
	"pictures/clip-vision", "pictures/clip-vision-states", "pictures/siglip", "pictures/siglip-vision",
}

// TestConfigSweep records what happens for every key of config.json that a family reads
// when the key is absent, null, of another type, or contradicts the weights. A key
// counts as read if one of these makes a difference. The outcomes are in
// testdata/config-keys.txt, for review as text; UPDATE=1 rewrites them.
func TestConfigSweep(t *testing.T) {
	const golden = "testdata/config-keys.txt"
	var all strings.Builder
	for _, dir := range sweptConfigs {
		fmt.Fprintf(&all, "%s\n", dir)
		sweepConfig(t, &all, filepath.Join("testdata", dir))
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	got, lines := strings.Split(all.String(), "\n"), strings.Split(string(want), "\n")
	if len(got) < 250 {
		t.Errorf("only %d outcomes", len(got))
	}
	for i := range max(len(got), len(lines)) {
		if i >= len(got) || i >= len(lines) || got[i] != lines[i] {
			t.Fatalf("line %d of %s is\n%s\nand not\n%s", i+1, golden, at(got, i), at(lines, i))
		}
	}
}

// Every reader of the families' configs is swept, so that a new family is not forgotten.
func TestSweptFamilies(t *testing.T) {
	swept := map[uintptr]bool{}
	for _, dir := range sweptConfigs {
		data, err := os.ReadFile(filepath.Join("testdata", dir, "config.json"))
		if err != nil {
			t.Fatal(err)
		}
		var c struct {
			Architectures []string
			ModelType     string `json:"model_type"`
		}
		if err := json.Unmarshal(data, &c); err != nil || len(c.Architectures) == 0 {
			t.Fatalf("%s: %v, %v", dir, c, err)
		}
		f, _, err := familyOf(c.Architectures[0], c.ModelType)
		if err != nil {
			t.Fatal(err)
		}
		swept[reflect.ValueOf(f.Read).Pointer()] = true
	}
	for _, f := range families {
		if !swept[reflect.ValueOf(f.Read).Pointer()] {
			t.Errorf("no checkpoint of the family %s is in sweptConfigs: add one of models/testdata, then run UPDATE=1 go test -run TestConfigSweep ./models and review testdata/config-keys.txt", f.ModelType)
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}

// sweepConfig writes the outcomes of one checkpoint.
func sweepConfig(t *testing.T, to *strings.Builder, dir string) {
	data, err := os.ReadFile(filepath.Join(dir, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	set, err := weights.Open(os.DirFS(dir), weights.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	var base map[string]any
	if err := json.Unmarshal(data, &base); err != nil {
		t.Fatal(err)
	}
	before := parsed(t, base, nil, "", nil)
	keys := literals(t)
	for _, path := range objects(base, nil) {
		for _, key := range among(t, base, path, keys, before) {
			was, stated := reach(base, path)[key]
			reads := stated && parsed(t, base, path, key, remove{}).difference(before) != same
			for _, probe := range []any{"x", true} {
				reads = reads || parsed(t, base, path, key, probe).difference(before) != same
			}
			if !reads {
				continue
			}
			name := strings.Join(append(slices.Clone(path), key), ".")
			fmt.Fprintf(to, "  %s", name)
			outcome := func(state string, v any) {
				after := parsed(t, base, path, key, v)
				text := after.difference(before)
				if strings.HasPrefix(state, "another") && after.err == nil {
					text += ", with the weights " + loads(after.config, set)
				}
				if after.err != nil && strings.ContainsAny(after.err.Error(), "\n\r") {
					t.Errorf("%s, %s, %v: the message is %q", dir, name, v, after.err)
				}
				fmt.Fprintf(to, " | %s: %s", state, text)
			}
			outcome("absent", remove{})
			outcome("null", nil)
			for _, wrong := range []any{"x", true, []any{}, map[string]any{}} {
				if fmt.Sprintf("%T", wrong) != fmt.Sprintf("%T", was) {
					outcome(kind(wrong), wrong)
				}
			}
			for _, other := range others(was) {
				outcome("another value", other)
			}
			to.WriteString("\n")
		}
	}
}

const same = "the same"

// among returns the keys that an object states, and those that may be read of the others. A family reads
// few of all keys, so many are tried at a time.
func among(t *testing.T, base map[string]any, path, keys []string, before reading) []string {
	in := reach(base, path)
	var unstated []string
	for _, key := range keys {
		if _, stated := in[key]; !stated {
			unstated = append(unstated, key)
		}
	}
	unread := map[string]bool{}
	for group := range slices.Chunk(unstated, 16) {
		read := false
		for _, probe := range []any{"x", true} {
			for _, key := range group {
				in[key] = probe
			}
			read = read || parsed(t, base, nil, "", nil).difference(before) != same
		}
		for _, key := range group {
			delete(in, key)
			unread[key] = !read
		}
	}
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return unread[key] })
}

// kind names the type of a JSON value.
func kind(v any) string {
	return map[string]string{"string": "text", "bool": "truth value", "[]interface {}": "list", "map[string]interface {}": "object"}[fmt.Sprintf("%T", v)]
}

// objects are the paths of a config's objects that families look into.
func objects(m map[string]any, path []string) [][]string {
	all := [][]string{path}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if inner, ok := m[k].(map[string]any); ok && (path != nil || k == "rope_parameters") {
			all = append(all, objects(inner, append(slices.Clone(path), k))...)
		}
	}
	return all
}

// remove marks a key that is deleted.
type remove struct{}

// reading is the result of ParseConfig.
type reading struct {
	config Config
	err    error
}

// parsed parses base with one key changed.
func parsed(t *testing.T, base map[string]any, path []string, key string, value any) reading {
	t.Helper()
	if key != "" {
		in := reach(base, path)
		was, stated := in[key]
		defer func() {
			if in[key] = was; !stated {
				delete(in, key)
			}
		}()
		if in[key] = value; value == any(remove{}) {
			delete(in, key)
		}
	}
	data, err := json.Marshal(base)
	if err != nil {
		t.Fatal(err)
	}
	c, err := ParseConfig(data)
	return reading{c, err}
}

// reach returns the object at path.
func reach(m map[string]any, path []string) map[string]any {
	for _, p := range path {
		m, _ = m[p].(map[string]any)
	}
	return m
}

// others returns other possible values of the same type.
func others(v any) []any {
	switch v := v.(type) {
	case bool:
		return []any{!v}
	case float64:
		return []any{v * 2, v / 2}
	}
	return nil
}

// difference returns the names of the fields that differ from those of before.
func (r reading) difference(before reading) string {
	if r.err != nil {
		return "refused, " + strings.TrimPrefix(cutText(r.err.Error(), 80), "config.json: ")
	}
	if reflect.DeepEqual(r.config, before.config) {
		return same // as nearly all are; texts of all fields take long
	}
	is, was := r.fields(), before.fields()
	var changes []string
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if is[name] != was[name] {
			changes = append(changes, fmt.Sprintf("%s %s", name, is[name]))
		}
	}
	if changes == nil {
		return same
	}
	return cutText(strings.Join(changes, ", "), 120)
}

// fields returns the fields of a config as text.
func (r reading) fields() map[string]string {
	c := r.config
	var spans []string
	for _, s := range c.Span {
		text := fmt.Sprintf("window %d", s.Window)
		if s.Rope != nil {
			text += " " + stated(fmt.Sprintf("%+v", *s.Rope))
		}
		if !slices.Contains(spans, text) {
			spans = append(spans, text)
		}
	}
	m := map[string]string{"Span": strings.Join(spans, " and "), "design": fmt.Sprintf("%+v", c.Design), "Notes": fmt.Sprintf("%d", len(c.Notes))}
	if c.Adapter != nil {
		m["Adapter"] = fmt.Sprintf("%+v", *c.Adapter)
	}
	c.Span, c.Design, c.Notes, c.Adapter = nil, nil, nil, nil
	for _, f := range strings.Split(strings.Trim(fmt.Sprintf("%+v", c), "{}"), " ") {
		name, value, _ := strings.Cut(f, ":")
		if value != "" && name != "Span" && name != "design" && name != "Notes" && name != "Adapter" {
			m[name] = value
		}
	}
	return m
}

// stated returns a struct's text without its zero fields.
func stated(s string) string { return unset.ReplaceAllString(s, "") }

var unset = regexp.MustCompile(`\w+:(0|false|\[\]) ?`)

// loads reports whether a model can be made of the weights with a config.
func loads(c Config, set *weights.Set) string {
	var err error
	if c.Causal {
		var m decoders.Decoder
		if m, err = LoadDecoder(c, set); err == nil {
			c = m.Config()
		}
	} else {
		var m encoders.Model
		if m, err = encoders.Load(c, set); err == nil {
			c = m.Config()
		}
	}
	switch {
	case err == nil && len(c.Notes) > 0:
		return "taken with a note"
	case err == nil:
		return "taken"
	case strings.Contains(err.Error(), "does not fit its config.json"):
		return "refused"
	}
	return "refused, " + cutText(err.Error(), 110)
}

func cutText(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "") + "…"
	}
	return s
}

var literal = regexp.MustCompile(`"(_?[a-z][a-z0-9_]*)"`)

// literals returns all string literals in the package's source that could be keys.
func literals(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, room := range []string{".", "family", "encoders", "decoders"} {
		in, err := filepath.Glob(filepath.Join(room, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, in...)
	}
	found := map[string]bool{}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range literal.FindAllStringSubmatch(string(data), -1) {
			found[m[1]] = true
		}
	}
	if len(found) < 80 {
		t.Fatalf("only %d names in the source", len(found))
	}
	return slices.Sorted(maps.Keys(found))
}
