package library

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWithoutFrontMatter(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "# A\n\ntext": "# A\n\ntext",
		"---\nlicense: mit\n---\n# A":           "# A",
		"\ufeff---\r\nlicense: mit\r\n---\r\nA": "A",
		"---\n---\nA":                           "A",
		"---\nlicense: mit\n---":                "",
		"---\nlicense: mit\nA":                  "---\nlicense: mit\nA",
		"A\n---\nB\n---\nC":                     "A\n---\nB\n---\nC",
		"---":                                   "---",
	} {
		if got := withoutFrontMatter(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// The card of a model is its README; where there is none, it is empty. A link that leads out
// of the folder is refused.
func TestCard(t *testing.T) {
	l := looking(t)
	if text, err := l.Card(t.Context(), StarterEmbed); err != nil || !strings.Contains(text, "#") || strings.HasPrefix(text, "---") {
		t.Errorf("the card of a bundled model is %.60q, %v", text, err)
	}
	dir := t.TempDir()
	for _, name := range []string{"config.json", "model.safetensors"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := l.Card(t.Context(), dir); err != nil || text != "" {
		t.Errorf("no card: %q, %v", text, err)
	}
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	readme := filepath.Join(dir, "README.md")
	if err := os.Symlink(secret, readme); err != nil {
		t.Fatal(err)
	}
	if text, err := l.Card(t.Context(), dir); err == nil || strings.Contains(text, "secret") {
		t.Errorf("a link out of the folder: %q, %v", text, err)
	}
	os.Remove(readme)
	if err := os.WriteFile(readme, []byte(strings.Repeat("a", 2*mostCard)+"\xff"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := l.Card(t.Context(), dir); err != nil || len(text) > mostCard+10 || !strings.HasSuffix(text, "…") {
		t.Errorf("a long card has %d bytes (%v)", len(text), err)
	}
	if _, err := l.Card(t.Context(), "nobody/nothing"); err == nil {
		t.Error("the card of a model that is not here was read")
	}
}
