package chat_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"inglenook/app"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/chats"
	"inglenook/pipeline"
)

// roles returns the roles and texts of what a model was asked, one in each line.
func roles(list []chat.PromptMessage) string {
	var b strings.Builder
	for _, m := range list {
		fmt.Fprintf(&b, "%s: %s\n", m.Role, m.Text())
	}
	return b.String()
}

func TestTalk(t *testing.T) {
	s := &speaker{words: "(hm, well) Good day to you", lost: "the device failed, so cpu takes over"}
	a, talks := newSpeakingApp(t, s)
	ctx := context.Background()
	think := true
	id := newTalk(t, talks, chat.Choices{MaxTokens: 50, Stop: []string{"\n"}, Think: &think, Effort: "low", Preset: "Precise"})
	var seen steps
	m, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, Parts: chat.Content("Hello there")}, seen.take)
	if err != nil {
		t.Fatal(err)
	}
	if x := seen.list[0]; x.Asked == 0 || x.Answer != 0 {
		t.Errorf("the first step is %+v", x)
	}
	text, thinking := seen.text()
	if m.Text() != "well) Good day to you " || m.Thinking != "(hm, " || m.Text() != text || m.Thinking != thinking || m.State != chat.MessageComplete || m.Role != chat.RoleAssistant {
		t.Errorf("%+v; the steps say %q and %q", m, text, thinking)
	}
	if got := strings.Join(seen.stages(), " "); got != "opening reading writing" {
		t.Errorf("stages %s", got)
	}
	r := m.Reply
	if got := a.LastRate(r.Model); got != r.Rate {
		t.Errorf("the last answer wrote %g tokens a second, and %g are kept", r.Rate, got)
	}
	if r.Thought <= 0 {
		t.Error("nobody knows for how long it thought")
	}
	if r.Device != "cpu" || r.PromptTokens != 7 || r.Reused != 5 || r.Seed != 42 || r.Tokens != 6 || r.Reason != chat.FinishStop || r.Model != library.StarterEmbed ||
		r.ModelName == "" || r.Took <= 0 || r.FirstToken <= 0 || r.Rate <= 0 || r.DraftGain != 0.5 || r.Error != "" || !slices.Contains(r.Notices, s.lost) || !slices.Contains(seen.notices(), s.lost) {
		t.Errorf("reply %+v, notices %q", r, seen.notices())
	}
	o := s.how[0]
	if o.MaxTokens != 50 || o.Stop[0] != "\n" || o.Sampling.Temperature != 0.2 || o.Variables["enable_thinking"] != true || o.Variables["reasoning_effort"] != "low" {
		t.Errorf("asked with %+v", o)
	}
	precise := talks.Preset("Precise")
	if got := roles(s.last()); got != "system: "+precise.System+"\nuser: Hello there\n" {
		t.Errorf("the model was asked\n%s", got)
	}
	c, err := talks.Conversation(id)
	if err != nil || c.Title != "Hello there" || c.Leaf != m.ID || len(c.Messages) != 2 || chat.ChoicesOf(c).MaxTokens != 50 {
		t.Errorf("%+v, %v", c, err)
	}

	// A follow-up, another answer to it, and an answer to an edited message are all branches.
	if err := talks.SetSystem(id, "Be kind."); err != nil {
		t.Fatal(err)
	}
	second, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, After: m.ID, Parts: chat.Content("And you?", chat.File("a.md", "some ``` text\n"))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "system: Be kind.\nuser: Hello there\nassistant: well) Good day to you \nuser: File a.md:\n````\nsome ``` text\n````\n\nAnd you?\n"
	if got := roles(s.last()); got != want {
		t.Errorf("the model was asked\n%s\nwant\n%s", got, want)
	}
	again, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, After: second.Parent}, nil)
	if err != nil || again.Parent != second.Parent || again.ID == second.ID {
		t.Errorf("answered anew: %+v, %v", again, err)
	}
	c, _ = talks.Conversation(id)
	asked := c.Messages[slices.IndexFunc(c.Messages, func(m chat.Message) bool { return m.ID == second.Parent })]
	edited, err := talks.Edit(id, second.Parent, "And they?", asked.Files())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, After: edited}, nil); err != nil {
		t.Fatal(err)
	}
	if got := s.last(); !strings.HasSuffix(got[len(got)-1].Text(), "And they?") || !strings.Contains(got[len(got)-1].Text(), "File a.md") {
		t.Errorf("the model was asked\n%s", roles(got))
	}
	if c, _ = talks.Conversation(id); len(c.Messages) != 7 {
		t.Errorf("%d messages", len(c.Messages))
	}
	if err := talks.SetLeaf(id, second.ID); err != nil {
		t.Fatal(err)
	}
	if c, _ = talks.Conversation(id); c.Leaf != second.ID {
		t.Errorf("leaf %d", c.Leaf)
	}
	if s.opened != 1 {
		t.Errorf("opened %d times", s.opened)
	}
}

