package library

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/weights/gguf/gguftest"
)

// put writes files into a new folder.
func put(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// What files say of a template, of sampling and of the licence, and nothing where they say nothing.
func TestAbout(t *testing.T) {
	l := looking(t)
	pairs := []gguftest.Pair{
		{Key: "general.architecture", Value: "llama"},
		{Key: "general.license", Value: "other"},
		{Key: "general.license.name", Value: "own"},
		{Key: "general.sampling.temp", Value: float32(0.5)},
		{Key: "tokenizer.chat_template", Value: "{{ b }}"},
	}
	packed := filepath.Join(put(t, map[string]string{
		"a.gguf":  string(gguftest.File(pairs, nil)),
		"LICENSE": "of something else", "README.md": "---\nlicense: mit\n---\n",
	}), "a.gguf")
	bare := filepath.Join(put(t, map[string]string{"b.gguf": string(gguftest.File(pairs[:1], nil)), "README.md": "---\nlicense: mit\n---\n"}), "b.gguf")
	full := map[string]string{
		"config.json": "{}", "generation_config.json": `{"temperature":0.7,"top_k":20}`, "chat_template.jinja": "{{ a }}",
		"LICENSE.txt": "\nAll may use it.\n", "README.md": "---\nlicense: mit\n---\n",
	}
	named := map[string]string{"config.json": "{}", "README.md": "---\nlicense: mit\n---\n", "LICENSE": " \n"}
	several := map[string]string{"config.json": "{}", "tokenizer_config.json": `{"chat_template":[{"name":"tools","template":"t"},{"name":"default","template":"d"}]}`}
	for what, c := range map[string]struct {
		m           Model
		template    string
		temperature float64 // -1: not said
		licence     string
	}{
		"a folder":                 {Model{ID: put(t, full), Kind: KindChat}, "{{ a }}", 0.7, "All may use it."},
		"the same, of texts alone": {Model{ID: put(t, full), Kind: KindText}, "", 0.7, "All may use it."},
		"the same, of an embedder": {Model{ID: put(t, full), Kind: KindEmbedding}, "", -1, "All may use it."},
		"a name of a licence":      {Model{ID: put(t, named), Kind: KindChat}, "", -1, "mit"},
		"several templates":        {Model{ID: put(t, several), Kind: KindChat}, "d", -1, ""},
		"a GGUF file":              {Model{ID: packed, Kind: KindChat}, "{{ b }}", 0.5, "own"},
		"one that says nothing":    {Model{ID: bare, Kind: KindText}, "", -1, "mit"},
		"a server's":               {Model{ID: "lab/a", Kind: KindChat, Source: SourceServer}, "", -1, ""},
	} {
		got, err := l.About(t.Context(), c.m)
		temperature := -1.0
		if got.Sampling != nil {
			temperature = got.Sampling.Temperature
		}
		if err != nil || got.Template != c.template || float32(temperature) != float32(c.temperature) || got.Licence != c.licence {
			t.Errorf("%s: %+v, temperature %v, %v", what, got, temperature, err)
		}
	}
}

// Files that cannot be read are an error, and a long licence is cut.
func TestAboutBroken(t *testing.T) {
	l := looking(t)
	for name, text := range map[string]string{"tokenizer_config.json": "[", "config.json": "{", "a.gguf": "GGUF"} {
		if got, err := l.About(t.Context(), Model{ID: put(t, map[string]string{name: text}), Kind: KindChat}); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if _, err := l.About(t.Context(), Model{ID: filepath.Join(t.TempDir(), "gone"), Kind: KindChat}); err == nil {
		t.Error("a model that is gone has no error")
	}
	long := put(t, map[string]string{"config.json": "{}", "LICENSE": strings.Repeat("\xff", mostLicence+1)})
	if got, err := l.About(t.Context(), Model{ID: long}); err != nil || len(got.Licence) > 3*mostLicence {
		t.Errorf("%d bytes, %v", len(got.Licence), err)
	}
}
