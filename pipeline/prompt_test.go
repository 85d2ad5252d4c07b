package pipeline

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestPromptIsSent: an answer reads exactly the tokens that were planned. The test removes
// the template before the answer, so nothing can be rendered again.
func TestPromptIsSent(t *testing.T) {
	s := &scripted{reply: bytesToIDs("ok")}
	g := newScripted(t, s, 100)
	p, err := g.Plan(context.Background(), []Message{system("rules"), user("hello")}, ReplyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.IDs) != p.PromptTokens || len(p.Messages) != 2 || !strings.Contains(p.Text, "hello") {
		t.Errorf("planned %+v", p)
	}
	template := g.template
	g.template = nil
	h := hear(t, g.Reply(context.Background(), p, ReplyOptions{}))
	g.template = template
	if h.err != nil || h.text != "ok" || h.started.PromptTokens != p.PromptTokens {
		t.Errorf("%q, %+v, %v", h.text, h.started, h.err)
	}
	if len(s.read) < len(p.IDs) || !slices.Equal(s.read[:len(p.IDs)], p.IDs) {
		t.Errorf("the model read %v and not %v", s.read, p.IDs)
	}
}

// TestPlanPlain: a model that continues texts gets all messages as one text. The oldest
// are left out first, one by one, but never the instructions.
func TestPlanPlain(t *testing.T) {
	g := newScripted(t, &scripted{}, 40)
	plain := ReplyOptions{Plain: true, MaxTokens: 10}
	for _, c := range []struct {
		chat    []Message
		text    string
		dropped []int
	}{
		{[]Message{user("Once upon")}, "Once upon", nil},
		{[]Message{user("Once"), assistant(" upon a time"), user("Then")}, "Once upon a time\nThen", nil},
		{[]Message{system("A story."), user("Once"), assistant(" upon")}, "A story.\nOnce upon", nil},
		{[]Message{user("0123456789"), assistant("0123456789"), user("01234567890123")}, "0123456789\n01234567890123", []int{0}},
		{[]Message{system("abcdefgh"), user("0123456789"), assistant("0123456789"), user("0123456789")}, "abcdefgh\n0123456789\n0123456789", []int{1}},
	} {
		p, err := g.Plan(context.Background(), c.chat, plain)
		if err != nil || p.Text != c.text || !slices.Equal(p.IDs, bytesToIDs(c.text)) || !slices.Equal(p.Dropped, c.dropped) {
			t.Errorf("%v: %q, dropped %v, %v", c.chat, p.Text, p.Dropped, err)
		}
	}
	var long *TooLongError
	if _, err := g.Plan(context.Background(), []Message{user(strings.Repeat("x", 50))}, plain); !errors.As(err, &long) || long.Tokens != 50 {
		t.Errorf("too long: %v", err)
	}
}

// TestPlanLong: only the end of a conversation that is far longer than the context is
// rendered, and everything before it is reported as left out.
func TestPlanLong(t *testing.T) {
	const size, turns = 200, 2000
	g := newScripted(t, &scripted{}, size)
	chat := []Message{system("rules")}
	for range turns {
		chat = append(chat, user("a question"), assistant("and an answer"))
	}
	chat = append(chat, user("now"))
	_, starts := splitTurns(chat, false)
	first := g.oldestTurn(chat, starts)
	if rendered := contentBytes(chat[starts[first]:]); rendered < size || rendered > size*mostBytesPerToken+100 {
		t.Errorf("%d bytes are rendered at most", rendered)
	}
	p, err := g.Plan(context.Background(), chat, ReplyOptions{MaxTokens: 20})
	if err != nil {
		t.Fatal(err)
	}
	kept := len(chat) - len(p.Dropped)
	if kept != len(p.Messages) || kept < 4 || p.Messages[0].Text() != "rules" || p.Dropped[0] != 1 || p.Dropped[len(p.Dropped)-1] != len(p.Dropped) {
		t.Errorf("%d of %d messages are kept, %d are sent", kept, len(chat), len(p.Messages))
	}
	if text := contentBytes(chat); p.AllTokens < text/(2*bytesPerToken) {
		t.Errorf("%d bytes count as %d tokens", text, p.AllTokens)
	}
}
