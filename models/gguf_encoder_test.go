package models_test

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/models"
	"inglenook/weights"
	"inglenook/weights/gguf"
	"inglenook/weights/gguf/gguftest"
)

// TestJinaGGUF reads JinaBERT from files as llama.cpp's converter writes them today, and as
// it did before, with both halves of the feed-forward matrix apart.
func TestJinaGGUF(t *testing.T) {
	const dir = "testdata/heads/jina"
	var want expected
	readJSON(t, dir+"/expected.json", &want)
	for _, apart := range []bool{false, true} {
		m, err := openEncoderGGUF(t, fstest.MapFS{"model.gguf": {Data: jinaGGUF(t, dir, apart).file()}})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want.Cases {
			batch := models.Batch{Tokens: w.IDs, Types: w.TypeIDs, Starts: []int32{0, int32(len(w.IDs))}}
			if got := run(t, &enginetest.ReferenceBackend{}, m, batch, outputs["hidden"]); w.Output == "hidden" && !(difference(got, w.Data) <= 1e-4) {
				t.Errorf("apart %v, %d tokens: differs by %.2g", apart, len(w.IDs), difference(got, w.Data))
			}
		}
	}
}

// jinaGGUF is the checkpoint in dir as a GGUF file.
func jinaGGUF(t *testing.T, dir string, apart bool) *small {
	t.Helper()
	set, err := weights.Open(os.DirFS(dir), weights.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	c, err := configOf(dir, set)
	if err != nil {
		t.Fatal(err)
	}
	s := &small{pairs: []gguftest.Pair{
		{Key: "general.architecture", Value: "jina-bert-v2"},
		{Key: "tokenizer.ggml.tokens", Value: slices.Repeat([]string{"t"}, c.Vocab)},
		{Key: "tokenizer.ggml.token_type_count", Value: uint32(c.TypeVocab)},
		{Key: "jina-bert-v2.attention.causal", Value: false},
		{Key: "jina-bert-v2.attention.layer_norm_epsilon", Value: c.Epsilon},
	}}
	for key, n := range map[string]int{
		"context_length": c.MaxTokens, "embedding_length": c.Hidden, "block_count": c.Layers, "feed_forward_length": c.Intermediate, "attention.head_count": c.Heads,
	} {
		s.set("jina-bert-v2."+key, uint32(n))
	}
	names := strings.NewReplacer("bert.", "", "encoder.layer.", "blk.", "embeddings.word_embeddings", "token_embd", "embeddings.token_type_embeddings", "token_types", "embeddings.LayerNorm", "token_embd_norm",
		"attention.self.query", "attn_q", "attention.self.key", "attn_k", "attention.self.value", "attn_v", "attention.output.dense", "attn_output",
		"attention.output.LayerNorm", "attn_output_norm", "mlp.gated_layers", "ffn_up", "mlp.wo", "ffn_down", "mlp.layernorm", "layer_output_norm")
	for _, name := range set.Names() {
		if strings.Contains(name, "pooler") || strings.Contains(name, "position_ids") {
			continue
		}
		w, err := set.Tensor(name)
		if err != nil {
			t.Fatal(err)
		}
		to, data := names.Replace(name), floats(t, w)
		if dims := []uint64{uint64(w.Cols), uint64(w.Rows)}; apart && strings.HasSuffix(to, "ffn_up.weight") {
			dims[1] /= 2
			s.tensors = append(s.tensors, gguftest.Tensor{Name: strings.Replace(to, "ffn_up", "ffn_gate", 1), Dims: dims, Data: data[:len(data)/2]})
			s.tensors = append(s.tensors, gguftest.Tensor{Name: to, Dims: dims, Data: data[len(data)/2:]})
		} else {
			if w.Rows == 1 {
				dims = dims[:1]
			}
			s.tensors = append(s.tensors, gguftest.Tensor{Name: to, Dims: dims, Data: data})
		}
	}
	return s
}

// floats returns the bytes of a weight as F32.
func floats(t *testing.T, w *engine.Tensor) []byte {
	t.Helper()
	stored := make([]byte, w.Bytes())
	if _, err := w.Source().ReadAt(stored, 0); err != nil {
		t.Fatal(err)
	}
	if w.DType == engine.F32 {
		return stored
	}
	var data []byte
	for i := 0; i < len(stored); i += 2 {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(engine.F16ToF32(binary.LittleEndian.Uint16(stored[i:]))))
	}
	return data
}

// readGGUF returns a file of testdata/gguf-encoders, to be changed.
func readGGUF(t *testing.T, name string) *small {
	t.Helper()
	data, err := os.ReadFile("testdata/gguf-encoders/" + name + "/model.gguf")
	if err != nil {
		t.Fatal(err)
	}
	return smallOf(t, data)
}

