package remote

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"inglenook/pipeline"
	"inglenook/remote/remotetest"
)

// BenchmarkReplicas tells how much of the speed of replicas arrives: each works on one
// request at a time and takes 2 ms for a text, as a machine of its own would.
func BenchmarkReplicas(b *testing.B) {
	const perText = 2 * time.Millisecond
	texts := make([]string, 400)
	for i := range texts {
		texts[i] = fmt.Sprintf("text %d", i)
	}
	for _, n := range []int{1, 2, 4} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var at []Address
			for range n {
				d := remotetest.New(b)
				var one sync.Mutex
				d.Fault = func(w http.ResponseWriter, r *http.Request, body []byte) bool {
					var in embedRequest
					_ = json.Unmarshal(body, &in)
					one.Lock()
					defer one.Unlock()
					time.Sleep(time.Duration(len(in.Input)) * perText)
					return false
				}
				a, _, err := ParseAddress(d.URL)
				if err != nil {
					b.Fatal(err)
				}
				at = append(at, a)
			}
			s, err := New("lab", Found{Form: OpenAI, Prefix: "/v1"}, at, Options{})
			if err != nil {
				b.Fatal(err)
			}
			e, err := s.OpenEmbedder(b.Context(), Model{ID: "some-embedder"})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := e.Embed(b.Context(), texts, pipeline.EmbedRequest{}); err != nil { // each is proven once
				b.Fatal(err)
			}
			start, done := time.Now(), 0
			for b.Loop() {
				if _, err := e.Embed(b.Context(), texts, pipeline.EmbedRequest{}); err != nil {
					b.Fatal(err)
				}
				done += len(texts)
			}
			b.ReportMetric(float64(done)/time.Since(start).Seconds(), "texts/s")
		})
	}
}
