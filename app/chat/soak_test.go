//go:build soak

package chat_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"inglenook/app"

	"inglenook/app/base"
	"inglenook/app/chat"
)

// soakModel is the language model of INGLENOOK_SOAK_MODEL, else stories260K.
func soakModel(t *testing.T) string {
	if path := os.Getenv("INGLENOOK_SOAK_MODEL"); path != "" {
		return path
	}
	path, err := filepath.Abs(realStories)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not there: a real model is needed", realStories)
	}
	return path
}

const soakSentence = "The cat sat by the river and looked at the boats. "

// soakText returns a text of about n tokens, or of three quarters of the context.
func soakText(t *testing.T, talks *chat.Service, tokens int) string {
	l, open := talks.Loaded()
	if !open {
		t.Fatal("no model is loaded")
	}
	m, err := talks.Meter(context.Background(), chat.MeterRequest{Draft: chat.Content(strings.Repeat(soakSentence, 10))})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Repeat(soakSentence, min(tokens, l.Info.Context*3/4)*10/m.Draft)
}

// TestSoakStop measures how long after a stop an answer returns with its work ended: while the
// model is loaded, while a prompt is read, while tokens are written.
func TestSoakStop(t *testing.T) {
	a, err := app.New(app.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close(context.Background())
	talks, model := a.Chat(), soakModel(t)
	if err := talks.Load(context.Background(), chat.Choices{Model: model}, nil); err != nil {
		t.Fatal(err)
	}
	long := soakText(t, talks, 1100)
	for _, stage := range []string{chat.StageOpening, base.StageReading, chat.StageWriting} {
		var took []time.Duration
		text := long
		if stage == chat.StageWriting {
			text = "Once upon a time"
		}
		for round := range 20 {
			if stage == chat.StageOpening {
				talks.Unload()
			}
			id, err := talks.New(chat.Choices{Model: model})
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(context.Background())
			var stopped time.Time
			seen := 0
			m, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, Parts: chat.Content(fmt.Sprint(round, " ", text))}, func(s chat.AnswerStep) {
				if s.Stage != stage || !stopped.IsZero() {
					return
				}
				if seen++; seen > round%5 || stage == base.StageReading { // not always at the same place
					time.AfterFunc(time.Duration(round%7)*3*time.Millisecond, func() { stopped = time.Now(); stop() })
					seen = -1 << 30
				}
			})
			ended := time.Now()
			stop()
			if err != nil {
				t.Fatal(err)
			}
			if m.State != chat.MessageStopped {
				continue // it was over before
			}
			took = append(took, ended.Sub(stopped))
		}
		if len(took) == 0 {
			t.Logf("%s: over before it could be stopped", stage)
			continue
		}
		slices.Sort(took)
		if most := took[len(took)-1]; most > time.Second {
			t.Errorf("%s: %v after a stop it still worked", stage, most)
		}
		t.Logf("%s: stopped %d times, median %v, at most %v", stage, len(took), took[len(took)/2].Round(100*time.Microsecond), took[len(took)-1].Round(100*time.Microsecond))
	}
}

// TestSoakFollowUp measures how soon a conversation continues: one that the model has in
// memory, one that is restored from the disk, and one that is read again.
func TestSoakFollowUp(t *testing.T) {
	a, err := app.New(app.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { a.Close(context.Background()) }()
	talks, model := a.Chat(), soakModel(t)
	x := chat.Choices{Model: model, MaxTokens: 8, Sampling: &chat.Sampling{}}
	id, err := talks.New(x)
	if err != nil {
		t.Fatal(err)
	}
	if err := talks.Load(context.Background(), x, nil); err != nil {
		t.Fatal(err)
	}
	long := soakText(t, talks, 2000)
	answer := func(after int64, text string) chat.Message {
		start := time.Now()
		first := time.Duration(0)
		m, err := talks.Answer(context.Background(), chat.AnswerRequest{Conversation: id, After: after, Parts: chat.Content(text)}, func(s chat.AnswerStep) {
			if s.Stage == chat.StageWriting && first == 0 {
				first = time.Since(start)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		r := m.Reply
		t.Logf("prompt %d, reused %d: first token after %v (model's part %v), %.1f tokens/s", r.PromptTokens, r.Reused, first.Round(time.Millisecond), r.FirstToken.Round(time.Millisecond), r.Rate)
		talks.SettlePrefixes(time.Minute)
		return m
	}
	t.Log("the beginning")
	m := answer(0, long)
	for range 3 {
		t.Log("a follow-up")
		before := m.Reply.PromptTokens
		if m = answer(m.ID, "And then?"); m.Reply.Reused < before*9/10 {
			t.Errorf("%d tokens are reused of %d", m.Reply.Reused, before)
		}
	}
	t.Logf("%d bytes on the disk", talks.PrefixBytes())
	start := time.Now()
	meter, err := talks.Meter(context.Background(), chat.MeterRequest{Conversation: id, After: m.ID, Draft: chat.Content(strings.Repeat(soakSentence, 2000))})
	t.Logf("a meter with a draft of %d bytes: %v, %+v, %v", 2000*len(soakSentence), time.Since(start).Round(time.Millisecond), meter.Draft, err)
	start = time.Now()
	_, err = talks.Meter(context.Background(), chat.MeterRequest{Conversation: id, After: m.ID, Draft: chat.Content("And then?")})
	t.Logf("a meter with a short draft: %v, %v", time.Since(start).Round(100*time.Microsecond), err)
	for _, how := range []string{"taken up from the disk", "taken up from the disk", "read anew"} {
		talks.Unload()
		if how == "read anew" {
			if err := os.RemoveAll(filepath.Join(a.Paths().Cache, "prefix")); err != nil {
				t.Fatal(err)
			}
		}
		start := time.Now()
		if err := talks.Load(context.Background(), x, nil); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s, after loading for %v", how, time.Since(start).Round(time.Millisecond))
		before := m.Reply.PromptTokens
		if m = answer(m.ID, "And then?"); (m.Reply.Reused < before*9/10) != (how == "read anew") {
			t.Errorf("%s: %d tokens are reused of %d", how, m.Reply.Reused, before)
		}
	}
}
