package app

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"inglenook/app/apptest"
	"inglenook/app/library"
	"inglenook/engine"
	"inglenook/pipeline"
	"inglenook/pipeline/memory"
)

// double is a model without weights. Its vectors count letters, so that texts with the same
// letters have equal vectors.
type double struct {
	slow   chan struct{} // not nil: work waits until it is closed or cancelled
	info   pipeline.EmbedderInfo
	ran    []engine.Fallback
	closed atomic.Int32
	asked  atomic.Int32
	held   []string // how weights were to be held each time it was opened
}

func (d *double) Embed(ctx context.Context, texts []string, r pipeline.EmbedRequest) (pipeline.Embeddings, error) {
	d.asked.Add(1)
	out := pipeline.Embeddings{Device: "cpu", Took: time.Millisecond, Fallbacks: d.ran}
	for i, text := range texts {
		if d.slow != nil {
			select {
			case <-d.slow:
			case <-ctx.Done():
				return pipeline.Embeddings{}, ctx.Err()
			}
		}
		if strings.TrimSpace(text) == "" {
			return pipeline.Embeddings{}, errors.New("text is empty")
		}
		out.Vectors = append(out.Vectors, letters(r.Prompt+text))
		out.Tokens = append(out.Tokens, len(strings.Fields(text))+2)
		out.Truncated = append(out.Truncated, len(text) > 1000)
		if r.Progress != nil {
			r.Progress(i+1, len(texts))
		}
	}
	return out, nil
}

func letters(text string) []float32 {
	v := make([]float32, 27)
	for _, c := range strings.ToLower(text) {
		if c >= 'a' && c <= 'z' {
			v[c-'a']++
		}
	}
	v[26] = 1
	return v
}

func (d *double) Info() pipeline.EmbedderInfo { return d.info }

func (d *double) Close() error {
	d.closed.Add(1)
	return nil
}

// noBackend is a backend that is only passed on.
type noBackend struct{ engine.Backend }

func (noBackend) Device() engine.Device {
	return engine.Device{ID: "cpu", Kind: "cpu", Name: "a processor", Threads: 2, MemoryBytes: 8 << 30, Features: []string{"plain"}}
}
func (noBackend) Supports(*engine.Tensor) error { return engine.ErrNoKernel }
func (noBackend) Close() error                  { return nil }

// newTestApp returns an application with its own home, in which every model is d. It finds the
// bundled model and every model in the home.
func newTestApp(t *testing.T, d *double) *App {
	t.Helper()
	apptest.Home(t)
	a, err := New(Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	useDouble(a, d)
	t.Cleanup(func() {
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return a
}

func useDouble(a *App, d *double) {
	a.devicesPart.Open = func(int, string) (engine.Backend, error) { return noBackend{}, nil }
	a.openers.Embedder = func(_ context.Context, _ fs.FS, _ []engine.Backend, o pipeline.EmbedderOptions) (pipeline.Embedder, error) {
		d.held = append(d.held, o.Weights)
		return d, nil
	}
	a.openers.Needs = func(fs.FS, []engine.Backend, pipeline.OutlineOptions) (memory.Needs, error) {
		return memory.Needs{}, nil
	}
	a.openers.Describe = func(fs.FS, string) (pipeline.Description, error) {
		return pipeline.Description{Architecture: "Double", Kind: library.KindEmbedding, Supported: true, Format: "safetensors", DType: "F32"}, nil
	}
}
