package pipeline_test

import (
	"context"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/pipeline"
)

// TestClassifiers compares labels and their numbers with the reference library's pipeline: of
// one label among several, of several at once, and of a single one.
func TestClassifiers(t *testing.T) {
	for name, kind := range map[string]string{"deberta": pipeline.Softmax, "several": pipeline.Sigmoid, "one": pipeline.Sigmoid} {
		t.Run(name, func(t *testing.T) {
			var want struct {
				Texts  []string
				Labels [][]struct {
					Label string
					Score float64
				}
			}
			dir := "testdata/classify-" + name
			readJSON(t, dir+"/expected.json", &want)
			c, err := pipeline.OpenClassifier(context.Background(), os.DirFS(dir), cpu(t), pipeline.ClassifierOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			done := 0
			got, err := c.Classify(context.Background(), want.Texts, func(n, of int) { done = n })
			if err != nil {
				t.Fatal(err)
			}
			if got.Kind != kind || done != len(want.Texts) || got.Truncated[0] || !got.Truncated[4] || got.Tokens[4] != 64 {
				t.Errorf("kind %s, %d of %d texts done, truncated %v at %v", got.Kind, done, len(want.Texts), got.Truncated, got.Tokens)
			}
			for i, labels := range want.Labels {
				if len(labels) != len(got.Labels[i]) {
					t.Fatalf("%.30q: %d labels instead of %d", want.Texts[i], len(got.Labels[i]), len(labels))
				}
				for k, l := range labels {
					if g := got.Labels[i][k]; g.Name != l.Label || math.Abs(float64(g.Value)-l.Score) > 1e-5 {
						t.Errorf("%.30q: label %d is %s %v instead of %s %v", want.Texts[i], k, g.Name, g.Value, l.Label, l.Score)
					}
				}
			}
		})
	}
}

// TestClassifierRefusals: what has no labels for texts says so.
func TestClassifierRefusals(t *testing.T) {
	for dir, say := range map[string]string{
		"testdata/cls":                            "BertModel has no head for labels or words",
		"testdata/rank-qwen3":                     "has no head for labels or words",
		"../models/testdata/heads/deberta-v3":     "DebertaV2Model has no head for labels or words",
		"../models/testdata/heads/gte-classifier": "tokenizer",
	} {
		if c, err := pipeline.OpenClassifier(context.Background(), os.DirFS(dir), cpu(t), pipeline.ClassifierOptions{}); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%s: %v", dir, err)
			if err == nil {
				c.Close()
			}
		}
	}
	c, err := pipeline.OpenClassifier(context.Background(), os.DirFS("testdata/classify-one"), cpu(t), pipeline.ClassifierOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Classify(context.Background(), nil, nil); err == nil {
		t.Error("no text is classified")
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Classify(ended, []string{"tea"}, nil); err == nil {
		t.Error("an ended context is not heeded")
	}
}

// TestClassifierOfValues: a model that predicts values gives them as they are.
func TestClassifierOfValues(t *testing.T) {
	files := fstest.MapFS{}
	for _, name := range []string{"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"} {
		data, err := os.ReadFile("testdata/classify-one/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "config.json" {
			data = slices.Concat([]byte(`{"problem_type": "regression",`), data[1:])
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	labels := func(m fstest.MapFS) float64 {
		c, err := pipeline.OpenClassifier(context.Background(), m, cpu(t), pipeline.ClassifierOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		got, err := c.Classify(context.Background(), []string{"tea"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return float64(got.Labels[0][0].Value)
	}
	value := labels(files)
	files["config.json"].Data = []byte(strings.Replace(string(files["config.json"].Data), "regression", "x", 1))
	if p := labels(files); math.Abs(p-1/(1+math.Exp(-value))) > 1e-6 {
		t.Errorf("the value is %v and the probability %v", value, p)
	}
}
