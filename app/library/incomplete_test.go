package library

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder of a text model without a tokenizer is named as incomplete, in one sentence, and not added
// to the list, until the file is there. Work that needs no texts takes it all the same. A model of
// pictures alone needs none.
func TestNoTokenizer(t *testing.T) {
	l := looking(t)
	dir := filepath.Join(t.TempDir(), "toy")
	if err := os.CopyFS(dir, os.DirFS("../../pipeline/testdata/cls")); err != nil {
		t.Fatal(err)
	}
	if e, err := l.Usable(t.Context(), dir); err != nil || e.Reason != "" {
		t.Fatalf("as it is: %v, %q", err, e.Reason)
	}
	tokenizer := filepath.Join(dir, "tokenizer.json")
	words, err := os.ReadFile(tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(tokenizer), os.RemoveAll(filepath.Join(dir, "vocab.txt"))); err != nil {
		t.Fatal(err)
	}
	const why = "it is incomplete, because its tokenizer.json is missing"
	e, err := l.Find(t.Context(), dir)
	if err != nil || e.Usable || !strings.HasPrefix(e.Reason, why) || strings.Contains(e.Reason, "\n") || e.Kind != KindEmbedding {
		t.Errorf("%v, %+v", err, e.Model)
	}
	if _, err := l.Usable(t.Context(), dir); err == nil || !strings.HasPrefix(err.Error(), "toy cannot be used: "+why) {
		t.Errorf("it is usable: %v", err)
	}
	if _, err := l.Encodes(t.Context(), dir); err == nil || !strings.HasPrefix(err.Error(), "toy cannot be used: "+why) {
		t.Errorf("it makes vectors: %v", err)
	}
	if added, err := l.AddModels(t.Context(), dir); err == nil || !strings.Contains(err.Error(), why) || len(added) > 0 {
		t.Errorf("added: %v, %v", added, err)
	}
	if e, err := l.WithoutTexts(t.Context(), dir); err != nil || e.ID != dir {
		t.Errorf("with token ids alone: %v", err)
	}

	if err := os.Symlink("../words", tokenizer); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "words"), words, 0o600); err != nil {
		t.Fatal(err)
	}
	if e, err := l.Find(t.Context(), dir); err != nil || e.Usable || !strings.HasPrefix(e.Reason, "tokenizer.json is a link") {
		t.Errorf("a link to a tokenizer: %v, %q", err, e.Reason)
	}
	if err := errors.Join(os.Remove(tokenizer), os.WriteFile(tokenizer, words, 0o600)); err != nil {
		t.Fatal(err)
	}
	if e, err := l.Usable(t.Context(), dir); err != nil || e.Reason != "" {
		t.Errorf("whole again: %v, %q", err, e.Reason)
	}

	if err := os.Remove(filepath.Join(dir, "model.safetensors")); err != nil {
		t.Fatal(err)
	}
	if _, err := l.WithoutTexts(t.Context(), dir); err == nil {
		t.Error("a model without weights is usable for token ids")
	}
	pictures := "../../models/testdata/pictures/clip-vision"
	if e, err := l.Usable(t.Context(), pictures); err != nil || e.Kind != KindPictures {
		t.Errorf("%v, %q", err, e.Kind)
	}
}
