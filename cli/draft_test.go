package cli

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/app"
	talks "inglenook/app/chat"
	"inglenook/app/pool"
	"inglenook/engine"
	"inglenook/pipeline"
)

// layered copies a model of two layers and gives it n: the first, the second, the first again …
func layered(t *testing.T, dir string, n int) string {
	t.Helper()
	small := t.TempDir()
	if err := os.CopyFS(small, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	change := func(name string, change func([]byte) []byte) {
		path := filepath.Join(small, name)
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, change(data), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	change("config.json", func(data []byte) []byte {
		return bytes.Replace(data, []byte(`"num_hidden_layers": 2`), fmt.Appendf(nil, `"num_hidden_layers": %d`, n), 1)
	})
	change("model.safetensors", func(data []byte) []byte {
		size := binary.LittleEndian.Uint64(data)
		type tensor struct {
			DType   string `json:"dtype"`
			Shape   []int  `json:"shape"`
			Offsets [2]int `json:"data_offsets"`
		}
		var tensors map[string]tensor
		var all map[string]json.RawMessage
		if err := json.Unmarshal(data[8:8+size], &all); err != nil {
			t.Fatal(err)
		}
		delete(all, "__metadata__")
		plain, _ := json.Marshal(all)
		if err := json.Unmarshal(plain, &tensors); err != nil {
			t.Fatal(err)
		}
		var values []byte
		written := map[string]tensor{}
		put := func(name string, x tensor) {
			at := len(values)
			values = append(values, data[8+int(size):][x.Offsets[0]:x.Offsets[1]]...)
			x.Offsets = [2]int{at, len(values)}
			written[name] = x
		}
		for name, x := range tensors {
			if !strings.Contains(name, "layers.") {
				put(name, x)
				continue
			}
			for i := range n {
				if like := fmt.Sprintf("layers.%d.", i%2); strings.Contains(name, like) {
					put(strings.Replace(name, like, fmt.Sprintf("layers.%d.", i), 1), x)
				}
			}
		}
		header, _ := json.Marshal(written)
		for len(header)%8 != 0 {
			header = append(header, ' ')
		}
		return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header, values)
	})
	return small
}

// TestDraftModel: a smaller model guesses for chat and bench, and the answer is the same; where none
// can, a sentence says why, and the answer is the same too.
func TestDraftModel(t *testing.T) {
	dir := tinyChat(t, true)
	small := layered(t, dir, 1)
	for _, how := range [][]string{{"--temperature", "0"}, {"--temperature", "1", "--seed", "4"}} {
		with := func(way string) chatAnswerJSON { return chatOnce(t, dir, append(how, "--draft", way)...) }
		want := with("off")
		got := with("model=" + small)
		if got.Text != want.Text || !slices.Equal(got.Tokens, want.Tokens) || got.Drafted == 0 || want.Drafted != 0 {
			t.Errorf("%q: with guesses %+v, without %+v", how, got, want)
		}
		for name, other := range map[string]string{"itself": dir, "nothing": filepath.Join(dir, "absent"), "an embedder": "starter-embed", "another vocabulary": "starter-chat"} {
			o := inglenook(t, "", append([]string{"chat", "--model", dir, "--prompt", "abc", "--max-tokens", "12", "--draft", "model=" + other}, how...)...)
			if o.code != 0 || !strings.Contains(o.stderr, "there are no guesses") || strings.TrimSpace(o.stdout) != strings.TrimSpace(want.Text) {
				t.Errorf("%s: %q, %q instead of %q", name, o.stderr, o.stdout, want.Text)
			}
		}
	}
	o := inglenook(t, "", "bench", "--json", "--model", dir, "--generate-tokens", "20", "--repeat", "1", "--draft", "model="+small)
	if got := decode[benchJSON](t, o.stdout); len(got.Results) != 1 || !strings.Contains(o.stderr, "guesses were right") {
		t.Errorf("%+v, %q", got, o.stderr)
	}
	for _, bad := range []string{"model=", "model", "guess"} {
		if o := inglenook(t, "", "chat", "--model", dir, "--prompt", "abc", "--draft", bad); o.code == 0 || !strings.Contains(o.stderr, "--draft") {
			t.Errorf("%s: code %d, %q", bad, o.code, o.stderr)
		}
	}
	if o := inglenook(t, "", "bench", "--model", dir, "--generate-tokens", "20", "--repeat", "1", "--draft", "model="+dir); o.code == 0 || !strings.Contains(o.stderr, "not smaller") {
		t.Errorf("a model for itself: code %d, %q", o.code, o.stderr)
	}
}

// TestDraftMTP: a checkpoint's own head guesses for chat and bench, and the answer is the same;
// where there is none, a sentence says so.
func TestDraftMTP(t *testing.T) {
	dir := tinyChatOf(t, "ahead/qwen3_5", true)
	for _, how := range [][]string{{"--temperature", "0"}, {"--temperature", "1", "--seed", "4"}, {"--temperature", "1", "--seed", "5", "--stop", "e", "--repeat-penalty", "1.2"}} {
		with := func(way string) chatAnswerJSON { return chatOnce(t, dir, append(how, "--draft", way)...) }
		want, got := with("off"), with("mtp")
		if got.Text != want.Text || !slices.Equal(got.Tokens, want.Tokens) || got.FinishReason != want.FinishReason || got.Drafted == 0 || want.Drafted != 0 {
			t.Errorf("%q: with guesses %+v, without %+v", how, got, want)
		}
	}
	o := inglenook(t, "", "bench", "--json", "--model", dir, "--generate-tokens", "20", "--repeat", "1", "--draft", "mtp")
	if got := decode[benchJSON](t, o.stdout); len(got.Results) != 1 || !strings.Contains(o.stderr, "guesses were right") {
		t.Errorf("%+v, %q", got, o.stderr)
	}
	o = inglenook(t, "", "chat", "--model", tinyChat(t, true), "--prompt", "abc", "--max-tokens", "12", "--draft", "mtp")
	if o.code != 0 || !strings.Contains(o.stderr, "no head that guesses what comes next") || strings.TrimSpace(o.stdout) == "" {
		t.Errorf("without a head: code %d, %q, %q", o.code, o.stdout, o.stderr)
	}
}

// TestDraftMTPFromAFile: the head in a file beside a GGUF file guesses for chat and bench, and the answer is
// the same; what is wrong with one is said, and the answer is the same.
func TestDraftMTPFromAFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../models/testdata/ahead/qwen35-apart")); err != nil {
		t.Fatal(err)
	}
	model, head := filepath.Join(dir, "model.gguf"), filepath.Join(dir, "mtp-model.gguf")
	write := func(way string) outcome {
		return inglenook(t, "", "chat", "--model", model, "--raw", "--prompt", "t5t6", "--max-tokens", "12", "--temperature", "0", "--draft", way)
	}
	want := write("off")
	if got := write("mtp"); got.code != 0 || want.code != 0 || got.stdout != want.stdout || strings.Contains(got.stderr, "no guesses") {
		t.Errorf("%+v instead of %+v", got, want)
	}
	if o := inglenook(t, "", "bench", "--model", model, "--generate-tokens", "20", "--repeat", "1", "--draft", "mtp"); o.code != 0 || !strings.Contains(o.stderr, "guesses were right") {
		t.Errorf("%+v", o)
	}
	if err := os.Truncate(head, 900); err != nil {
		t.Fatal(err)
	}
	told := func(o outcome) bool {
		return strings.Count(o.stderr, "mtp-model.gguf is damaged") == 1 && strings.Count(o.stderr, "so there are no guesses") == 1
	}
	if got := write("mtp"); got.code != 0 || got.stdout != want.stdout || !told(got) {
		t.Errorf("with a torn head: %+v instead of %+v", got, want)
	}
	if got := write("off"); got.code != 0 || !told(got) {
		t.Errorf("with a torn head that nobody asks for: %+v", got)
	}
	if o := inglenook(t, "", "bench", "--model", model, "--generate-tokens", "20", "--repeat", "1", "--draft", "mtp"); o.code != 0 || !strings.Contains(o.stdout+o.stderr, "Nothing was guessed: a head") || !strings.Contains(o.stdout+o.stderr, "mtp-model.gguf is damaged") {
		t.Errorf("bench with a torn head: %+v", o)
	}
	o := inglenook(t, "", "chat", "--json", "--model", model, "--raw", "--prompt", "t5t6", "--max-tokens", "4", "--draft", "mtp")
	if got := decode[chatAnswerJSON](t, o.stdout); o.code != 0 || len(got.Fallbacks) > 0 || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "mtp-model.gguf is damaged") {
		t.Errorf("JSON with a torn head: %+v", o)
	}
	if o := inglenook(t, "", "chat", "--model", head, "--raw", "--prompt", "a"); o.code == 0 {
		t.Errorf("a head by itself answers: %+v", o)
	}
}