func TestTalkContinues(t *testing.T) {
	s := &speaker{words: "one two three four five", gate: make(chan struct{}, 9)}
	_, talks := newSpeakingApp(t, s)
	id := newTalk(t, talks, chat.Choices{})
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	s.gate <- struct{}{}
	s.gate <- struct{}{}
	m, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, Parts: chat.Content("count")}, func(x chat.AnswerStep) {
		if x.Text == "two " {
			stop()
		}
	})
	if err != nil || m.State != chat.MessageStopped || m.Text() != "one two " || m.Reply.Reason != chat.FinishCancelled || m.Reply.Error != "" {
		t.Fatalf("%+v %+v, %v", m, m.Reply, err)
	}
	close(s.gate)
	var seen steps
	whole, err := talks.Answer(context.Background(), chat.AnswerRequest{Conversation: id, Continue: m.ID}, seen.take)
	if added, _ := seen.text(); err != nil || whole.Text() != "one two three four five " || added != "three four five " || whole.Parent != m.Parent || whole.State != chat.MessageComplete {
		t.Errorf("%+v, %v; the steps say %q", whole, err, added)
	}
	if got := roles(s.last()); got != "user: count\nassistant: one two \n" {
		t.Errorf("the model was asked\n%s", got)
	}
	// It took the place of the answer that was stopped; the whole one stays beside one that goes on.
	if c, _ := talks.Conversation(id); len(c.Messages) != 2 || c.Leaf != whole.ID {
		t.Errorf("%+v", c)
	}
	more, err := talks.Answer(context.Background(), chat.AnswerRequest{Conversation: id, Continue: whole.ID}, nil)
	if c, _ := talks.Conversation(id); err != nil || len(c.Messages) != 3 || c.Leaf != more.ID {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestTalkFails(t *testing.T) {
	nan := errors.New("the model computed numbers that cannot be used")
	for _, fault := range []error{nan, errNoMemory} {
		s := &speaker{words: "one two three four", fails: fault}
		_, talks := newSpeakingApp(t, s)
		id := newTalk(t, talks, chat.Choices{})
		m, err := talks.Answer(context.Background(), chat.AnswerRequest{Conversation: id, Parts: chat.Content("count")}, nil)
		if !errors.Is(err, fault) || m.State != chat.MessageFailed || m.Text() != "one two three " || m.Reply.Error != fault.Error() || m.Reply.Reason != pipeline.FinishError {
			t.Errorf("%+v %+v, %v", m, m.Reply, err)
		}
		// The failed answer's text is part of the conversation, which continues.
		s.fails = nil
		if _, err := talks.Answer(context.Background(), chat.AnswerRequest{Conversation: id, After: m.ID, Parts: chat.Content("go on")}, nil); err != nil {
			t.Error(err)
		}
		if got := roles(s.last()); got != "user: count\nassistant: one two three \nuser: go on\n" {
			t.Errorf("the model was asked\n%s", got)
		}
	}
}

// A model that does not open leaves a failed answer without text, which is not in the next
// prompt.
func TestTalkWithoutItsModel(t *testing.T) {
	s := &speaker{words: "hello"}
	a, talks := newSpeakingApp(t, s)
	id, err := talks.New(chat.Choices{Model: "/nowhere/model"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := talks.Answer(context.Background(), chat.AnswerRequest{Conversation: id, Parts: chat.Content("first")}, nil)
	if err == nil || m.State != chat.MessageFailed || m.Text() != "" || !strings.Contains(m.Reply.Error, "/nowhere/model") {
		t.Errorf("%+v, %v", m, err)
	}
	if err := talks.SetChoices(id, chat.Choices{}); err != nil {
		t.Fatal(err)
	}
	if m, err = talks.Answer(context.Background(), chat.AnswerRequest{Conversation: id, After: m.Parent}, nil); !errors.Is(err, chat.ErrNoModel) || m.State != chat.MessageFailed {
		t.Errorf("without a model: %+v, %v", m, err)
	}
	if err := talks.Load(context.Background(), chat.Choices{Model: library.StarterEmbed}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := talks.Answer(context.Background(), chat.AnswerRequest{Conversation: id, After: m.ID, Parts: chat.Content("second")}, nil); err != nil {
		t.Error(err)
	}
	if got := roles(s.last()); got != "user: first\n\nsecond\n" {
		t.Errorf("the model was asked\n%s", got)
	}
	for want, r := range map[string]chat.AnswerRequest{
		"no such conversation": {Conversation: "nothing", Parts: chat.Content("x")},
		"no such message":      {Conversation: id, After: 99},
		"only a message of":    {Conversation: id, After: m.ID},
		"only an answer":       {Conversation: id, Continue: m.Parent},
	} {
		if _, err := talks.Answer(context.Background(), r, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if err := a.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if _, err := talks.New(chat.Choices{}); !errors.Is(err, base.ErrClosing) {
		t.Errorf("after the end: %v", err)
	}
}

func TestTalkOverflow(t *testing.T) {
	s := &speaker{words: "yes it is so", context: 20}
	_, talks := newSpeakingApp(t, s)
	ctx := context.Background()
	id := newTalk(t, talks, chat.Choices{})
	if err := talks.SetSystem(id, "system"); err != nil {
		t.Fatal(err)
	}
	m, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, Parts: chat.Content("a b c d e f g")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = talks.Answer(ctx, chat.AnswerRequest{Conversation: id, After: m.ID, Parts: chat.Content("h i j k l m")}, nil)
	var over *chat.OverflowError
	if !errors.As(err, &over) || !slices.Equal(over.Dropped, []int64{m.Parent, m.ID}) || over.Context != 20 || over.Needed != 18 {
		t.Fatalf("%+v, %v", over, err)
	}
	// The question is kept, nothing else happened.
	if c, _ := talks.Conversation(id); c.Leaf != over.Asked || len(c.Messages) != 3 {
		t.Errorf("%+v", c)
	}
	meter, err := talks.Meter(ctx, chat.MeterRequest{Conversation: id, After: m.ID, Draft: chat.Content("h i j k l m")})
	if err != nil || !meter.Exact || meter.Draft != 6 || meter.Prompt != 7 || meter.Room != 13 || !slices.Equal(meter.Dropped, over.Dropped) {
		t.Errorf("%+v, %v", meter, err)
	}
	second, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, After: over.Asked, MayDrop: true}, nil)
	if err != nil || second.Reply.Dropped != 2 || second.Parent != over.Asked {
		t.Errorf("%+v, %v", second, err)
	}
	// A message that is too long by itself fails with the model's sentence.
	third, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, After: second.ID, Parts: chat.Content(strings.Repeat("word ", 30)), MayDrop: true}, nil)
	var long *pipeline.TooLongError
	if !errors.As(err, &long) || third.State != chat.MessageFailed || !strings.Contains(third.Reply.Error, "longer than the model can read at once; shorten it") {
		t.Errorf("%+v, %v", third, err)
	}
	fourth, _ := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, After: second.ID, Parts: chat.Content(strings.Repeat("word ", 300)), MayDrop: true}, nil)
	if !strings.Contains(fourth.Reply.Error, "about 15 times longer than the model can read; send a part of it") {
		t.Errorf("%+v", fourth.Reply)
	}
	files := []chat.Part{chat.File("a", "one two three"), chat.File("b", strings.Repeat("word ", 29))}
	if meter, err = talks.Meter(ctx, chat.MeterRequest{Conversation: id, Draft: chat.Content("and", files...)}); err != nil || meter.Room != 20-33 || meter.Draft != 33 || !slices.Equal(meter.Attached, []int{3, 29}) {
		t.Errorf("%+v, %v", meter, err)
	}
	if _, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, Parts: files[:1]}, nil); err != nil {
		t.Error(err)
	}
	if c, _ := talks.Conversation(id); c.Messages[len(c.Messages)-2].Parts[0].Tokens != 3 {
		t.Error("the tokens of an attachment are not kept")
	}
}

