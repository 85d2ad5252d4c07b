package chat

import (
	"context"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/chats"
	"inglenook/ui/uitest"
)

// The line below an answer has the model, its speed in words, and what is odd; the rest is
// told to the pointer.
func TestReplyLine(t *testing.T) {
	reply := func(change func(*chat.ReplyRecord)) *chat.ReplyRecord {
		r := &chat.ReplyRecord{ModelName: "talker", Device: "cpu", Rate: 20, Tokens: 9, FirstToken: 120 * time.Millisecond, Reason: chat.FinishStop}
		change(r)
		return r
	}
	for want, m := range map[string]chat.Message{
		"talker · 15 words a second":           {State: chat.MessageComplete, Reply: reply(func(r *chat.ReplyRecord) { r.DraftGain = 0.62 })},
		"talker · 15 words a second · stopped": {State: chat.MessageStopped, Reply: reply(func(*chat.ReplyRecord) {})},
		"talker · 1.2 words a second":          {State: chat.MessageComplete, Reply: reply(func(r *chat.ReplyRecord) { r.Rate = 1.6 })},
		"talker":                               {State: chat.MessageComplete, Reply: reply(func(r *chat.ReplyRecord) { r.Rate = 0 })},
		"talker · 15 words a second · without 2 messages · stopped at the length limit": {State: chat.MessageComplete, Reply: reply(func(r *chat.ReplyRecord) { r.Dropped, r.Reason = 2, chat.FinishLength })},
		"guide · quoted from your files":                                                {State: chat.MessageComplete, Reply: &chat.ReplyRecord{ModelName: "guide", Reason: chat.FinishQuoted}},
		"guide · quoted from your documents":                                            {State: chat.MessageComplete, Reply: &chat.ReplyRecord{ModelName: "guide", Reason: chat.FinishQuoted, Claims: []chats.Claim{{End: 1}}}},
		"":                                                                              {State: chat.MessageInterrupted},
	} {
		if got := replyLines(m)[0]; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for gain, want := range map[float64]string{0: "CPU · 20 tokens a second\n", 0.62: "CPU · 20 tokens a second · drafts +62 %\n", -0.124: "drafts -12 %\n", 0.004: "CPU · 20 tokens a second\n"} {
		m := chat.Message{State: chat.MessageComplete, Reply: reply(func(r *chat.ReplyRecord) { r.DraftGain = gain })}
		if got := replyTip(m); !strings.Contains(got, want) || !strings.Contains(got, "first word after 120 ms · 9 tokens") {
			t.Errorf("a gain of %v: %q", gain, got)
		}
	}
}

// While nothing of the answer has come, embers glow in its place, there is one button that
// stops it, and nothing to copy. Then the line below tells how fast it comes.
func TestAnswerBeforeItsText(t *testing.T) {
	b, p := chatting(t)
	reads, writes := make(chan struct{}), make(chan struct{})
	b.conversations.Model.Hold = func(ctx context.Context) { close(reads); <-writes }
	b.conversations.Model.Rate = 60
	b.conversations.Model.Reply = func(string) string { return strings.Repeat("word ", 80) }
	test.Type(p.composer.entry, "go on")
	p.composer.entry.TypedKey(uitest.Key(fyne.KeyReturn))
	<-reads
	shown := func() *bubble { return p.bubbles[p.tree.leaf()] }
	b.Loop.Until(t, "the answer's place", func() bool { return shown() != nil && !shown().own })
	at := shown()
	b.Loop.Until(t, "a beat", func() bool { return at.embers.beats > 0 })
	if !at.embers.Visible() || at.text.prose().Visible() || len(at.foot.actions.Objects) > 0 || !strings.HasSuffix(at.foot.facts.Line.Text, "talker") {
		t.Errorf("embers %v, text %v, %d actions, the line %q", at.embers.Visible(), at.text.prose().Visible(), len(at.foot.actions.Objects), at.foot.facts.Line.Text)
	}
	p.running.shown = chat.AnswerStep{Stage: base.StageReading}
	p.refreshWork()
	if !p.composer.halt.Visible() || p.waiting.Cancel.Visible() || p.waiting.Left.Text != "" {
		t.Errorf("stop %v, cancel %v, %q", p.composer.halt.Visible(), p.waiting.Cancel.Visible(), p.waiting.Left.Text)
	}
	close(writes)
	b.Loop.Until(t, "the speed", func() bool { return strings.HasSuffix(shown().foot.facts.Line.Text, " words a second") })
	if at = shown(); at.embers.Visible() || !at.text.prose().Visible() || len(at.foot.actions.Objects) != 1 {
		t.Errorf("while it is written: embers %v, text %v, %d actions", at.embers.Visible(), at.text.prose().Visible(), len(at.foot.actions.Objects))
	}
	p.stop()
	b.await(t)
	if got := shown().foot.facts.Line.Text; !strings.HasSuffix(got, " · stopped") {
		t.Errorf("the line is %q", got)
	}
}

// How fast tokens come is told once they have come for a while.
func TestPace(t *testing.T) {
	var p pace
	at := time.Now()
	for i := range int64(11) {
		p.note(i+1, at.Add(time.Duration(i)*50*time.Millisecond))
		if got := p.rate(); got != 0 && i < 10 || i == 10 && got != 20 {
			t.Errorf("after %d tokens: %v", i+1, got)
		}
	}
}

// In little room the line says less and no word of it is cut.
func TestReplyLineInLittleRoom(t *testing.T) {
	b, p := chatting(t)
	b.say(t, "one two")
	m := p.tree.message(p.tree.leaf())
	m.Reply.Dropped, m.Reply.Tokens = 2, 50
	f := newBubbleFoot(p.Keys, &bubble{session: p.session, host: bubbleHost{actions: func(chat.Message) []action { return nil }}, message: *m})
	for width, want := range map[float32]string{800: "talker · 32 words a second · without 2 messages", 270: "32 words a second · without 2 messages", 150: "without 2 messages"} {
		f.view.Resize(fyne.NewSize(width, 30))
		if got := f.facts.Line.Text; got != want || f.facts.Size().Width < f.facts.Natural() {
			t.Errorf("in %v it says %q with %v of %v", width, got, f.facts.Size().Width, f.facts.Natural())
		}
	}
}

// Of two answers the one that has not begun says what it waits for; of one alone the line above the field tells.
func TestAnswerThatWaits(t *testing.T) {
	first := &answer{model: "talker"}
	second := &answer{model: "talker", which: 1}
	for stage, want := range map[string]string{"": "talker · waiting for its turn…", chat.StageWaiting: "talker · waiting for its turn…", chat.StageOpening: "talker · loading the model…", base.StageReading: "talker · reading the chat…", chat.StageWriting: "talker"} {
		first.shown.Stage, second.shown.Stage = stage, stage
		if got := liveLine(second); got != want {
			t.Errorf("%q: the second says %q, want %q", stage, got, want)
		}
		if got := liveLine(first); got != "talker" {
			t.Errorf("%q: one alone says %q", stage, got)
		}
	}
	if second.text.WriteString("word"); liveLine(second) != "talker" {
		t.Errorf("once it is written it says %q", liveLine(second))
	}
}
