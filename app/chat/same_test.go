package chat

import (
	"encoding/json"
	"strings"
	"testing"
)

// A passage that says what another one says is known, whatever the lines of either; neighbours that
// share a sentence are two.
func TestRepeatedPassages(t *testing.T) {
	passage := func(path, text string) Part {
		data, err := json.Marshal(Source{Collection: "c", Path: path, End: len(text)})
		if err != nil {
			t.Fatal(err)
		}
		return Part{Kind: PartPassage, Name: path, Text: text, Data: data}
	}
	lease := passage("/a/lease (1).txt", "The tenant may end it. The notice is in writing. One dog is allowed.")
	list := []Part{passage("/a/boat.txt", "Boats float."), lease}
	for text, want := range map[string]int{
		"The tenant may end it.\nThe notice\nis in writing. One dog is allowed.":         1,
		"The notice is in writing. One dog is allowed.":                                  1,
		"One dog is allowed. The rent is due on the first. The key is below the window.": -1,
		"": -1,
	} {
		if got := repeated(list, passage("/a/lease.txt", text)); got != want {
			t.Errorf("%q is repeated at %d, want %d", text, got, want)
		}
	}
	if original := passage("/a/lease.txt", lease.Text); !isCopyOf(lease, original) || isCopyOf(original, lease) || isCopyOf(original, original) {
		t.Error("a copy is not told from its original")
	}
}

// A chat of which messages were left out is full before the model is loaded again too; with more room it
// is what it has.
func TestGuessOfAChatThatWasCut(t *testing.T) {
	long := strings.Repeat("word ", 700) // 875 tokens by a guess
	talk := Talk{Messages: []Message{
		{Role: RoleUser, Parts: Content(long)},
		{Role: RoleAssistant, Parts: Content("Yes."), Reply: &ReplyRecord{Model: "m", PromptTokens: 90, Tokens: 2, Dropped: 2}},
		{Role: RoleUser, Parts: Content("And?")},
	}}
	if m := guessed(talk, "m", Content("And?"), 1024); m.Prompt != 1024 || m.Room != 0 {
		t.Errorf("of a full chat: %+v", m)
	}
	if m := guessed(talk, "m", Content("And?"), 8192); m.Prompt < 875 || m.Prompt > 900 || m.Room != 8192-m.Prompt {
		t.Errorf("with more room: %+v", m)
	}
}

// A chat that leaves too little room for an answer is full by a guess too: messages will be left out of it.
func TestGuessOfAFullChat(t *testing.T) {
	for prompt, want := range map[int]int{700: 711, 790: 1024} {
		talk := Talk{Messages: []Message{
			{Role: RoleUser, Parts: Content("Why?")},
			{Role: RoleAssistant, Parts: Content("Yes."), Reply: &ReplyRecord{Model: "m", PromptTokens: prompt, Tokens: 2}},
			{Role: RoleUser, Parts: Content("And?")},
		}}
		if m := guessed(talk, "m", Content("And?"), 1024); m.Prompt < want-5 || m.Prompt > want {
			t.Errorf("after a prompt of %d tokens: %+v", prompt, m)
		}
	}
}
