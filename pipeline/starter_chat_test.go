package pipeline_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"inglenook/pipeline"
)

const starterChat = "../assets/starter-chat"

// asked returns the likeliest answer of the bundled language model to one message.
func asked(t *testing.T, g *pipeline.Generator, message string) told {
	t.Helper()
	a := tell(pipeline.Answer(context.Background(), g, []pipeline.Message{pipeline.TextMessage("user", message)}, pipeline.ReplyOptions{MaxTokens: 160}))
	if a.err != nil {
		t.Fatal(a.err)
	}
	return a
}

// declines matches an answer that names a larger model instead of guessing.
var declines = regexp.MustCompile(`(?i)starter model|too small|too hard|beyond me`)

// TestStarterChat asks the bundled language model what a new user would.
func TestStarterChat(t *testing.T) {
	g := openGenerator(t, starterChat, pipeline.GeneratorOptions{})
	for message, wanted := range map[string]string{
		"Hello":                          "app",
		"How do I get a better model?":   "Discover",
		"How do I start a new chat?":     "New chat",
		"What is the capital of France?": "Discover",
		"The harbour office is a red house behind the fish market. It opens at nine. On Fridays it stays closed.\n\nWhen does the harbour office open?": "It opens at nine.",
	} {
		a := asked(t, g, message)
		if !strings.Contains(a.text, wanted) || a.finished.Reason != pipeline.FinishStop {
			t.Errorf("%s: %q, ended by %s; want an answer with %q that ends by itself", message, a.text, a.finished.Reason, wanted)
		}
	}
	tokens := func(message string) int {
		p, err := g.Plan(context.Background(), []pipeline.Message{pipeline.TextMessage("user", message)}, pipeline.ReplyOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return p.AllTokens
	}
	short, long := tokens(strings.Repeat("The lamp is lit. ", 5)), tokens(strings.Repeat("The lamp is lit. ", 10))
	if long < 3*short {
		t.Errorf("%d and %d tokens: a message of the length of a passage is not read twice", short, long)
	}
	if a := asked(t, g, "What is the capital of France?"); !declines.MatchString(a.text) {
		t.Errorf("a question about the world is not declined: %q", a.text)
	}
}

// How a model writes where nobody says otherwise, and what can be chosen of its thinking, is known before it is
// opened: nothing that a person sees changes with that.
func TestDescribedAsOpened(t *testing.T) {
	own := t.TempDir()
	for folder, want := range map[string]struct {
		temperature float64
		thinking    pipeline.Thinking
	}{starterChat: {0, pipeline.ThinkingFixed}, own: {0.3, pipeline.ThinkingSwitch}} {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			if folder == own {
				thoughtful(t, own)
			}
			d, err := pipeline.Describe(os.DirFS(folder), "")
			if err != nil || d.Sampling == nil {
				t.Fatalf("%+v, %v", d, err)
			}
			is := openGenerator(t, folder, pipeline.GeneratorOptions{}).Info()
			if !reflect.DeepEqual(*d.Sampling, is.Sampling) || d.Thinking != is.Thinking || d.Tools != is.Tools {
				t.Errorf("described %+v %v %v, open %+v %v %v", *d.Sampling, d.Thinking, d.Tools, is.Sampling, is.Thinking, is.Tools)
			}
			if d.Sampling.Temperature != want.temperature || d.Thinking != want.thinking {
				t.Errorf("a temperature of %v, thinking %v, want %+v", d.Sampling.Temperature, d.Thinking, want)
			}
		})
	}
}

// thoughtful puts a model into a folder whose template thinks on request, and whose makers suggest a temperature.
func thoughtful(t *testing.T, folder string) {
	t.Helper()
	realModel(t, stories)
	if err := os.CopyFS(folder, only(t, stories, "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json")); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"chat_template.jinja":    "{% if enable_thinking %}think{% endif %}{{ messages[0].content }}",
		"generation_config.json": `{"temperature": 0.3, "top_k": 7}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
