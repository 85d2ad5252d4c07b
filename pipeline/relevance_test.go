package pipeline

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/engine"
	"inglenook/weights"
)

// TestRelevance: which of several labels is the score.
func TestRelevance(t *testing.T) {
	for _, c := range []struct {
		names  string
		labels int
		want   string // the label's name, or a part of the error
	}{
		{`{}`, 1, ""},
		{`{"0": "no", "1": "yes"}`, 2, `"yes"`},
		{`{"0": "relevant", "1": "irrelevant"}`, 2, `"relevant"`},
		{`{"0": "LABEL_0", "1": "LABEL_1"}`, 2, `"LABEL_1"`},
		{`null`, 2, "number 1"},
		{`{"0": 7, "1": null}`, 2, "number 1"},
		{`{"0": "contradiction", "1": "Entailment", "2": "neutral"}`, 3, `"Entailment"`},
		{`{"0": "a", "1": "b", "2": "c"}`, 3, `3 labels (["a" "b" "c"])`},
		{`{"0": "yes", "1": "true"}`, 2, "not one of them"},
		{`{"0": "` + strings.Repeat("x", 5000) + `", "1": "b", "2": "c"}`, 3, "3 labels"},
	} {
		s := source{folder: fstest.MapFS{"config.json": {Data: []byte(`{"id2label": ` + c.names + `}`)}}, set: weights.Imagine("F32", engine.F32)}
		s.config.Labels = c.labels
		r, err := s.relevance()
		got := r.name
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || (err == nil && got != c.want) || len(got) > 600 {
			t.Errorf("%.60s: %q, %v, want %q", c.names, got, err, c.want)
		}
	}
}

// TestDescribeClassifier: a classifier whose labels are no scores is not a reranker.
func TestDescribeClassifier(t *testing.T) {
	for dir, want := range map[string]string{"../models/testdata/heads/distilbert-classifier": "encoder", "testdata/rerank-bert": "reranker"} {
		d, err := Describe(os.DirFS(dir), "")
		if err != nil || !d.Supported || d.Kind != want {
			t.Errorf("%s: %+v, %v, want %s", dir, d, err, want)
		}
	}
}

// TestRerankerOfTwoLabels: if the output of the first label is always 0, the probability
// of the second is the sigmoid of its output. The same checkpoint with that label alone
// must have the same score.
func TestRerankerOfTwoLabels(t *testing.T) {
	query, documents := "the cat", []string{"a cat sat there", "fire", "the dog and the cat"}
	scores := func(files fstest.MapFS) Scores {
		t.Helper()
		r, err := OpenReranker(context.Background(), files, oneThread(t), RerankerOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		s, err := r.Score(context.Background(), query, documents, RerankRequest{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	one, two := fstest.MapFS{}, fstest.MapFS{}
	entries, err := os.ReadDir("testdata/rerank-bert")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile("testdata/rerank-bert/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		one[e.Name()], two[e.Name()] = &fstest.MapFile{Data: data}, &fstest.MapFile{Data: data}
	}
	var config map[string]any
	if err := json.Unmarshal(one["config.json"].Data, &config); err != nil {
		t.Fatal(err)
	}
	config["id2label"] = map[string]string{"0": "irrelevant", "1": "relevant"}
	text, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	two["config.json"] = &fstest.MapFile{Data: text}
	two["model.safetensors"] = &fstest.MapFile{Data: zeroLabelFirst(t, one["model.safetensors"].Data)}

	want, got := scores(one), scores(two)
	for i := range documents {
		if math.Abs(float64(want.Values[i]-got.Values[i])) > 1e-6 {
			t.Errorf("document %d: %v with two labels, %v with one", i, got.Values[i], want.Values[i])
		}
	}
	if notes := strings.Join(got.Notes, "; "); !strings.Contains(notes, `has 2 labels: the score is the probability of the label "relevant"`) {
		t.Errorf("the notes are %q", notes)
	}
}

// zeroLabelFirst inserts a label of zeros before the only one of a classifier.
func zeroLabelFirst(t *testing.T, file []byte) []byte {
	t.Helper()
	n := binary.LittleEndian.Uint64(file)
	var header map[string]struct {
		Type    string `json:"dtype"`
		Shape   []int  `json:"shape"`
		Offsets [2]int `json:"data_offsets"`
	}
	if err := json.Unmarshal(file[8:8+n], &header); err != nil {
		t.Fatal(err)
	}
	var entries []string
	var data []byte
	for name, x := range header {
		if name == "__metadata__" {
			continue
		}
		begin := len(data)
		part := file[8+int(n)+x.Offsets[0] : 8+int(n)+x.Offsets[1]]
		if strings.HasPrefix(name, "classifier.") {
			x.Shape[0] = 2
			data = append(data, make([]byte, len(part))...)
		}
		data = append(data, part...)
		shape, err := json.Marshal(x.Shape)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, fmt.Sprintf(`%q:{"dtype":%q,"shape":%s,"data_offsets":[%d,%d]}`, name, x.Type, shape, begin, len(data)))
	}
	text := "{" + strings.Join(entries, ",") + "}"
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), data...)
}
