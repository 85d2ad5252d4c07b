package pipeline

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestUses: for every small model of the tests, the verdict about each use agrees with
// what happens when the model is opened for it.
func TestUses(t *testing.T) {
	var folders []string
	for _, pattern := range []string{"testdata/*", "testdata/variants/*", "../models/testdata/*", "../models/testdata/decoders/*", "../models/testdata/heads/*", "../models/testdata/odd/*"} {
		found, err := filepath.Glob(pattern + "/config.json")
		if err != nil {
			t.Fatal(err)
		}
		folders = append(folders, found...)
	}
	seen := map[string]int{}
	for _, name := range folders {
		checkUses(t, filepath.Dir(name), os.DirFS(filepath.Dir(name)), seen)
	}
	checkUses(t, "tiny chat", tinyChat(t), seen)
	plain := tinyChat(t)
	delete(plain, "chat_template.jinja")
	checkUses(t, "tiny writer", plain, seen)
	own := folderOf(t, "testdata/decoder-last")
	own["config.json"].Data = bytes.Replace(own["config.json"].Data, []byte("{"), []byte(`{"auto_map":{"AutoModel":"own.Own"},`), 1)
	checkUses(t, "own code", own, seen)
	other := folderOf(t, "testdata/cls")
	other["config.json"].Data = bytes.Replace(other["config.json"].Data, []byte("BertModel"), []byte("BertForQuestionAnswering"), 1)
	outline, err := OpenOutline(other, OutlineOptions{})
	if err != nil {
		t.Fatal(err)
	}
	outline.Close()
	if !slices.ContainsFunc(outline.Uses, func(u Use) bool {
		return strings.Contains(u.Reason, "the head of BertForQuestionAnswering is not supported (only ")
	}) {
		t.Errorf("a head that is not supported: %v", outline.Uses)
	}
	for _, use := range []string{"chat", "embed", "rerank", "classify"} {
		if seen[use+" works"] == 0 || seen[use+" fails"] == 0 {
			t.Errorf("%s: the models show only one outcome: %v", use, seen)
		}
	}
}

func checkUses(t *testing.T, name string, folder fs.FS, seen map[string]int) {
	t.Helper()
	outline, err := OpenOutline(folder, OutlineOptions{})
	if err != nil {
		return // the verdict is "no" for all uses
	}
	defer outline.Close()
	bs := oneThread(t)
	for _, use := range outline.Uses {
		var err error
		switch use.Name {
		case "chat":
			err = opensForChat(folder)
		case "embed":
			var e Embedder
			if e, err = OpenEmbedder(context.Background(), folder, bs, EmbedderOptions{}); err == nil {
				e.Close()
			}
		case "rerank":
			var r Reranker
			if r, err = OpenReranker(context.Background(), folder, bs, RerankerOptions{}); err == nil {
				r.Close()
			}
		case "classify":
			var c *Classifier
			if c, err = OpenClassifier(context.Background(), folder, bs, ClassifierOptions{}); err == nil {
				c.Close()
			}
		}
		if (err == nil) != use.Works {
			t.Errorf("%s, %s: the verdict is %v (%s), opening it: %v", name, use.Name, use.Works, use.Reason, err)
		}
		if !use.Works && use.Reason == "" {
			t.Errorf("%s, %s: no, and no reason", name, use.Name)
		}
		if use.Works {
			seen[use.Name+" works"]++
		} else {
			seen[use.Name+" fails"]++
		}
	}
}

// opensForChat opens a model like the program does for a chat, by what its description
// says it is for.
func opensForChat(folder fs.FS) error {
	d, err := Describe(folder, "")
	if err != nil || !d.Supported {
		return errors.Join(err, errors.New(d.Reason))
	}
	if d.Kind != "chat" {
		return errors.New("its kind is " + d.Kind)
	}
	c, err := OpenChatTokenizer(folder, "")
	if err != nil {
		return err
	}
	return c.Close()
}

// folderOf reads a folder into memory.
func folderOf(t *testing.T, dir string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
