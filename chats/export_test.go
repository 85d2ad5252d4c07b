package chats

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// A conversation that is exported and imported again is the same, on all branches.
func TestJSON(t *testing.T) {
	w := newWalk(9, time.Second)
	s := open(t, t.TempDir(), w.clocked, idle)
	writers := map[string]*Writer{}
	for w.step < 300 {
		try(t, w.next().apply(s, writers))
	}
	var all []Conversation
	for _, summary := range s.List() {
		all = append(all, must(s.Conversation(summary.ID))(t))
	}
	var file bytes.Buffer
	try(t, WriteJSON(&file, all...))
	read := must(ReadJSON(file.Bytes()))(t)
	again := open(t, t.TempDir(), idle)
	for i, c := range read {
		id := must(again.Create(c))(t)
		have := must(again.Conversation(id))(t)
		have.ID = all[i].ID
		for j := range all[i].Messages {
			if all[i].Messages[j].State == StateWriting {
				all[i].Messages[j].State = StateInterrupted
			}
		}
		var got, want strings.Builder
		dumpChat(&got, have)
		dumpChat(&want, renumbered(all[i]))
		if diff := firstDifference(got.String(), want.String()); diff != "" {
			t.Fatal(diff)
		}
	}
	if len(all) < 2 || len(all) != len(read) {
		t.Errorf("%d conversations were exported, %d imported", len(all), len(read))
	}
}

// renumbered returns c with the ids that a store gives its messages.
func renumbered(c Conversation) Conversation {
	ids := map[int64]int64{0: 0}
	for i := range c.Messages {
		m := &c.Messages[i]
		ids[m.ID] = int64(i + 1)
		m.ID, m.Parent = ids[m.ID], ids[m.Parent]
	}
	c.Leaf = ids[c.Leaf]
	return c
}

// The numbers in an import are kept within bounds, and it can be continued: ids, times and
// counts of other programs are never used as ours.
func TestImportBounds(t *testing.T) {
	now := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	for _, ids := range [][2]int64{{1, 2}, {7, 1 << 53}, {1<<63 - 2, 1<<63 - 1}} {
		s := open(t, t.TempDir(), idle, func(o *options) { o.now = func() time.Time { return now } })
		file := fmt.Sprintf(`{"format":%q,"version":1,"conversations":[{"id":"x","created":"9999-12-31T00:00:00Z","updated":"9999-12-31T00:00:00Z","leaf":%d,"messages":[
			{"id":%d,"role":"user","text":"a","time":"9999-12-31T00:00:00Z","attachments":[{"name":"n","tokens":-9223372036854775808}]},
			{"id":%d,"parent":%d,"role":"assistant","text":"b","time":"0001-01-01T00:00:00Z","reply":{"prompt_tokens":-1,"reused":9223372036854775807,"dropped":-5,"tokens":9223372036854775807,"first_token_ns":-1,"took_ns":9223372036854775807,"thought_ns":-7,"rate":-3}}]}]}`,
			exportFormat, ids[1], ids[0], ids[1], ids[0])
		list := must(ReadJSON([]byte(file)))(t)
		id := must(s.Create(list[0]))(t)
		have := must(s.Conversation(id))(t)
		if have.ID == "x" || have.Created.After(now) || have.Updated.After(now) {
			t.Errorf("the conversation is %+v", have.Summary)
		}
		user, reply := have.Messages[0], have.Messages[1]
		if user.ID != 1 || reply.ID != 2 || reply.Parent != 1 || have.Leaf != 2 || user.Parts[0].Tokens != 0 {
			t.Errorf("the messages are %+v and %+v, the leaf %d", user, reply, have.Leaf)
		}
		for _, m := range have.Messages {
			if m.Time.After(now) || m.Time.Year() < 1970 {
				t.Errorf("message %d is of %v", m.ID, m.Time)
			}
		}
		r := reply.Reply
		for _, n := range []int{r.PromptTokens, r.Reused, r.Dropped, r.Tokens} {
			if n < 0 || n > maxAmount {
				t.Errorf("a count is %d", n)
			}
		}
		for _, d := range []time.Duration{r.FirstToken, r.Took, r.Thought} {
			if d < 0 || d > maxSpan {
				t.Errorf("a duration is %v", d)
			}
		}
		if r.Rate < 0 {
			t.Errorf("the rate is %v", r.Rate)
		}
		added := must(s.Add(id, Message{Parent: 2, Role: RoleUser, Parts: Content("c")}))(t)
		if path := must(s.Path(id))(t); added != 3 || len(path) != 3 || path[2].Text() != "c" {
			t.Errorf("after ids %v the next message has the id %d, the branch %d messages", ids, added, len(path))
		}
	}
}