func TestEncoderGGUFRefusals(t *testing.T) {
	key := func(k string, v any) func(*small) { return func(s *small) { s.set(k, v) } }
	drop := func(names ...string) func(*small) {
		return func(s *small) {
			for _, n := range names {
				s.drop(n)
			}
		}
	}
	for name, c := range map[string]struct {
		file   string
		change func(*small)
		say    string
	}{
		"sees no later words":        {"bert", key("bert.attention.causal", true), "bert.attention.causal is true"},
		"no number of types":         {"bert", key("tokenizer.ggml.token_type_count", nil), "tokenizer.ggml.token_type_count: it is missing"},
		"types as text":              {"bert", key("tokenizer.ggml.token_type_count", "2"), "tokenizer.ggml.token_type_count"},
		"more types than stored":     {"bert", key("tokenizer.ggml.token_type_count", uint32(3)), "token_type_embeddings.weight is [2 32] instead of [3 32]"},
		"no positions stated":        {"bert", key("bert.context_length", nil), "bert.context_length is missing"},
		"fewer positions stored":     {"bert", key("bert.context_length", uint32(65)), "position_embeddings.weight is [64 32] instead of [65 32]"},
		"scores without a head":      {"bert", key("bert.pooling_type", uint32(4)), "holds only a part of its head"},
		"BERT's head, a part":        {"roberta-classifier", drop("cls.weight", "cls.bias"), "holds only a part of its head"},
		"a head without labels":      {"roberta-classifier", drop("cls.output.weight", "cls.output.bias"), "holds only a part of its head"},
		"a head of another family":   {"nomic-bert", func(s *small) { s.tensor("cls.weight", 32, 32) }, "holds only a part of its head"},
		"heads that do not divide":   {"bert", key("bert.attention.head_count", uint32(5)), "do not divide into 5"},
		"no window":                  {"modern-bert", key("modern-bert.attention.sliding_window", nil), "modern-bert.attention.sliding_window is missing"},
		"a window of 0":              {"modern-bert", key("modern-bert.attention.sliding_window", uint32(0)), "local_attention is 0"},
		"an activation that is none": {"modern-bert", key("modern-bert.hidden_activation", "magic"), `modern-bert.hidden_activation "magic" is not supported`},
		"pooling by the last":        {"modern-bert-classifier", key("modern-bert.classifier.pooling_type", uint32(3)), "modern-bert.classifier.pooling_type is 3"},
		"experts":                    {"bert", key("bert.expert_count", uint32(8)), "mixtures of experts"},
		"no vectors of words":        {"nomic-bert", drop("token_embd.weight"), "word_embeddings.weight"},
		"norms of attention":         {"bert", func(s *small) { s.renameTo("jina-bert-v2"); s.tensor("blk.0.attn_norm_2.weight", 32) }, "norms of queries, keys"},
	} {
		t.Run(name, func(t *testing.T) {
			s := readGGUF(t, c.file)
			if _, err := openEncoderGGUF(t, fstest.MapFS{"model.gguf": {Data: s.file()}}); err != nil {
				t.Fatalf("the file that the case changes is refused: %v", err)
			}
			c.change(s)
			_, err := openEncoderGGUF(t, fstest.MapFS{"model.gguf": {Data: s.file()}})
			if err == nil {
				t.Fatal("accepted")
			}
			if say := err.Error(); !strings.Contains(say, c.say) || strings.Contains(say, "\n") || len(say) > 1000 {
				t.Errorf("the message is %q, want it to hold %q", say, c.say)
			}
		})
	}
}

// FuzzEncoderGGUF: whatever a file contains, the result is an error or a model that can
// record a pass.
func FuzzEncoderGGUF(f *testing.F) {
	for _, name := range []string{"bert", "roberta-classifier", "nomic-bert", "modern-bert-classifier"} {
		data, err := os.ReadFile("testdata/gguf-encoders/" + name + "/model.gguf")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := openEncoderGGUF(t, fstest.MapFS{"model.gguf": {Data: data}})
		if err != nil || m.Config().Causal {
			return
		}
		g := engine.NewGraph()
		defer g.Close()
		m.Forward(g, models.Batch{Tokens: []int32{0}, Starts: []int32{0, 1}}, m.Config().Head)
		if err := g.Err(); err != nil {
			t.Errorf("a pass cannot be recorded: %v", err)
		}
	})
}

// openEncoderGGUF loads the encoder of a folder that holds a GGUF file.
func openEncoderGGUF(t *testing.T, fsys fs.FS) (models.Model, error) {
	t.Helper()
	set, err := weights.Open(fsys, weights.Options{})
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { set.Close() })
	if set.Meta() == nil {
		return nil, fs.ErrInvalid
	}
	c, err := configOf("", set)
	if err != nil {
		return nil, err
	}
	return models.Load(c, set)
}

// smallOf takes a file apart.
func smallOf(t *testing.T, data []byte) *small {
	t.Helper()
	f, err := gguf.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	s := &small{}
	for _, key := range f.Meta.Keys() {
		var v any
		switch kind := f.Meta.Type(key); kind {
		case "string":
			v, err = f.Meta.String(key)
		case "bool":
			v, err = f.Meta.Bool(key)
		case "array of string":
			v, err = f.Meta.Strings(key)
		case "float32":
			var x float64
			x, err = f.Meta.Float(key)
			v = float32(x)
		case "uint32":
			var n int
			n, err = f.Meta.Int(key)
			v = uint32(n)
		default:
			continue // of the vocabulary
		}
		if err != nil {
			t.Fatal(err)
		}
		s.set(key, v)
	}
	for _, x := range f.Tensors {
		dims := make([]uint64, len(x.Dims))
		for i, d := range x.Dims {
			dims[i] = uint64(d)
		}
		s.tensors = append(s.tensors, gguftest.Tensor{Name: x.Name, Type: uint32(x.Type), Dims: dims, Data: data[x.Offset : x.Offset+x.Bytes]})
	}
	return s
}

// renameTo changes the file's architecture.
func (s *small) renameTo(to string) {
	for i, p := range s.pairs {
		if _, rest, ok := strings.Cut(p.Key, "."); ok && strings.HasPrefix(p.Key, s.architecture()+".") {
			s.pairs[i].Key = to + "." + rest
		}
	}
	s.set("general.architecture", to)
}

func (s *small) architecture() string {
	i := slices.IndexFunc(s.pairs, func(p gguftest.Pair) bool { return p.Key == "general.architecture" })
	return s.pairs[i].Value.(string)
}
