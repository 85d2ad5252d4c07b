package server

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/app/library"
	"inglenook/assets"
)

// askedOf are requests for a model, by route.
func askedOf(model string) map[string]string {
	named := `{"model":"` + model + `"`
	return map[string]string{
		"/v1/chat/completions": named + `,"messages":[{"role":"user","content":"a"}],"max_tokens":1}`,
		"/v1/completions":      named + `,"prompt":"a","max_tokens":1}`,
		"/v1/responses":        named + `,"input":"a","max_output_tokens":16}`,
		"/v1/messages":         named + `,"messages":[{"role":"user","content":"a"}],"max_tokens":1}`,
		"/v1/embeddings":       named + `,"input":"a"}`,
		"/v1/rerank":           named + `,"query":"a","documents":["a"]}`,
		"/api/chat":            named + `,"messages":[{"role":"user","content":"a"}],"stream":false}`,
		"/api/embed":           named + `,"input":"a"}`,
		"/api/show":            named + `}`,
		"/tokenize":            named + `,"content":"a"}`,
	}
}

// aged has the server look again for its models.
func (r *running) aged() {
	r.server.names.mu.Lock()
	defer r.server.names.mu.Unlock()
	r.server.names.read = r.server.names.read.Add(-namesAge)
}

// listedIDs are the models of a list.
func (r *running) listedIDs(t *testing.T) (ids []string) {
	t.Helper()
	status, _, body := do(t, request(t, http.MethodGet, r.url+"/v1/models", ""))
	list := read[struct{ Data []struct{ ID string } }](t, body)
	if status != 200 || list.Data == nil {
		t.Errorf("/v1/models: %d %s", status, body)
	}
	for _, m := range list.Data {
		ids = append(ids, m.ID)
	}
	return ids
}

// Models whose files were removed are told as models that do not exist, on every route and in its
// form, however they are named, and whether the server has looked since or not. The others are
// listed and answer, and those that come back do.
func TestFilesGone(t *testing.T) {
	dir := t.TempDir()
	writes := toolModel(t)
	reads := filepath.Join(dir, "reads")
	if err := os.CopyFS(reads, assets.StarterEmbed()); err != nil {
		t.Fatal(err)
	}
	s := start(t, Options{Models: []string{writes, reads}, Aliases: []string{"writer"}})
	away := func(path string) func() {
		t.Helper()
		if err := os.Rename(path, path+".away"); err != nil {
			t.Fatal(err)
		}
		return func() {
			if err := os.Rename(path+".away", path); err != nil {
				t.Error(err)
			}
		}
	}
	refused := func(model, file string, routes ...string) {
		t.Helper()
		for route, body := range askedOf(model) {
			if len(routes) > 0 && !slices.Contains(routes, route) {
				continue
			}
			status, _, got := s.post(t, route, body)
			want := []string{file + " of this model is gone", "GET /v1/models lists those that are here"}
			switch {
			case route == "/v1/messages":
				want = append(want, `"type":"not_found_error"`)
			case !strings.HasPrefix(route, "/api"):
				want = append(want, `"code":"model_not_found"`, `"param":"model"`)
			}
			for _, part := range want {
				if status != 404 || !strings.Contains(got, part) {
					t.Errorf("%s for %q: %d %s; want %q", route, model, status, got, part)
				}
			}
		}
	}
	answers := func(route, model string) {
		t.Helper()
		if status, _, got := s.post(t, route, askedOf(model)[route]); status != 200 {
			t.Errorf("%s for %q: %d %s", route, model, status, got)
		}
	}
	answers("/v1/chat/completions", "")
	answers("/v1/embeddings", "")

	back := away(writes)
	refused("writer", writes, "/v1/chat/completions", "/v1/messages", "/api/chat", "/api/show", "/tokenize") // the list still has it
	s.aged()
	refused(writes, writes)
	if got := s.listedIDs(t); len(got) != 1 || got[0] != reads {
		t.Errorf("one is left: %q", got)
	}
	answers("/v1/embeddings", reads)
	answers("/v1/embeddings", "")
	refused("", writes, "/v1/chat/completions", "/v1/messages", "/api/chat")

	alsoBack := away(reads)
	s.aged()
	refused("writer", writes)
	refused(reads, reads)
	refused("", writes, "/v1/chat/completions", "/v1/messages", "/api/chat")
	refused("", reads, "/v1/embeddings", "/v1/rerank", "/api/embed")
	if got := s.listedIDs(t); len(got) != 0 {
		t.Errorf("none is left: %q", got)
	}
	for _, path := range []string{"/api/tags", "/api/ps"} {
		if status, _, got := do(t, request(t, http.MethodGet, s.url+path, "")); status != 200 || !strings.Contains(got, `"models":[]`) {
			t.Errorf("%s: %d %s", path, status, got)
		}
	}
	if status, _, got := do(t, request(t, http.MethodGet, s.url+"/v1/models/writer", "")); status != 404 || !strings.Contains(got, "model_not_found") {
		t.Errorf("/v1/models/writer: %d %s", status, got)
	}
	if status, _, got := s.post(t, "/v1/embeddings", askedOf("nobody")["/v1/embeddings"]); status != 404 || !strings.Contains(got, "there is no model “nobody” here") {
		t.Errorf("%d %s", status, got)
	}

	back()
	alsoBack()
	s.aged()
	if got := s.listedIDs(t); len(got) != 2 || got[0] != "writer" {
		t.Errorf("both are back: %q", got)
	}
	answers("/v1/chat/completions", "writer")
	answers("/v1/embeddings", reads)
}

