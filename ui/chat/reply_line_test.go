package chat

import (
	"testing"

	"inglenook/app/chat"
)

// TestReplyLineTellsDrafts: the line below an answer says what guesses did for its speed, if
// that is anything.
func TestReplyLineTellsDrafts(t *testing.T) {
	for gain, want := range map[float64]string{
		0:      "talker · CPU · 20 tokens/s · complete",
		0.62:   "talker · CPU · 20 tokens/s · drafts +62 % · complete",
		-0.124: "talker · CPU · 20 tokens/s · drafts -12 % · complete",
		0.004:  "talker · CPU · 20 tokens/s · complete",
	} {
		r := &chat.ReplyRecord{ModelName: "talker", Device: "cpu", Rate: 20, DraftGain: gain, Reason: chat.FinishStop}
		if got := replyLine(chat.Message{State: chat.MessageComplete, Reply: r}); got != want {
			t.Errorf("a gain of %v: %q, want %q", gain, got, want)
		}
	}
}
