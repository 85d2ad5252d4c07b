package pipeline_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/pipeline"
)

// load copies a checkpoint of testdata into memory, to be damaged.
func load(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	m := fstest.MapFS{}
	root := os.DirFS("testdata/" + name)
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, p)
		m[p] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func put(m fstest.MapFS, name, text string) { m[name] = &fstest.MapFile{Data: []byte(text)} }

// set changes one key of a JSON file.
func set(t *testing.T, m fstest.MapFS, name, key string, value any) {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(m[name].Data, &v); err != nil {
		t.Fatal(err)
	}
	v[key] = value
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	m[name] = &fstest.MapFile{Data: data}
}

// TestRefusals: each damaged checkpoint is refused with one sentence that names the
// cause.
func TestRefusals(t *testing.T) {
	const dense = "dense-tanh"
	for name, c := range map[string]struct {
		from   string
		damage func(*testing.T, fstest.MapFS)
		say    string
	}{
		"no config":     {"cls", func(_ *testing.T, m fstest.MapFS) { delete(m, "config.json") }, "config.json"},
		"empty config":  {"cls", func(_ *testing.T, m fstest.MapFS) { put(m, "config.json", "") }, "config.json"},
		"config a list": {"cls", func(_ *testing.T, m fstest.MapFS) { put(m, "config.json", "[]") }, "config.json"},
		"huge config":   {"cls", func(_ *testing.T, m fstest.MapFS) { put(m, "config.json", strings.Repeat(" ", 17<<20)) }, "config.json"},
		"other architecture": {"cls", func(t *testing.T, m fstest.MapFS) {
			set(t, m, "config.json", "architectures", []string{"LlamaForCausalLM"})
		}, "LlamaForCausalLM"},
		"a layer too many": {"cls", func(t *testing.T, m fstest.MapFS) { set(t, m, "config.json", "num_hidden_layers", 3) }, "encoder.layer.2"},
		"a wider model":    {"cls", func(t *testing.T, m fstest.MapFS) { set(t, m, "config.json", "intermediate_size", 64) }, "intermediate"},
		"a larger vocab":   {"cls", func(t *testing.T, m fstest.MapFS) { set(t, m, "config.json", "vocab_size", 4096) }, "word_embeddings"},
		"no weights":       {"cls", func(_ *testing.T, m fstest.MapFS) { delete(m, "model.safetensors") }, "safetensors"},
		"pickle only": {"cls", func(_ *testing.T, m fstest.MapFS) {
			delete(m, "model.safetensors")
			put(m, "pytorch_model.bin", "PK\x03\x04 pickle")
		}, "run code"},
		"weights cut":            {"cls", func(_ *testing.T, m fstest.MapFS) { d := m["model.safetensors"]; d.Data = d.Data[:len(d.Data)-5] }, "model.safetensors"},
		"no tokenizer":           {"cls", func(_ *testing.T, m fstest.MapFS) { delete(m, "tokenizer.json"); delete(m, "vocab.txt") }, "tokenizer.json"},
		"tokenizer cut":          {"cls", func(_ *testing.T, m fstest.MapFS) { d := m["tokenizer.json"]; d.Data = d.Data[:len(d.Data)/2] }, "tokenizer.json"},
		"modules no JSON":        {"cls", func(_ *testing.T, m fstest.MapFS) { put(m, "modules.json", "{") }, "modules.json"},
		"modules an object":      {"cls", func(_ *testing.T, m fstest.MapFS) { put(m, "modules.json", "{}") }, "modules.json"},
		"unknown module":         {"cls", func(_ *testing.T, m fstest.MapFS) { put(m, "modules.json", `[{"path":"","type":"a.b.LSTM"}]`) }, `"a.b.LSTM" is not supported`},
		"module path out":        {"cls", func(_ *testing.T, m fstest.MapFS) { put(m, "modules.json", `[{"path":"../x","type":"Pooling"}]`) }, "leads out"},
		"module path absolute":   {"cls", func(_ *testing.T, m fstest.MapFS) { put(m, "modules.json", `[{"path":"/etc","type":"Pooling"}]`) }, "leads out"},
		"pooling config missing": {"cls", func(_ *testing.T, m fstest.MapFS) { delete(m, "1_Pooling/config.json") }, "1_Pooling/config.json is missing"},
		"pooling unknown":        {"cls", func(t *testing.T, m fstest.MapFS) { set(t, m, "1_Pooling/config.json", "pooling_mode", "median") }, "median"},
		"pooling a number":       {"cls", func(t *testing.T, m fstest.MapFS) { set(t, m, "1_Pooling/config.json", "pooling_mode", []any{7}) }, "not known"},
		"pooling flag unknown": {"cls", func(_ *testing.T, m fstest.MapFS) {
			put(m, "1_Pooling/config.json", `{"pooling_mode_attention":true}`)
		}, "pooling_mode_attention"},
		"weighted without prompt": {"sqrt-weighted", func(t *testing.T, m fstest.MapFS) { set(t, m, "1_Pooling/config.json", "include_prompt", false) }, "weighted_mean"},
		"default prompt unknown": {"prompts", func(t *testing.T, m fstest.MapFS) {
			set(t, m, "config_sentence_transformers.json", "default_prompt_name", "x")
		}, `"x"`},
		"prompts a list": {"prompts", func(t *testing.T, m fstest.MapFS) {
			set(t, m, "config_sentence_transformers.json", "prompts", []int{1})
		}, "config_sentence_transformers.json"},
		"max length 0":         {"cls", func(t *testing.T, m fstest.MapFS) { set(t, m, "sentence_bert_config.json", "max_seq_length", 0) }, "max_seq_length 0"},
		"max length negative":  {"cls", func(t *testing.T, m fstest.MapFS) { set(t, m, "sentence_bert_config.json", "max_seq_length", -7) }, "max_seq_length -7"},
		"dense config missing": {dense, func(_ *testing.T, m fstest.MapFS) { delete(m, "2_Dense/config.json") }, "2_Dense/config.json is missing"},
		"dense width":          {dense, func(t *testing.T, m fstest.MapFS) { set(t, m, "2_Dense/config.json", "in_features", 768) }, "from 768"},
		"dense out negative":   {dense, func(t *testing.T, m fstest.MapFS) { set(t, m, "2_Dense/config.json", "out_features", -1) }, "-1"},
		"dense out huge":       {dense, func(t *testing.T, m fstest.MapFS) { set(t, m, "2_Dense/config.json", "out_features", 1<<40) }, "does not follow"},
		"dense activation": {dense, func(t *testing.T, m fstest.MapFS) {
			set(t, m, "2_Dense/config.json", "activation_function", "os.system")
		}, "os.system"},
		"dense input": {dense, func(t *testing.T, m fstest.MapFS) {
			set(t, m, "2_Dense/config.json", "module_input_name", "token_embeddings")
		}, "token_embeddings"},
		"dense weights missing": {dense, func(_ *testing.T, m fstest.MapFS) { delete(m, "2_Dense/model.safetensors") }, "2_Dense"},
	} {
		t.Run(name, func(t *testing.T) {
			m := load(t, c.from)
			c.damage(t, m)
			e, err := pipeline.OpenEmbedder(context.Background(), m, cpu(t), pipeline.EmbedderOptions{})
			if err == nil {
				e.Close()
				t.Fatal("accepted")
			}
			if s := err.Error(); !strings.Contains(s, c.say) || strings.Contains(s, "\n") || len(s) > 700 {
				t.Errorf("the message is %q, want one sentence with %q", s, c.say)
			}
			if d, err := pipeline.Describe(m, ""); err == nil && d.Supported && name[:2] != "no" && !strings.HasPrefix(name, "tokenizer") {
				t.Errorf("Describe calls it supported: %+v", d)
			}
		})
	}
}

