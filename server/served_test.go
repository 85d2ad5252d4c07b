package server

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strings"
	"testing"

	"inglenook/app/devices"
	"inglenook/app/servers"
	"inglenook/pipeline/memory"
	"inglenook/remote/remotetest"
)

// With AnyName a request for a model that is not here is answered by the one that is meant where
// none is named, and the answer says which that is.
func TestAnyName(t *testing.T) {
	s := start(t, Options{Models: []string{embedModel, chatModel}, AnyName: true})
	_, _, body := s.post(t, "/v1/chat/completions", `{"model":"gpt-4o","messages":[{"role":"user","content":"a"}],"max_tokens":1}`)
	if got := read[whole](t, body); got.Model != chatModel {
		t.Errorf("%s", body)
	}
	_, _, body = s.post(t, "/v1/embeddings", `{"model":"text-embedding-3-small","input":"a"}`)
	if got := read[whole](t, body); got.Model != embedModel {
		t.Errorf("%s", body)
	}
	strict := start(t, Options{Models: []string{chatModel}})
	if status, _, body := strict.post(t, "/v1/chat/completions", `{"model":"gpt-4o","messages":[{"role":"user","content":"a"}]}`); status != 404 {
		t.Errorf("%d %s", status, body)
	}
}

// A model with an alias is listed, asked and named in answers by it, on every route, and still
// answers to its own name. One without keeps its own.
func TestAlias(t *testing.T) {
	s := start(t, Options{Models: []string{chatModel, embedModel}, Aliases: []string{"gpt-4o"}})
	status, _, body := do(t, request(t, http.MethodGet, s.url+"/v1/models", ""))
	if list := read[struct{ Data []struct{ ID string } }](t, body).Data; status != 200 || len(list) != 2 || list[0].ID != "gpt-4o" || list[1].ID != embedModel {
		t.Errorf("%d %s", status, body)
	}
	for _, name := range []string{"gpt-4o", chatModel} {
		ask := `"model":"` + name + `","messages":[{"role":"user","content":"a"}],"max_tokens":1`
		for route, body := range map[string]string{
			"/v1/chat/completions": "{" + ask + "}",
			"/v1/messages":         "{" + ask + "}",
			"/api/chat":            "{" + ask + `,"stream":false}`,
			"/v1/completions":      `{"model":"` + name + `","prompt":"a","max_tokens":1}`,
			"/v1/responses":        `{"model":"` + name + `","input":"a","max_output_tokens":16}`,
		} {
			if status, _, got := s.post(t, route, body); status != 200 || read[whole](t, got).Model != "gpt-4o" {
				t.Errorf("%s with %s: %d %s", route, name, status, got)
			}
		}
	}
	if _, _, got := s.post(t, "/v1/embeddings", `{"model":"`+embedModel+`","input":"a"}`); read[whole](t, got).Model != embedModel {
		t.Errorf("%s", got)
	}
}

