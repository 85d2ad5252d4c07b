package library

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"inglenook/cpubackend"
	"inglenook/engine"
	"inglenook/pipeline"
)

// TestFilesThatAreNone replaces each file of a checkpoint by something that is no regular file
// and opens the model. It works or fails, and never waits.
func TestFilesThatAreNone(t *testing.T) {
	backend, err := cpubackend.New(cpubackend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer backend.Close()
	kinds := map[string]func(path string) error{
		"a named pipe":           func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a link to a named pipe": func(path string) error { return os.Symlink("pipe", path) },
		"a folder":               func(path string) error { return os.Mkdir(path, 0o700) },
		"a loop of links":        func(path string) error { return os.Symlink(filepath.Base(path), path) },
		"a device":               func(path string) error { return os.Symlink("/dev/zero", path) },
	}
	if os.Geteuid() == 0 {
		t.Log("a file without rights is not tried: root may read every file")
	} else {
		kinds["a file without rights"] = func(path string) error { return os.WriteFile(path, []byte("secret"), 0) }
	}
	// Sharded weights have an index; a GGUF file is a whole checkpoint.
	shards := func(dir string) error {
		index := `{"weight_map": {"encoder.weight": "model-00001-of-00001.safetensors"}}`
		return errors.Join(os.Rename(filepath.Join(dir, "model.safetensors"), filepath.Join(dir, "model-00001-of-00001.safetensors")),
			os.WriteFile(filepath.Join(dir, "model.safetensors.index.json"), []byte(index), 0o600))
	}
	alone := func(dir string) error { return os.Remove(filepath.Join(dir, "tokenizer.json")) }
	prepare := map[string]func(dir string) error{
		"model.safetensors.index.json": shards, "model-00001-of-00001.safetensors": shards,
		"tokenizer.model": alone, "vocab.json": alone, "merges.txt": alone,
	}
	for _, name := range []string{
		"model.safetensors.index.json", "model-00001-of-00001.safetensors", "tokenizer.model", "vocab.json", "merges.txt", "added_tokens.json", "model.gguf",
		"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "generation_config.json",
		"chat_template.jinja", "vocab.txt", "modules.json", "sentence_bert_config.json", "config_sentence_transformers.json", "1_Pooling/config.json",
	} {
		for kind, put := range kinds {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS("../../pipeline/testdata/cls")); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, name)
			if ready := prepare[name]; ready != nil {
				if err := ready(dir); err != nil {
					t.Fatal(err)
				}
			}
			_ = os.Remove(path)
			if err := syscall.Mkfifo(filepath.Join(filepath.Dir(path), "pipe"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := put(path); err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() {
				folder, closer, err := folderPlace(dir).Open(t.Context())
				if err != nil {
					done <- err
					return
				}
				defer closer.Close()
				if data, err := fs.ReadFile(folder, name); err == nil {
					t.Errorf("%s as %s holds %.20q", name, kind, data)
				}
				weights := ""
				if strings.HasSuffix(name, ".gguf") {
					weights = name
				}
				_, _ = pipeline.Describe(folder, weights)
				_, _ = pipeline.OpenTokenizer(folder, weights)
				e, err := pipeline.OpenEmbedder(context.Background(), folder, []engine.Backend{backend}, pipeline.EmbedderOptions{WeightsFile: weights})
				if err == nil {
					err = e.Close()
				}
				_ = err // missing files are tested elsewhere
				done <- nil
			}()
			select {
			case err := <-done:
				if err != nil {
					t.Errorf("%s as %s: %v", name, kind, err)
				}
			case <-time.After(30 * time.Second):
				t.Fatalf("%s as %s hangs", name, kind)
			}
		}
	}
}

// TestHeadBesideAFile: the file with the head that guesses for a model counts to what changes the model, and
// not to its files; that of another model that lies there does not count.
func TestHeadBesideAFile(t *testing.T) {
	dir := t.TempDir()
	putFiles(t, dir, "a.gguf", "b.gguf")
	look := func() (files []ModelFile, stamp string) {
		p := filePlace(t.Context(), filepath.Join(dir, "a.gguf"))
		folder, closer, err := p.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer closer.Close()
		return p.files(folder)
	}
	_, before := look()
	for _, name := range []string{"mtp-a.gguf", "MTP/mtp-a-Q8_0.gguf"} {
		putFiles(t, dir, name)
		files, stamp := look()
		if len(files) != 1 || files[0].Path != "a.gguf" || stamp == before {
			t.Errorf("with %s: %v, stamp %q after %q", name, files, stamp, before)
		}
		before = stamp
	}
	putFiles(t, dir, "c.gguf", "mmproj-a.gguf")
	if _, stamp := look(); stamp != before {
		t.Errorf("files of other models change the stamp: %q after %q", stamp, before)
	}
}
