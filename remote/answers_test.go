package remote

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"inglenook/pipeline"
	"inglenook/remote/remotetest"
)

// badAnswers are what becomes of right answers, each of one vector a text at its index.
var badAnswers = map[string]func(list []map[string]any) any{
	"null for one":     func(l []map[string]any) any { l[len(l)-1]["embedding"] = nil; return l },
	"null for all":     all(func(d map[string]any) { d["embedding"] = nil }),
	"nulls in vectors": all(func(d map[string]any) { d["embedding"] = make([]any, 8) }),
	"zero":             all(func(d map[string]any) { d["embedding"] = make([]float32, 8) }),
	"huge": all(func(d map[string]any) {
		d["embedding"] = []float64{1e300, 1e300, 1e300, 1e300, 1e300, 1e300, 1e300, 1e300}
	}),
	"empty":           all(func(d map[string]any) { d["embedding"] = []float32{} }),
	"words":           all(func(d map[string]any) { d["embedding"] = "hello" }),
	"shorter vectors": all(func(d map[string]any) { d["embedding"] = d["embedding"].([]float32)[1:] }),
	"longer vectors":  all(func(d map[string]any) { d["embedding"] = append(d["embedding"].([]float32), 1) }),
	"one vector less": func(l []map[string]any) any { return l[1:] },
	"one vector more": func(l []map[string]any) any { return append(l, l[0]) },
	"one index":       all(func(d map[string]any) { d["index"] = 0 }),
	"index beyond":    all(func(d map[string]any) { d["index"] = d["index"].(int) + 5 }),
	"one for all":     all(func(d map[string]any) { d["embedding"] = remotetest.Vector("x", 8, 0) }),
	"another model":   func(l []map[string]any) any { return l }, // of seed 7
	"no list":         func([]map[string]any) any { return "none" },
}

func all(change func(map[string]any)) func([]map[string]any) any {
	return func(l []map[string]any) any {
		for _, d := range l {
			change(d)
		}
		return l
	}
}

// answersBadly is a Fault that changes the right answers to requests for vectors.
func answersBadly(name string, change func([]map[string]any) any) func(http.ResponseWriter, *http.Request, []byte) bool {
	seed := uint64(0)
	if name == "another model" {
		seed = 7
	}
	return func(w http.ResponseWriter, _ *http.Request, body []byte) bool {
		var in embedRequest
		_ = json.Unmarshal(body, &in)
		var list []map[string]any
		for i, text := range in.Input {
			list = append(list, map[string]any{"index": i, "embedding": remotetest.Vector(text, 8, seed)})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": change(list)})
		return true
	}
}

// faultsOfAll are all ways in which a server answers badly here.
func faultsOfAll(d *remotetest.Server) map[string]func(http.ResponseWriter, *http.Request, []byte) bool {
	faults := map[string]func(http.ResponseWriter, *http.Request, []byte) bool{}
	for name, change := range badAnswers {
		faults[name] = answersBadly(name, change)
	}
	for _, f := range vectorFaults {
		if f.name == "500 about a long text" { // that is no fault of the server
			continue
		}
		faults["answer: "+f.name] = func(w http.ResponseWriter, r *http.Request, body []byte) bool {
			f.tune(d, w, r, body)
			return true
		}
	}
	return faults
}

// after has a fault begin with the request after n.
func after(n int64, fault func(http.ResponseWriter, *http.Request, []byte) bool) func(http.ResponseWriter, *http.Request, []byte) bool {
	var asked atomic.Int64
	return func(w http.ResponseWriter, r *http.Request, body []byte) bool {
		return asked.Add(1) > n && fault(w, r, body)
	}
}

func setFault(d *remotetest.Server, fault func(http.ResponseWriter, *http.Request, []byte) bool) {
	d.Lock()
	defer d.Unlock()
	d.Fault = fault
}

// TestBadAnswers: whatever one of three replicas answers, the others do its work and one
// sentence names it. Where all answer so, or the only one, no vector comes of it, and the
// error is one of the server. When they are right again, all goes on.
func TestBadAnswers(t *testing.T) {
	for name := range faultsOfAll(nil) {
		for _, c := range []struct{ replicas, bad int }{{3, 1}, {3, 3}, {1, 1}} {
			t.Run(fmt.Sprintf("%s/%d of %d", name, c.bad, c.replicas), func(t *testing.T) {
				t.Parallel()
				var doubles []*remotetest.Server
				for range c.replicas {
					doubles = append(doubles, remotetest.New(t))
				}
				s := serve(t, OpenAI, doubles...)
				short := s.replicas[0].t
				s.t.patient = time.Minute
				unhurried(s) // the right ones may be slow where many tests run at once
				e, err := s.OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
				if err != nil {
					t.Fatal(err)
				}
				for i, d := range doubles[:c.bad] {
					setFault(d, after(1, faultsOfAll(d)[name]))
					s.replicas[i].t.quick, s.replicas[i].t.stall, s.replicas[i].t.first, s.replicas[i].t.dead, s.replicas[i].t.whole = short.quick, short.stall, short.first, short.dead, short.whole
				}
				texts := many(12 * requestTexts)
				host := strings.TrimPrefix(doubles[0].URL, "http://")
				if c.bad < c.replicas {
					got := embedAll(t, e, texts, 0)
					rested := name == "answer: 429 with a time" // so short that nobody need be told
					if told := strings.Contains(strings.Join(got.Notices, " "), host); !told && !rested || len(got.Notices) > 1 {
						t.Errorf("notices %q", got.Notices)
					}
				} else {
					_, err := e.Embed(t.Context(), texts, pipeline.EmbedRequest{})
					sentence(t, err, host, "")
					if !OfServer(err) {
						t.Errorf("a fault of the texts: %v", err)
					}
				}
				unhurried(s)
				for _, d := range doubles {
					setFault(d, nil)
				}
				time.Sleep(quick().down)
				embedAll(t, e, texts, 0)
			})
		}
	}
}

// TestOddScores: an address that scores on another scale is left out and named, also where it got
// another model after it failed. One that differs by rounding is not.
func TestOddScores(t *testing.T) {
	scored := func(scale, add float64) func(http.ResponseWriter, *http.Request, []byte) bool {
		return func(w http.ResponseWriter, _ *http.Request, body []byte) bool {
			var in rerankRequest
			_ = json.Unmarshal(body, &in)
			var list []map[string]any
			for i, text := range in.Documents {
				list = append(list, map[string]any{"index": i, "relevance_score": scale*remotetest.Score(in.Query, text) + add})
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"results": list})
			return true
		}
	}
	for _, c := range []struct {
		scale, add float64
		odd        bool
	}{{1, 0, false}, {1.01, 0.001, false}, {10, 0, true}, {1, 5, true}, {-1, 0, true}} {
		a, b := remotetest.New(t), remotetest.New(t)
		setFault(b, scored(c.scale, c.add))
		s := serve(t, OpenAI, a, b)
		for _, r := range s.replicas {
			s.t.patient, r.t.patient = time.Minute, time.Minute
		}
		r, err := s.OpenReranker(t.Context(), Model{ID: "some-reranker", Kind: Reranker})
		if err != nil {
			t.Fatal(err)
		}
		texts := many(20 * requestTexts)
		got, err := r.Score(t.Context(), "text 7", texts, pipeline.RerankRequest{})
		if err != nil {
			t.Fatal(err)
		}
		told := strings.Join(got.Notices, " ")
		for i, v := range got.Values {
			if want := remotetest.Score("text 7", texts[i]); c.odd && v != float32(want) {
				t.Fatalf("%+v: text %d has the score %v", c, i, v)
			}
		}
		if named := strings.Contains(told, strings.TrimPrefix(b.URL, "http://")) && strings.Contains(told, "in another way"); named != c.odd || !c.odd && b.Requests("/v1/rerank") < 2 {
			t.Errorf("%+v: %q, %d requests", c, told, b.Requests("/v1/rerank"))
		}
	}
}

