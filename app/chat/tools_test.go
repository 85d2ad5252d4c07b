package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"inglenook/app/chat"
	"inglenook/app/tools"
	"inglenook/pipeline"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// caller is a speaker that follows a script: each answer is the next of its turns.
type caller struct {
	*speaker
	turns [][]chat.Token
}

func (c *caller) Info() pipeline.GeneratorInfo {
	i := c.speaker.Info()
	i.Tools = true
	return i
}

func (c *caller) Reply(_ context.Context, p pipeline.Prompt, o chat.ReplyOptions) iter.Seq2[chat.Token, error] {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard, c.how = append(c.heard, p.Messages), append(c.how, o)
	turn := c.turns[min(len(c.turns), len(c.heard))-1]
	return func(yield func(chat.Token, error) bool) {
		for _, t := range turn {
			if !yield(t, nil) {
				return
			}
		}
		yield(chat.Token{ID: -1, Started: &pipeline.Started{Device: "cpu"}, Finished: &pipeline.Finished{Reason: chat.FinishStop, Device: "cpu", Took: time.Millisecond}}, nil)
	}
}

func says(text string) chat.Token { return chat.Token{ID: 1, Text: text} }
func calls(name, arguments string) chat.Token {
	return chat.Token{ID: 1, Call: &chat.ToolCall{Name: name, Arguments: arguments}}
}

// newCallingApp has a model with a script and a tool server on a port, with one tool that
// says its text in capitals.
func newCallingApp(t *testing.T, turns ...[]chat.Token) (*caller, *chat.Service, string) {
	t.Helper()
	m := mcp.NewServer(&mcp.Implementation{Name: "web", Version: "1"}, nil)
	type in struct {
		Text string `json:"text"`
	}
	mcp.AddTool(m, &mcp.Tool{Name: "shout", Description: "Says it in capitals."}, func(ctx context.Context, _ *mcp.CallToolRequest, x in) (*mcp.CallToolResult, any, error) {
		if x.Text == "hang" {
			<-ctx.Done()
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.ToUpper(x.Text)}}}, nil, nil
	})
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return m }, nil))
	t.Cleanup(web.Close)
	c := &caller{&speaker{}, turns}
	c.speaker.instead = c
	a, talks := newSpeakingApp(t, c.speaker)
	if err := a.Tools().Save("", tools.Server{Name: "web", Address: web.URL}); err != nil {
		t.Fatal(err)
	}
	return c, talks, newTalk(t, talks, chat.Choices{Tools: true})
}

// approver answers with verdicts in turn, and notes what was asked.
type approver struct {
	verdicts []tools.Verdict
	asked    []chat.ToolQuestion
}

func (a *approver) approve(_ context.Context, q chat.ToolQuestion) tools.Verdict {
	a.asked = append(a.asked, q)
	v := a.verdicts[0]
	a.verdicts = a.verdicts[1:]
	return v
}

// TestToolsOfAChat follows calls from the model over the person to the tool and back.
func TestToolsOfAChat(t *testing.T) {
	c, talks, id := newCallingApp(t,
		[]chat.Token{says("I will ask."), calls("shout", `{"text":"a"}`), calls("shout", `{"text":"b"}`)},
		[]chat.Token{calls("shout", `{"text":"c"}`)},
		[]chat.Token{says("It is done.")},
	)
	person := approver{verdicts: []tools.Verdict{tools.Once, tools.Refuse, tools.ForChat}}
	var seen steps
	m, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, Parts: chat.Content("Shout"), Approve: person.approve}, seen.take)
	if err != nil {
		t.Fatal(err)
	}
	if m.Text() != "I will ask.\n\nIt is done." || m.State != chat.MessageComplete {
		t.Errorf("%q, %+v", m.Text(), m.Reply)
	}
	uses := chat.ToolUses(m.Parts)
	if len(uses) != 3 || uses[0].Result != "A" || uses[1].State != chat.ToolRefused || uses[2].Result != "C" || uses[2].Round != 2 || uses[0].Server != "web" {
		t.Fatalf("%+v", uses)
	}
	if q := person.asked[0]; q.Tool.Name != "shout" || q.Arguments != `{"text":"a"}` {
		t.Errorf("%+v", q)
	}
	if o := c.how[0]; len(o.Tools) != 1 || o.Tools[0].Name != "shout" || !json.Valid(o.Tools[0].Parameters) {
		t.Errorf("%+v", o.Tools)
	}
	want := "user: Shout\nassistant: I will ask.\ntool: A\ntool: The person did not allow this call. Answer without it, or ask what to do instead.\nassistant: \ntool: C\n"
	if got := roles(c.last()); got != want {
		t.Errorf("the model got\n%s", got)
	}
	if calls := c.last()[1].Calls; len(calls) != 2 || calls[1].ID != c.last()[3].CallID || calls[1].ID == calls[0].ID || len(calls[0].ID) != 9 {
		t.Errorf("%+v", calls)
	}

	// The next question has it all, and the tool runs without a question now.
	c.turns = append(c.turns, []chat.Token{calls("shout", `{"text":"d"}`)}, []chat.Token{says("Again.")})
	m, err = talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, After: m.ID, Parts: chat.Content("More"), Approve: person.approve}, nil)
	if err != nil || m.Text() != "Again." || len(person.asked) != 3 {
		t.Error(m.Text(), len(person.asked), err)
	}
	if got := roles(c.last()); got != want+"assistant: It is done.\nuser: More\nassistant: \ntool: D\n" {
		t.Errorf("the model got\n%s", got)
	}
	data, err := talks.Export(id, "markdown")
	if err != nil || !strings.Contains(string(data), "**Used shout**") {
		t.Error(string(data), err)
	}
}

