package chat_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"inglenook/app/chat"
)

// Files that a person attached are left out last: a later question on them is nothing without them. Older
// answers, and questions without files, go first.
func TestAttachedFilesAreKeptLongest(t *testing.T) {
	s := &speaker{words: "yes it is so", context: 70}
	_, talks := newSpeakingApp(t, s)
	id := newTalk(t, talks, chat.Choices{})
	say := func(after int64, mayDrop bool, parts []chat.Part) (chat.Message, error) {
		return talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, After: after, Parts: parts, MayDrop: mayDrop}, nil)
	}
	lease := "tenant " + strings.Repeat("word ", 29)
	first, err := say(0, false, chat.Content("Who lives here?", chat.File("lease.txt", lease)))
	if err != nil {
		t.Fatal(err)
	}
	second, err := say(first.ID, false, chat.Content(strings.Repeat("else ", 20)))
	if err != nil {
		t.Fatal(err)
	}
	_, err = say(second.ID, false, chat.Content("And who pays for the water in that house now?"))
	var over *chat.OverflowError
	if !errors.As(err, &over) || !slices.Equal(over.Dropped, []int64{first.ID, second.Parent, second.ID}) || over.Needed < 70 {
		t.Fatalf("%+v, %v", over, err)
	}
	third, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, After: over.Asked, MayDrop: true}, nil)
	if err != nil || third.Reply.Dropped != 3 {
		t.Fatalf("%+v, %v", third.Reply, err)
	}
	if sent := roles(s.last()); !strings.Contains(sent, "tenant word") || !strings.Contains(sent, "the water in that house") || strings.Contains(sent, "else") || strings.Contains(sent, "so") {
		t.Errorf("sent: %s", sent)
	}
	// What has no room at all for the files does without them.
	s.context = 60
	if _, err := say(third.ID, true, chat.Content(strings.Repeat("long ", 40))); err != nil || strings.Contains(roles(s.last()), "tenant") {
		t.Errorf("%v, sent: %s", err, roles(s.last()))
	}
}
