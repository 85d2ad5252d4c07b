package models_test

import (
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/weights"
)

// TestTiedAndStored: the table of word vectors and that of the output layer are found
// whatever config.json says about tying and whatever is stored. The outcomes are those
// of transformers 5, except where that makes up a random table ("").
func TestTiedAndStored(t *testing.T) {
	for _, c := range []struct {
		name, words, head string
		byDefault         bool // tied if config.json says nothing
	}{
		{"llama", "model.embed_tokens.weight", "lm_head.weight", false},
		{"mistral", "model.embed_tokens.weight", "lm_head.weight", false},
		{"qwen2", "model.embed_tokens.weight", "lm_head.weight", false},
		{"qwen3", "model.embed_tokens.weight", "lm_head.weight", false},
		{"phi3", "model.embed_tokens.weight", "lm_head.weight", false},
		{"stablelm", "model.embed_tokens.weight", "lm_head.weight", false},
		{"gpt-neox", "gpt_neox.embed_in.weight", "embed_out.weight", false},
		{"smollm3", "model.embed_tokens.weight", "lm_head.weight", true},
		{"gemma2", "model.embed_tokens.weight", "lm_head.weight", true},
		{"gemma3", "model.embed_tokens.weight", "lm_head.weight", true},
		{"gpt2", "transformer.wte.weight", "lm_head.weight", true},
		{"falcon-7b", "transformer.word_embeddings.weight", "lm_head.weight", true},
	} {
		for _, says := range []any{true, false, nil} {
			tied := says == true || says == nil && c.byDefault
			for _, stored := range []struct {
				words, head         bool
				wantWords, wantHead string
				note                bool
			}{
				{true, true, c.words, c.head, tied},
				{true, false, c.words, choose(tied, c.words), false},
				{false, true, choose(tied, c.head), c.head, false},
			} {
				words, head, notes := tables(t, c.name, says, map[string]bool{c.words: stored.words, c.head: stored.head})
				if stored.wantWords == "" || stored.wantHead == "" {
					stored.wantWords, stored.wantHead = "", ""
				}
				if words != stored.wantWords || head != stored.wantHead || (len(notes) > 0) != stored.note {
					t.Errorf("%s, tie_word_embeddings %v, words stored %v, head %v: words are %q and the head %q, want %q and %q; notes %q",
						c.name, says, stored.words, stored.head, words, head, stored.wantWords, stored.wantHead, notes)
				}
			}
		}
	}
}

func choose(yes bool, s string) string {
	if yes {
		return s
	}
	return ""
}

// TestHeadThatIsACopy: an output layer that is stored as a copy of the word vectors is
// the same weight, and is in memory once.
func TestHeadThatIsACopy(t *testing.T) {
	const words, head = "model.embed_tokens.weight", "lm_head.weight"
	for _, tied := range []bool{true, false} {
		w, h, notes := tables(t, "llama", tied, map[string]bool{words: true, head: true}, words, head)
		if w != words || h != words || len(notes) > 0 {
			t.Errorf("tie_word_embeddings %v: words are %q and the head %q; notes %q", tied, w, h, notes)
		}
		if w, h, _ := tables(t, "llama", tied, map[string]bool{words: true, head: true}, words); w != words || h != head {
			t.Errorf("where the last number differs words are %q and the head %q", w, h)
		}
	}
}

// tables loads a checkpoint of testdata with a changed config.json and with or without
// some tensors. The tensors in copies have equal values. It returns the names of the two
// tables, or "" if the checkpoint is refused.
func tables(t *testing.T, name string, tied any, stored map[string]bool, copies ...string) (words, head string, notes []string) {
	t.Helper()
	dir := os.DirFS("testdata/decoders/" + name)
	var config map[string]any
	readJSON(t, "testdata/decoders/"+name+"/config.json", &config)
	delete(config, "tie_word_embeddings")
	if tied != nil {
		config["tie_word_embeddings"] = tied
	}
	data, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	c, err := models.ParseConfig(data)
	if err != nil {
		t.Fatal(err)
	}
	set, err := weights.Open(dir, weights.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	shapes := map[string][]int{}
	for _, n := range set.Names() {
		info, _ := set.Info(n)
		shapes[n] = info.Shape
	}
	for n, there := range stored {
		delete(shapes, n)
		if there {
			shapes[n] = []int{c.Vocab, c.Hidden}
		}
	}
	changed, err := weights.Open(fstest.MapFS{"model.safetensors": {Data: zeros(t, shapes, copies...)}}, weights.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer changed.Close()
	m, err := models.LoadDecoder(c, changed)
	if err != nil {
		if !strings.Contains(err.Error(), "missing") {
			t.Fatal(err)
		}
		return "", "", nil
	}
	cache := newCache(t, m, engine.F32, 1)
	g := engine.NewGraph()
	defer g.Close()
	m.Forward(g, models.Input{Tokens: []int32{1}}, cache, nil, models.Logits)
	for _, op := range g.Ops() {
		switch op.Op {
		case engine.OpEmbed:
			if words == "" {
				words = op.Src[0].Name
			}
		case engine.OpLinear:
			head = op.Src[1].Name
		}
	}
	return words, head, m.Config().Notes
}

// zeros returns a safetensors file of tensors of zeros, except that the last number of
// each is its index in the file. The tensors in copies are all zeros.
func zeros(t *testing.T, shapes map[string][]int, copies ...string) []byte {
	t.Helper()
	header, at := map[string]any{}, 0
	var tensors []byte
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		size := 4
		for _, d := range shapes[name] {
			size *= d
		}
		header[name] = map[string]any{"dtype": "F32", "shape": shapes[name], "data_offsets": []int{at, at + size}}
		at += size
		tensors = append(tensors, make([]byte, size)...)
		if !slices.Contains(copies, name) {
			binary.LittleEndian.PutUint32(tensors[at-4:], math.Float32bits(float32(len(header))))
		}
	}
	data, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	return append(append(file, data...), tensors...)
}
