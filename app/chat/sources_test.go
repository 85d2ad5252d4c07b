package chat_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/app/chat"
	"inglenook/app/library"
)

// The tiny guide quotes beside another model too, as it does alone; two answers of the guide would be the
// same.
func TestTheGuideQuotesBesideAnother(t *testing.T) {
	s := &speaker{words: "Sixty days. [1]"}
	a, x := newAskingApp(t, s, 1e9)
	talks := a.Chat()
	question := chat.AnswerRequest{Parts: chat.Content(noticeQuestion)}
	for guide, first := range []string{library.StarterChat, x.Model} {
		question.Conversation = begin(t, a, chat.Choices{Model: first, Collection: "Handbook"})
		second := []string{x.Model, library.StarterChat}[guide]
		two, err := talks.AnswerTwice(t.Context(), chat.TwiceRequest{AnswerRequest: question, Second: second}, func(int, chat.AnswerStep) {})
		if err != nil {
			t.Fatal(err)
		}
		quoted, spoken := two[guide], two[1-guide]
		if quoted.Reply.Reason != chat.FinishQuoted || quoted.Reply.Model != library.StarterChat || !strings.Contains(quoted.Text(), "The tenant may end") || len(quoted.Reply.Claims) == 0 {
			t.Errorf("the guide says %q, %+v", quoted.Text(), quoted.Reply)
		}
		if spoken.Reply.Model != x.Model || spoken.Text() != "Sixty days. [1] " {
			t.Errorf("beside it %q, %+v", spoken.Text(), spoken.Reply)
		}
	}
	question.Conversation = begin(t, a, chat.Choices{Model: library.StarterChat, Collection: "Handbook"})
	_, err := talks.AnswerTwice(t.Context(), chat.TwiceRequest{AnswerRequest: question}, func(int, chat.AnswerStep) {})
	if same := (*chat.SameAnswersError)(nil); !errors.As(err, &same) || !same.Quoted || same.Asked == 0 {
		t.Errorf("two of the guide: %v", err)
	}
}

// A copy of a file is no source of its own, and the original is named.
func TestACopyIsNoSource(t *testing.T) {
	s := &speaker{words: "Sixty days. [1]"}
	a, x := newAskingApp(t, s, 1e9)
	dir := t.TempDir()
	lease := "The tenant may end this contract with sixty days of notice. The notice has to be given in writing."
	for name, text := range map[string]string{
		"lease (1).txt": lease + "\n", "lease.txt": lease + "\n", "A lease - Copy.txt": strings.ReplaceAll(lease, " to be", "\nto be") + "\n\nBoats float.\n",
		"boat.txt": "The blue boat was painted in May.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	index(t, a, "Copies", dir)
	x.Collection = "Copies"
	id := begin(t, a, x)
	m := ask(t, a.Chat(), id, noticeQuestion)
	var names []string
	for _, p := range chat.Passages(message(t, a.Chat(), id, m.Parent).Parts) {
		names = append(names, p.Name)
	}
	if !slices.Equal(names, []string{"lease.txt"}) {
		t.Errorf("the sources are %q", names)
	}
}

// Where nothing answers, the passages that come nearest are cited in the answer. No model gets them later.
func TestNearestPassagesAreCited(t *testing.T) {
	s := &speaker{words: "They are."}
	a, x := newAskingApp(t, s, 1e9)
	talks := a.Chat()
	id := begin(t, a, x)
	m := ask(t, talks, id, "What is the population of the moon of Mars?")
	if m.Reply.Reason != chat.FinishNotFound {
		t.Fatalf("%+v", m)
	}
	passages := chat.Passages(m.Parts)
	claims := chat.ClaimsOf(m, passages)
	if len(passages) == 0 || len(claims) != len(passages) {
		t.Fatalf("%d passages, %d are cited in %q", len(passages), len(claims), m.Text())
	}
	for i, c := range claims {
		if got := m.Text()[c.Start:c.End]; got != passages[i].Name {
			t.Errorf("%q is cited, not %q", got, passages[i].Name)
		}
	}
	x.Collection = ""
	if err := talks.SetChoices(id, x); err != nil {
		t.Fatal(err)
	}
	ask(t, talks, id, "And else?")
	for _, sent := range s.last() {
		if text := sent.Text(); sent.Role == chat.RoleAssistant && (strings.Contains(text, "Passage") || strings.Contains(text, passages[0].Text)) {
			t.Errorf("the model gets %q", text)
		}
	}
}

// What the meter says would be left out is what the person is asked about, also once the message is sent
// and waits for an answer.
func TestTheMeterCountsWhatIsAsked(t *testing.T) {
	s := &speaker{words: "one two three four five six", context: 40}
	_, talks := newSpeakingApp(t, s)
	id := newTalk(t, talks, chat.Choices{})
	for range 4 {
		ask(t, talks, id, "a b c d")
	}
	c, err := talks.Conversation(id)
	if err != nil {
		t.Fatal(err)
	}
	message := chat.Content(strings.Repeat("word ", 12))
	before, err := talks.Meter(t.Context(), chat.MeterRequest{Conversation: id, After: c.Leaf, Draft: message})
	if err != nil {
		t.Fatal(err)
	}
	var over *chat.OverflowError
	if _, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, After: c.Leaf, Parts: message}, nil); !errors.As(err, &over) {
		t.Fatal(err)
	}
	after, err := talks.Meter(t.Context(), chat.MeterRequest{Conversation: id, After: over.Asked})
	if err != nil {
		t.Fatal(err)
	}
	if len(over.Dropped) == 0 || !slices.Equal(before.Dropped, over.Dropped) || !slices.Equal(after.Dropped, over.Dropped) {
		t.Errorf("the meter says %v, the person is asked about %v, and then the meter says %v", before.Dropped, over.Dropped, after.Dropped)
	}
}
