package pipeline_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/pipeline"
	"inglenook/pipeline/chattemplate"
)

// only is a folder that has only some files of another one.
func only(t testing.TB, dir string, names ...string) fstest.MapFS {
	t.Helper()
	m := fstest.MapFS{}
	for _, name := range names {
		data, err := os.ReadFile(dir + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		m[name] = &fstest.MapFile{Data: data}
	}
	return m
}

// TestDescribeCausal describes language models in both formats.
func TestDescribeCausal(t *testing.T) {
	realModel(t, stories)
	for _, c := range []struct {
		folder       fs.FS
		file         string
		format, kind string
		dtype        string
	}{
		{os.DirFS(stories), "", "safetensors", "text", "F32"},
		{os.DirFS(stories), "stories260K-F32.gguf", "gguf", "text", "F32"},
		{os.DirFS(stories), "stories260K-Q8_0.gguf", "gguf", "text", "Q8_0"},
		{only(t, stories, "stories260K-Q8_0.gguf"), "", "gguf", "text", "Q8_0"},
		{only(t, stories, "config.json", "stories260K-Q8_0.gguf"), "", "gguf", "text", "Q8_0"},
	} {
		parameters := int64(260_032)
		if c.format == "gguf" {
			parameters += 512 * 64 // stores the head, which is that table once more
		}
		d, err := pipeline.Describe(c.folder, c.file)
		if err != nil || !d.Supported || d.Format != c.format || d.Kind != c.kind || d.DType != c.dtype || d.MaxLength != 512 ||
			d.Dimension != 64 || d.Architecture != "LlamaForCausalLM" || d.Parameters != parameters {
			t.Errorf("%q: %+v, %v", c.file, d, err)
		}
	}
	chat := only(t, stories, "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json")
	chat["chat_template.jinja"] = &fstest.MapFile{Data: []byte("x")}
	if d, err := pipeline.Describe(chat, ""); err != nil || d.Kind != "chat" {
		t.Errorf("with a template: %+v, %v", d, err)
	}
	cut := only(t, stories, "stories260K-Q8_0.gguf")
	cut["stories260K-Q8_0.gguf"].Data = cut["stories260K-Q8_0.gguf"].Data[:3000]
	if d, err := pipeline.Describe(cut, ""); err != nil || d.Supported || d.Reason == "" || d.Format != "gguf" {
		t.Errorf("cut short: %+v, %v", d, err)
	}
	if _, err := pipeline.OpenEmbedder(context.Background(), os.DirFS(stories), cpu(t), pipeline.EmbedderOptions{}); err == nil || !strings.Contains(err.Error(), "is a language model") {
		t.Errorf("as an embedder: %v", err)
	}
	if _, err := pipeline.OpenReranker(context.Background(), os.DirFS(stories), cpu(t), pipeline.RerankerOptions{}); err == nil || !strings.Contains(err.Error(), "is a language model") {
		t.Errorf("as a reranker: %v", err)
	}
}

// TestOpenTokenizerOfGGUF: if a file is named, its vocabulary is used, else that of the
// folder. Both encode alike.
func TestOpenTokenizerOfGGUF(t *testing.T) {
	realModel(t, stories)
	const text = "Once upon a time, there was a little girl named Lily. 🔥"
	var want pipeline.Encoding
	for i, c := range []struct {
		folder fs.FS
		file   string
	}{
		{os.DirFS(stories), ""},
		{os.DirFS(stories), "stories260K-Q8_0.gguf"},
		{only(t, stories, "stories260K-F32.gguf"), ""},
	} {
		tok, err := pipeline.OpenTokenizer(c.folder, c.file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tok.Encode(text, pipeline.TokenizeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			want = got
		}
		if len(got.IDs) != len(want.IDs) || got.IDs[len(got.IDs)-1] != want.IDs[len(want.IDs)-1] || got.IDs[0] != 1 {
			t.Errorf("%q: %v, want %v", c.file, got.IDs, want.IDs)
		}
		tok.Close()
	}
}

// TestVocabularyFiles opens the tokenizers and templates of real GGUF files.
func TestVocabularyFiles(t *testing.T) {
	const dir = "../../shared/ggml-vocab"
	realModel(t, dir)
	folder := os.DirFS(dir)
	files, _ := fs.Glob(folder, "*.gguf")
	if len(files) == 0 {
		t.Skip("there are no vocabulary files")
	}
	templates := 0
	for _, file := range files {
		switch c, err := pipeline.OpenChatTokenizer(folder, file); {
		case err == nil:
			templates++
			c.Close()
		case !errors.Is(err, chattemplate.ErrMissing):
			t.Errorf("%s: %v", file, err)
		}
	}
	t.Logf("%d vocabularies, %d with a chat template", len(files), templates)
}
