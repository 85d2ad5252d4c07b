package server

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"inglenook/app/devices"
)

// asking is a request whose answer is always the same, beside its ids and times.
type asking struct {
	path, body string
	text       func(t testing.TB, body string) string // what the answer says
	want       string
}

// askings are requests to every route that answers with a model. No two say the same,
// so an answer that goes to another client is seen.
func askings(t testing.TB, s *running) (list []*asking) {
	t.Helper()
	for i, q := range []string{"How do I add a model?", "What is Rerank?", "Where are my documents?", "Hello."} {
		chat := fmt.Sprintf(`"model":"starter-chat","messages":[{"role":"user","content":%q}]`, q)
		list = append(list,
			&asking{path: "/v1/chat/completions", body: `{` + chat + `,"temperature":0,"max_tokens":` + fmt.Sprint(12+i) + `,"stream":true}`, text: func(t testing.TB, body string) (said string) {
				list := events(t, body)
				if list[len(list)-1] != "[DONE]" {
					t.Errorf("a stream ended with %q", list[len(list)-1])
				}
				for _, e := range list[:len(list)-1] {
					said += read[chunk](t, e).Choices[0].Delta["content"]
				}
				return said
			}},
			&asking{path: "/v1/messages", body: `{` + chat + `,"temperature":0,"max_tokens":` + fmt.Sprint(16+i) + `,"stream":true}`, text: func(t testing.TB, body string) (said string) {
				for _, e := range namedEvents(t, body) {
					if d, ok := e["delta"].(map[string]any); ok && d["text"] != nil {
						said += d["text"].(string)
					}
				}
				return said
			}},
			&asking{path: "/api/chat", body: `{` + chat + `,"options":{"temperature":0,"num_predict":` + fmt.Sprint(20+i) + `}}`, text: func(t testing.TB, body string) (said string) {
				for _, x := range lines(t, body) {
					said += x.Message.Content
				}
				return said
			}},
			&asking{path: "/v1/responses", body: fmt.Sprintf(`{"model":"starter-chat","input":%q,"temperature":0,"max_output_tokens":%d}`, q, 24+i), text: func(t testing.TB, body string) string {
				return read[responseRead](t, body).Output[0].Content[0].Text
			}},
			&asking{path: "/v1/embeddings", body: fmt.Sprintf(`{"model":"starter-embed","input":%q,"encoding_format":"base64"}`, q), text: func(t testing.TB, body string) string {
				return string(read[embedded](t, body).Data[0].Embedding)
			}},
			&asking{path: "/v1/rerank", body: fmt.Sprintf(`{"model":"starter-embed","query":%q,"documents":["add a model","a kitten","rates"]}`, q), text: func(t testing.TB, body string) string {
				return fmt.Sprint(read[struct{ Results []scoreJSON }](t, body).Results)
			}},
		)
	}
	for _, a := range list {
		status, _, body := s.post(t, a.path, a.body)
		if a.want = a.text(t, body); status != 200 || a.want == "" {
			t.Fatalf("%s %s: %d %s", a.path, a.body, status, body)
		}
	}
	return list
}

// figures of a load.
type figures struct {
	whole, left, busy atomic.Int64
	mu                sync.Mutex
	first             []time.Duration // until the first byte of streams that were not left
}

// load has clients ask for a while. Some leave: at once, or in the middle.
func load(t testing.TB, s *running, clients int, during time.Duration) *figures {
	t.Helper()
	list, f := askings(t, s), &figures{}
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	end := time.Now().Add(during)
	late := end.Add(time.Minute) // on a busy computer it takes longer until every client was answered and left
	var wait sync.WaitGroup
	for i := range clients {
		wait.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 1))
			for now := time.Now(); now.Before(end) || min(f.whole.Load(), f.left.Load()) < int64(clients) && now.Before(late); now = time.Now() {
				f.one(t, s, client, list[random.IntN(len(list))], random)
			}
		})
	}
	wait.Wait()
	if !s.idle(soon) {
		t.Error("requests are under way after all clients have left")
	}
	if n := s.server.queues.waiting(); n != 0 || len(s.server.queues.all) != 0 {
		t.Errorf("%d wait, %d models have a queue", n, len(s.server.queues.all))
	}
	for _, m := range s.app.OpenModels() {
		if m.InUse {
			t.Errorf("%s is in use", m.Name)
		}
	}
	return f
}

// one sends a request and reads its answer, or leaves.
func (f *figures) one(t testing.TB, s *running, client *http.Client, a *asking, random *rand.Rand) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	leaves := random.IntN(3)
	if leaves == 0 { // before the answer, or while it comes
		time.AfterFunc(time.Duration(random.IntN(60))*time.Millisecond, cancel)
	}
	begun := time.Now()
	got, err := client.Do(request(t, http.MethodPost, s.url+a.path, a.body).WithContext(ctx))
	if err != nil {
		if f.left.Add(1); ctx.Err() == nil {
			t.Errorf("%s: %v", a.path, err)
		}
		return
	}
	defer got.Body.Close()
	took := time.Since(begun)
	if leaves == 1 { // after a few bytes
		_, _ = io.CopyN(io.Discard, got.Body, int64(random.IntN(400)))
		f.left.Add(1)
		return
	}
	data, err := io.ReadAll(got.Body)
	switch {
	case err != nil && ctx.Err() != nil:
		f.left.Add(1)
	case err != nil:
		t.Errorf("%s: %v", a.path, err)
	case got.StatusCode == http.StatusServiceUnavailable && strings.Contains(string(data), "try again soon"):
		f.busy.Add(1)
	case got.StatusCode != http.StatusOK:
		t.Errorf("%s: %d %.300s", a.path, got.StatusCode, data)
	default:
		f.whole.Add(1)
		if text := a.text(t, string(data)); text != a.want {
			t.Errorf("%s %s says %.200q and not %.200q", a.path, a.body, text, a.want)
		}
		f.mu.Lock()
		f.first = append(f.first, took)
		f.mu.Unlock()
	}
}

// tell writes the figures down.
func (f *figures) tell(t testing.TB, clients int) {
	slices.Sort(f.first)
	at := func(share float64) time.Duration {
		return f.first[int(share*float64(len(f.first)-1))].Round(time.Millisecond)
	}
	t.Logf("%d clients: %d answers were read, %d were left, %d were told to come again; first bytes after %v (half), %v (95 of 100)", clients, f.whole.Load(), f.left.Load(), f.busy.Load(), at(0.5), at(0.95))
}

// Many clients at once, of whom many leave, each get their own answer, also where several are
// made in the same passes.
func TestLoad(t *testing.T) {
	for _, sequences := range []int{0, 4} {
		s := start(t, Options{Target: devices.Target{Hold: devices.Hold{KV: "f32", Sequences: sequences}}})
		f := load(t, s, 16, 3*time.Second)
		if f.tell(t, 16); f.whole.Load() < 16 || f.left.Load() < 16 {
			t.Errorf("%d answers were read, %d were left", f.whole.Load(), f.left.Load())
		}
	}
}