// TestDraftAutoFindsAModel: of themselves guesses use the installed model that is much smaller and has the same
// vocabulary, and the answer is the same.
func TestDraftAutoFindsAModel(t *testing.T) {
	own := layered(t, tinyChat(t, true), 12)
	small := layered(t, tinyChat(t, true), 1)
	other := layered(t, tinyChat(t, true), 1)
	words := filepath.Join(other, "vocab.txt")
	data, err := os.ReadFile(words)
	if err == nil {
		err = os.WriteFile(words, bytes.Replace(data, []byte("\nb\n"), []byte("\nbb\n"), 1), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		installed []string
		open      int
	}{{[]string{other, own}, 1}, {[]string{other, own, small}, 2}} {
		t.Setenv("HF_HUB_CACHE", t.TempDir())
		a, err := app.New(app.Options{Home: t.TempDir(), Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		ctx := context.Background()
		for _, dir := range c.installed {
			if _, err := a.AddModel(ctx, dir); err != nil {
				t.Fatal(err)
			}
		}
		var texts []string
		for _, draft := range []string{"off", "auto", "auto"} {
			w, err := a.OpenChat(ctx, pool.WriterOptions{Model: own, Draft: draft}, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := talks.Collect(w.Answer(ctx, []talks.PromptMessage{talks.TextMessage("user", "abc")}, talks.ReplyOptions{MaxTokens: 30, Sampling: &talks.Sampling{}, IgnoreEnd: true}), nil)
			if texts = append(texts, got.Text); err != nil || got.Text != texts[0] {
				t.Errorf("%s: %q instead of %q, %v", draft, got.Text, texts[0], err)
			}
			w.Close()
		}
		if open := a.OpenModels(); len(open) != c.open {
			t.Errorf("%d installed: open are %+v", len(c.installed), open)
		}
		if err := a.Close(ctx); err != nil {
			t.Error(err)
		}
	}
}

// TestDraftModelHasNoRoom: where there is no memory for the model that is to guess, a sentence says so, and the
// answer is the same.
func TestDraftModelHasNoRoom(t *testing.T) {
	own, small := layered(t, tinyChat(t, true), 12), layered(t, tinyChat(t, true), 1)
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	openers := pool.RealOpeners()
	openers.Writer = func(ctx context.Context, files fs.FS, bs []engine.Backend, o pipeline.GeneratorOptions) (pipeline.Writer, error) {
		if config, err := fs.ReadFile(files, "config.json"); err == nil && bytes.Contains(config, []byte(`"num_hidden_layers": 1,`)) {
			o.Available = func() int64 { return 1000 }
		}
		return pipeline.OpenWriter(ctx, files, bs, o)
	}
	a, err := app.New(app.Options{Home: t.TempDir(), Threads: 1, Openers: openers})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close(t.Context())
	texts, told := map[string]string{}, map[string]string{}
	for _, draft := range []string{"off", "model=" + small} {
		w, err := a.OpenChat(t.Context(), pool.WriterOptions{Model: own, Draft: draft}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := talks.Collect(w.Answer(t.Context(), []talks.PromptMessage{talks.TextMessage("user", "abc")}, talks.ReplyOptions{MaxTokens: 30, Sampling: &talks.Sampling{}, IgnoreEnd: true}), nil)
		if err != nil {
			t.Fatal(err)
		}
		texts[draft], told[draft] = got.Text, strings.Join(w.Notes, "; ")
		w.Close()
	}
	if said := told["model="+small]; texts["off"] != texts["model="+small] || !strings.Contains(said, "the model that is to guess cannot be opened") || !strings.Contains(said, "memory") || told["off"] != "" {
		t.Errorf("texts %q, told %q", texts, told)
	}
}
