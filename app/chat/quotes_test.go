package chat_test

import (
	"strings"
	"testing"

	"inglenook/app/apptest"
	"inglenook/app/chat"
	"inglenook/app/documents"
	"inglenook/app/library"
)

// The guide quotes the row that answers, below the names of its table's columns, where a table is longer
// than what is quoted of it.
func TestTheGuideQuotesTheRowThatAnswers(t *testing.T) {
	apptest.Home(t)
	a, talks := newRealTalks(t)
	if _, err := a.Documents().AddSamples(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Documents().Index(t.Context(), documents.IndexRequest{Collection: documents.SamplesName}, nil, nil); err != nil {
		t.Fatal(err)
	}
	for question, row := range map[string]string{
		"When is garlic planted?":                         "| October | Garlic | Plant the largest cloves | The tip two fingers below the surface |",
		"When should garlic be planted?":                  "| October | Garlic | Plant the largest cloves | The tip two fingers below the surface |",
		"In which month are the pumpkins laid on a tile?": "| September | Pumpkins | Put a tile under each fruit | On bare soil they rot from below |",
	} {
		m := ask(t, talks, begin(t, a, chat.Choices{Model: library.StarterChat, Collection: documents.SamplesName}), question)
		if text := m.Text(); !strings.Contains(text, "> | Month | Crop | Work | Remember |\n> |---|---|---|---|\n") || !strings.Contains(text, row) {
			t.Errorf("%s: %s", question, text)
		}
	}
}

// Asked with a file, the guide quotes from it what has the words of the question, or says that it reads no files; it
// writes nothing of its own.
func TestTheGuideQuotesAttachedFiles(t *testing.T) {
	apptest.Home(t)
	a, talks := newRealTalks(t)
	minutes := "The meeting began at eight.\n\nThe treasurer reported a balance of 412 euros. " + strings.Repeat("Nobody asked for more. ", 40) + "\n\nThe minutes are by Imani Okafor (the treasurer).\n\nThe next meeting is on Friday in the school hall."
	table := "Month,Crop\nMarch,Onions\nOctober,Garlic\n"
	for question, want := range map[string]string{
		"Where is the next meeting?":       "The next meeting is on Friday in the school hall.",
		"What is the treasurer's balance?": "The treasurer reported a balance of 412 euros.",
		"When comes the garlic?":           "> | Month | Crop |\n> |---|---|\n> | March | Onions |\n> | October | Garlic |",
		"Who is the treasurer?":            "> … The minutes are by Imani Okafor (the treasurer).",
		"Summarize it":                     "I am too small to read attached files.",
	} {
		id := begin(t, a, chat.Choices{Model: library.StarterChat})
		name, text := "minutes.txt", minutes
		if strings.Contains(question, "garlic") {
			name, text = "garden.csv", table
		}
		m, err := askFor(t, talks, chat.AnswerRequest{Conversation: id, Parts: append(chat.Content(question), chat.File(name, text))}, nil)
		if err != nil {
			t.Fatal(err)
		}
		reason := chat.FinishQuoted
		if question == "Summarize it" {
			reason = chat.FinishUnread
		}
		if m.Reply.Reason != reason || m.State != chat.MessageComplete || !strings.Contains(m.Text(), want) || len(m.Text()) > 700 {
			t.Errorf("%s: %+v %q", question, m.Reply, m.Text())
		}
	}
}
