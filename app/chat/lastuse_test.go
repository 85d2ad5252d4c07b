package chat_test

import (
	"testing"

	"inglenook/app/chat"
	"inglenook/app/library"
)

// A model that was only opened for a conversation has not been used yet, and rests between two
// answers.
func TestLastUse(t *testing.T) {
	a, talks := newSpeakingApp(t, &speaker{words: "one two three"})
	used := func() bool { return !a.Settings().LastUsed[library.StarterEmbed].IsZero() }
	if err := talks.Load(t.Context(), chat.Choices{Model: library.StarterEmbed}, nil); err != nil {
		t.Fatal(err)
	}
	if open := a.OpenModels(); used() || len(open) != 1 || open[0].InUse {
		t.Errorf("loaded: used %v, open are %+v", used(), open)
	}
	if _, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: newTalk(t, talks, chat.Choices{Model: library.StarterEmbed}), Parts: chat.Content("go")}, nil); err != nil {
		t.Fatal(err)
	}
	if !used() {
		t.Error("it answered, and was never used")
	}
}
