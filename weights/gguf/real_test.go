package gguf

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestRealFiles reads the files beside the repository.
func TestRealFiles(t *testing.T) {
	var names []string
	for _, pattern := range []string{"../../../shared/ggml-vocab/*.gguf", "../../../shared/models/*/*.gguf"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	if names == nil {
		t.Skip("no GGUF files are beside the repository")
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			r, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			info, err := r.Stat()
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			f, err := Read(r, info.Size())
			took := time.Since(start)
			if err != nil {
				t.Fatal(err)
			}
			architecture, err := f.Meta.String("general.architecture")
			if err != nil {
				t.Error(err)
			}
			tokens, err := f.Meta.Strings("tokenizer.ggml.tokens")
			if err != nil || len(tokens) < 100 {
				t.Errorf("%d tokens, %v", len(tokens), err)
			}
			t.Logf("%s, %d tensors, %d keys, %d tokens, %d bytes: %v", architecture, len(f.Tensors), len(f.Meta.Keys()), len(tokens), info.Size(), took)
		})
	}
}
