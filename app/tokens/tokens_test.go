package tokens

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/app/base"
)

func sumOf(secret string) [sha256.Size]byte { return sha256.Sum256([]byte(secret)) }

// A token lets in until it is removed, also by another process; its secret stands nowhere.
func TestTokens(t *testing.T) {
	paths := base.Paths{Config: t.TempDir()}
	s, other := New(paths), New(paths)
	if list, err := s.List(); err != nil || len(list) != 0 || s.Who(sumOf("")) != "" {
		t.Fatalf("%v, %v", list, err)
	}
	secret, err := s.Add(" Open WebUI ")
	if err != nil || !strings.HasPrefix(secret, prefix) || len(secret) < len(prefix)+26 {
		t.Fatalf("%q, %v", secret, err)
	}
	second, err := other.Add("editor")
	if err != nil || second == secret {
		t.Fatal(second, err)
	}
	list, err := s.List()
	if err != nil || len(list) != 2 || list[0].Name != "Open WebUI" || list[1].Name != "editor" || list[0].Made.IsZero() {
		t.Fatalf("%+v, %v", list, err)
	}
	if s.Who(sumOf(secret)) != "Open WebUI" || s.Who(sumOf(second)) != "editor" || s.Who(sumOf(secret+"x")) != "" {
		t.Error("the names are wrong")
	}
	data, err := os.ReadFile(s.path)
	if err != nil || strings.Contains(string(data), secret) || strings.Contains(string(data), secret[len(prefix):]) {
		t.Errorf("%s, %v", data, err)
	}
	if info, err := os.Stat(s.path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if err := other.Remove("Open WebUI"); err != nil {
		t.Fatal(err)
	}
	if s.Who(sumOf(secret)) != "" || s.Who(sumOf(second)) != "editor" {
		t.Error("a token that was removed lets in, or another one does not")
	}
	for _, name := range []string{"", "editor", strings.Repeat("a", 41), "a\nb", "a\u202eb"} {
		if _, err := s.Add(name); err == nil {
			t.Errorf("%q is a name", name)
		}
	}
	if err := s.Remove("nobody"); err == nil {
		t.Error("what is not there was removed")
	}
}

// A damaged file lets nobody in, is not written over, and every cut of a file is harmless.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	s := New(base.Paths{Config: dir})
	secret, err := s.Add("one")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) - 2 {
		if err := os.WriteFile(filepath.Join(dir, "tokens.json"), whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		s.seen = stamp{}
		if s.Who(sumOf(secret)) != "" {
			t.Fatalf("%d bytes let in", n)
		}
		if _, err := s.List(); err == nil {
			t.Fatalf("%d bytes are in order", n)
		}
		if _, err := s.Add("two"); err == nil {
			t.Fatalf("%d bytes were written over", n)
		}
	}
	if err := os.WriteFile(s.path, []byte(`{"tokens":[{"name":"one","sha256":"12"},{"name":"a\nb","sha256":"`+strings.Repeat("0", 64)+`"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s.seen = stamp{}
	if list, err := s.List(); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}
