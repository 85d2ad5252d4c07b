package models_test

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/engine/enginetest"
	"inglenook/models"
	"inglenook/weights"
)

// TestWrapped: a language model within one that reads pictures gives the same logits,
// and what reads the pictures is named in a note.
func TestWrapped(t *testing.T) {
	for _, c := range []struct{ name, architecture, prefix string }{
		{"gemma4-sharing", "Gemma4ForConditionalGeneration", "model.language_model."},
		{"gemma4-moe", "Gemma4ForConditionalGeneration", "model.language_model."},
		{"qwen3_5-moe", "Qwen3_5MoeForConditionalGeneration", "model.language_model."},
		{"ministral3", "Mistral3ForConditionalGeneration", "model.language_model."},
		{"ministral3", "Mistral3ForConditionalGeneration", "language_model.model."}, // as its files have it, with the head beside
		{"gemma3", "Gemma3ForConditionalGeneration", "model.language_model."},
		{"gemma3", "Gemma3ForConditionalGeneration", "language_model.model."},
		{"gemma4", "Gemma4UnifiedForConditionalGeneration", "model.language_model."},
	} {
		dir := "testdata/decoders/" + c.name
		var text map[string]any
		readJSON(t, dir+"/config.json", &text)
		delete(text, "architectures")
		config, err := json.Marshal(map[string]any{"architectures": []string{c.architecture}, "model_type": "any", "text_config": text, "vision_config": map[string]any{"hidden_size": 4}})
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := models.ParseConfig(config)
		if err != nil {
			t.Fatal(err)
		}
		stored, err := os.ReadFile(dir + "/model.safetensors")
		if err != nil {
			t.Fatal(err)
		}
		set, err := weights.Open(fstest.MapFS{"model.safetensors": {Data: wrapped(t, stored, c.prefix)}}, weights.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer set.Close()
		m, err := models.LoadDecoder(parsed, set)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if notes := strings.Join(m.Config().Notes, "\n"); strings.Count(notes, "not used") != 1 || !strings.Contains(notes, "2 tensors such as model.vision_tower.layers.90.weight") {
			t.Errorf("%s: the notes are %q", c.name, notes)
		}
		var want expected
		readJSON(t, dir+"/expected.json", &want)
		for _, w := range want.Cases {
			if d := difference(whole(t, &enginetest.ReferenceBackend{}, m, w.IDs), w.Data); !(d <= 2e-5) {
				t.Errorf("%s, %d tokens: differs by %.2g", c.name, len(w.IDs), d)
			}
		}
	}
	for config, say := range map[string]string{
		`{"architectures":["Gemma4ForConditionalGeneration"]}`:                                             "text_config is missing",
		`{"architectures":["Gemma4ForConditionalGeneration"],"text_config":7}`:                             "text_config is 7, not an object",
		`{"architectures":["Gemma4ForConditionalGeneration"],"text_config":{"vocab_size":-1}}`:             "text_config: vocab_size is -1",
		`{"architectures":["Gemma4ForConditionalGeneration"],"text_config":{"rope_parameters":"linear"}}`:  "is missing",
		`{"architectures":["Mistral3ForConditionalGeneration"],"text_config":{"model_type":"mistral4"}}`:   "text_config: model_type is \"mistral4\"",
		`{"architectures":["Mistral3ForConditionalGeneration"],"text_config":{"model_type":"ministral3"}}`: "text_config: rope_parameters is missing",
	} {
		if _, err := models.ParseConfig([]byte(config)); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%s: %v", config, err)
		}
	}
}

// wrapped returns a safetensors file with the names of a model that reads pictures, and
// two tensors of that.
func wrapped(t *testing.T, file []byte, prefix string) []byte {
	t.Helper()
	n := binary.LittleEndian.Uint64(file)
	var header map[string]any
	if err := json.Unmarshal(file[8:8+n], &header); err != nil {
		t.Fatal(err)
	}
	data := file[8+n:]
	renamed := map[string]any{}
	for name, v := range header {
		if rest, ok := strings.CutPrefix(name, "model."); ok {
			name = prefix + rest
		} else if prefix == "language_model.model." && name == "lm_head.weight" {
			name = "language_model." + name
		}
		renamed[name] = v
	}
	for i, name := range []string{"model.vision_tower.layers.90.weight", "model.vision_tower.layers.91.weight"} {
		at := len(data) + 4*i
		renamed[name] = map[string]any{"dtype": "F32", "shape": []int{1}, "data_offsets": []int{at, at + 4}}
	}
	text, err := json.Marshal(renamed)
	if err != nil {
		t.Fatal(err)
	}
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	return append(append(append(out, text...), data...), make([]byte, 8)...)
}
