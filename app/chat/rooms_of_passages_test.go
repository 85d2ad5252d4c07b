package chat_test

import (
	"strings"
	"testing"

	"inglenook/app/chat"
	"inglenook/app/library"
)

// A model that answers a question again gets the passages that fit it, also beside another one: those that were chosen for
// the tiny guide are short, and those of a large model are more than the guide quotes. What a person chose stays.
func TestEachModelGetsItsOwnPassages(t *testing.T) {
	s := &speaker{words: "Sixty days of notice. [1]"}
	a, large := newAskingApp(t, s, 2e9)
	talks := a.Chat()
	small := large
	small.Model = library.StarterChat
	lengths := func(m chat.Message) (n int) {
		for _, p := range chat.Passages(m.Parts) {
			n += len(p.Text)
		}
		return n
	}

	id := begin(t, a, small)
	quoted := ask(t, talks, id, "When does the notice end the contract of the tenant?")
	question := message(t, talks, id, quoted.Parent)
	if quoted.Reply.Reason != chat.FinishQuoted || lengths(question) == 0 {
		t.Fatalf("%+v", quoted)
	}
	if err := talks.SetChoices(id, large); err != nil {
		t.Fatal(err)
	}
	again, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, After: question.ID}, nil)
	if err != nil || again.Parent != question.ID {
		t.Fatal(again, err)
	}
	sent := s.last()
	if got := sent[len(sent)-1].Text(); !strings.Contains(got, "One small dog is allowed") || lengths(again) <= lengths(question) {
		t.Errorf("the large model got %q, and its answer has %d bytes of passages after %d", got, lengths(again), lengths(question))
	}
	if claims := chat.ClaimsOf(again, chat.Passages(again.Parts)); len(claims) == 0 {
		t.Error("nothing is known of the sentences of the answer")
	}

	beside := begin(t, a, small)
	two, err := talks.AnswerTwice(t.Context(), chat.TwiceRequest{AnswerRequest: chat.AnswerRequest{Conversation: beside, Parts: chat.Content("When does the notice end the contract of the tenant?")}, Second: large.Model}, func(int, chat.AnswerStep) {})
	if err != nil {
		t.Fatal(err)
	}
	sent = s.last()
	if got := sent[len(sent)-1].Text(); !strings.Contains(got, "One small dog is allowed") || lengths(two[1]) <= lengths(message(t, talks, beside, two[1].Parent)) || lengths(two[0]) > 0 {
		t.Errorf("beside the guide the large model got %q: %+v", got, two)
	}

	back := begin(t, a, large)
	told := ask(t, talks, back, "When does the notice end the contract of the tenant?")
	if err := talks.SetChoices(back, small); err != nil {
		t.Fatal(err)
	}
	if m, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: back, After: told.Parent}, nil); err != nil || lengths(m) == 0 || len(chat.Passages(m.Parts)[0].Text) > 330 {
		t.Errorf("after a large model the guide quotes %q, %v", m.Text(), err)
	}

	chosen := begin(t, a, small)
	parts := append(chat.Chosen(chat.Passages(question.Parts)), chat.Text(question.Text()))
	m, err := askFor(t, talks, chat.AnswerRequest{Conversation: chosen, Parts: parts, Retrieved: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := talks.SetChoices(chosen, large); err != nil {
		t.Fatal(err)
	}
	if m, err = talks.Answer(t.Context(), chat.AnswerRequest{Conversation: chosen, After: m.Parent}, nil); err != nil || lengths(m) > 0 {
		t.Errorf("what a person chose was searched for again: %+v, %v", m.Parts, err)
	}
}
