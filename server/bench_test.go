//go:build unix

package server

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"inglenook/app/chat"
	"inglenook/app/pool"
	"inglenook/app/texts"
)

// processorTime is what this process has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkOverhead does the same with and without the server in between, one after the
// other, so that the difference is what a request costs, the client of the test included. Medians.
//
//	go test ./server -run '^$' -bench Overhead -benchtime 200x
func BenchmarkOverhead(b *testing.B) {
	s := start(b, Options{})
	ctx := context.Background()
	post := func(path, body string) {
		if status, _, answer := do(b, request(b, http.MethodPost, s.url+path, body)); status != 200 {
			b.Fatalf("%d %s", status, answer)
		}
	}
	many := make([]string, 64)
	for i := range many {
		many[i] = fmt.Sprintf("The lamp number %d in the hall is repaired on Mondays by somebody who knows how.", i)
	}
	w, err := s.app.OpenChat(ctx, pool.WriterOptions{Model: chatModel}, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	greedy := w.Info().Sampling
	greedy.Temperature = 0
	for _, c := range []struct {
		name    string
		direct  func() error
		through func()
	}{
		{"one text", func() error {
			_, err := s.app.Embed(ctx, texts.EmbedRequest{Model: embedModel, Texts: many[:1]}, nil)
			return err
		}, func() {
			post("/v1/embeddings", `{"model":"starter-embed","encoding_format":"base64","input":"`+many[0]+`"}`)
		}},
		{"64 texts", func() error {
			_, err := s.app.Embed(ctx, texts.EmbedRequest{Model: embedModel, Texts: many}, nil)
			return err
		}, func() {
			post("/v1/embeddings", `{"model":"starter-embed","encoding_format":"base64","input":["`+strings.Join(many, `","`)+`"]}`)
		}},
		{"16 tokens", func() error {
			_, err := chat.Collect(w.Answer(ctx, []chat.PromptMessage{chat.TextMessage("user", "How do I add a model?")}, chat.ReplyOptions{MaxTokens: 16, Sampling: &greedy}), nil)
			return err
		}, func() { post("/v1/chat/completions", `{`+question+`,"max_tokens":16,"stream":true}`) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			var took, used [2][]time.Duration // directly, through the server
			measure := func(i int, f func()) {
				begun, before := time.Now(), processorTime()
				f()
				took[i] = append(took[i], time.Since(begun))
				used[i] = append(used[i], processorTime()-before)
			}
			directly := func() {
				if err := c.direct(); err != nil {
					b.Fatal(err)
				}
			}
			for n := 0; b.Loop(); n++ {
				if n%2 == 0 { // either is the first as often as the other
					measure(0, directly)
					measure(1, c.through)
				} else {
					measure(1, c.through)
					measure(0, directly)
				}
			}
			middle := func(v []time.Duration) float64 {
				slices.Sort(v)
				return float64(v[len(v)/2].Microseconds())
			}
			b.ReportMetric(middle(used[0]), "direct-cpu-us")
			b.ReportMetric(middle(used[1]), "server-cpu-us")
			b.ReportMetric(middle(took[0]), "direct-us")
			b.ReportMetric(middle(took[1]), "server-us")
		})
	}
}
