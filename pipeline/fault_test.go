package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"inglenook/cpubackend"
	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// faultyDevice is a device that computes with the CPU's kernels and fails in a given
// way. The CPU is its fallback.
func faultyDevice(t testing.TB) (*enginetest.Faulty, []engine.Backend) {
	t.Helper()
	inner, err := cpubackend.New(cpubackend.Options{Threads: 1, ID: "gpu"})
	if err != nil {
		t.Fatal(err)
	}
	f := &enginetest.Faulty{Backend: inner}
	t.Cleanup(func() {
		if n := f.Open(); n != 0 {
			t.Errorf("%d arenas are left on the device", n)
		}
		if err := errors.Join(f.Close(), inner.Close()); err != nil {
			t.Error(err)
		}
	})
	return f, append([]engine.Backend{f}, oneThread(t)...)
}

// result is what a job returns, the same on every device.
type result struct {
	ids     []int32
	numbers [][]float32
	notices []string
	device  string // of the last request
}

func (r result) equal(q result) bool {
	return slices.Equal(r.ids, q.ids) && slices.EqualFunc(r.numbers, q.numbers, slices.Equal[[]float32])
}

// job opens a model, sends it three requests and closes it. It calls before with the
// name of each next step.
type job func(t *testing.T, bs []engine.Backend, prove bool, before func(step string)) result

func writingJob(t *testing.T, bs []engine.Backend, prove bool, before func(step string)) (r result) {
	before("load")
	g, err := openGenerator(context.Background(), tinyChat(t), bs, GeneratorOptions{ChunkTokens: 4, Prove: prove})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	r.notices = g.Info().Notices
	ids := []int32{2, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21}
	for _, step := range []string{"answer", "continued", "later"} {
		before(step)
		h := hear(t, g.CompleteIDs(context.Background(), ids, ReplyOptions{
			MaxTokens: 9, IgnoreEnd: true, Sampling: &Sampling{Temperature: 1, TopP: 1, TypicalP: 1, RepeatPenalty: 1.1, RepeatWindow: 16, Seed: 5},
		}))
		if h.err != nil {
			t.Fatal(h.err)
		}
		var told []string
		for _, token := range h.tokens {
			if token.Notice != "" {
				told = append(told, token.Notice)
			}
		}
		if !slices.Equal(told, h.finished.Notices) {
			t.Errorf("tokens tell %q, the end %q", told, h.finished.Notices)
		}
		r.ids, r.notices, r.device = append(r.ids, h.ids...), append(r.notices, told...), h.finished.Device
		ids = append(ids, append(h.ids, 22, 23, 24, 25, 26)...)
	}
	return r
}

func embeddingJob(t *testing.T, bs []engine.Backend, prove bool, before func(step string)) (r result) {
	before("load")
	e, err := OpenEmbedder(context.Background(), os.DirFS("testdata/mean-normalize"), bs, EmbedderOptions{BatchTokens: 16, Prove: prove})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, step := range []string{"embed", "again", "later"} {
		before(step)
		got, err := e.Embed(context.Background(), []string{"the cat sleeps on the warm stone", "tea", "snow falls outside", "the fire burns " + step}, EmbedRequest{})
		if err != nil {
			t.Fatal(err)
		}
		r.numbers, r.notices, r.device = append(r.numbers, got.Vectors...), append(r.notices, got.Notices...), got.Device
	}
	return r
}

func scoringJob(t *testing.T, bs []engine.Backend, prove bool, before func(step string)) (r result) {
	before("load")
	m, err := OpenReranker(context.Background(), os.DirFS("testdata/rerank-bert"), bs, RerankerOptions{BatchTokens: 32, Prove: prove})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for _, step := range []string{"rerank", "again", "later"} {
		before(step)
		got, err := m.Score(context.Background(), "who lit the lamp ?", []string{"the lamp is lit", "snow falls outside", "tea", "the fire burns " + step}, RerankRequest{})
		if err != nil {
			t.Fatal(err)
		}
		r.numbers, r.notices, r.device = append(r.numbers, got.Values), append(r.notices, got.Notices...), got.Device
	}
	return r
}

// TestFaults makes a device fail in every way at every moment. The results must be those
// of the CPU, one sentence must say so, and later requests must not use the device.
func TestFaults(t *testing.T) {
	cases := 0
	for _, c := range []struct {
		name  string
		job   job
		step  string
		at    enginetest.Moment
		after int
	}{
		{"load", writingJob, "load", enginetest.AtPrepare, 3},
		{"prefill", writingJob, "answer", enginetest.AtSubmit, 1},
		{"the last chunk", writingJob, "answer", enginetest.AtSubmit, 2},
		{"the first token", writingJob, "answer", enginetest.AtSubmit, 3},
		{"decode", writingJob, "answer", enginetest.AtSubmit, 8},
		{"readback of a chunk", writingJob, "answer", enginetest.AtRead, 0},
		{"readback", writingJob, "answer", enginetest.AtRead, 6},
		{"continued conversation", writingJob, "continued", enginetest.AtSubmit, 0},
		{"decode in a continued conversation", writingJob, "continued", enginetest.AtSubmit, 5},
		{"load of an embedder", embeddingJob, "load", enginetest.AtPrepare, 0},
		{"embed", embeddingJob, "embed", enginetest.AtSubmit, 0},
		{"embed, another batch", embeddingJob, "embed", enginetest.AtSubmit, 1},
		{"embed again", embeddingJob, "again", enginetest.AtSubmit, 0},
		{"readback of vectors", embeddingJob, "again", enginetest.AtRead, 1},
		{"load of a reranker", scoringJob, "load", enginetest.AtPrepare, 2},
		{"rerank", scoringJob, "rerank", enginetest.AtSubmit, 0},
		{"rerank again", scoringJob, "again", enginetest.AtSubmit, 1},
		{"readback of scores", scoringJob, "again", enginetest.AtRead, 0},
	} {
		want := c.job(t, oneThread(t), false, func(string) {})
		for _, fault := range enginetest.Faults() {
			cases++
			t.Run(fmt.Sprintf("%s, %s", c.name, fault), func(t *testing.T) {
				device, bs := faultyDevice(t)
				submits := 0
				got := c.job(t, bs, c.step == "load", func(step string) {
					if step == c.step {
						device.Arm(fault, c.at, c.after)
					}
					if step == "later" {
						submits = device.Submits()
					}
				})
				if !device.Struck() {
					t.Fatal("the fault did not strike")
				}
				if !got.equal(want) {
					t.Errorf("the result is %v and %.80v…, the CPU's %v and %.80v…", got.ids, got.numbers, want.ids, want.numbers)
				}
				if len(got.notices) != 1 || !strings.Contains(got.notices[0], "the device gpu ") || !strings.Contains(got.notices[0], "so cpu ") || strings.Contains(got.notices[0], "\n") {
					t.Errorf("told %q", got.notices)
				}
				if got.device != "cpu" || device.Submits() != submits {
					t.Errorf("the last request ran on %s, with %d submissions to the device", got.device, device.Submits()-submits)
				}
			})
		}
	}
	t.Logf("%d cases", cases)
}
