package library

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
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
	for _, name := range []string{
		"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "generation_config.json",
		"chat_template.jinja", "vocab.txt", "modules.json", "sentence_bert_config.json", "config_sentence_transformers.json", "1_Pooling/config.json",
	} {
		for kind, put := range kinds {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS("../../pipeline/testdata/cls")); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, name)
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
				_, _ = pipeline.Describe(folder, "")
				_, _ = pipeline.OpenTokenizer(folder, "")
				e, err := pipeline.OpenEmbedder(context.Background(), folder, []engine.Backend{backend}, pipeline.EmbedderOptions{})
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
