package chat_test

import (
	"slices"
	"strings"
	"testing"

	"inglenook/app/chat"
	"inglenook/app/documents"
)

// What the room of documents shows as close is not said to be absent in a chat: the closest passages go along, and a
// note says that they may not answer. What is far for one is absent for the other.
func TestOneThresholdForBothRooms(t *testing.T) {
	a, x := newAskingApp(t, &speaker{}, 2e9)
	var near, sure, far int
	for _, question := range []string{
		noticeQuestion, "may I keep a dog in the flat", "how long notice must I give before moving out?", "is my puppy welcome", "what was mended on the ship", "where is the pet sleeping",
		"What is the population of Mars?", "which team won the football championship in Brazil?", "how do I change the oil of a car",
	} {
		got, err := a.Chat().Retrieve(t.Context(), chat.RetrieveRequest{MeterRequest: chat.MeterRequest{Choices: x}, Question: question})
		if err != nil {
			t.Fatal(err)
		}
		found, err := a.Documents().Search(t.Context(), documents.SearchRequest{Text: question})
		if err == nil {
			found, err = a.Documents().Settle(t.Context(), found)
		}
		if err != nil {
			t.Fatal(err)
		}
		unsure := slices.ContainsFunc(got.Notes, func(n string) bool { return strings.HasPrefix(n, "No passage is sure") })
		for _, p := range got.Passages {
			if from, _ := chat.SourceOf(p); from.Unsure != unsure {
				t.Errorf("%q: the passage %s is unsure: %v, and the notes are %q", question, p.Name, from.Unsure, got.Notes)
			}
		}
		switch {
		case found.Far && got.Missing != "":
			far++
		case !found.Far && unsure:
			near++
		case !unsure && got.Missing == "":
			sure++
		}
		if !found.Far && got.Missing != "" || len(got.Passages)+len(got.Others) == 0 {
			t.Errorf("%q: documents say far: %v, the chat says %q with %d and %d passages", question, found.Far, got.Missing, len(got.Passages), len(got.Others))
		}
		t.Logf("%q: far %v, missing %q, notes %q", question, found.Far, got.Missing, got.Notes)
	}
	if near == 0 || sure == 0 || far == 0 {
		t.Errorf("%d are near, %d sure, %d far", near, sure, far)
	}
}

// Where nothing is close, the answer says which documents the nearest passages are in.
func TestMissingNamesTheNearest(t *testing.T) {
	a, x := newAskingApp(t, &speaker{}, 2e9)
	answer := ask(t, a.Chat(), begin(t, a, x), "how do I change the oil of a car")
	if got := answer.Text(); answer.Reply.Reason != chat.FinishNotFound || !strings.Contains(got, "The nearest passages are in ") || !strings.Contains(got, "boat.txt") {
		t.Errorf("it says %q", got)
	}
}