// A model of the options that has lost a part is not listed, and who asks for it hears what is missing.
func TestPartGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "reads")
	if err := os.CopyFS(dir, assets.StarterEmbed()); err != nil {
		t.Fatal(err)
	}
	s := start(t, Options{Models: []string{dir}})
	if err := os.Remove(filepath.Join(dir, "model.safetensors")); err != nil {
		t.Fatal(err)
	}
	if got := s.listedIDs(t); len(got) != 0 {
		t.Errorf("%q", got)
	}
	status, _, got := s.post(t, "/v1/embeddings", `{"input":"a"}`)
	if f := read[faultJSON](t, got); status != 404 || f.Error.Code != "model_not_found" || !strings.Contains(f.Error.Message, "reads cannot be used: ") {
		t.Errorf("%d %s", status, got)
	}
}

// A model that is damaged before it was ever opened is told as that, by its alias, and not as one that is
// made for something else.
func TestDamagedBefore(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"cut":    func(path string) error { return os.Truncate(path, 100) },
		"zeroed": func(path string) error { return os.WriteFile(path, make([]byte, 5000), 0o600) },
	} {
		path := toolModel(t)
		s := start(t, Options{Models: []string{path}, Aliases: []string{"lf"}})
		if got := s.listedIDs(t); len(got) != 1 || got[0] != "lf" {
			t.Errorf("%q", got)
		}
		if err := damage(path); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"cannot be used: tools.gguf", "lf cannot be used: tools.gguf"} { // the list still has it, and does not any more
			status, _, got := s.post(t, "/v1/chat/completions", askedOf("lf")["/v1/chat/completions"])
			if message := read[faultJSON](t, got).Error.Message; status != 404 || !strings.Contains(message, want) {
				t.Errorf("%s: %d %s; want %q", name, status, got, want)
			}
			s.aged()
		}
	}
}

// A client that leaves while the models are looked for tells nothing about them.
func TestLookLeft(t *testing.T) {
	s := start(t, Options{Models: []string{library.StarterEmbed}})
	left, leave := context.WithCancel(t.Context())
	leave()
	if _, err := s.server.served(left, true); err == nil {
		t.Error("somebody who has left was told a list")
	}
	if got := s.listedIDs(t); len(got) != 1 {
		t.Errorf("%q", got)
	}
}
