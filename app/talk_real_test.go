package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const realStories = "../../shared/models/stories260K"

// storyChat is a folder with the real stories260K, which writes little stories,
// and a chat template of ours, so that conversations can be held with it. It
// skips where the model is not beside the repository.
func storyChat(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"config.json", "model.safetensors", "tokenizer.json"} {
		data, err := os.ReadFile(filepath.Join(realStories, name))
		if err != nil {
			t.Skipf("%s is not there: a real model is needed", realStories)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	template := `{"bos_token":"<s>","eos_token":"</s>","chat_template":"{% for m in messages %}{{ m.content }}\n{% endfor %}"}`
	if err := os.WriteFile(filepath.Join(dir, "tokenizer_config.json"), []byte(template), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func newRealTalks(t testing.TB) (*App, *Talks) {
	t.Helper()
	a, err := New(Options{Home: t.TempDir(), Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return a, a.Talks()
}

func TestRealConversation(t *testing.T) {
	model := storyChat(t)
	_, talks := newRealTalks(t)
	ctx := context.Background()
	id, err := talks.New(TalkChoices{Model: model, MaxTokens: 20, Sampling: &Sampling{}})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	m, err := talks.Answer(ctx, AnswerRequest{Conversation: id, Text: "Once upon a time there was a little cat."}, func(s AnswerStep) {
		text.WriteString(s.Text)
	})
	if err != nil || m.State != MessageComplete || m.Text == "" || m.Text != text.String() {
		t.Fatalf("%+v, %v", m, err)
	}
	t.Logf("%q %+v", m.Text, *m.Reply)
	m2, err := talks.Answer(ctx, AnswerRequest{Conversation: id, After: m.ID, Text: "The cat had a red ball."}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%q %+v", m2.Text, *m2.Reply)
}
