package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"inglenook/hub"
	"inglenook/pipeline"
	"inglenook/remote/remotetest"
)

// quick are times for tests.
func quick() tuning {
	t := usualTuning()
	t.quick, t.stall, t.first, t.wait, t.most, t.down, t.patient = time.Second, time.Second, time.Second, time.Millisecond, 50*time.Millisecond, 20*time.Millisecond, 200*time.Millisecond
	t.whole, t.dead = asLong*t.stall, t.stall
	t.answer, t.line, t.words, t.rest = 1<<20, 64<<10, time.Second, 50*time.Millisecond
	return t
}

// unhurried has no address of a server taken for one that hangs.
func unhurried(s *Server) {
	for _, r := range s.replicas {
		r.t.patient, r.t.quick, r.t.stall, r.t.first, r.t.words, r.t.dead, r.t.whole = time.Minute, time.Minute, time.Minute, time.Minute, time.Minute, time.Minute, time.Minute
	}
}

// serveUnhurried is serve for tests in which every address answers, however busy the machine is.
func serveUnhurried(t *testing.T, form string, doubles ...*remotetest.Server) *Server {
	t.Helper()
	s := serve(t, form, doubles...)
	unhurried(s)
	return s
}

func address(t *testing.T, text string) Address {
	t.Helper()
	at, _, err := ParseAddress(text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// serve returns a server of the doubles.
func serve(t *testing.T, form string, doubles ...*remotetest.Server) *Server {
	t.Helper()
	prefix := ""
	if form == OpenAI {
		prefix = "/v1"
	}
	var at []Address
	for _, d := range doubles {
		d.Form = form
		at = append(at, address(t, d.URL))
	}
	s, err := newServer("lab", Found{Form: form, Prefix: prefix}, at, Options{Token: doubles[0].Token}, quick())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// vectorFault is an answer to a request for vectors that no right server gives.
type vectorFault struct {
	name string
	want string // part of the sentence
	tune func(s *remotetest.Server, w http.ResponseWriter, r *http.Request, body []byte)
}

func says(text string) func(*remotetest.Server, http.ResponseWriter, *http.Request, []byte) {
	return func(_ *remotetest.Server, w http.ResponseWriter, _ *http.Request, _ []byte) { fmt.Fprint(w, text) }
}

func status(code int, text string, header ...string) func(*remotetest.Server, http.ResponseWriter, *http.Request, []byte) {
	return func(_ *remotetest.Server, w http.ResponseWriter, _ *http.Request, _ []byte) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		remotetest.Error(w, code, text)
	}
}

// data is an answer with these vectors for two texts.
func data(items string) func(*remotetest.Server, http.ResponseWriter, *http.Request, []byte) {
	return says(`{"data":[` + items + `]}`)
}

const right = `{"index":0,"embedding":[1,0,0,0,0,0,0,0]}`

var vectorFaults = []vectorFault{
	{"web page", "web page", says("<!DOCTYPE html><html><body>Welcome</body></html>")},
	{"web page with an error", "does not have", status(404, "<html>")},
	{"nothing", "gave an empty answer", says("")},
	{"no JSON", "form that is not known", says("hello, world")},
	{"JSON cut off", "broke off", says(`{"data":[{"index":0,"embedding":[0.1,0.`)},
	{"another type", "form that is not known", says(`{"data":"none"}`)},
	{"a list", "form that is not known", says(`[1,2,3]`)},
	{"an error with the status of a success", "with an error: no such model", says(`{"error":{"message":"no such model"}}`)},
	{"an answer that drips", "took longer than", func(_ *remotetest.Server, w http.ResponseWriter, r *http.Request, _ []byte) {
		for r.Context().Err() == nil {
			fmt.Fprint(w, " ")
			w.(http.Flusher).Flush()
			time.Sleep(20 * time.Millisecond)
		}
	}},
	{"no vectors", "0 vectors for 2 texts", says(`{"data":[]}`)},
	{"no data", "0 vectors for 2 texts", says(`{}`)},
	{"fewer vectors", "1 vector for 2 texts", data(right)},
	{"more vectors", "3 vectors for 2 texts", data(right + "," + right + "," + right)},
	{"one text twice", "which text each is of", data(right + "," + right)},
	{"index out of range", "which text each is of", data(right + `,{"index":2,"embedding":[1,0,0,0,0,0,0,0]}`)},
	{"negative index", "which text each is of", data(right + `,{"index":-1,"embedding":[1,0,0,0,0,0,0,0]}`)},
	{"vectors of two sizes", "numbers where those before had", data(right + `,{"index":1,"embedding":[1,0,0]}`)},
	{"vectors of another size", "another model", data(`{"index":0,"embedding":[1,0]},{"index":1,"embedding":[0,1]}`)},
	{"empty vectors", "empty vector", data(`{"index":0,"embedding":[]},{"index":1,"embedding":[]}`)},
	{"a vector without end", "more than any model has", data(right + `,{"index":1,"embedding":[` + strings.Repeat("1,", mostDimension) + `1]}`)},
	{"NaN", "form that is not known", data(`{"index":0,"embedding":[NaN,0,0,0,0,0,0,0]},` + right)},
	{"null instead of a vector", "nothing in the place", data(right + `,{"index":1,"embedding":null}`)},
	{"no vector", "nothing in the place", data(right + `,{"index":1}`)},
	{"null instead of a number", "no numbers", data(right + `,{"index":1,"embedding":[null,1,0,0,0,0,0,0]}`)},
	{"zero everywhere", "zero everywhere", data(right + `,{"index":1,"embedding":[0,0,0,0,0,0,0,0]}`)},
	{"huge values", "too large", data(right + `,{"index":1,"embedding":[1e30,0,0,0,0,0,0,0]}`)},
	{"values beyond float32", "too large", data(right + `,{"index":1,"embedding":[1e300,0,0,0,0,0,0,0]}`)},
	{"values beyond all", "too large", data(right + `,{"index":1,"embedding":[1e999,0,0,0,0,0,0,0]}`)},
	{"texts instead of numbers", "form that is not known", data(right + `,{"index":1,"embedding":["a"]}`)},
	{"a huge answer", "more than 1.0 MB", func(_ *remotetest.Server, w http.ResponseWriter, r *http.Request, _ []byte) {
		for range 3000 {
			if _, err := fmt.Fprint(w, strings.Repeat(" ", 1024)); err != nil {
				return
			}
		}
	}},
	{"silence", "silent", func(_ *remotetest.Server, _ http.ResponseWriter, r *http.Request, _ []byte) { <-r.Context().Done() }},
	{"silence in the middle", "silent", func(_ *remotetest.Server, w http.ResponseWriter, r *http.Request, _ []byte) {
		fmt.Fprint(w, `{"data":[`)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}},
	{"connection cut", "broke off", func(_ *remotetest.Server, w http.ResponseWriter, _ *http.Request, _ []byte) {
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, `{"data":[`)
	}},
	{"connection refused in the middle", "", func(_ *remotetest.Server, _ http.ResponseWriter, _ *http.Request, _ []byte) {
		panic(http.ErrAbortHandler)
	}},
	{"400", "refuses the request (status 400): too long", status(400, "too long")},
	{"401", "wants a token", status(401, "who are you")},
	{"403", "wants a token", status(403, "not you")},
	{"404", "does not have", status(404, "no such model")},
	{"413", "no request of this size", status(413, "too large")},
	{"429", "too much to do", status(429, "slow down")},
	{"429 with a time", "left alone for a second", status(429, "slow down", "Retry-After", "0.01")},
	{"429 with an absurd time", "too much to do", status(429, "slow down", "Retry-After", "99999999999")},
	{"500", "failed (status 500): out of memory", status(500, "out of memory")},
	{"500 about a long text", "no text of this length: input (564 tokens) is too large to process", status(500, "input (564 tokens) is too large to process")},
	{"501", "does not have", status(501, "not here")},
	{"503", "not ready: loading", status(503, "loading")},
	{"redirect", "another address", status(307, "elsewhere", "Location", "http://192.0.2.1/")},
	{"an error that says nothing", "status 418", status(418, "")},
}

// sentence checks what every error for a person is: one line, without Go's own words,
// that says which server it is about.
func sentence(t *testing.T, err error, host, want string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	text := err.Error()
	if strings.ContainsAny(text, "\n\r") || len(text) > 600*(1+strings.Count(text, "none of the ")) || strings.Contains(text, "%!") {
		t.Errorf("not one sentence: %q", text)
	}
	for _, words := range []string{"cannot unmarshal", "invalid character", "Go value", "unexpected end of JSON", " 1 texts", " 1 vectors"} {
		if strings.Contains(text, words) {
			t.Errorf("%q says %q", text, words)
		}
	}
	if !strings.Contains(text, want) || !strings.Contains(text, host) {
		t.Errorf("%q does not say %q of %s", text, want, host)
	}
}

func TestFaultsOfVectors(t *testing.T) {
	for _, f := range vectorFaults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			d := remotetest.New(t)
			s := serve(t, OpenAI, d)
			e, err := s.OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
			if err != nil {
				t.Fatal(err)
			}
			d.Lock()
			d.Fault = func(w http.ResponseWriter, r *http.Request, body []byte) bool {
				f.tune(d, w, r, body)
				return true
			}
			d.Unlock()
			got, err := e.Embed(t.Context(), []string{"a", "b"}, pipeline.EmbedRequest{})
			sentence(t, err, strings.TrimPrefix(d.URL, "http://"), f.want)
			d.Lock()
			d.Fault = nil
			d.Unlock()
			time.Sleep(quick().down)
			if got, err = e.Embed(t.Context(), []string{"a", "b"}, pipeline.EmbedRequest{}); err != nil || len(got.Vectors) != 2 {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

// TestOpeningUnderFaults: each fault at the first request is a sentence as well.
func TestOpeningUnderFaults(t *testing.T) {
	for _, f := range vectorFaults {
		if f.name == "fewer vectors" || strings.Contains(f.want, "another model") { // right for one text
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			d := remotetest.New(t)
			d.Fault = func(w http.ResponseWriter, r *http.Request, body []byte) bool {
				f.tune(d, w, r, body)
				return true
			}
			s := serve(t, OpenAI, d)
			_, err := s.OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
			sentence(t, err, strings.TrimPrefix(d.URL, "http://"), "")
			_, err = s.replicas[0].recognise(t.Context())
			sentence(t, err, strings.TrimPrefix(d.URL, "http://"), "")
		})
	}
}

// TestCutStreams cuts an answer at every byte: it is an error, and never a complete
// answer, unless the model had ended it before.
func TestCutStreams(t *testing.T) {
	for _, form := range []string{OpenAI, Ollama} {
		d := remotetest.New(t)
		whole := strings.Join(d.Stream(true), "")
		ends := strings.Index(whole, `"finish_reason":"stop"`) // and the blank line after that event
		ends += strings.Index(whole[ends:], "\n\n") + 2
		if form == Ollama {
			whole = strings.Join(d.Lines(true), "")
			ends = len(whole)
		}
		var cut int
		d.Fault = func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
			fmt.Fprint(w, whole[:cut])
			return true
		}
		w := serve(t, form, d).OpenWriter(Model{ID: "talker"}, 0)
		for cut = range len(whole) + 1 {
			text, err := "", error(nil)
			for token, e := range pipeline.Answer(t.Context(), w, []pipeline.Message{pipeline.TextMessage("user", "hi")}, pipeline.ReplyOptions{}) {
				text += token.Text
				if e != nil {
					err = e
				}
			}
			switch {
			case cut >= ends && err != nil:
				t.Errorf("%s cut at %d of %d: %v", form, cut, len(whole), err)
			case cut < ends && err == nil:
				t.Errorf("%s cut at %d of %d is taken for the whole answer %q", form, cut, len(whole), text)
			case !strings.HasPrefix(strings.Join(d.Words, ""), text):
				t.Errorf("%s cut at %d: %q", form, cut, text)
			}
		}
	}
}

// streamFaults are answers to conversations that go wrong.
var streamFaults = []struct{ name, want, sent string }{
	{"error in the middle", "ended its answer with an error: out of memory", "data: {\"choices\":[{\"delta\":{\"content\":\"One\"}}]}\n\ndata: {\"error\":{\"message\":\"out of memory\"}}\n\n"},
	{"an error in the place of events", "ended its answer with an error: no such model", "{\"error\":{\"message\":\"no such model\"}}"},
	{"not a word", "without a word", "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"},
	{"a web page", "web page", "<html><body>proxy error</body></html>\n\n"},
	{"no JSON", "form that is not known", "data: hello\n\n"},
	{"a line without end", "without end", "data: " + strings.Repeat("x", 200<<10)},
	{"an answer without end", "without end", strings.Repeat("data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n", 40000)},
	{"an event without end", "without end", strings.Repeat("data: x\n", 40000)},
}

func TestFaultsOfStreams(t *testing.T) {
	for _, f := range streamFaults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			d := remotetest.New(t)
			d.Fault = func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
				fmt.Fprint(w, f.sent)
				return true
			}
			s := serve(t, OpenAI, d)
			unhurried(s)
			w := s.OpenWriter(Model{ID: "talker"}, 0)
			var last error
			var end *pipeline.Finished
			for token, err := range pipeline.Answer(t.Context(), w, []pipeline.Message{pipeline.TextMessage("user", "hi")}, pipeline.ReplyOptions{}) {
				last, end = err, token.Finished
			}
			sentence(t, last, strings.TrimPrefix(d.URL, "http://"), f.want)
			if end == nil || end.Reason != pipeline.FinishError {
				t.Errorf("ended with %+v", end)
			}
		})
	}
}

