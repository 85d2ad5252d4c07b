package cli

import (
	"context"
	"io"
	"strings"
	"testing"

	"inglenook/app"
	"inglenook/app/texts"
)

// chatDouble renders every chat as its messages.
type chatDouble struct{ double }

func (*chatDouble) RenderChat(_ context.Context, r texts.ChatRequest) (texts.ChatResult, error) {
	data, err := io.ReadAll(r.Messages)
	return texts.ChatResult{Text: r.Model + "<" + string(data) + ">\n", IDs: []int32{1, 2}}, err
}

func TestChatTemplate(t *testing.T) {
	run := func(args ...string) outcome {
		newApp := func(app.Options) (App, error) { return &chatDouble{}, nil }
		return runWith(t, t.Context(), strings.NewReader(`[é]`), newApp, append([]string{"tokenize", "--chat-template"}, args...)...)
	}
	if got := run("--model", "m").ok(t).stdout; got != "m<[é]>\n" {
		t.Errorf("printed %q", got)
	}
	if got := run("--model", "m", "--json").ok(t).stdout; got != `{"text":"m<[é]>\n","ids":[1,2]}`+"\n" {
		t.Errorf("as JSON %s", got)
	}
	for _, args := range [][]string{{"text"}, {"--decode", "1"}, {"--no-special"}} {
		if got := run(args...); got.code != exitUsage || !strings.Contains(got.stderr, "--chat-template reads messages") || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%v: code %d, %q", args, got.code, got.stderr)
		}
	}
}

// TestChatTemplateMissing uses a model that is not for chats.
func TestChatTemplateMissing(t *testing.T) {
	got := inglenook(t, `[{"role": "user", "content": "Hi"}]`, "tokenize", "--chat-template")
	if got.code != exitFailed || !strings.Contains(got.stderr, "no chat template") || got.stdout != "" {
		t.Errorf("code %d, %q, %q", got.code, got.stderr, got.stdout)
	}
}