// TestNotFinite: a NaN among the weights never becomes a result.
func TestNotFinite(t *testing.T) {
	for name, bits := range map[string]uint32{"NaN": math.Float32bits(float32(math.NaN())), "Inf": math.Float32bits(float32(math.Inf(1)))} {
		t.Run(name, func(t *testing.T) {
			m := load(t, "cls")
			d := m["model.safetensors"].Data
			binary.LittleEndian.PutUint32(d[len(d)-4:], bits)
			for i := 0; i < 32*40; i += 4 { // and over the last rows of the file's last tensors
				binary.LittleEndian.PutUint32(d[len(d)-4-i:], bits)
			}
			e, err := pipeline.OpenEmbedder(context.Background(), m, cpu(t), pipeline.EmbedderOptions{Pooling: []string{"pooler"}})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			v, err := vectorsOf(context.Background(), e, []string{"the cat", "the fire"})
			if err == nil || !strings.Contains(err.Error(), "not finite") {
				t.Errorf("got %v and the error %v", v, err)
			}
		})
	}
}

func TestRerankerRefusals(t *testing.T) {
	m := load(t, "rerank-bert")
	set(t, m, "config.json", "id2label", map[string]string{"0": "a", "1": "b", "2": "c"})
	if _, err := pipeline.OpenReranker(context.Background(), m, cpu(t), pipeline.RerankerOptions{}); err == nil || !strings.Contains(err.Error(), "3 labels") {
		t.Errorf("three labels: %v", err)
	}
	m = load(t, "rerank-bert")
	set(t, m, "config.json", "sentence_transformers", map[string]string{"activation_fn": "subprocess.run"})
	if _, err := pipeline.OpenReranker(context.Background(), m, cpu(t), pipeline.RerankerOptions{}); err == nil || !strings.Contains(err.Error(), "subprocess.run") {
		t.Errorf("foreign activation: %v", err)
	}
	r, err := pipeline.OpenReranker(context.Background(), load(t, "rerank-bert"), cpu(t), pipeline.RerankerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := valuesOf(context.Background(), r, "  ", []string{"a"}); err == nil {
		t.Error("an empty query is accepted")
	}
	if _, err := valuesOf(context.Background(), r, "a", nil); err == nil {
		t.Error("an empty list is accepted")
	}
}

func TestForwardRefusals(t *testing.T) {
	f, err := pipeline.OpenForward(context.Background(), load(t, "cls"), cpu(t), pipeline.ForwardOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, c := range []struct {
		ids, types []int32
		output     string
		say        string
	}{
		{nil, nil, "", "no token ids"},
		{[]int32{1}, []int32{0, 1}, "", "2 type ids"},
		{[]int32{1}, nil, "magic", `"magic"`},
		{[]int32{1}, nil, "logits", "no logits"},
		{[]int32{-1}, nil, "", "token id -1"},
		{[]int32{1, 1 << 30}, nil, "", "position 1"},
		{[]int32{1}, []int32{9}, "", "type id 9"},
		{make([]int32, 65), nil, "", "65 tokens"},
	} {
		if _, err := f.Run(context.Background(), pipeline.ForwardInput{IDs: c.ids, TypeIDs: c.types}, c.output); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%.30v %v %q: the message is %v, want %q in it", c.ids, c.types, c.output, err, c.say)
		}
	}
	if r, err := f.Run(context.Background(), pipeline.ForwardInput{IDs: []int32{2, 7, 3}}, "pooled"); err != nil || r.Rows != 1 || r.Cols != 32 {
		t.Errorf("after the refusals: %v, %v", r, err)
	}
}
