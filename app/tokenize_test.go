package app

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/assets"
)

// chatModel returns a folder with an unknown architecture, the tokenizer of the bundled model
// and a chat template.
func chatModel(t *testing.T, template string) string {
	t.Helper()
	dir := t.TempDir()
	tokenizer, err := fs.ReadFile(assets.StarterEmbed(), "tokenizer.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"tokenizer.json":        string(tokenizer),
		"tokenizer_config.json": `{"eos_token": {"content": "[SEP]"}}`,
		"chat_template.jinja":   template,
		"config.json":           `{"architectures": ["SomethingForCausalLM"], "model_type": "something"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestRenderChat renders a conversation for a model that cannot run.
func TestRenderChat(t *testing.T) {
	a := newRealApp(t)
	ctx := context.Background()
	dir := chatModel(t, "{% for m in messages %}[CLS]{{ m.role }}: {{ m.content }}{{ eos_token }}{% endfor %}{% if add_generation_prompt %}[MASK]{% endif %}")
	got, err := a.RenderChat(ctx, texts.ChatRequest{Model: dir, Messages: strings.NewReader(`[{"role": "user", "content": "end [SEP] here"}]`)})
	if want := "[CLS]user: end [SEP] here[SEP][MASK]"; err != nil || got.Text != want {
		t.Fatalf("got %q, %v", got.Text, err)
	}
	text, err := a.Detokenize(ctx, dir, got.IDs, true)
	if err != nil || !strings.Contains(text, "[ sep ]") {
		t.Errorf("the typed [SEP] is %q, %v", text, err)
	}
	for chat, want := range map[string]string{
		`[]`: "the conversation is empty",
		`{`:  "not JSON",
	} {
		if _, err := a.RenderChat(ctx, texts.ChatRequest{Model: dir, Messages: strings.NewReader(chat)}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v", chat, err)
		}
	}
	for dir, want := range map[string]string{
		library.StarterEmbed: "no chat template",
		chatModel(t, "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"): "more than a chat template may",
		chatModel(t, "{% include '/etc/passwd' %}"):                                                    "stand alone",
	} {
		_, err := a.RenderChat(ctx, texts.ChatRequest{Model: dir, Messages: strings.NewReader(`[{"role": "user", "content": "Hi"}]`)})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), filepath.Base(dir)) {
			t.Errorf("%v, not %q", err, want)
		}
	}
}
