package chats

import "testing"

// A title says what a conversation is about.
func TestTitle(t *testing.T) {
	for text, want := range map[string]string{
		"Why is the sky blue?": "Why is the sky blue?",
		"one two three":        "one two three",
		"Hello! Can you please explain how a heat pump works?": "How a heat pump works",
		"hi":                 "",
		"Hello there!":       "",
		"Hiking in the Alps": "Hiking in the Alps",
		"Please":             "",
		"Can your cat swim":  "Can your cat swim",
		"Good morning,\nI have a question about my taxes. It is…": "My taxes",
		"Write a poem about snow. Make it short. Rhyme it.":       "Write a poem about snow",
		"e.g. and i.e. are short":                                 "e.g. and i.e. are short",
		"Guten Tag! Wie backe ich Brot?":                          "Wie backe ich Brot?",
		"  \n\t":                                                  "",
		"Can you please tell me what the weather is like in May?": "What the weather is like in May",
		"Tell me about the lease of the house. Who pays?":         "Lease of the house",
		"What is the capital of France?":                          "Capital of France",
		"What are the three largest cities?":                      "Three largest cities",
		"Give me five ideas for dinner!":                          "Five ideas for dinner",
		"Explain this code":                                       "Explain this code",
		"What is it?":                                             "What is it?",
		"What are you doing?":                                     "What are you doing?",
		"Tell me a joke":                                          "Tell me a joke",
		"Was ist die Hauptstadt von Peru?":                        "Hauptstadt von Peru",
	} {
		if got := title(text); got != want {
			t.Errorf("%q is called %q, want %q", text, got, want)
		}
	}
}

// A conversation that begins with a greeting is named after the first message that says more,
// the same whether its messages come one by one or are read again.
func TestTitleAfterAGreeting(t *testing.T) {
	s := open(t, t.TempDir())
	id := must(s.Create(Conversation{}))(t)
	var parent int64
	for _, step := range []struct{ text, title string }{
		{"Hello", "Hello"}, {"Hi!", "Hello"}, {"How far is the moon?", "How far is the moon?"}, {"And the sun?", "How far is the moon?"},
	} {
		parent = must(s.Add(id, Message{Parent: parent, Role: RoleUser, Parts: Content(step.text)}))(t)
		if got := must(s.Conversation(id))(t).Title; got != step.title {
			t.Errorf("after %q it is called %q", step.text, got)
		}
	}
	try(t, s.SetTitle(id, ""))
	if got := must(s.Conversation(id))(t).Title; got != "How far is the moon?" {
		t.Errorf("read again, it is called %q", got)
	}
}

// A first question that is edited names the conversation anew, also when its messages are read again; a title that
// a person chose stays.
func TestTitleOfAnEditedQuestion(t *testing.T) {
	s := open(t, t.TempDir())
	id := must(s.Create(Conversation{}))(t)
	add := func(parent int64, text string) int64 {
		return must(s.Add(id, Message{Parent: parent, Role: RoleUser, Parts: Content(text)}))(t)
	}
	title := func() string { return must(s.Conversation(id))(t).Title }
	first := add(0, "How far is the moon?")
	add(first, "And the sun?")
	second := add(0, "How heavy is the moon?")
	if got := title(); got != "How heavy is the moon?" {
		t.Errorf("after the edit it is called %q", got)
	}
	add(second, "And the sun?")
	add(0, "Hello")
	try(t, s.SetTitle(id, ""))
	if got := title(); got != "How heavy is the moon?" {
		t.Errorf("read again, it is called %q", got)
	}
	try(t, s.SetTitle(id, "Astronomy"))
	add(0, "How old is the moon?")
	if got := title(); got != "Astronomy" {
		t.Errorf("a chosen title became %q", got)
	}
}
