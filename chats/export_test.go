package chats

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// What is exported and imported again is the same, on all branches.
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
		dumpChat(&want, all[i])
		if diff := firstDifference(got.String(), want.String()); diff != "" {
			t.Fatal(diff)
		}
	}
	if len(all) < 2 || len(all) != len(read) {
		t.Errorf("%d conversations were exported, %d imported", len(all), len(read))
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
		`{"format":"inglenook.conversations","version":3}`: "newer version",
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
		{ID: 1, Role: RoleUser, Text: "See the file.\n", Attachments: []Attachment{{Name: "a_b.md", Text: "```\ncode\n```\n"}}},
		{ID: 2, Parent: 1, Role: RoleAssistant, Text: "Another branch."},
		{ID: 3, Parent: 1, Role: RoleAssistant, Thinking: "Hm.\nWell.", Text: "Like so:\n\n~~~go\nx", State: StateStopped, Reply: &Reply{ModelName: "Qwen3_0.6B"}},
		{ID: 4, Parent: 3, Role: RoleUser, Text: "Go on."},
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
