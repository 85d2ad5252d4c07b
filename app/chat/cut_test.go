package chat_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/app/chat"
	"inglenook/chats"
)

// recordMark is what every record of a log begins with.
const recordMark = "\xf5\xc8\xfe\xa7"

// Wherever the end of the program cuts what it writes, no answer looks finished that was not: it is
// interrupted with a part of its words, or it is there as it ended. That holds for a first answer,
// another one, one that goes on, one to an edited message and one with tools.
func TestCutAnywhere(t *testing.T) {
	c := &caller{&speaker{}, [][]chat.Token{
		{says("one "), says("two "), says("three ")},
		{says("four "), says("five ")},
		{says("six "), says("seven "), says("eight ")}, // stopped after the first word
		{says("nine "), says("ten ")},                  // and goes on
		{says("eleven "), says("twelve ")},
		{says("I ask. "), calls("shout", "{}")},
		{says("It is done.")},
	}}
	c.instead = c
	a, talks := newSpeakingApp(t, c.speaker)
	ended := map[int64]chat.Message{}
	id := newTalk(t, talks, chat.Choices{Tools: true})
	answer := func(r chat.AnswerRequest, stopAt string) chat.Message {
		t.Helper()
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		r.Conversation = id
		m, err := talks.Answer(ctx, r, func(s chat.AnswerStep) {
			if stopAt != "" && strings.Contains(s.Text, stopAt) {
				stop()
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		ended[m.ID] = m
		return m
	}
	first := answer(chat.AnswerRequest{Parts: chat.Content("count")}, "")
	again := answer(chat.AnswerRequest{After: first.Parent}, "")
	half := answer(chat.AnswerRequest{After: again.ID, Parts: chat.Content("go on")}, "six")
	answer(chat.AnswerRequest{Continue: half.ID}, "")
	edited, err := talks.Edit(id, half.Parent, "go on, please", nil)
	if err != nil {
		t.Fatal(err)
	}
	last := answer(chat.AnswerRequest{After: edited}, "")
	person := approver{}
	answer(chat.AnswerRequest{After: last.ID, Parts: chat.Content("shout"), Approve: person.approve}, "")

	logs, err := filepath.Glob(filepath.Join(a.Paths().Data, "chats", "*.log"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	log, err := os.ReadFile(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	interrupted, cuts := map[int64]bool{}, 0
	for at := 1; at < len(log); at++ {
		if !bytes.HasPrefix(log[at:], []byte(recordMark)) && at%5 != 0 { // each record, and places within them
			continue
		}
		cuts++
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(logs[0])), log[:at], 0o600); err != nil {
			t.Fatal(err)
		}
		store, _, err := chats.Open(dir)
		if err != nil {
			t.Fatalf("cut at %d: %v", at, err)
		}
		if talk, err := store.Conversation(id); err == nil {
			for _, m := range talk.Messages {
				whole, answer := ended[m.ID]
				switch {
				case m.Role != chat.RoleAssistant:
				case m.State == chat.MessageInterrupted:
					interrupted[m.ID] = true
					if answer && !strings.HasPrefix(whole.Text(), strings.TrimSpace(m.Text())) {
						t.Errorf("cut at %d: message %d says %q of %q", at, m.ID, m.Text(), whole.Text())
					}
				case !answer || m.State != whole.State || m.Text() != whole.Text() || len(m.Parts) != len(whole.Parts):
					t.Errorf("cut at %d: message %d looks finished (%q) with %q of %q", at, m.ID, m.State, m.Text(), whole.Text())
				}
			}
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(interrupted) != len(ended) || cuts < 100 {
		t.Errorf("%d cuts: of %d answers %d were seen interrupted", cuts, len(ended), len(interrupted))
	}
}
