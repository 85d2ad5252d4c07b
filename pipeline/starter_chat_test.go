package pipeline_test

import (
	"context"
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
