//go:build unix

package server

import (
	"context"
	"fmt"
	"net/http"
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
// other, so that the difference is what a request costs, the client of the test included.
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
			var direct, through [2]time.Duration // elapsed, of the processor
			measure := func(sum *[2]time.Duration, f func()) {
				begun, used := time.Now(), processorTime()
				f()
				sum[0] += time.Since(begun)
				sum[1] += processorTime() - used
			}
			for b.Loop() {
				measure(&direct, func() {
					if err := c.direct(); err != nil {
						b.Fatal(err)
					}
				})
				measure(&through, c.through)
			}
			n := float64(b.N)
			b.ReportMetric(float64(direct[1].Microseconds())/n, "direct-cpu-us")
			b.ReportMetric(float64(through[1].Microseconds())/n, "server-cpu-us")
			b.ReportMetric(float64((through[0]-direct[0]).Microseconds())/n, "more-us")
			b.ReportMetric(float64((through[1]-direct[1]).Microseconds())/n, "more-cpu-us")
		})
	}
}