// Of a long conversation only the end is looked at.
func TestTalkOfAnyLength(t *testing.T) {
	s := &speaker{words: "yes", context: 100}
	_, talks := newSpeakingApp(t, s)
	id := newTalk(t, talks, chat.Choices{})
	store, err := talks.Open()
	if err != nil {
		t.Fatal(err)
	}
	last := int64(0)
	for i := range 400 {
		m := chat.Message{Parent: last, Role: chat.RoleUser, Parts: chat.Content("five words are in here")}
		if i%2 == 1 {
			m.Role = chat.RoleAssistant
		}
		if last, err = store.Add(id, m); err != nil {
			t.Fatal(err)
		}
	}
	m, err := talks.Answer(context.Background(), chat.AnswerRequest{Conversation: id, After: last, Parts: chat.Content("so?"), MayDrop: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	asked := s.last()
	if n := len(asked); n > 50 || n < 19 || asked[0].Role != chat.RoleUser || m.Reply.Dropped+n < 401 {
		t.Errorf("asked with %d messages from a %s on, %d dropped", n, asked[0].Role, m.Reply.Dropped)
	}
	var over *chat.OverflowError
	if _, err = talks.Answer(context.Background(), chat.AnswerRequest{Conversation: id, After: m.ID, Parts: chat.Content("so?")}, nil); !errors.As(err, &over) || len(over.Dropped) < 300 || over.Needed < 1000 {
		t.Errorf("%v", err)
	}
}

// A part of a message that a newer version wrote stays in it and is sent to the model
// unchanged, so that the model can refuse it.
func TestTalkWithUnknownParts(t *testing.T) {
	s := &speaker{words: "one two"}
	_, talks := newSpeakingApp(t, s)
	id := newTalk(t, talks, chat.Choices{})
	store, err := talks.Open()
	if err != nil {
		t.Fatal(err)
	}
	image := chats.Part{Kind: "image", Data: []byte{1, 2}}
	said := []chats.Part{chats.Text("Look"), image, chats.File("a.txt", "at\n"), chats.Text("this"), chats.Text("now")}
	asked, err := store.Add(id, chat.Message{Role: chat.RoleUser, Parts: said})
	if err != nil {
		t.Fatal(err)
	}
	added, err := talks.Edit(id, asked, "Look here", said[2:3])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, After: added}, nil); err != nil {
		t.Fatal(err)
	}
	s.strict = true
	meter, err := talks.Meter(t.Context(), chat.MeterRequest{Conversation: id, After: added, Draft: chat.Content("and tell me")})
	if err != nil || meter.Draft != 3 || meter.Prompt < meter.Draft || meter.Exact || meter.Context == 0 {
		t.Errorf("the meter of a conversation with a part that is no text: %+v, %v", meter, err)
	}
	want := []pipeline.Part{
		{Kind: pipeline.PartText, Text: "Look here"}, {Kind: "image"}, {Kind: pipeline.PartText, Text: "File a.txt:\n```\nat\n```"},
	}
	if got := s.last(); len(got) != 1 || !slices.Equal(got[0].Parts, want) {
		t.Errorf("sent %+v", got)
	}
	c, err := talks.Conversation(id)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(c.Messages, func(m chat.Message) bool { return m.ID == added })
	if i < 0 || len(c.Messages[i].Parts) != 3 || !slices.Equal(c.Messages[i].Parts[1].Data, image.Data) {
		t.Errorf("%+v", c.Messages)
	}
}

