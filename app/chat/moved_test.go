package chat_test

import (
	"context"
	"testing"

	"inglenook/app"
	"inglenook/app/apptest"
	"inglenook/app/chat"
	"inglenook/app/servers"
	"inglenook/remote/remotetest"
)

// A conversation with a model of a server goes to the address that the server has now. Nothing is
// sent to the one that it had before, nor to any after its removal.
func TestTalkWithAServerThatMoves(t *testing.T) {
	apptest.Home(t)
	a, err := app.New(app.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	talks := a.Chat()
	id, err := talks.New(chat.Choices{Model: "lab/talker"})
	if err != nil {
		t.Fatal(err)
	}
	after := int64(0)
	ask := func() (chat.Message, error) {
		return talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, After: after, Parts: chat.Content("Hello")}, nil)
	}
	var before *remotetest.Server
	for range 3 {
		d := remotetest.New(t)
		if _, err := a.Engines().Add(t.Context(), servers.AddRequest{Addresses: []string{d.URL}, Name: "lab"}); err != nil {
			t.Fatal(err)
		}
		asked := 0
		if before != nil {
			asked = len(before.Bodies())
		}
		got, err := ask()
		if err != nil {
			t.Fatal(err)
		}
		if d.Requests("/v1/chat/completions") == 0 || before != nil && len(before.Bodies()) != asked {
			t.Error("another address is asked than the server has")
		}
		before, after = d, got.ID
	}
	if err := a.Engines().Remove(t.Context(), "lab"); err != nil {
		t.Fatal(err)
	}
	asked := len(before.Bodies())
	if got, err := ask(); err == nil || len(before.Bodies()) != asked {
		t.Errorf("after its removal: %q, %v", got.Text(), err)
	}
}
