package chats

import (
	"testing"
)

func TestBranches(t *testing.T) {
	s, _, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	id, err := s.Create(Conversation{System: "Be brief."})
	if err != nil {
		t.Fatal(err)
	}
	ask, err := s.Add(id, Message{Role: RoleUser, Text: "Why is\nthe sky blue?"})
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Begin(id, ask, Message{Role: RoleAssistant})
	if err != nil {
		t.Fatal(err)
	}
	w.Append("Because ", false)
	w.Append("it scatters.", false)
	if err := w.Finish(StateComplete, &Reply{Model: "m", Tokens: 2}); err != nil {
		t.Fatal(err)
	}
	if err := w.Append("more", false); err != ErrFinished {
		t.Error(err)
	}
	c, err := s.Conversation(id)
	if err != nil || len(c.Path()) != 2 || c.Path()[1].Text != "Because it scatters." || c.Title != "Why is the sky blue?" || c.Model != "m" {
		t.Errorf("%+v %v", c, err)
	}
	if err := s.DeleteMessage(id, ask); err != nil {
		t.Fatal(err)
	}
	if c, _ := s.Conversation(id); len(c.Messages) != 0 || c.Leaf != 0 {
		t.Errorf("%+v", c)
	}
	if err := s.RestoreMessage(id, ask); err != nil {
		t.Fatal(err)
	}
	if c, _ := s.Conversation(id); len(c.Messages) != 2 || c.Leaf != w.ID() {
		t.Errorf("%+v", c)
	}
}
