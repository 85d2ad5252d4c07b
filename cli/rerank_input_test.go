package cli

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// crossEncoder is a copy of a small cross-encoder with so many labels; notNumbers: all weights
// of its last layer are NaN.
func crossEncoder(t *testing.T, labels int, notNumbers bool) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "ranker")
	if err := os.CopyFS(dir, os.DirFS("../pipeline/testdata/rerank-bert")); err != nil {
		t.Fatal(err)
	}
	change := func(name string, how func([]byte) []byte) {
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, how(data), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	change("config.json", func(data []byte) []byte {
		all := map[string]any{}
		if err := json.Unmarshal(data, &all); err != nil {
			t.Fatal(err)
		}
		names := map[string]string{}
		for i := range labels {
			names[fmt.Sprint(i)] = fmt.Sprint("label ", i)
		}
		all["id2label"] = names
		return marshalled(t, all)
	})
	change("model.safetensors", func(data []byte) []byte {
		type tensor struct {
			Type    string `json:"dtype"`
			Shape   []int  `json:"shape"`
			Offsets [2]int `json:"data_offsets"`
		}
		n := int(binary.LittleEndian.Uint64(data)) + 8
		header := map[string]tensor{}
		var all map[string]json.RawMessage
		if err := json.Unmarshal(data[8:n], &all); err != nil {
			t.Fatal(err)
		}
		var body []byte
		for name, raw := range all {
			var x tensor
			if name == "__metadata__" {
				continue
			}
			if err := json.Unmarshal(raw, &x); err != nil {
				t.Fatal(err)
			}
			values := slices.Clone(data[n+x.Offsets[0] : n+x.Offsets[1]])
			if strings.HasPrefix(name, "classifier.") {
				values, x.Shape[0] = slices.Repeat(values, labels), labels
				for i := 0; notNumbers && i < len(values); i += 4 {
					binary.LittleEndian.PutUint32(values[i:], math.Float32bits(float32(math.NaN())))
				}
			}
			x.Offsets = [2]int{len(body), len(body) + len(values)}
			header[name], body = x, append(body, values...)
		}
		head := marshalled(t, header)
		return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head, body)
	})
	return dir
}

func marshalled(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestRerankRefusals: what cannot be ranked, or ranks nothing, is told in one sentence.
func TestRerankRefusals(t *testing.T) {
	embedder := filepath.Join(t.TempDir(), "embedder")
	if err := os.CopyFS(embedder, os.DirFS("../pipeline/testdata/cls")); err != nil {
		t.Fatal(err)
	}
	config, err := os.ReadFile(filepath.Join(embedder, "config.json"))
	if err == nil {
		err = os.WriteFile(filepath.Join(embedder, "config.json"), []byte(strings.Replace(string(config), "BertModel", "BertForSequenceClassification", 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"an embedder that calls itself a cross-encoder": {[]string{"--model", embedder, "--query", "tea", "a"}, 1, "classifier"},
		"a head of three labels":                        {[]string{"--model", crossEncoder(t, 3, false), "--query", "tea", "a"}, 1, "3 labels"},
		"scores that are no numbers":                    {[]string{"--model", crossEncoder(t, 1, true), "--query", "tea", "a"}, 1, "not finite"},
		"a language model":                              {[]string{"--model", "../models/testdata/decoders/llama", "--query", "tea", "a"}, 1, "is a language model"},
		"no query":                                      {[]string{"a"}, 2, "--query is missing"},
		"an empty query":                                {[]string{"--query", " ", "a"}, 2, "--query is missing"},
		"no texts":                                      {[]string{"--query", "tea"}, 2, "there is no text"},
		"a pooling that there is not":                   {[]string{"--pooling", "median", "--query", "tea", "a"}, 2, "median"},
	} {
		got := inglenook(t, "", append([]string{"rerank"}, c.args...)...)
		if got.code != c.code || got.stdout != "" || !strings.Contains(got.stderr, c.says) {
			t.Errorf("%s: code %d, output %q, error output %q", name, got.code, got.stdout, got.stderr)
		}
	}
}

// TestRerankManyTexts: 10,000 texts have a place each; one of a megabyte and equal ones are
// ranked, and what is odd is told.
func TestRerankManyTexts(t *testing.T) {
	model := "../pipeline/testdata/mean-normalize"
	var texts []string
	for i := range 10_000 {
		texts = append(texts, fmt.Sprintf("tea of box %d", i))
	}
	got := inglenook(t, strings.Join(texts, "\n"), "rerank", "--model", model, "--query", "tea")
	if n := strings.Count(got.stdout, "tea of box"); got.code != 0 || n != len(texts) {
		t.Errorf("code %d, %d texts, %.300q", got.code, n, got.stderr)
	}
	got = inglenook(t, strings.Repeat("tea ", 1<<18)+"\nsnow", "rerank", "--model", model, "--query", "tea")
	if got.code != 0 || strings.Count(got.stdout, "\n") != 2 || len(got.stdout) > 1000 || !strings.Contains(got.stderr, "text 1 is longer than the model reads") {
		t.Errorf("a megabyte: code %d, %d bytes, %q", got.code, len(got.stdout), got.stderr)
	}
	got = inglenook(t, "", append([]string{"rerank", "--model", model, "--query", "tea"}, slices.Repeat([]string{"snow"}, 5)...)...)
	if got.code != 0 || strings.Count(got.stdout, "snow") != 5 || !strings.Contains(got.stderr, "all texts have the same score") {
		t.Errorf("equal texts: code %d, %q, %q", got.code, got.stdout, got.stderr)
	}
}
