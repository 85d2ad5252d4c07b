package chats

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
)

// TestClaimsStay: what supports the sentences of an answer stays, in the files, in a copy and
// in an export; numbers that cannot be are bounded.
func TestClaimsStay(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, quick)
	want := []Claim{{Start: 0, End: 12, Passage: 1, BestStart: 3, BestEnd: 40, Score: 0.75}, {Start: 13, End: 20, Passage: -1, Score: 0.25, Why: "the number 12 is not in the passages"}}
	id := must(s.Create(Conversation{}))(t)
	asked := must(s.Add(id, Message{Role: RoleUser, Parts: []Part{{Kind: PartPassage, Name: "a_b.pdf, page 3", Text: "One.\nTwo.", Data: []byte(`{"path":"/a_b.pdf"}`)}, Text("Which?")}}))(t)
	w := must(s.Begin(id, asked, Message{Role: RoleAssistant}))(t)
	try(t, w.Append("Twelve words or so.", false))
	try(t, w.Finish(StateComplete, &Reply{Seed: 7, Claims: want}))
	same := func(from string, c Conversation) {
		t.Helper()
		if r := c.Messages[1].Reply; r == nil || r.Seed != 7 || !reflect.DeepEqual(r.Claims, want) {
			t.Errorf("%s: %+v", from, r)
		}
	}
	c := must(s.Conversation(id))(t)
	same("as written", c)
	c.Messages[1].Reply.Claims[0].Why = "changed by a reader"
	c = must(s.Conversation(id))(t)
	same("a second reader", c)
	same("a copy", must(s.Conversation(must(s.Duplicate(id))(t)))(t))
	for _, when := range []string{"log", "base"} {
		try(t, s.Close())
		s = open(t, dir, quick)
		same("from the "+when, must(s.Conversation(id))(t))
		compactNow(s)
	}
	var file, text bytes.Buffer
	try(t, WriteJSON(&file, c))
	if !strings.Contains(file.String(), `"version": 3`) {
		t.Error("an older program would lose the passage")
	}
	read := must(ReadJSON(file.Bytes()))(t)
	same("imported", must(s.Conversation(must(s.Create(read[0]))(t)))(t))
	try(t, WriteMarkdown(&text, c))
	if !strings.Contains(text.String(), "**a\\_b.pdf, page 3**\n\n> One.\n> Two.\n\nWhich?\n") {
		t.Errorf("as Markdown: %s", text.String())
	}

	odd := keptReply(&Reply{Claims: []Claim{{Start: -1, End: math.MaxInt, Passage: -9, BestStart: -4, BestEnd: math.MaxInt, Score: math.NaN(), Why: "\xff"}}}).Claims[0]
	if odd != (Claim{End: maxAmount, Passage: -1, BestEnd: maxAmount, Why: "\uFFFD"}) {
		t.Errorf("bounded: %+v", odd)
	}
}