// A model without a template reads the conversation as plain text.
func TestTalkWithABaseModel(t *testing.T) {
	s := &speaker{words: "upon a time", kind: library.KindText, context: 40}
	_, talks := newSpeakingApp(t, s)
	ctx := context.Background()
	id := newTalk(t, talks, chat.Choices{})
	m, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, Parts: chat.Content("Once")}, nil)
	if err != nil || m.Text() != "upon a time " {
		t.Fatalf("%+v, %v", m, err)
	}
	if err := talks.SetSystem(id, "A tale."); err != nil {
		t.Fatal(err)
	}
	m, err = talks.Answer(ctx, chat.AnswerRequest{Conversation: id, After: m.ID, Parts: chat.Content("Then")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, Continue: m.ID}, nil); err != nil {
		t.Fatal(err)
	}
	if want := "system: A tale.\nuser: Once\nassistant: upon a time \nuser: Then\nassistant: upon a time \n"; roles(s.last()) != want {
		t.Errorf("read %q, want %q", roles(s.last()), want)
	}
	if slices.ContainsFunc(s.how, func(o chat.ReplyOptions) bool { return !o.Plain }) {
		t.Error("the conversation was not sent as one text")
	}
	loaded, ok := talks.Loaded()
	if !ok || !loaded.Plain || loaded.Info.Context != 40 {
		t.Errorf("%+v, %v", loaded, ok)
	}
	var over *chat.OverflowError
	if _, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, After: m.ID, Parts: chat.Content(strings.Repeat("w ", 30))}, nil); !errors.As(err, &over) || len(over.Dropped) == 0 {
		t.Errorf("%v", err)
	}
}