// Whatever context the options say, no route has a failure: a context that is longer than a model's
// own is the model's own for it, one that is too short for a request is told to who asks, and
// embedders have none.
func TestContexts(t *testing.T) {
	usual := map[string]int{}
	for _, context := range []int{0, 2, 8, 255, 257, 1 << 20, math.MaxInt} {
		s := start(t, Options{Models: []string{embedModel, chatModel}, Target: devices.Target{Hold: devices.Hold{Context: context}}})
		for route, body := range everyField {
			status, _, got := s.post(t, route, body)
			if context == 0 {
				usual[route] = status
			}
			short := status == 400 && context > 0 && context <= 8 && strings.Contains(body, chatModel) && strings.Contains(got, "context")
			if status != usual[route] && !short || status >= 500 {
				t.Errorf("a context of %d: %s: %d %s; want %d", context, route, status, got, usual[route])
			}
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	}
}

// A model for which there is not enough memory, in the context of the options or at all, is no
// failure of the server.
func TestNoMemory(t *testing.T) {
	err := fmt.Errorf("opened: %w", memory.Needs{Weights: 2 << 30, Cache: 1 << 30}.Fits(1<<30, 1<<20))
	if f := faultOf(err); f.status != 503 || f.code != "no_memory" || !strings.Contains(f.sentence, "choose a smaller model") {
		t.Errorf("%+v", f)
	}
}

// A model of a server that was removed is not there; that is no failure of this server.
func TestGone(t *testing.T) {
	err := fmt.Errorf("sent: %w", &servers.GoneError{Sentence: "the server lab was removed"})
	if f := faultOf(err); f.status != 404 || f.kind != kindNotFound || f.code != "model_not_found" || f.sentence != "the server lab was removed" {
		t.Errorf("%+v", f)
	}
}

// A model that is removed while it answers ends its answer or goes on with it; later requests get a
// sentence, and the server answers with other models.
func TestModelRemoved(t *testing.T) {
	path := toolModel(t)
	s := start(t, Options{Models: []string{path, embedModel}})
	ask := strings.Replace(endless, `"starter-chat"`, `"`+path+`"`, 1)
	got, err := http.DefaultClient.Do(request(t, "POST", s.url+"/v1/completions", strings.Replace(ask, "4000", "200", 1)))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	first := make([]byte, 64)
	if _, err := io.ReadFull(got.Body, first); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(got.Body)
	if err != nil || !strings.HasSuffix(string(rest), "data: [DONE]\n\n") && !strings.Contains(string(rest), `"error"`) {
		t.Errorf("%v, it ended with %q", err, rest[max(0, len(rest)-200):])
	}
	if _, err := s.app.CloseModel(path); err != nil {
		t.Log(err)
	}
	s.server.names.read = s.server.names.read.Add(-namesAge)
	status, _, body := s.post(t, "/v1/completions", strings.Replace(ask, `,"stream":true`, `,"seed":1`, 1))
	if f := read[faultJSON](t, body); status < 400 || f.Error.Message == "" || strings.Contains(body, "panic") {
		t.Errorf("%d %s", status, body)
	}
	if status, _, body := s.post(t, "/v1/embeddings", `{"model":"starter-embed","input":"a"}`); status != 200 {
		t.Errorf("another model: %d %s", status, body)
	}
}

// A model of a server that embeds and writes does both here, and says so.
func TestBothElsewhere(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent") // no keyring
	d := remotetest.New(t)
	d.Models = []string{"both"}
	d.Fault = func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		if r.URL.Path == "/v1/models" {
			_, _ = io.WriteString(w, `{"data":[{"id":"both","capabilities":["embedding","completion"]}]}`)
		}
		return r.URL.Path == "/v1/models"
	}
	s := start(t, Options{Models: []string{"lab/both"}})
	if _, err := s.app.Engines().Add(t.Context(), servers.AddRequest{Addresses: []string{d.URL}, Name: "lab"}); err != nil {
		t.Fatal(err)
	}
	for route, body := range map[string]string{
		"/v1/chat/completions": `{"model":"lab/both","messages":[{"role":"user","content":"a"}],"max_tokens":3}`,
		"/api/chat":            `{"model":"lab/both","messages":[{"role":"user","content":"a"}],"stream":false}`,
		"/v1/embeddings":       `{"model":"lab/both","input":"a"}`,
	} {
		if status, _, got := s.post(t, route, body); status != 200 {
			t.Errorf("%s: %d %s", route, status, got)
		}
	}
	if _, _, body := do(t, request(t, http.MethodGet, s.url+"/v1/models", "")); !strings.Contains(body, `["embedding","rerank","chat","completion"]`) {
		t.Errorf("%s", body)
	}
	if _, _, body := s.post(t, "/api/show", `{"model":"lab/both"}`); !strings.Contains(body, `["completion","embedding"]`) {
		t.Errorf("%s", body)
	}
}