// TestToolsAreOff offers none to a chat where they are not switched on, or without a person.
func TestToolsAreOff(t *testing.T) {
	c, talks, id := newCallingApp(t, []chat.Token{says("Hello.")})
	off := newTalk(t, talks, chat.Choices{})
	person := approver{}
	for _, r := range []chat.AnswerRequest{{Conversation: off, Approve: person.approve}, {Conversation: id}} {
		r.Parts = chat.Content("Hi")
		if _, err := talks.Answer(t.Context(), r, nil); err != nil {
			t.Fatal(err)
		}
		if o := c.how[len(c.how)-1]; len(o.Tools) > 0 {
			t.Errorf("%+v", o.Tools)
		}
	}
}

// TestToolsWithoutEnd ends a model that asks for tools for ever.
func TestToolsWithoutEnd(t *testing.T) {
	c, talks, id := newCallingApp(t, []chat.Token{calls("nothing", `{}`)})
	m, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, Parts: chat.Content("Go"), Approve: (&approver{}).approve}, nil)
	if err == nil || m.State != chat.MessageFailed || len(chat.ToolUses(m.Parts)) != 9 {
		t.Error(len(chat.ToolUses(m.Parts)), m.State, err)
	}
	if o := c.how[len(c.how)-1]; len(o.Tools) > 0 {
		t.Error("tools are offered in the last round")
	}
	if u := chat.ToolUses(m.Parts)[0]; u.State != chat.ToolFailed || u.Result != "There is no tool of this name." {
		t.Error(u)
	}
}

// TestToolIsStopped stops an answer while its tool hangs, and while the person is asked.
func TestToolIsStopped(t *testing.T) {
	_, talks, id := newCallingApp(t, []chat.Token{says("Wait."), calls("shout", `{"text":"hang"}`)})
	for _, asks := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		approve := func(ctx context.Context, _ chat.ToolQuestion) tools.Verdict {
			time.AfterFunc(100*time.Millisecond, cancel)
			if asks {
				<-ctx.Done()
			}
			return tools.Once
		}
		m, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, Parts: chat.Content("Go"), Approve: approve}, nil)
		cancel()
		if err != nil || m.State != chat.MessageStopped || m.Text() != "Wait." {
			t.Error(m.State, m.Text(), errors.Unwrap(err), err)
		}
	}
}

// TestToolServerIsLeftOut: a server that cannot be reached is named while the answer is made and
// in what is kept of it, and the others are offered.
func TestToolServerIsLeftOut(t *testing.T) {
	c, _, _ := newCallingApp(t, []chat.Token{says("It is late.")})
	a, talks := newSpeakingApp(t, c.speaker)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	if err := a.Tools().Save("", tools.Server{Name: "clocks", Address: gone.URL}); err != nil {
		t.Fatal(err)
	}
	id := newTalk(t, talks, chat.Choices{Tools: true})
	var seen steps
	person := approver{}
	m, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, Parts: chat.Content("Late?"), Approve: person.approve}, seen.take)
	if err != nil || m.Text() != "It is late." {
		t.Fatalf("%+v, %v", m, err)
	}
	told := []string{}
	for _, x := range seen.list {
		told = append(told, x.Unreached...)
	}
	if len(told) != 1 || !strings.Contains(told[0], "clocks") || len(m.Reply.Notices) == 0 || m.Reply.Notices[0] != told[0] {
		t.Errorf("told %q, kept %q", told, m.Reply.Notices)
	}
}