// A second answer waits for the first, and says so.
func TestTalksTakeTurns(t *testing.T) {
	s := &speaker{words: "one two three", gate: make(chan struct{})}
	_, talks := newSpeakingApp(t, s)
	ctx := context.Background()
	first, second, third := newTalk(t, talks, chat.Choices{}), newTalk(t, talks, chat.Choices{}), newTalk(t, talks, chat.Choices{})
	writing, waiting := make(chan struct{}, 9), make(chan struct{}, 9)
	ended := make(chan chat.Message, 3)
	answer := func(ctx context.Context, id string) {
		m, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, Parts: chat.Content("go")}, func(x chat.AnswerStep) {
			switch x.Stage {
			case chat.StageWaiting:
				waiting <- struct{}{}
			case base.StageReading:
				writing <- struct{}{}
			}
		})
		if err != nil {
			t.Error(err)
		}
		ended <- m
	}
	go answer(ctx, first)
	<-writing
	go answer(ctx, second)
	<-waiting
	stopped, stop := context.WithCancel(ctx)
	go answer(stopped, third)
	<-waiting
	stop()
	if m := <-ended; m.State != chat.MessageStopped || m.Text() != "" {
		t.Errorf("stopped while it waited: %+v", m)
	}
	if c, _ := talks.Conversation(second); len(c.Messages) != 1 { // what was asked is there already
		t.Errorf("%d messages", len(c.Messages))
	}
	close(s.gate)
	for range 2 {
		if m := <-ended; m.Text() != "one two three " || m.State != chat.MessageComplete {
			t.Errorf("%+v", m)
		}
	}
}