// TestLeaving: each call ends within 200 ms after its context, whatever the server does.
func TestLeaving(t *testing.T) {
	d := remotetest.New(t)
	s := serve(t, OpenAI, d)
	s.replicas[0].t.stall, s.replicas[0].t.first, s.replicas[0].t.dead, s.replicas[0].t.whole = time.Hour, time.Hour, time.Hour, time.Hour
	e, err := s.OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
	if err != nil {
		t.Fatal(err)
	}
	hang := func(sent string) {
		d.Lock()
		defer d.Unlock()
		d.Fault = func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
			fmt.Fprint(w, sent)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return true
		}
	}
	calls := map[string]func(context.Context) error{
		"embed": func(ctx context.Context) error {
			_, err := e.Embed(ctx, []string{"a"}, pipeline.EmbedRequest{})
			return err
		},
		"rerank": func(ctx context.Context) error {
			_, err := s.OpenReranker(ctx, Model{ID: "some-reranker", Kind: Reranker})
			return err
		},
		"recognise": func(ctx context.Context) error {
			_, err := Recognise(ctx, address(t, d.URL), Options{})
			return err
		},
		"answer": func(ctx context.Context) (last error) {
			for _, err := range pipeline.Answer(ctx, s.OpenWriter(Model{ID: "talker"}, 0), []pipeline.Message{pipeline.TextMessage("user", "hi")}, pipeline.ReplyOptions{}) {
				last = err
			}
			return last
		},
	}
	for _, sent := range []string{"", "data: {\"choices\":[{\"delta\":{\"content\":\"One\"}}]}\n\n"} {
		hang(sent)
		for name, call := range calls {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(50*time.Millisecond, cancel)
			start := time.Now()
			err := call(ctx)
			if took := time.Since(start); took > 20*time.Second || !errors.Is(err, context.Canceled) {
				t.Errorf("%s after %q: %v in %v", name, sent, err, took)
			}
		}
	}
}

