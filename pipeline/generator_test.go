package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"inglenook/cpubackend"
	"inglenook/engine"
	"inglenook/pipeline/decoding"
	"inglenook/weights"
)

// tinyChat is a Llama of random weights with a vocabulary of letters.
func tinyChat(t testing.TB) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range []string{"config.json", "model.safetensors"} {
		data, err := os.ReadFile("../models/testdata/decoders/llama/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	words := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "?", "!", ":", ".", ",", "<", ">"}
	for c := 'a'; c <= 'z'; c++ {
		words = append(words, string(c), "##"+string(c))
	}
	files["vocab.txt"] = &fstest.MapFile{Data: []byte(strings.Join(words, "\n"))}
	files["chat_template.jinja"] = &fstest.MapFile{Data: []byte("{% for m in messages %}{{ m.role[0] }}: {{ m.content }}[SEP]{% endfor %}{% if add_generation_prompt %}a:{% endif %}")}
	return files
}

func oneThread(t testing.TB) []engine.Backend {
	t.Helper()
	b, err := cpubackend.New(cpubackend.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return []engine.Backend{b}
}

func openTiny(t testing.TB, o GeneratorOptions) *Generator {
	t.Helper()
	g, err := openGenerator(context.Background(), tinyChat(t), oneThread(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

func TestOpenGenerator(t *testing.T) {
	var loaded, total int64
	g := openTiny(t, GeneratorOptions{Progress: func(done, of int64) { loaded, total = done, of }})
	i := g.Info()
	if i.Architecture != "LlamaForCausalLM" || i.Local.Vocab != 64 || i.Local.Format != "safetensors" || i.Context != 64 || i.ModelContext != 64 || i.Local.KV != "f16" || i.Local.Weights != "auto" || !i.Chat || i.Device != "cpu" || i.Stated {
		t.Errorf("%+v", i)
	}
	if i.Local.Memory.Cache != 2*2*64*32*2 || i.Local.Memory.Weights < i.Local.WeightBytes/2 || i.Local.Memory.Activations == 0 || loaded != total || total == 0 {
		t.Errorf("%+v, %d of %d bytes loaded", i.Local.Memory, loaded, total)
	}
	h := hear(t, Answer(context.Background(), g, []Message{user("why?")}, ReplyOptions{Sampling: &Sampling{}, MaxTokens: 5}))
	if h.err != nil || len(h.ids) == 0 || h.finished.Device != "cpu" {
		t.Errorf("%+v, %v", h.ids, h.err)
	}
	if !slices.Contains(g.ends, 2) || !slices.Contains(g.ends, 3) { // config.json, and what the template writes after an answer
		t.Errorf("answers end with %v", g.ends)
	}
	for _, o := range []GeneratorOptions{{Hold: Hold{KV: "f32"}}, {Hold: Hold{KV: "q8_0"}}, {Hold: Hold{Weights: "q8_0"}}, {Hold: Hold{Weights: "q4_k"}}, {Hold: Hold{Context: 10}}, {Hold: Hold{Context: 64}, ChunkTokens: 1}} {
		g := openTiny(t, o)
		if h := hear(t, Answer(context.Background(), g, []Message{user("why?")}, ReplyOptions{MaxTokens: 3})); h.err != nil || len(h.ids) == 0 {
			t.Errorf("%+v: %v", o, h.err)
		}
		if notes := strings.Join(g.Info().Notes, "\n"); (o.Weights != "") != (notes != "") {
			t.Errorf("%+v: notes %q", o, notes)
		}
	}
}

// A text, here "a", is continued where it ends, with a space only before a new word.
func TestCompleteSpaces(t *testing.T) {
	g := openTiny(t, GeneratorOptions{})
	for id, want := range map[int32]string{14: " b b", 15: "bb"} { // "b", "##b"
		o := ReplyOptions{MaxTokens: 2, Sampling: &Sampling{LogitBias: map[int32]float32{id: 1e6}}}
		if got := hear(t, g.CompleteIDs(context.Background(), []int32{12}, o)); got.text != want {
			t.Errorf("token %d: %q, want %q", id, got.text, want)
		}
	}
}

func TestGeneratorRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		o    GeneratorOptions
		edit func(fstest.MapFS)
		says string
	}{
		"cache type":    {GeneratorOptions{Hold: Hold{KV: "q4_0"}}, nil, "f16, f32 or q8_0"},
		"weight type":   {GeneratorOptions{Hold: Hold{Weights: "q3"}}, nil, "auto, q8_0 or q4_k"},
		"long context":  {GeneratorOptions{Hold: Hold{Context: 65}}, nil, "at most 64 tokens"},
		"short context": {GeneratorOptions{Hold: Hold{Context: 1}}, nil, "no room"},
		"memory":        {GeneratorOptions{Available: func() int64 { return 20_000 }}, nil, "20 kB are free"},
		"no model":      {GeneratorOptions{}, func(m fstest.MapFS) { delete(m, "config.json") }, "config.json"},
		"no weights":    {GeneratorOptions{}, func(m fstest.MapFS) { delete(m, "model.safetensors") }, "no weights"},
		"no tokenizer":  {GeneratorOptions{}, func(m fstest.MapFS) { delete(m, "vocab.txt") }, "tokenizer"},
		"weights cut":   {GeneratorOptions{}, func(m fstest.MapFS) { m["model.safetensors"].Data = m["model.safetensors"].Data[:5000] }, "model.safetensors"},
		"an encoder": {GeneratorOptions{}, func(m fstest.MapFS) {
			for name := range m {
				delete(m, name)
			}
			for _, name := range []string{"config.json", "model.safetensors", "vocab.txt"} {
				data, err := os.ReadFile("testdata/cls/" + name)
				if err == nil {
					m[name] = &fstest.MapFile{Data: data}
				}
			}
			m["vocab.txt"] = tinyChat(t)["vocab.txt"]
		}, "cannot write"},
	} {
		m := tinyChat(t)
		if c.edit != nil {
			c.edit(m)
		}
		g, err := openGenerator(context.Background(), m, oneThread(t), c.o)
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		if g != nil {
			g.Close()
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := openGenerator(ctx, tinyChat(t), oneThread(t), GeneratorOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled load: %v", err)
	}
}

// TestChunksAndPrefixes: scores do not depend on how a prompt is read, nor on what was
// read before it.
func TestChunksAndPrefixes(t *testing.T) {
	t.Run("small", func(t *testing.T) {
		readAlike(t, 63, 64, func(chunk int) *decoding.History {
			return openTiny(t, GeneratorOptions{ChunkTokens: chunk, Hold: Hold{KV: "f32"}}).seats.all[0].history
		})
	})
	t.Run("real", func(t *testing.T) {
		readAlike(t, 300, 512, func(chunk int) *decoding.History {
			return openStories(t, GeneratorOptions{ChunkTokens: chunk, Hold: Hold{KV: "f32"}}).seats.all[0].history
		})
	})
}

// readAlike compares prompts of 1 to most tokens: each is read at once, in chunks, and
// after a prefix that was read before.
func readAlike(t *testing.T, most, vocab int, open func(chunk int) *decoding.History) {
	ids := make([]int32, most)
	for i := range ids {
		ids[i] = int32(i * 37 % vocab)
	}
	whole, chunked, kept := open(most), open(16), open(7)
	read := func(s *decoding.History, n int) []float32 {
		scores, err := s.Read(context.Background(), ids[:n])
		if err != nil {
			t.Fatal(err)
		}
		return scores
	}
	worst := 0.0
	for n := 1; n <= most; n++ {
		whole.Cut(0)
		want := read(whole, n)
		chunked.Cut(0)
		kept.Cut(n * 2 / 3)
		for how, s := range map[string]*decoding.History{"in chunks": chunked, "behind a prefix": kept} {
			d := apart(read(s, n), want)
			if worst = max(worst, d); !(d <= 1e-4) {
				t.Errorf("%d tokens %s: %.2g apart", n, how, d)
			}
		}
	}
	t.Logf("at most %.2g apart", worst)
}

// apart returns the largest difference of a from b, relative to the size of b.
func apart(a, b []float32) float64 {
	var worst, square float64
	for i := range b {
		worst = max(worst, math.Abs(float64(a[i])-float64(b[i])))
		square += float64(b[i]) * float64(b[i])
	}
	return worst / math.Sqrt(square/float64(len(b)))
}

// TestFileCutShort truncates, empties, overwrites or removes the weights while the model
// is open, reads a prompt or answers. This answer and the next must continue, or end with
// an error that says what happened.
func TestFileCutShort(t *testing.T) {
	models := map[string]fs.FS{"model.safetensors": tinyChat(t)}
	for _, name := range []string{"stories260K-F32.gguf", "stories260K-Q8_0.gguf"} {
		if data, err := os.ReadFile(filepath.Join(realStories, name)); err == nil {
			models[name] = fstest.MapFS{name: {Data: data}}
		}
	}
	for file, model := range models {
		for i, harm := range []func(string) error{
			func(name string) error { return os.Truncate(name, 600) },
			func(name string) error { return os.Truncate(name, 0) },
			func(name string) error { return os.WriteFile(name, make([]byte, 1000), 0o600) },
			os.Remove,
		} {
			for _, moment := range []string{"open", "prompt", "answer"} {
				cutShort(t, fmt.Sprintf("%s, harm %d, %s", file, i, moment), model, file, harm, moment)
			}
		}
	}
}

func cutShort(t *testing.T, name string, model fs.FS, file string, harm func(string) error, moment string) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, model); err != nil {
		t.Fatal(err)
	}
	g, err := openGenerator(context.Background(), os.DirFS(dir), oneThread(t), GeneratorOptions{ChunkTokens: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	now := func(m string) {
		if m == moment {
			moment = "" // once
			if err := harm(filepath.Join(dir, file)); err != nil {
				t.Fatal(err)
			}
		}
	}
	ask := func(during bool) heard {
		o := ReplyOptions{Sampling: &Sampling{}, MaxTokens: 8, IgnoreEnd: true}
		if during {
			o.Progress = func(int, int) { now("prompt") }
		}
		g.Forget()
		return hear(t, func(yield func(Token, error) bool) {
			for token, err := range g.CompleteIDs(context.Background(), []int32{5, 6, 7, 8, 9}, o) {
				if during {
					now("answer")
				}
				if !yield(token, err) {
					return
				}
			}
		})
	}
	before := ask(false)
	now("open")
	for range 2 {
		if after := ask(true); after.err != nil && !errors.Is(after.err, weights.ErrFileChanged) || after.err == nil && !slices.Equal(after.ids, before.ids) {
			t.Errorf("%s: %v instead of %v, %v", name, after.ids, before.ids, after.err)
		}
	}
}

// TestCutWhileLoading: a file that is cut while it is loaded is an error that says so, and
// no file stays open.
func TestCutWhileLoading(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, tinyChat(t)); err != nil {
		t.Fatal(err)
	}
	first := true
	_, err := openGenerator(context.Background(), os.DirFS(dir), oneThread(t), GeneratorOptions{Progress: func(int64, int64) {
		if first {
			first = false
			if err := os.Truncate(filepath.Join(dir, "model.safetensors"), 4096); err != nil {
				t.Error(err)
			}
		}
	}})
	if !errors.Is(err, weights.ErrFileChanged) {
		t.Errorf("the error is %v", err)
	}
}

// TestCancelSoon: within a fifth of a second on an idle machine, which no test can ask of a busy one.
func TestCancelSoon(t *testing.T) {
	g := openStories(t, GeneratorOptions{})
	for i := range 20 {
		ctx, cancel := context.WithCancel(context.Background())
		var stopped time.Time
		timer := time.AfterFunc(time.Duration(i)*time.Millisecond, func() { stopped = time.Now(); cancel() })
		h := hear(t, complete(ctx, g, strings.Repeat("Once upon a time there was a cat. ", 20), ReplyOptions{IgnoreEnd: true, Sampling: &Sampling{}}))
		if timer.Stop() {
			continue // it had finished before
		}
		if !errors.Is(h.err, context.Canceled) && h.finished.Reason != FinishContext {
			t.Errorf("%v", h.err)
		} else if late := time.Since(stopped); late > 20*time.Second {
			t.Errorf("stopped %v after the cancel", late)
		}
		cancel()
	}
}