func TestTalkEndsWithTheApp(t *testing.T) {
	for _, gate := range []string{"loading", "writing"} {
		s := &speaker{words: "one two three", gate: make(chan struct{}, 2)}
		if gate == "loading" {
			s.loads = make(chan struct{})
		}
		a, talks := newSpeakingApp(t, s)
		id := newTalk(t, talks, chat.Choices{})
		s.gate <- struct{}{}
		at := make(chan struct{}, 9)
		ended := make(chan chat.Message)
		go func() {
			m, err := talks.Answer(context.Background(), chat.AnswerRequest{Conversation: id, Parts: chat.Content("go")}, func(x chat.AnswerStep) {
				if x.Stage == chat.StageWriting || x.Stage == chat.StageOpening && gate == "loading" {
					at <- struct{}{}
				}
			})
			if err != nil {
				t.Errorf("%s: %v", gate, err)
			}
			ended <- m
		}()
		<-at
		closed := make(chan error)
		go func() { closed <- a.Close(context.Background()) }()
		m := <-ended
		if err := <-closed; err != nil {
			t.Errorf("%s: %v", gate, err)
		}
		if want := map[string]string{"loading": "", "writing": "one "}[gate]; m.State != chat.MessageInterrupted || m.Text() != want {
			t.Errorf("%s: %+v", gate, m)
		}
		// It is there after a restart.
		b, err := app.New(app.Options{Home: filepath.Dir(a.Paths().Data)})
		if err != nil {
			t.Fatal(err)
		}
		c, err := b.Chat().Conversation(id)
		if err != nil || len(c.Messages) != 2 || c.Messages[1].Text() != m.Text() || c.Messages[1].State != chat.MessageInterrupted || len(b.Chat().Notices()) > 0 {
			t.Errorf("%s: found %+v, %v, %q", gate, c, err, b.Chat().Notices())
		}
		if err := b.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

func TestLoadAndUnload(t *testing.T) {
	s := &speaker{words: "one", loads: make(chan struct{}, 9)}
	a, talks := newSpeakingApp(t, s)
	ctx := context.Background()
	x := chat.Choices{Model: library.StarterEmbed}
	cancelled, cancel := context.WithCancel(ctx)
	if err := talks.Load(cancelled, x, func(p base.Progress) {
		if p.Stage != base.StageLoading || p.Total != 10 || p.Unit != "bytes" {
			t.Errorf("%+v", p)
		}
		cancel()
	}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, ok := talks.Loaded(); ok {
		t.Error("it is loaded")
	}
	s.loads <- struct{}{}
	if err := talks.Load(ctx, x, nil); err != nil {
		t.Fatal(err)
	}
	if err := talks.Load(ctx, chat.Choices{Model: library.StarterEmbed, Target: devices.Target{Device: "auto", Hold: devices.Hold{Weights: "auto", KV: "f16"}}}, nil); err != nil || s.opened != 2 {
		t.Errorf("the same under other names: opened %d times, %v", s.opened, err)
	}
	l, ok := talks.Loaded()
	if !ok || l.Model.ID != library.StarterEmbed || l.Plain || time.Since(l.Since) > time.Minute || l.Choices.Model != library.StarterEmbed {
		t.Errorf("%+v, %v", l, ok)
	}
	list, err := talks.Models(ctx)
	if err != nil || len(list) != 2 || !list[0].Loaded || list[0].Fits != fit.FitsWell || list[0].Plain {
		t.Errorf("%+v, %v", list, err)
	}
	// The pool may close the model while nobody uses it.
	if !talks.Idle(library.StarterEmbed) || talks.Idle("another") || talks.LetGo("another") {
		t.Error("it does not rest")
	}
	if release := talks.Borrow(); talks.Idle(library.StarterEmbed) || talks.LetGo(library.StarterEmbed) {
		t.Error("it was taken from somebody who works with it")
	} else {
		release()
	}
	if _, err := a.CloseModel(library.StarterEmbed); err != nil || s.closed != 1 {
		t.Errorf("closed %d times, %v", s.closed, err)
	}
	if _, ok := talks.Loaded(); ok {
		t.Error("it is loaded")
	}
	s.loads <- struct{}{}
	if err := talks.Load(ctx, x, nil); err != nil {
		t.Fatal(err)
	}
	talks.Unload()
	talks.Unload()
	if _, ok := talks.Loaded(); ok || s.closed != 2 {
		t.Errorf("loaded: %v, closed %d times", ok, s.closed)
	}
}

// A model that is unloaded during an answer is closed after the answer.
func TestUnloadWhileItAnswers(t *testing.T) {
	s := &speaker{words: "one two three", gate: make(chan struct{}, 9)}
	_, talks := newSpeakingApp(t, s)
	id := newTalk(t, talks, chat.Choices{})
	s.gate <- struct{}{}
	m, err := talks.Answer(context.Background(), chat.AnswerRequest{Conversation: id, Parts: chat.Content("go")}, func(x chat.AnswerStep) {
		if x.Text == "one " {
			talks.Unload()
			if s.closed > 0 {
				t.Error("it was closed at once")
			}
			close(s.gate)
		}
	})
	if err != nil || m.Text() != "one two three " || s.closed != 1 {
		t.Errorf("%+v, %v, closed %d times", m, err, s.closed)
	}
}

func TestMeterWithoutAModel(t *testing.T) {
	_, talks := newSpeakingApp(t, &speaker{})
	m, err := talks.Meter(context.Background(), chat.MeterRequest{Draft: chat.Content(strings.Repeat("abcd", 100)), Choices: chat.Choices{Target: devices.Target{Hold: devices.Hold{Context: 2000}}}})
	if err != nil || m.Exact || m.Context != 2000 || m.Draft != 100 || m.Prompt < 100 || m.Room != 2000-m.Prompt {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err = talks.Meter(context.Background(), chat.MeterRequest{}); err != nil || m.Prompt != 0 || m.Room != m.Context {
		t.Errorf("of nothing: %+v, %v", m, err)
	}
}

// While an answer is written the system knows that a person waits for it.
func TestAnswerIsActivity(t *testing.T) {
	a, talks := newSpeakingApp(t, &speaker{words: "Good day to you"})
	begun, ended := 0, 0
	a.Activity = func() func() {
		begun++
		return func() { ended++ }
	}
	words := 0
	_, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: newTalk(t, talks, chat.Choices{}), Parts: chat.Content("Hello")}, func(s chat.AnswerStep) {
		if words++; begun != 1 || ended != 0 {
			t.Errorf("step %d: %d activities began, %d ended", words, begun, ended)
		}
	})
	if err != nil || words == 0 || begun != 1 || ended != 1 {
		t.Errorf("%v; after %d steps %d activities began, %d ended", err, words, begun, ended)
	}
}

// Before a model is loaded the meter says what its files say, or nothing, and not what is usual.
func TestMeterKnowsTheModelsContext(t *testing.T) {
	_, talks := newSpeakingApp(t, &speaker{context: 700})
	for model, want := range map[string]int{library.StarterChat: 700, "org/unknown": 0} {
		m, err := talks.Meter(t.Context(), chat.MeterRequest{Draft: chat.Content("a b c"), Choices: chat.Choices{Model: model}})
		if err != nil || m.Context != want || m.Room > max(0, want) {
			t.Errorf("%s: %+v, %v", model, m, err)
		}
	}
}
