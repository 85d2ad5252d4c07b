package library

import (
	"context"
	"io/fs"
	"os"
	"testing"
	"time"

	"inglenook/cpubackend"
	"inglenook/engine"
	"inglenook/pipeline"
	"inglenook/regular/regulartest"
)

// TestSilentDisk opens a model on a disk that never answers about one of the files: the call
// ends when its context does.
func TestSilentDisk(t *testing.T) {
	backend, err := cpubackend.New(cpubackend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer backend.Close()
	for folder, names := range map[string][]string{
		"cls": {
			"", "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "generation_config.json",
			"chat_template.jinja", "vocab.txt", "modules.json", "sentence_bert_config.json", "config_sentence_transformers.json", "1_Pooling/config.json", "README.md",
		},
		"index": {"model.safetensors.index.json", "a.safetensors", "tokenizer.model", "vocab.json", "merges.txt"},
		"gguf":  {"model.gguf"},
	} {
		disk := regulartest.NewDisk(t, folderOf(t, folder, names))
		for _, name := range names {
			for kind, what := range map[string]regulartest.Silence{"opening": regulartest.Opening, "reading": regulartest.Reading} {
				disk.Silence(t, name, what)
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
				done := make(chan struct{})
				go func() {
					defer close(done)
					open(ctx, t, disk.Dir, backend)
				}()
				select {
				case <-done:
				case <-time.After(regulartest.Soon):
					t.Errorf("%s of %s, %q: it hangs", kind, folder, name)
				}
				cancel()
				disk.Silence(t, name, 0)
			}
		}
	}
}

// open uses a model like the commands and the window do.
func open(ctx context.Context, t *testing.T, dir string, backend engine.Backend) {
	service := looking(t)
	if _, err := service.Find(ctx, dir); err == nil && ctx.Err() != nil {
		t.Error("a model was found after its request had ended")
	}
	_, _ = service.Facts(ctx, dir)
	folder, closer, err := folderPlace(dir).Open(ctx)
	if err != nil {
		return
	}
	defer closer.Close()
	_, _ = pipeline.OpenTokenizer(folder, "")
	if e, err := pipeline.OpenEmbedder(ctx, folder, []engine.Backend{backend}, pipeline.EmbedderOptions{}); err == nil {
		_ = e.Close()
	}
}

// folderOf returns the files of a checkpoint, with something in those that it lacks.
func folderOf(t *testing.T, name string, wanted []string) map[string][]byte {
	files := map[string][]byte{}
	if name == "cls" {
		source := os.DirFS("../../pipeline/testdata/cls")
		err := fs.WalkDir(source, ".", func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			files[path], err = fs.ReadFile(source, path)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	} else {
		files["config.json"] = []byte(`{"model_type": "llama", "architectures": ["LlamaForCausalLM"]}`)
	}
	for _, want := range wanted {
		if files[want] == nil && want != "" {
			files[want] = []byte("{}")
		}
	}
	return files
}