// TestCertificates: a wrong certificate, none, and plain text are three sentences.
func TestCertificates(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	plainText := httptest.NewServer(http.NotFoundHandler())
	defer plainText.Close()
	trusted := hub.Options{RootCAs: secure.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	for _, x := range []struct {
		address, want string
		network       hub.Options
	}{
		{secure.URL, "authority that this computer does not trust", hub.Options{}},
		{strings.Replace(secure.URL, "127.0.0.1", "localhost", 1), "for another name", trusted},
		{strings.Replace(plainText.URL, "http:", "https:", 1), "does not encrypt", hub.Options{}},
	} {
		_, err := Recognise(t.Context(), address(t, x.address), Options{Network: x.network})
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v; want %q", x.address, err, x.want)
		}
	}
}

// TestTokens: a token is sent, never shown, and never over an open line.
func TestTokens(t *testing.T) {
	d := remotetest.New(t)
	d.Token = "very-secret-token"
	var seen []hub.Connection
	o := Options{Token: d.Token, Network: hub.Options{OnConnection: func(c hub.Connection) { seen = append(seen, c) }}}
	if _, err := Recognise(t.Context(), address(t, d.URL), o); err != nil {
		t.Fatal(err)
	}
	d.Fault = func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		remotetest.Error(w, 500, "you sent "+r.Header.Get("Authorization"))
		return true
	}
	_, err := Recognise(t.Context(), address(t, d.URL), o)
	if err == nil || strings.Contains(err.Error(), d.Token) {
		t.Errorf("error: %v", err)
	}
	kept, _ := json.Marshal(seen)
	if len(seen) < 2 || strings.Contains(string(kept), d.Token) {
		t.Errorf("connections: %s", kept)
	}
	for _, text := range []string{"https://user:s3cret@host/v1", "https://s3cret@host", "https://host/v1?api_key=s3cret"} {
		at, token, err := ParseAddress(text)
		if err != nil || token != "s3cret" || strings.Contains(at.String(), "s3cret") || at.String() != "https://host" {
			t.Errorf("%s: %v %q %v", text, at, token, err)
		}
	}
	at := address(t, "http://192.0.2.7:8000")
	if _, err := Recognise(t.Context(), at, o); err == nil || !strings.Contains(err.Error(), "read the token") {
		t.Errorf("token over http: %v", err)
	}
}

