package server

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// counts are what /metrics tells. They name routes and nothing of a request.
type counts struct {
	mu       sync.Mutex
	requests map[served]int
	seconds  float64
	prompt   int
	cached   int
	written  int
}

// served is a kind of request.
type served struct {
	route  string
	status int
}

func newCounts() *counts { return &counts{requests: map[served]int{}} }

// add counts a request that has ended.
func (n *counts) add(r Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.requests[served{r.Route, r.Status}]++
	n.seconds += r.MS / 1000
	n.prompt += r.PromptTokens
	n.cached += r.CachedTokens
	n.written += r.Tokens
}

// metrics answers in the text format of Prometheus.
func (c *call) metrics() error {
	var b strings.Builder
	one := func(name, kind, help string, value any) {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n%s %v\n", name, help, name, kind, name, value)
	}
	n := c.counts
	n.mu.Lock()
	b.WriteString("# HELP inglenook_requests_total Requests that have ended.\n# TYPE inglenook_requests_total counter\n")
	keys := slices.SortedFunc(maps.Keys(n.requests), func(a, b served) int {
		return cmp.Or(strings.Compare(a.route, b.route), cmp.Compare(a.status, b.status))
	})
	for _, k := range keys {
		fmt.Fprintf(&b, "inglenook_requests_total{route=%q,status=\"%d\"} %d\n", k.route, k.status, n.requests[k])
	}
	one("inglenook_request_seconds_total", "counter", "Time that these requests took, waiting included.", n.seconds)
	one("inglenook_prompt_tokens_total", "counter", "Tokens of prompts and texts.", n.prompt)
	one("inglenook_cached_tokens_total", "counter", "Of them those that had been read before.", n.cached)
	one("inglenook_written_tokens_total", "counter", "Tokens of answers.", n.written)
	n.mu.Unlock()
	one("inglenook_requests_active", "gauge", "Requests under way, waiting ones included.", len(c.places))
	one("inglenook_requests_waiting", "gauge", "Requests that wait for a model.", c.queues.waiting())
	one("inglenook_models_open", "gauge", "Models in memory.", len(c.app.OpenModels()))
	one("inglenook_uptime_seconds", "gauge", "Time since the start.", time.Since(c.Server.began).Seconds())
	c.began, c.note.Status = true, http.StatusOK
	c.w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	return c.send(http.StatusOK, []byte(b.String()))
}
