package chat_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/library"
)

// varied has a speaker choose its words, with a seed.
func varied(seed uint64) chat.Choices {
	how := chat.DefaultSampling()
	how.Seed = seed
	return chat.Choices{Sampling: &how}
}

// pairSteps are the steps of two answers.
type pairSteps [2]steps

func (p *pairSteps) take(i int, x chat.AnswerStep) { p[i].take(x) }

func TestTwoAnswers(t *testing.T) {
	s := &speaker{words: "(hm) Good day to you"}
	_, talks := newSpeakingApp(t, s)
	id := newTalk(t, talks, varied(7))
	var seen pairSteps
	two, err := talks.AnswerTwice(t.Context(), chat.TwiceRequest{AnswerRequest: chat.AnswerRequest{Conversation: id, Parts: chat.Content("Hello")}}, seen.take)
	if err != nil {
		t.Fatal(err)
	}
	c, err := talks.Conversation(id)
	if err != nil || len(c.Messages) != 3 || c.Leaf != two[0].ID || two[0].ID == two[1].ID || two[0].Parent != two[1].Parent {
		t.Fatalf("%+v, %v", c, err)
	}
	for i, m := range two {
		text, thinking := seen[i].text()
		if m.State != chat.MessageComplete || m.Text() != "Good day to you " || m.Text() != text || m.Thinking != thinking || m.Reply.Tokens != 5 || m.Reply.Model != library.StarterEmbed {
			t.Errorf("answer %d: %+v, steps %q", i, m, text)
		}
		last := seen[i].list[len(seen[i].list)-1]
		if last.Stage != chat.StageEnded || last.Answer != m.ID || last.Asked != m.Parent {
			t.Errorf("answer %d ends with %+v", i, last)
		}
	}
	seeds := []uint64{s.how[0].Sampling.Seed, s.how[1].Sampling.Seed}
	slices.Sort(seeds)
	if !slices.Equal(seeds, []uint64{7, 8}) {
		t.Errorf("seeds %d", seeds)
	}
	// The kept one is gone on with, and the other one is no part of what is sent.
	if err := talks.SetLeaf(id, two[1].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, After: two[1].ID, Parts: chat.Content("And?")}, nil); err != nil {
		t.Fatal(err)
	}
	if got := roles(s.last()); got != "user: Hello\nassistant: Good day to you \nuser: And?\n" {
		t.Errorf("the model was asked\n%s", got)
	}
}

// One of two answers is stopped, and the other one goes on; then the program ends.
func TestOneOfTwoIsStopped(t *testing.T) {
	s := &speaker{words: "one two three four", gate: make(chan struct{}, 20)}
	a, talks := newSpeakingApp(t, s)
	id := newTalk(t, talks, varied(0))
	stop, ended, wrote := make(chan struct{}), make(chan struct{}), make(chan int, 20)
	var two [2]chat.Message
	go func() {
		defer close(ended)
		var err error
		two, err = talks.AnswerTwice(context.Background(), chat.TwiceRequest{
			AnswerRequest: chat.AnswerRequest{Conversation: id, Parts: chat.Content("Count")}, Stop: [2]<-chan struct{}{nil, stop},
		}, func(i int, x chat.AnswerStep) {
			if x.Text != "" {
				wrote <- i
			}
			if x.Stage == chat.StageEnded && i == 1 {
				s.gate <- struct{}{} // a word more: the first answer may have two of its four
			}
		})
		if err != nil {
			t.Error(err)
		}
	}()
	s.gate <- struct{}{}
	s.gate <- struct{}{}
	<-wrote
	<-wrote
	close(stop)
	of := map[int]int{}
	for of[0] < 1 {
		of[<-wrote]++
	}
	if err := a.Close(context.Background()); err != nil {
		t.Error(err)
	}
	<-ended
	for i, m := range two {
		if m.State != []string{chat.MessageInterrupted, chat.MessageStopped}[i] || strings.Contains(m.Text(), "four") {
			t.Errorf("answer %d: %+v", i, m)
		}
	}
	if two[0].Text() == "" {
		t.Error("the other answer did not go on")
	}
}

// What would give the same words twice is refused before anything is written.
func TestTwoEqualAnswers(t *testing.T) {
	s := &speaker{words: "one two"}
	_, talks := newSpeakingApp(t, s)
	for name, change := range map[string]func(*chat.Sampling){
		"temperature 0": func(o *chat.Sampling) { o.Temperature = 0 },
		"one candidate": func(o *chat.Sampling) { o.TopK = 1 },
	} {
		x := varied(0)
		change(x.Sampling)
		id := newTalk(t, talks, x)
		two, err := talks.AnswerTwice(t.Context(), chat.TwiceRequest{AnswerRequest: chat.AnswerRequest{Conversation: id, Parts: chat.Content("Count")}}, func(int, chat.AnswerStep) {})
		var same *chat.SameAnswersError
		if !errors.As(err, &same) || two[0].ID != 0 || !strings.Contains(err.Error(), "Choice of words") {
			t.Fatalf("%s: %+v, %v", name, two, err)
		}
		if c, _ := talks.Conversation(id); len(c.Messages) != 1 || c.Leaf != same.Asked {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// Where nobody chose the likeliest words, it is said that the makers of the model did.
func TestWhoWantsEqualAnswers(t *testing.T) {
	makers, person := (&chat.SameAnswersError{Makers: true}).Error(), (&chat.SameAnswersError{}).Error()
	if !strings.Contains(makers, "as its makers suggest") || strings.Contains(person, "makers") {
		t.Errorf("%q, %q", makers, person)
	}
}

// What fails is in both messages, and a model that does not open is in one.
func TestTwoAnswersFail(t *testing.T) {
	s := &speaker{words: "one two three four five", fails: errNoMemory}
	_, talks := newSpeakingApp(t, s)
	id := newTalk(t, talks, varied(0))
	two, err := talks.AnswerTwice(t.Context(), chat.TwiceRequest{AnswerRequest: chat.AnswerRequest{Conversation: id, Parts: chat.Content("Count")}}, func(int, chat.AnswerStep) {})
	for i, m := range two {
		if err != nil || m.State != chat.MessageFailed || m.Text() != "one two three " || m.Reply.Error != errNoMemory.Error() {
			t.Errorf("answer %d: %+v, %v", i, m, err)
		}
	}
	two, err = talks.AnswerTwice(t.Context(), chat.TwiceRequest{
		AnswerRequest: chat.AnswerRequest{Conversation: id, After: two[0].Parent}, Second: "nowhere/model",
	}, func(int, chat.AnswerStep) {})
	if err == nil || !strings.Contains(err.Error(), "nowhere/model") || two[0].State != chat.MessageFailed || two[1].ID != 0 {
		t.Errorf("a second model that is not there: %+v, %v", two, err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	var mu sync.Mutex // both answers report
	stages := []string{}
	two, err = talks.AnswerTwice(cancelled, chat.TwiceRequest{AnswerRequest: chat.AnswerRequest{Conversation: id, After: two[0].Parent}}, func(i int, x chat.AnswerStep) {
		if x.Stage == base.StageReading && i == 1 {
			cancel()
		}
		mu.Lock()
		defer mu.Unlock()
		stages = append(stages, x.Stage)
	})
	if err != nil || two[0].State != chat.MessageStopped || two[1].State != chat.MessageStopped {
		t.Errorf("stopped at once: %+v, %v, %q", two, err, stages)
	}
}