func TestReadJSONRefuses(t *testing.T) {
	file := func(conversation string) string {
		return fmt.Sprintf(`{"format":%q,"version":1,"conversations":[%s]}`, exportFormat, conversation)
	}
	for text, want := range map[string]string{
		"":                           "not JSON with conversations",
		"[]":                         "not JSON with conversations",
		"{}":                         "not JSON with conversations",
		`{"format":"x","version":1}`: "not JSON with conversations",
		`{"format":"inglenook.conversations","version":4}`: "newer version",
		file(`{"title":7}`):                                          "damaged",
		file(`{"messages":[{"id":0,"role":"user"}]}`):                "conversation 1 of this file (\"\") is damaged: message 0",
		file(`{"title":"a\nb","messages":[{"id":1,"role":""}]}`):     `("a b") is damaged: message 1 has no role`,
		file(`{"messages":[{"id":1,"parent":9,"role":"user"}]}`):     "is not before it",
		file(`{"messages":[{"id":1,"role":"user"}]}`):                "not the end of a branch",
		file(`{"messages":[{"id":1,"role":"user"}],"leaf":5}`):       "not the end of a branch",
		strings.TrimSuffix(file(`{"messages":[]}`), "}"):             "not JSON with conversations",
		strings.Repeat("[", 100_000):                                 "not JSON with conversations",
		file(`{"messages":[{"id":1e30,"role":"user"}],"leaf":1e30}`): "damaged",
	} {
		if _, err := ReadJSON([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v", text, err)
		}
	}
}

func FuzzReadJSON(f *testing.F) {
	var file bytes.Buffer
	try(f, WriteJSON(&file, Conversation{System: "x", Messages: []Message{{ID: 1, Role: RoleUser, Reply: &Reply{}}}, Leaf: 1}))
	f.Add(file.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ReadJSON(data)
		if err != nil {
			return
		}
		s := open(t, t.TempDir(), idle)
		for _, c := range list {
			id := must(s.Create(c))(t)
			try(t, WriteMarkdown(&bytes.Buffer{}, must(s.Conversation(id))(t)))
		}
	})
}

func TestMarkdown(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 30, 0, 0, time.Local)
	c := Conversation{Summary: Summary{Title: "A *title*\nof `two` lines", Created: at}, System: "Be brief.\nBe kind.", Leaf: 5, Messages: []Message{
		{ID: 1, Role: RoleUser, Parts: Content("See the file.\n", File("a_b.md", "```\ncode\n```\n"))},
		{ID: 2, Parent: 1, Role: RoleAssistant, Parts: Content("Another branch.")},
		{ID: 3, Parent: 1, Role: RoleAssistant, Thinking: "Hm.\nWell.", Parts: Content("Like so:\n\n~~~go\nx"), State: StateStopped, Reply: &Reply{ModelName: "Qwen3_0.6B"}},
		{ID: 4, Parent: 3, Role: RoleUser, Parts: Content("Go on.")},
		{ID: 5, Parent: 4, Role: RoleAssistant, State: StateFailed, Reply: &Reply{Model: "m", Error: "The model <x> is gone."}},
	}}
	var text strings.Builder
	try(t, WriteMarkdown(&text, c))
	want := strings.ReplaceAll(`# A \*title\* of 'two\' lines

*2026-03-01 12:30*

**System prompt**

> Be brief.
> Be kind.

## You

**a\_b.md**

''''
'''
code
'''
''''

See the file.

## Qwen3\_0.6B

*Thinking*

> Hm.
> Well.

Like so:

~~~go
x
~~~

*Stopped*

## You

Go on.

## m

*Failed: The model \<x\> is gone.*
`, "'", "`")
	want = strings.Replace(want, "of `two", "of \\`two", 1)
	if diff := firstDifference(text.String(), want); diff != "" {
		t.Error(diff)
	}
}

func TestClosed(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "",
		"a":                   "a",
		"```\na\n```":         "```\na\n```",
		"```go\na\n":          "```go\na\n```",
		"````\n```\na":        "````\n```\na\n````",
		"~~~\n```\n~~~":       "~~~\n```\n~~~",
		"```\n~~~":            "```\n~~~\n```",
		"``` `` ```":          "``` `` ```",
		"```\na\n``` b\nc":    "```\na\n``` b\nc\n```",
		"  ```\na\n  ```  \n": "  ```\na\n  ```  \n",
	} {
		if got := closed(text); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}
