package chats

import (
	"testing"
	"time"
)

// Adding a message takes the same time after 100 messages and after 40,000. This is also true
// where the last messages say nothing for the list: the user's have no text, none has a model,
// and one is deleted. Other programs can delay both, so the quickest of many counts.
func TestAddingTakesConstantTime(t *testing.T) {
	s := open(t, t.TempDir(), idle)
	adding := func(messages int) func() time.Duration {
		var c Conversation
		for i := range messages {
			c.Messages = append(c.Messages, Message{ID: int64(i + 1), Parent: int64(i), Role: RoleAssistant})
		}
		c.Leaf = int64(messages)
		id := must(s.Create(c))(t)
		gone := must(s.Add(id, Message{Parent: c.Leaf, Role: RoleUser, Parts: Content("gone")}))(t)
		try(t, s.DeleteMessage(id, gone))
		leaf := c.Leaf
		return func() time.Duration {
			start := time.Now()
			leaf = must(s.Add(id, Message{Parent: leaf, Role: RoleAssistant}))(t)
			return time.Since(start)
		}
	}
	few, many := adding(100), adding(40_000)
	short, long := few(), many()
	for range 100 {
		short, long = min(short, few()), min(long, many())
	}
	if long > 10*short+100*time.Microsecond {
		t.Errorf("adding a message takes %v after 100 messages and %v after 40,000", short, long)
	}
}

// The line and the model in a list are those of the branch in view, whatever was added,
// finished, deleted or brought into view.
func TestSummaryOfBranch(t *testing.T) {
	s := open(t, t.TempDir(), idle)
	id := must(s.Create(Conversation{}))(t)
	check := func(what, line, model string, messages int) {
		t.Helper()
		got := s.List()[0]
		if got.Snippet != line || got.Model != model || got.Messages != messages {
			t.Errorf("%s: %q of %q, %d messages", what, got.Snippet, got.Model, got.Messages)
		}
	}
	question := must(s.Add(id, Message{Role: RoleUser, Parts: Content("question")}))(t)
	first := must(s.Begin(id, question, Message{}))(t)
	check("a reply without a text", "question", "", 2)
	early := must(s.Add(id, Message{Parent: first.ID(), Role: RoleUser}))(t)
	try(t, first.Append("answer", false))
	try(t, first.Finish(StateComplete, &Reply{Model: "m"}))
	check("the reply before the last message is finished", "answer", "m", 3)
	second := must(s.Add(id, Message{Parent: question, Role: RoleAssistant, Parts: Content("another")}))(t)
	check("another branch", "another", "", 4)
	try(t, s.SetLeaf(id, early))
	check("the first branch", "answer", "m", 4)
	try(t, s.DeleteMessage(id, first.ID()))
	check("it is deleted", "another", "", 2)
	must(s.Add(id, Message{Parent: second, Role: RoleUser, Parts: Content("on")}))(t)
	check("the other goes on", "on", "", 3)
	try(t, s.RestoreMessage(id, first.ID()))
	check("the first is back", "answer", "m", 5)
}