// TestStoppedConnection: a request that its sender stopped is told apart from one that failed.
func TestStoppedConnection(t *testing.T) {
	d := remotetest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	d.Fault = func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		cancel()
		<-r.Context().Done()
		return true
	}
	var seen []hub.Connection
	o := Options{Network: hub.Options{OnConnection: func(c hub.Connection) { seen = append(seen, c) }}}
	if _, err := Recognise(ctx, address(t, d.URL), o); err == nil {
		t.Error("it answered")
	}
	if len(seen) == 0 || !seen[0].Stopped {
		t.Errorf("stopped: %+v", seen)
	}
	seen = nil
	d.Fault = nil
	d.Close()
	if _, err := Recognise(t.Context(), address(t, d.URL), o); err == nil || len(seen) == 0 || seen[0].Stopped || seen[0].Error == "" {
		t.Errorf("failed: %v, %+v", err, seen)
	}
}

// TestOffline: nothing is sent to another computer, and this one is none.
func TestOffline(t *testing.T) {
	d := remotetest.New(t)
	o := Options{Offline: func() bool { return true }}
	if _, err := Recognise(t.Context(), address(t, d.URL), o); err != nil {
		t.Error(err)
	}
	_, err := Recognise(t.Context(), address(t, "192.0.2.7:8000"), o)
	sentence(t, err, "192.0.2.7:8000", "works offline")
}
