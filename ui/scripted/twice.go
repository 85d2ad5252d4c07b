package scripted

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"inglenook/app/base"
	"inglenook/app/chat"
)

// AnswerTwice answers a message twice: as the model's script says, and with the question itself.
func (t *Conversations) AnswerTwice(ctx context.Context, r chat.TwiceRequest, report func(int, chat.AnswerStep)) (two [2]chat.Message, err error) {
	if t.Model.Asked != nil {
		t.Model.Asked(r.AnswerRequest)
	}
	var asked int64
	var question string
	var x chat.Choices
	var answers [2]int64
	err = t.change(r.Conversation, func(c *record) error {
		x = chat.ChoicesOf(c.Conversation)
		if asked = r.After; len(r.Parts) > 0 {
			asked = c.add(chat.Message{Parent: r.After, Role: chat.RoleUser, Parts: r.Parts})
		}
		question = c.message(asked).Text()
		if x.Sampling != nil && x.Sampling.Temperature == 0 && r.Second == "" {
			return &chat.SameAnswersError{Asked: asked}
		}
		if t.Model.Context > 0 && len(tokens(question)) > t.Model.Context && !r.MayDrop {
			return &chat.OverflowError{Asked: asked, Dropped: []int64{c.Messages[0].ID}, Needed: len(tokens(question)), Context: t.Model.Context}
		}
		for i := range answers {
			answers[i] = c.add(chat.Message{Parent: asked, Role: chat.RoleAssistant, State: chat.MessageWriting})
		}
		c.Leaf = answers[0]
		return nil
	})
	if err != nil {
		report(0, chat.AnswerStep{Asked: asked})
		return two, err
	}
	if l, ok := t.Loaded(); !ok || l.Model.ID != x.Model {
		err = t.Load(ctx, x, func(base.Progress) {})
	}
	scripts := [2]func(string) string{t.Model.Reply, func(asked string) string { return asked + strings.Repeat(" and", t.Model.Longer) }}
	if scripts[0] == nil {
		scripts[0] = backwards
	}
	var all sync.WaitGroup
	var failed [2]error
	for i := range answers {
		all.Go(func() {
			own, cancel := context.WithCancel(ctx)
			defer cancel()
			go func() {
				select {
				case <-r.Stop[i]:
					cancel()
				case <-own.Done():
				}
			}()
			tell := func(s chat.AnswerStep) {
				s.Asked, s.Answer = asked, answers[i]
				report(i, s)
			}
			tell(chat.AnswerStep{Stage: base.StageReading, Done: 256, Total: 256})
			if t.Model.Hold != nil {
				t.Model.Hold(own)
			}
			written, err := 0, err
			if err == nil {
				written, err = t.say(own, r.Conversation, answers[i], scripts[i](question), time.Now(), tell)
			}
			two[i], failed[i] = t.finish(r.Conversation, answers[i], written, err)
			tell(chat.AnswerStep{Stage: chat.StageEnded})
		})
	}
	all.Wait()
	if failed[0] != nil && failed[1] != nil {
		return two, errors.Join(failed[0], failed[1])
	}
	return two, nil
}