// TestRefusedText: a text that one address refuses is done by another, and only where all
// refuse it, and take others, it is the text's fault.
func TestRefusedText(t *testing.T) {
	for _, code := range []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity} {
		for refusing := 1; refusing <= 2; refusing++ {
			a, b := remotetest.New(t), remotetest.New(t)
			for _, d := range []*remotetest.Server{a, b}[:refusing] {
				d.Fault = func(w http.ResponseWriter, _ *http.Request, body []byte) bool {
					if !strings.Contains(string(body), "odd") {
						return false
					}
					remotetest.Error(w, code, "not this one")
					return true
				}
			}
			e, err := serve(t, OpenAI, a, b).OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
			if err != nil {
				t.Fatal(err)
			}
			texts := append(many(20), "odd")
			if refusing == 1 {
				embedAll(t, e, texts, 0)
				continue
			}
			if _, err := e.Embed(t.Context(), texts, pipeline.EmbedRequest{}); err == nil || OfServer(err) || !strings.Contains(err.Error(), "not this one") {
				t.Errorf("status %d of both: %v", code, err)
			}
			embedAll(t, e, texts[:20], 0)
		}
	}
}

// TestModelChangesAmongRequests: from the request on in which the model changes, no vector of
// the other one is taken, of one address and of one among three.
func TestModelChangesAmongRequests(t *testing.T) {
	for _, replicas := range []int{1, 3} {
		for _, form := range []string{OpenAI, Ollama, TEI} {
			var doubles []*remotetest.Server
			for range replicas {
				doubles = append(doubles, remotetest.New(t))
			}
			d := doubles[0]
			e, err := serveUnhurried(t, form, doubles...).OpenEmbedder(t.Context(), Model{ID: "some-embedder"})
			if err != nil {
				t.Fatal(err)
			}
			d.Fault = after(2, func(http.ResponseWriter, *http.Request, []byte) bool {
				d.Lock()
				d.Seed = 5
				d.Unlock()
				return false
			})
			texts := many(30 * requestTexts)
			if replicas > 1 {
				if got := embedAll(t, e, texts, 0); len(got.Notices) != 1 || !strings.Contains(got.Notices[0], "another model under the name") {
					t.Errorf("%s: %q", form, got.Notices)
				}
				continue
			}
			got, err := e.Embed(t.Context(), texts, pipeline.EmbedRequest{})
			sentence(t, err, "lab", "another model under the name")
			for i, v := range got.Vectors {
				if v != nil && SameModel([][]float32{v}, [][]float32{remotetest.Vector(texts[i], 8, 5)}) {
					t.Fatalf("%s: vector %d is of the other model", form, i)
				}
			}
		}
	}
}
