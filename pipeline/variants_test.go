package pipeline_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/pipeline"
)

// TestVariants sets the same setting to different values in different files of tiny
// checkpoints. It compares vectors and scores with those of sentence-transformers, which
// testdata/variants.py has recorded.
func TestVariants(t *testing.T) {
	var all struct {
		Query     string   `json:"query"`
		Texts     []string `json:"texts"`
		Documents []string `json:"documents"`
		Cases     []struct {
			Base, Name string
			Set        map[string]map[string]any
			Vectors    [][]float32
			Scores     []float32
		} `json:"cases"`
	}
	readJSON(t, "testdata/variants/cases.json", &all)
	if len(all.Cases) < 160 {
		t.Fatalf("there are %d variants", len(all.Cases))
	}
	for _, c := range all.Cases {
		t.Run(c.Base+": "+strings.ReplaceAll(c.Name, "/", "|"), func(t *testing.T) {
			checkpoint := variantOf(t, os.DirFS("testdata/variants/"+c.Base), c.Set)
			if c.Scores != nil {
				r, err := pipeline.OpenReranker(context.Background(), checkpoint, cpu(t), pipeline.RerankerOptions{})
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				got, err := valuesOf(context.Background(), r, all.Query, all.Documents[:len(c.Scores)])
				if err != nil {
					t.Fatal(err)
				}
				near(t, "scores", got, c.Scores, 1e-4)
				return
			}
			e, err := pipeline.OpenEmbedder(context.Background(), checkpoint, cpu(t), pipeline.EmbedderOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			got, err := vectorsOf(context.Background(), e, all.Texts)
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				near(t, all.Texts[i], got[i], c.Vectors[i], 1e-4)
			}
		})
	}
}

// variantOf returns a checkpoint with some values of some files set; nil removes a value,
// or a whole file.
func variantOf(t *testing.T, base fs.FS, set map[string]map[string]any) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	err := fs.WalkDir(base, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(base, name)
		files[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range set {
		if values == nil {
			delete(files, name)
			continue
		}
		var whole map[string]any
		if err := json.Unmarshal(files[name].Data, &whole); err != nil {
			t.Fatal(name, err)
		}
		for key, value := range values {
			at := whole
			for dir := path.Dir(key); dir != "."; dir = "." { // one level is enough
				at = at[dir].(map[string]any)
			}
			if value == nil {
				delete(at, path.Base(key))
			} else {
				at[path.Base(key)] = value
			}
		}
		if files[name].Data, err = json.Marshal(whole); err != nil {
			t.Fatal(err)
		}
	}
	return files
}
